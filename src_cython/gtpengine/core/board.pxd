from gtpengine.core.position cimport Position, points_t
from gtpengine.core.types cimport point_t


cdef class Board:
    cdef Position position            # copying a board is one assignment of this

    cdef point_t checked_head(self, int point) except -2
    cdef points_t points_beside(self, list points)
