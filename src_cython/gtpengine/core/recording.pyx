"""Positions of recorded games, found again by playing the moves before them."""

from libc.stdint cimport int64_t

from gtpengine.core.history cimport list_banned
from gtpengine.core.leaf cimport N_EARLIER, remember
from gtpengine.core.position cimport legality, opponent, pass_turn, put, reset
from gtpengine.core.types cimport BLACK, LEGAL, NO_POINT, PASS, STRIDE, WHITE, color_t, point_t


cdef float area_komi(const Position* at, float komi, bint territory) noexcept nogil:
    """Komi that makes the area score of a finished game what the rules count.

    Territory and prisoners are the area less the stones played: S of Black's playing adds S stones
    or prisoners.
    """
    if territory:
        komi += (at.n_stones[BLACK] + at.n_lost[BLACK] - at.n_stones[WHITE] - at.n_lost[WHITE])
    return komi


cdef int replay(Leaf* leaf, Stand* stands, int size, const Recording* game) noexcept nogil:
    """Fill the in fields by playing a recording, Black first; -1 if a move is illegal."""
    cdef Position* at = &leaf.position
    cdef int64_t i = 0
    cdef int move = 0
    cdef point_t point = PASS
    cdef color_t color = BLACK
    reset(at, size)
    stands[0] = Stand(at.hash, BLACK)
    leaf.last = leaf.last_but_one = NO_POINT
    for i in range(N_EARLIER):
        leaf.earlier[i] = NO_POINT
    for i in range(game.n_moves):
        move = game.moves[i]
        point = PASS
        if move != size * size:
            if not 0 <= move < size * size:
                return -1
            point = <point_t>((size - move // size) * STRIDE + move % size + 1)
            if legality(at, color, point, True) != LEGAL:
                return -1
            put(at, color, point)
        else:
            pass_turn(at)
        color = opponent(color)
        stands[i + 1] = Stand(at.hash, color)
        remember(leaf, point)
    leaf.to_play = color
    leaf.territory = game.territory
    leaf.komi = area_komi(at, game.komi, game.territory)
    leaf.n_banned = 0 if game.territory else list_banned(
        at, color, stands, <int>game.n_moves + 1, False, leaf.banned)
    return 0
