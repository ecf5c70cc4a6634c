from gtpengine.core.board cimport Board, Change
from gtpengine.core.types cimport color_t, hash_t


cdef struct Stand:
    # One position of the game, as superko sees it.
    hash_t hash        # of the stones
    color_t to_play    # who moves next


cdef bint is_repeated(
    const Stand* stands, int count, hash_t hash, color_t to_play, bint situational
) noexcept nogil


cdef class History:
    cdef Board board_            # the position after the last move
    cdef Stand* stands           # n_moves + 1 of them, the first position first
    cdef Change* changes         # n_moves of them: each takes its move back
    cdef int n_moves
    cdef int capacity            # moves that there is room for

    cdef int reserve(self) except -1
