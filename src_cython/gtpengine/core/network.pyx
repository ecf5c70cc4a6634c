"""Leaf evaluation by a network: batches of planes in; policy, value, lead and ownership out."""

from libc.math cimport expf
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from gtpengine.core.atomic cimport load, store, swap
from gtpengine.core.cache cimport Cache, Opinion
from gtpengine.core.evaluator cimport result
from gtpengine.core.features cimport N_PLANES, N_SCALARS, N_SYMMETRIES, encode, place
from gtpengine.core.leaf cimport N_EARLIER, Leaf, sort_by_prior
from gtpengine.core.position cimport legality
from gtpengine.core.rng cimport random_below, rng_t
from gtpengine.core.types cimport BLACK, LEGAL, NO_POINT, PASS, STRIDE

import numpy as np

cdef float LEAST_PRIOR = 1e-4   # no legal move is ruled out for ever
cdef float OWNED = 0.2          # ownership from which on a point counts when the game is over


cdef inline uint64_t mixed(uint64_t key, uint64_t more) noexcept nogil:
    # The finaliser of SplitMix64 (Steele, Lea and Flood 2014) over both.
    key = (key ^ more) * <uint64_t>0xBF58476D1CE4E5B9
    key = (key ^ (key >> 27)) * <uint64_t>0x94D049BB133111EB
    return key ^ (key >> 31)


cdef uint64_t key_of(const Leaf* leaf) noexcept nogil:
    """What an evaluation depends on, but for the moves that led here."""
    cdef uint32_t komi = 0
    cdef int i = 0
    cdef uint64_t flags = (
        leaf.to_play | (leaf.last == PASS) << 2 | (leaf.last_but_one == PASS) << 3
        | leaf.is_over << 4 | leaf.territory << 5 | <uint64_t>(leaf.position.ko + 1) << 8)
    memcpy(&komi, &leaf.komi, sizeof(komi))
    cdef uint64_t key = mixed(mixed(leaf.position.hash, flags), komi)
    for i in range(leaf.n_banned):
        key += mixed(leaf.banned[i], 0x9E3779B9)   # in no order
    return key


cdef class NetworkEvaluator(Evaluator):
    """Evaluates each position once, in one of its symmetries at random.

    ``run`` maps (planes, scalars) to (policy, value, lead, owner): see docs/network.md.  It is
    called with the GIL, by several threads at once, and must not keep its arguments.
    ``score_weight`` is the share of the score in a result, ``cache_memory`` is in bytes.
    """

    def __cinit__(self, *args, **kwargs):
        memset(self.batches, 0, sizeof(self.batches))

    def __init__(self, run, *, int batch_size, float score_weight, size_t cache_memory):
        if batch_size < 1:
            raise ValueError(f"batch size must be at least 1, got '{batch_size}'")
        super().__init__(
            batch_size=batch_size, score_weight=score_weight, repeats=False, asks_superko=True)
        self.run = run
        self.cache = Cache(cache_memory)
        self.size = 0
        self.arrays = {}
        self.n_evaluated = self.n_cached = 0

    def __dealloc__(self):
        self.release()

    cdef int release(self) noexcept:
        cdef int i = 0
        for i in range(MOST_BATCHES):
            discard(&self.batches[i])
        return 0

    cdef int prepare(self, int size) except -1:
        self.cache.resize(size)
        if size != self.size:
            self.release()
            self.arrays.clear()
            self.size = size
        return 0

    cdef Batch* take_batch(self) noexcept nogil:
        cdef int i = 0
        while True:
            for i in range(MOST_BATCHES):
                if load(&self.batches[i].busy) == 0 and swap(&self.batches[i].busy, 0, 1):
                    return &self.batches[i]

    cdef int allocate(self, Batch* batch) except -1 nogil:
        cdef int n_points = self.size * self.size
        cdef int n = self.batch_size
        cdef int per_position = N_PLANES * n_points + N_SCALARS + n_points + 1 + 3 + 2 + n_points
        if batch.planes != NULL:
            return 0
        batch.planes = <float*>malloc(n * per_position * sizeof(float))
        batch.symmetry = <int*>malloc(n * sizeof(int))
        batch.key = <uint64_t*>malloc(n * sizeof(uint64_t))
        if batch.planes == NULL or batch.symmetry == NULL or batch.key == NULL:
            discard(batch)
            raise MemoryError("network: no memory for a batch")
        batch.scalars = batch.planes + n * N_PLANES * n_points
        batch.policy = batch.scalars + n * N_SCALARS
        batch.value = batch.policy + n * (n_points + 1)
        batch.lead = batch.value + 3 * n
        batch.owner = batch.lead + 2 * n
        return 0

    cdef bint recall(self, Leaf* leaf) noexcept nogil:
        cdef Opinion opinion
        if not self.cache.find(key_of(leaf), &opinion):
            return False
        self.n_cached += 1
        self.fill(leaf, &opinion)
        return True

    cdef int evaluate(self, Leaf* leaves, int n, rng_t* rng) except -1 nogil:
        cdef Batch* batch = self.take_batch()
        cdef Opinion opinion
        cdef int n_points = self.size * self.size
        cdef int i = 0
        try:
            self.allocate(batch)
            for i in range(n):
                batch.key[i] = key_of(&leaves[i])
                if leaves[i].is_over:
                    quieten(&leaves[i])
                batch.symmetry[i] = random_below(rng, N_SYMMETRIES)
                encode(&leaves[i], batch.symmetry[i], self.size,
                       batch.planes + i * N_PLANES * n_points, batch.scalars + i * N_SCALARS)
            with gil:
                self.run_network(batch, n)
            self.n_evaluated += n
            for i in range(n):
                self.read(batch, i, &opinion)
                self.cache.keep(batch.key[i], &opinion)
                self.fill(&leaves[i], &opinion)
        finally:
            store(&batch.busy, 0)
        return 0

    cdef int run_network(self, Batch* batch, int n) except -1:
        """Let the network answer; its output is copied into the batch."""
        cdef int size = self.size
        cdef int n_points = size * size
        cdef size_t which = batch - self.batches
        cdef int most = self.batch_size
        if which not in self.arrays:
            self.arrays[which] = (
                np.asarray(<float[:most, :N_PLANES, :size, :size]>batch.planes),
                np.asarray(<float[:most, :N_SCALARS]>batch.scalars))
        planes, scalars = self.arrays[which]
        policy, value, lead, owner = self.run(planes[:n], scalars[:n])
        cdef const float[:, ::1] policies = policy
        cdef const float[:, ::1] values = value
        cdef const float[:, ::1] leads = lead
        cdef const float[:, :, ::1] owners = owner
        if not (policies.shape[0] == values.shape[0] == leads.shape[0] == owners.shape[0] == n
                and policies.shape[1] == n_points + 1 and values.shape[1] == 3
                and leads.shape[1] == 2 and owners.shape[1] == owners.shape[2] == size):
            raise ValueError(
                f"expected {n} answers of the network for {size} lines, got shapes "
                f"'{policy.shape} {value.shape} {lead.shape} {owner.shape}'")
        memcpy(batch.policy, &policies[0, 0], n * (n_points + 1) * sizeof(float))
        memcpy(batch.value, &values[0, 0], n * 3 * sizeof(float))
        memcpy(batch.lead, &leads[0, 0], n * 2 * sizeof(float))
        memcpy(batch.owner, &owners[0, 0, 0], n * n_points * sizeof(float))
        return 0

    cdef int read(self, const Batch* batch, int i, Opinion* opinion) noexcept nogil:
        """Position ``i`` of a batch, its points turned back."""
        cdef int size = self.size
        cdef int n_points = size * size
        cdef const float* logits = batch.policy + i * (n_points + 1)
        cdef const float* value = batch.value + 3 * i
        cdef float highest = logits[n_points]
        cdef float total = 0
        cdef int row = 0
        cdef int column = 0
        cdef int point = 0
        cdef int k = 0
        for k in range(n_points):
            highest = logits[k] if logits[k] > highest else highest
        for row in range(size):
            for column in range(size):
                point = (size - row) * STRIDE + column + 1
                k = place(point, size, size, batch.symmetry[i])
                opinion.policy[row * size + column] = expf(logits[k] - highest)
                opinion.owner[row * size + column] = batch.owner[i * n_points + k]
                total += opinion.policy[row * size + column]
        opinion.policy[n_points] = expf(logits[n_points] - highest)
        total += opinion.policy[n_points]
        for k in range(n_points + 1):
            opinion.policy[k] /= total
        opinion.value = value[0] + value[1] / 2
        opinion.lead = batch.lead[2 * i]
        return 0

    cdef int fill(self, Leaf* leaf, const Opinion* opinion) noexcept nogil:
        """Write the out fields of a leaf."""
        cdef int size = self.size
        cdef int sign = 1 if leaf.to_play == BLACK else -1
        cdef float owner = 0
        cdef float total = 0
        cdef int n = 0
        cdef int i = 0
        cdef int line = 0
        cdef int column = 0
        cdef int point = 0
        cdef int index = 0
        leaf.lead = 0
        for i in range(STRIDE, (size + 1) * STRIDE):
            leaf.owner[i] = 0
        for index in range(size * size):
            point = (size - index // size) * STRIDE + index % size + 1
            owner = sign * opinion.owner[index]
            leaf.owner[point] = owner
            leaf.lead += (owner > OWNED) - (owner < -OWNED)
        if leaf.is_over:
            leaf.lead -= leaf.komi
            leaf.value = result(leaf.lead, size, self.score_weight)
        else:
            leaf.lead = sign * opinion.lead
            leaf.value = opinion.value if sign > 0 else 1 - opinion.value
            leaf.value += self.score_weight * (result(leaf.lead, size, 1) - leaf.value)
        if not leaf.wants_candidates:
            return 0
        for line in range(1, size + 1):   # so that they come in the order of the points
            for column in range(1, size + 1):
                point = line * STRIDE + column
                if legality(&leaf.position, leaf.to_play, <short>point, False) != LEGAL:
                    continue
                index = (size - line) * size + column - 1
                leaf.candidates[n].move = <short>point
                leaf.candidates[n].prior = opinion.policy[index] + LEAST_PRIOR
                total += leaf.candidates[n].prior
                n += 1
        leaf.candidates[n].move = PASS
        leaf.candidates[n].prior = opinion.policy[size * size] + LEAST_PRIOR
        total += leaf.candidates[n].prior
        n += 1
        for i in range(n):
            leaf.candidates[i].prior /= total
            leaf.candidates[i].value = 0.5
        sort_by_prior(leaf.candidates, n)
        leaf.n_candidates = n
        return n


cdef int discard(Batch* batch) noexcept nogil:
    """Free what a batch holds."""
    free(batch.planes)
    free(batch.symmetry)
    free(batch.key)
    batch.planes, batch.symmetry, batch.key = NULL, NULL, NULL
    return 0


cdef int quieten(Leaf* leaf) noexcept nogil:
    """Hide the two passes that ended the game: who owns what is asked, not what to play."""
    cdef int i = 0
    leaf.last = leaf.last_but_one = NO_POINT
    for i in range(N_EARLIER):
        leaf.earlier[i] = NO_POINT
    return 0
