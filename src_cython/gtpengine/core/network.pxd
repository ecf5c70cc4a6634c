from libc.stdint cimport int32_t, uint64_t

from gtpengine.core.cache cimport Cache, Opinion
from gtpengine.core.evaluator cimport Evaluator
from gtpengine.core.leaf cimport Leaf
from gtpengine.core.rng cimport rng_t

cdef enum:
    MOST_BATCHES = 256     # threads that may evaluate at once


cdef struct Batch:
    # Input and output of the network for one thread, `batch_size` positions.
    int32_t busy
    float* planes          # batch_size * N_PLANES * size * size
    float* scalars         # batch_size * N_SCALARS
    float* policy          # batch_size * (size * size + 1), logits
    float* value           # batch_size * 3: chances of win, draw, loss
    float* lead            # batch_size * 2: lead, spread
    float* owner           # batch_size * size * size
    int* symmetry          # per position
    uint64_t* key          # per position


cdef class NetworkEvaluator(Evaluator):
    cdef object run
    cdef Cache cache
    cdef Batch[MOST_BATCHES] batches
    cdef int size
    cdef dict arrays                       # by the number of a batch: its input for numpy
    cdef readonly long long n_evaluated    # positions given to the network so far
    cdef readonly long long n_cached       # positions that the cache knew

    cdef int release(self) noexcept
    cdef Batch* take_batch(self) noexcept nogil
    cdef int allocate(self, Batch* batch) except -1 nogil
    cdef int run_network(self, Batch* batch, int n) except -1
    cdef int read(self, const Batch* batch, int i, Opinion* opinion) noexcept nogil
    cdef int fill(self, Leaf* leaf, const Opinion* opinion) noexcept nogil
