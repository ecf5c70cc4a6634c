# A position on its way from the search to an evaluator and back.

from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset

from gtpengine.core.playout cimport Trace
from gtpengine.core.position cimport Position
from gtpengine.core.types cimport MAX_POINTS, color_t, point_t

cdef enum:
    N_EARLIER = 3


cdef struct Candidate:
    # A move worth a node, as seen before any search.
    point_t move
    float prior        # share of this move, 0..1; all of a leaf sum to 1
    float value        # a guess at its result for who plays it, 0..1


cdef struct Leaf:
    # A position to evaluate: in, then out.
    Position position             # in; the evaluator may change it
    color_t to_play
    point_t last                  # the move before: a point, PASS, or NO_POINT
    point_t last_but_one
    point_t[N_EARLIER] earlier    # the moves before these two, newest first
    float komi                    # points for White, with all that the rules add to the area score
    bint territory                # prisoners and empty points count, not the area
    int n_banned                  # where only superko forbids a move: for evaluators that ask
    point_t[MAX_POINTS] banned
    bint wants_candidates
    bint is_over                  # two passes have ended the game
    float value                   # out: result for Black, 0..1
    float lead                    # out: points, Black minus White, komi included
    float[MAX_POINTS] owner       # out: +1 Black, -1 White; valid on the lines of the board
    int n_candidates              # out, if wanted; the pass is among them
    Candidate[MAX_POINTS] candidates
    Trace trace                   # out: moves played from the leaf on, from `to_play` in turn


cdef inline int remember(Leaf* leaf, point_t move) noexcept nogil:
    # Make ``move`` the last one.
    cdef int i = 0
    for i in range(N_EARLIER - 1, 0, -1):
        leaf.earlier[i] = leaf.earlier[i - 1]
    leaf.earlier[0], leaf.last_but_one, leaf.last = leaf.last_but_one, leaf.last, move
    return 0


cdef inline uint32_t rank(const Candidate* candidate) noexcept nogil:
    # Lower for the larger prior.
    cdef uint32_t bits = 0   # of a positive float: in the order of the numbers
    memcpy(&bits, &candidate.prior, sizeof(bits))
    return ~bits


cdef inline int sort_by_prior(Candidate* candidates, int n) noexcept nogil:
    # Largest first; equals stay as they come, in the order of their points, so that every machine
    # has one order.  Byte by byte of the rank, the least first: no branch is as good as random, and
    # so it takes a fraction of the time of qsort.
    cdef Candidate[MAX_POINTS] ordered
    cdef int[4][256] place
    cdef uint32_t bits = 0
    cdef int k = 0
    cdef int byte = 0
    cdef int count = 0
    cdef int before = 0
    cdef int i = 0
    memset(place, 0, sizeof(place))
    for i in range(n):
        bits = rank(&candidates[i])
        for k in range(4):
            place[k][bits >> 8 * k & 255] += 1
    for k in range(4):
        if n > 0 and place[k][rank(&candidates[0]) >> 8 * k & 255] == n:
            continue   # all alike
        before = 0
        for byte in range(256):
            count = place[k][byte]
            place[k][byte] = before
            before += count
        for i in range(n):
            byte = rank(&candidates[i]) >> 8 * k & 255
            ordered[place[k][byte]] = candidates[i]
            place[k][byte] += 1
        memcpy(candidates, ordered, n * sizeof(Candidate))
    return 0
