from libc.stdint cimport int8_t

from gtpengine.core.position cimport Position


cdef int finished_area(const Position* at) noexcept nogil
cdef int finished_owner(const Position* at, float* owner) noexcept nogil
cdef int area(const Position* at, int8_t* owner) noexcept nogil
