from gtpengine.core.position cimport Position
from gtpengine.core.types cimport point_t

cdef bint is_laddered(Position* at, point_t stone) noexcept nogil
cdef bint ladders(Position* at, point_t stone) noexcept nogil
cdef int ladder_moves(Position* at, point_t stone, point_t* moves) noexcept nogil
