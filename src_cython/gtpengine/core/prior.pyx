"""Which moves to look at first: a share for every move, learned from games.

The weight of a move is the product of the weights of its features; its prior is its share of the
sum over all moves (Coulom 2007, Computing Elo Ratings of Move Patterns in the Game of Go).
"""

from libc.math cimport ldexpf, log2f, sqrt
from libc.stdint cimport int16_t, int32_t
from libc.stdlib cimport calloc, free, malloc

from gtpengine.core.board cimport Board
from gtpengine.core.leaf cimport Candidate, Leaf, sort_by_prior
from gtpengine.core.move_features cimport MOST_FEATURES, PATTERN, Scene, describe, survey
from gtpengine.core.position cimport Position, is_eye, legality
from gtpengine.core.types cimport EMPTY, LEGAL, NO_POINT, PASS, STRIDE, color_t, point_t

cdef enum:
    UNIT = 256       # of a weight's logarithm: integers, and roots, come out alike everywhere
    MOST = 40 * UNIT

cdef float[UNIT] ROOT    # powers of 2 ** (1 / UNIT)


def _fill_table():
    cdef double root = 0
    cdef double power = 0
    for i in range(UNIT):
        root, power = 2, 1
        for bit in range(7, -1, -1):
            root = sqrt(root)
            if i >> bit & 1:
                power *= root
        ROOT[<int>i] = power


_fill_table()


cdef inline float weight_of(int logarithm) noexcept nogil:
    logarithm = MOST if logarithm > MOST else -MOST if logarithm < -MOST else logarithm
    return ldexpf(ROOT[logarithm & (UNIT - 1)], logarithm >> 8)


cdef class Prior:
    """Weights of features of moves.

    ``weights`` is int16, 256 times the binary logarithm of each weight: first those of all fixed
    features, then those of the patterns.
    """

    def __init__(self, Patterns patterns not None, const int16_t[::1] weights):
        cdef int i = 0
        if weights.shape[0] != PATTERN + patterns.n:
            raise ValueError(f"expected {PATTERN + patterns.n} weights, got {weights.shape[0]}")
        free(self.weights)
        self.patterns = patterns
        self.weights = <int16_t*>malloc(weights.shape[0] * sizeof(int16_t))
        if self.weights == NULL:
            raise MemoryError("no memory for the weights of moves")
        for i in range(<int>weights.shape[0]):
            self.weights[i] = weights[i]

    def __dealloc__(self):
        free(self.weights)

    cdef int list_candidates(self, Leaf* leaf, float per_doubling) noexcept nogil:
        """Fill ``candidates``, best first; return their number.

        They are the pass and every legal move but those inside own eyes.  Superko is the business
        of the search.  A move's guessed value grows by ``per_doubling`` with each doubling of its
        prior.
        """
        cdef Position* at = &leaf.position
        cdef Candidate* found = leaf.candidates
        cdef Scene scene
        cdef int32_t[MOST_FEATURES] features
        cdef point_t point = PASS
        cdef int n = 0
        cdef int i = 0
        cdef int k = 0
        cdef int logarithm = 0
        cdef float total = 0
        cdef float doublings = 0
        survey(leaf, &scene)
        for i in range(STRIDE + 1, (at.size + 1) * STRIDE):
            point = <point_t>i
            if at.color[point] != EMPTY or is_eye(at.shape[point], leaf.to_play) or (
                    legality(at, leaf.to_play, point, False) != LEGAL):
                continue
            logarithm = 0
            for k in range(describe(leaf, &scene, point, self.patterns, features)):
                logarithm += self.weights[features[k]]
            found[n].move = point
            found[n].prior = weight_of(logarithm)
            total += found[n].prior
            n += 1
        found[n].move = PASS
        # After the opponent's pass another one ends the game, and under territory rules a pass may
        # be better than any move: that must be looked at.
        found[n].prior = 0.01 + total * (
            0.2 if leaf.last == PASS else 0.03 if leaf.territory else 0.002)
        total += found[n].prior
        n += 1
        # The best first: the search looks at a few at a time.
        sort_by_prior(found, n)
        for i in range(n):
            found[i].prior /= total
            doublings = log2f(found[i].prior * n + 0.001)
            doublings = 8 if doublings > 8 else -6 if doublings < -6 else doublings
            found[i].value = 0.5 + per_doubling * doublings
            if found[i].move == PASS:
                found[i].value = 0.45 if leaf.territory else 0.3
        leaf.n_candidates = n
        return n

    def candidates(self, Board board not None, int color, int last=NO_POINT,
                   int last_but_one=NO_POINT):
        """The prior of each move that a new node would be given, by point.

        PASS is among them; points inside own eyes are left out.
        """
        cdef Leaf* leaf = <Leaf*>calloc(1, sizeof(Leaf))
        if leaf == NULL:
            raise MemoryError("no memory for a position")
        try:
            leaf.position = board.position
            leaf.to_play = <color_t>color
            leaf.last, leaf.last_but_one = <point_t>last, <point_t>last_but_one
            self.list_candidates(leaf, 0)
            return {<int>leaf.candidates[i].move: leaf.candidates[i].prior
                    for i in range(leaf.n_candidates)}
        finally:
            free(leaf)
