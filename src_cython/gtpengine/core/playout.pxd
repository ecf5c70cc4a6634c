from libc.stdint cimport uint32_t

from gtpengine.core.position cimport Position
from gtpengine.core.rng cimport rng_t
from gtpengine.core.types cimport MAX_SIZE, color_t, point_t

cdef enum:
    MAX_MOVES = 3 * MAX_SIZE * MAX_SIZE   # a playout ends here at the latest


cdef struct Policy:
    # How often, in 1000, a playout looks for each kind of local move; all 0: uniformly random.
    uint32_t capture       # take or save stones in atari at the last move
    uint32_t nakade        # the vital point of a small eye space
    uint32_t pattern       # a 3x3 pattern beside the last move
    uint32_t self_atari    # let a self-atari of more than one stone through


cdef struct Trace:
    # The moves of one playout, alternating from the side that began.
    int n
    point_t[MAX_MOVES] moves


cdef int random_playout(Position* at, color_t to_play, rng_t* rng) noexcept nogil
cdef int playout(
    Position* at, color_t to_play, point_t last, const Policy* policy, rng_t* rng, Trace* trace
) noexcept nogil
cdef bint is_self_atari(const Position* at, color_t color, point_t point) noexcept nogil
cdef point_t vital_point(const Position* at, point_t start, color_t* border) noexcept nogil
cdef int tactical_moves(
    const Position* at, color_t color, point_t last, point_t* moves
) noexcept nogil
