from libc.stdint cimport int8_t, int32_t, uint16_t, uint64_t

from gtpengine.core.types cimport MAX_SIZE

cdef enum:
    MOST_INDEX = MAX_SIZE * MAX_SIZE + 1


cdef struct Opinion:
    # What a network says of a position, for the side to move; points as row * size + column.
    float value                    # 0..1
    float lead                     # points
    float[MOST_INDEX] policy       # 0..1, the pass last
    float[MOST_INDEX] owner        # +1 for the side to move, -1 for the opponent


cdef struct Entry:
    # An Opinion in short; behind it in memory: policy, size * size + 1 times 1 / 65535 as uint16_t,
    # then owner, size * size times 1 / 127 as int8_t.
    uint64_t key
    int32_t busy                   # a thread reads or writes it
    float value
    float lead


cdef class Cache:
    cdef char* entries
    cdef size_t step               # bytes from one entry to the next
    cdef size_t n_entries
    cdef int n_points
    cdef size_t memory

    cdef int resize(self, int size) except -1
    cdef bint find(self, uint64_t key, Opinion* opinion) noexcept nogil
    cdef int keep(self, uint64_t key, const Opinion* opinion) noexcept nogil
