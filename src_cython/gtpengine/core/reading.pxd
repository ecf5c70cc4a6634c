from libc.stdint cimport int8_t, int32_t

from gtpengine.core.board cimport Position
from gtpengine.core.life cimport Arena
from gtpengine.core.types cimport MAX_POINTS, color_t, hash_t, point_t

cdef enum:
    MOST_PLIES = 120     # moves and passes that one line of play may have


cdef struct Goal:
    # What one side, the prover, wants to reach against every defense.
    point_t target       # a stone of the chain in question
    color_t owner        # its color
    bint capture         # the prover takes the chain; False: it is the owner and makes it live
    point_t guard        # NO_POINT, or a stone of the captor that must not fall in return


cdef struct Entry:
    # A position met before, with who is to move and the goal.
    hash_t key
    point_t move         # best so far, or NO_POINT
    int8_t value         # an Outcome


cdef class Reader:
    cdef Position at
    cdef Arena arena
    cdef bint[3] has_safe                    # by color: some safe stone of it borders the arena
    cdef Entry* table
    cdef int n_nodes                         # looked at so far
    cdef int most_nodes
    cdef hash_t[MOST_PLIES + 1] path         # hashes of the stones, from the root on
    cdef int32_t[3][MAX_POINTS] history      # by color: how often a move decided

    cdef int solve(self, const Goal* goal, color_t to_play) noexcept nogil
    cdef int prove(
        self, const Goal* goal, color_t to_play, int depth, int ply, int* low
    ) noexcept nogil
    cdef int after(
        self, const Goal* goal, color_t mover, point_t move, int depth, int ply, int* low
    ) noexcept nogil
    cdef bint is_hopeless(self, const Goal* goal) noexcept nogil
    cdef int list_moves(
        self, const Goal* goal, color_t to_play, point_t first, point_t* moves
    ) noexcept nogil
    cdef int worth(self, const Goal* goal, color_t color, point_t point) noexcept nogil
