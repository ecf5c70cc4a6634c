from gtpengine.core.types cimport MAX_POINTS, hash_t

cdef hash_t[3][MAX_POINTS] KEY   # by color, then point; row EMPTY is unused
