from gtpengine.core.leaf cimport Leaf

cdef int list_candidates(Leaf* leaf) noexcept nogil
