from libc.stdint cimport int16_t, int64_t

from gtpengine.core.history cimport Stand
from gtpengine.core.leaf cimport Leaf
from gtpengine.core.position cimport Position


cdef struct Recording:
    # One position of a recorded game: the moves before it, and what else it depends on.
    const int16_t* moves    # row * size + column; size * size is a pass
    int64_t n_moves
    float komi
    bint territory          # and simple ko; otherwise positional superko


cdef float area_komi(const Position* at, float komi, bint territory) noexcept nogil
cdef int replay(Leaf* leaf, Stand* stands, int size, const Recording* game) noexcept nogil
