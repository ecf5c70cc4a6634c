from libc.stdint cimport int32_t

from gtpengine.core.board cimport Board, Change
from gtpengine.core.types cimport color_t, hash_t, point_t


cdef struct Entry:
    hash_t hash        # of the stones, after the move
    color_t to_play    # who moves next
    Change change      # takes the move back; undefined in the first entry


cdef bint is_repeated(
    const Entry* entries, int32_t count, hash_t hash, color_t to_play, bint situational
) noexcept nogil


cdef class History:
    cdef Board board_            # the position after the last entry
    cdef Entry* entries          # first position first; moves when it grows
    cdef int32_t count
    cdef int32_t capacity

    cdef int reserve(self) except -1
