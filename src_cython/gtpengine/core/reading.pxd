from libc.stdint cimport uint32_t

from gtpengine.core.life cimport Arena
from gtpengine.core.position cimport Position
from gtpengine.core.types cimport color_t, hash_t, point_t

cdef enum:
    MOST_PLIES = 100     # moves and passes that one line of play may have
    MOST_MOVES = 128     # choices in one position; more are not looked at
    EVERY = MOST_PLIES   # more retakes than a line can have


cdef struct Goal:
    # What one side, the prover, wants to reach against every defense.
    point_t target       # a stone of the chain in question
    color_t owner        # its color
    bint capture         # the prover takes the chain; False: it is the owner and makes it live
    point_t guard        # NO_POINT, or a stone of the captor that must not fall in return
    int retakes          # kos that the owner may retake at once, as he has threats; or EVERY


cdef struct Effort:
    # How far a question is from its answer: positions still to be settled, at least.
    uint32_t proof       # for "reached"; 0: it is reached, ENDLESS: it is not
    uint32_t disproof    # for "not reached"; likewise
    int rests_on         # of a settled one: first ply of the line that the answer depends on


cdef struct Entry:
    # A position met before, with who is to move and the goal.
    hash_t key
    uint32_t proof
    uint32_t disproof


cdef class Reader:
    cdef Position at
    cdef Arena arena
    cdef bint[3] has_safe                    # by color: some safe stone of it borders the arena
    cdef Entry* table
    cdef int n_nodes                         # looked at so far
    cdef int most_nodes
    cdef hash_t[MOST_PLIES + 1] path         # hashes of the stones, from the root on
    # Per ply: the first one whose position must not be recreated, the bans lifted by then, the kos
    # that may still be retaken.
    cdef int[MOST_PLIES + 1] since
    cdef int[MOST_PLIES + 1] lifts
    cdef int[MOST_PLIES + 1] retakes

    cdef int solve(self, const Goal* goal, color_t to_play, int most_nodes) noexcept nogil
    cdef Effort search(
        self, const Goal* goal, color_t to_play, int ply, hash_t line, uint32_t proof,
        uint32_t disproof
    ) noexcept nogil
    cdef Effort look(
        self, const Goal* goal, color_t mover, int ply, hash_t line
    ) noexcept nogil
    cdef Effort look_at_capture(
        self, const Goal* goal, color_t mover, int ply, hash_t line
    ) noexcept nogil
    cdef hash_t key_at(self, const Goal* goal, color_t to_play, int ply, int lifts) noexcept nogil
    cdef int banned_by(self, color_t color, point_t point, int ply) noexcept nogil
    cdef bint lifts_ban(self, int ply) noexcept nogil
    cdef bint is_hopeless(self, const Goal* goal) noexcept nogil
    cdef int list_moves(
        self, const Goal* goal, color_t to_play, int ply, point_t* moves
    ) noexcept nogil
    cdef int worth(self, const Goal* goal, color_t color, point_t point) noexcept nogil
