from gtpengine.core.board cimport Board
from gtpengine.core.position cimport Change, Position
from gtpengine.core.types cimport color_t, hash_t, point_t


cdef struct Stand:
    # One position of the game, as superko sees it.
    hash_t hash        # of the stones
    color_t to_play    # who moves next


cdef bint is_repeated(
    const Stand* stands, int count, hash_t hash, color_t to_play, bint situational
) noexcept nogil
cdef int list_banned(
    const Position* at, color_t color, const Stand* stands, int count, bint situational,
    point_t* banned
) noexcept nogil


cdef class History:
    cdef Board board_            # the position after the last move
    cdef Stand* stands           # n_moves + 1 of them, the first position first
    cdef Change* changes         # n_moves of them: each takes its move back
    cdef int n_moves
    cdef int capacity            # moves that there is room for

    cdef int reserve(self) except -1
