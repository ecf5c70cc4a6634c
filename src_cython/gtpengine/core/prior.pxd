from libc.stdint cimport int16_t

from gtpengine.core.leaf cimport Leaf
from gtpengine.core.spatial cimport Patterns


cdef class Prior:
    cdef readonly Patterns patterns
    cdef int16_t* weights            # by feature: 256 times the binary logarithm

    cdef int list_candidates(self, Leaf* leaf, float per_doubling) noexcept nogil
