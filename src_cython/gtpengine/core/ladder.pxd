from gtpengine.core.board cimport Position
from gtpengine.core.types cimport point_t

cdef bint is_laddered(Position* at, point_t stone) noexcept nogil
cdef bint ladders(Position* at, point_t stone) noexcept nogil
