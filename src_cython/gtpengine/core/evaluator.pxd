from gtpengine.core.leaf cimport Leaf
from gtpengine.core.playout cimport Policy
from gtpengine.core.prior cimport Prior
from gtpengine.core.rng cimport rng_t


cdef inline float result(float lead, int size, float score_weight) noexcept nogil:
    # Result for Black, 0..1: who won, and a little of by how much, so that won games stay tidy.
    cdef float won = 1 if lead > 0 else 0 if lead < 0 else 0.5
    cdef float score = 0.5 + 0.5 * lead / (size * size + 100)
    score = 0 if score < 0 else 1 if score > 1 else score
    return won + score_weight * (score - won)


cdef class Evaluator:
    cdef readonly int batch_size          # leaves that `evaluate` likes to get at once
    cdef readonly float score_weight      # share of the score in a result, 0..1
    cdef readonly bint repeats            # whether to evaluate a leaf again tells more
    cdef readonly bint asks_superko       # whether it wants to know the banned points

    cdef int prepare(self, int size) except -1
    cdef bint recall(self, Leaf* leaf) noexcept nogil
    cdef int evaluate(self, Leaf* leaves, int n, rng_t* rng) except -1 nogil


cdef class PlayoutEvaluator(Evaluator):
    cdef readonly Prior prior
    cdef readonly float prior_scale       # of guesses at results: for each doubling of the prior
    cdef Policy policy
