from libc.stdint cimport int32_t, int64_t

from gtpengine.core.leaf cimport Leaf
from gtpengine.core.position cimport Position
from gtpengine.core.tree cimport Tree
from gtpengine.core.types cimport MAX_POINTS, color_t


cdef struct Tally:
    # Leaves below one move at the root.
    int64_t n
    double result                   # sum, 0..1 each, for who plays the move
    double result_square
    double lead                     # sum, points each, Black minus White
    double lead_square


cdef struct Detail:
    # Owners of the points at leaves, as in Leaf: sums, by move at the root.
    int64_t n_leaves                # in all
    float n[MAX_POINTS]             # leaves
    float owner[MAX_POINTS][MAX_POINTS]
    float owner_square[MAX_POINTS][MAX_POINTS]


cdef struct Counts:
    # What one thread has seen since the root was set.  The end of the last field is never written,
    # which keeps the counts of the next thread out of the way.
    Detail* detail                  # NULL unless it is wanted
    int64_t n_owner                 # leaves summed up in `owner`
    double[MAX_POINTS] owner
    Tally[MAX_POINTS] tally         # by move at the root, PASS included


cdef class Findings:
    cdef Tree tree
    cdef Counts* counts             # by thread
    cdef readonly int n_threads
    cdef Position root
    cdef color_t to_play            # at the root

    cdef int free_counts(self) noexcept
    cdef int provide(self, size_t memory, bint has_amaf, int n_threads) except -1
    cdef int count_nothing(self) noexcept nogil
    cdef int want_detail(self, bint is_wanted) except -1
    cdef int64_t n_counted(self, bint detailed) noexcept
    cdef int count(self, Counts* counts, const Leaf* leaf, int move) noexcept nogil
    cdef Tally sum_of(self, int move) noexcept nogil
    cdef list line_from(self, object first, int most)
    cdef int32_t best_child(self, int32_t node) noexcept nogil
