"""Leaf evaluation: a batch of positions in; candidate moves with priors, and results, out.

The search knows only ``Evaluator``; whether playouts or a network answer is decided where the
search is made.
"""

from gtpengine.core.playout cimport playout
from gtpengine.core.prior cimport Prior
from gtpengine.core.score cimport finished_owner


cdef class Evaluator:
    """The base of all evaluators: it can evaluate nothing itself."""

    def __init__(
        self, *, int batch_size=1, float score_weight=0, bint repeats=True, bint asks_superko=False
    ):
        self.batch_size = batch_size
        self.score_weight = score_weight
        self.repeats, self.asks_superko = repeats, asks_superko

    cdef int prepare(self, int size) except -1:
        """Get ready for boards of ``size`` lines; called while no thread evaluates."""
        return 0

    cdef bint recall(self, Leaf* leaf) noexcept nogil:
        """Fill the out fields of a leaf if they are known already; otherwise change nothing."""
        return False

    cdef int evaluate(self, Leaf* leaves, int n, rng_t* rng) except -1 nogil:
        """Fill the out fields of ``n`` leaves, 1 or more; called by several threads at once."""
        with gil:
            raise NotImplementedError("an evaluator must say how it evaluates")


cdef class PlayoutEvaluator(Evaluator):
    """One playout a leaf; candidates as ``prior`` sees them.

    ``capture``, ``nakade``, ``pattern`` and ``self_atari`` say how often, in 1000, playouts look
    for such moves; ``score_weight`` is the share of the score in a result, 0..1;
    a move is guessed to win by ``prior_scale`` more with each doubling of its prior.
    """

    def __init__(
        self, *, Prior prior, int capture, int nakade, int pattern, int self_atari,
        float score_weight, float prior_scale
    ):
        super().__init__(score_weight=score_weight)
        self.prior, self.prior_scale = prior, prior_scale
        self.policy = Policy(
            capture=capture, nakade=nakade, pattern=pattern, self_atari=self_atari)

    cdef int evaluate(self, Leaf* leaves, int n, rng_t* rng) except -1 nogil:
        cdef int i = 0
        cdef Leaf* leaf = NULL
        for i in range(n):
            leaf = &leaves[i]
            if leaf.wants_candidates:
                self.prior.list_candidates(leaf, self.prior_scale)
            playout(&leaf.position, leaf.to_play, leaf.last, &self.policy, rng, &leaf.trace)
            leaf.lead = finished_owner(&leaf.position, leaf.owner) - leaf.komi
            leaf.value = result(leaf.lead, leaf.position.size, self.score_weight)
        return 0
