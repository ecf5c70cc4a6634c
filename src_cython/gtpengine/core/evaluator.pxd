from gtpengine.core.board cimport Position
from gtpengine.core.playout cimport Policy, Trace
from gtpengine.core.rng cimport rng_t
from gtpengine.core.types cimport MAX_POINTS, color_t, point_t


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
    float komi                    # points for White, with all that the rules add to the area score
    bint territory                # prisoners and empty points count, not the area
    bint wants_candidates
    bint is_final                 # already evaluated: the evaluator leaves it alone
    float value                   # out: result for Black, 0..1
    float lead                    # out: points, Black minus White, komi included
    float[MAX_POINTS] owner       # out: +1 Black, -1 White; valid on the lines of the board
    int n_candidates              # out, if wanted; the pass is among them
    Candidate[MAX_POINTS] candidates
    Trace trace                   # out: moves played from the leaf on, from `to_play` in turn


cdef inline float result(float lead, int size, float score_weight) noexcept nogil:
    # Result for Black, 0..1: who won, and a little of by how much, so that won games stay tidy.
    cdef float won = 1 if lead > 0 else 0 if lead < 0 else 0.5
    cdef float score = 0.5 + 0.5 * lead / (size * size + 100)
    score = 0 if score < 0 else 1 if score > 1 else score
    return won + score_weight * (score - won)


cdef class Evaluator:
    cdef readonly int batch_size          # leaves that `evaluate` likes to get at once

    cdef readonly float score_weight      # share of the score in a result, 0..1

    cdef int evaluate(self, Leaf* leaves, int n, rng_t* rng) except -1 nogil


cdef class PlayoutEvaluator(Evaluator):
    cdef Policy policy
