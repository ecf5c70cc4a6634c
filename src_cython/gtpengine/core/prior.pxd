from gtpengine.core.leaf cimport Leaf

cdef int by_prior(const void* one, const void* two) noexcept nogil
cdef int list_candidates(Leaf* leaf) noexcept nogil
