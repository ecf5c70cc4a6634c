from gtpengine.core.evaluator cimport Leaf

cdef int list_candidates(Leaf* leaf) noexcept nogil
