from libc.stdint cimport int32_t, uint8_t, uint64_t

from gtpengine.core.position cimport Position
from gtpengine.core.types cimport MAX_SIZE, color_t, point_t

cdef enum:
    REACH = 4                        # rows and columns that the largest pattern reaches out
    WIDE = MAX_SIZE + 2 * REACH      # of a canvas: the board with that much wall around it
    N_AROUND = 48                    # points of the largest pattern
    N_LEVELS = 6                     # sizes of patterns
    N_BYTES = 12                     # of a packed pattern: two bits a point


cdef struct Canvas:
    # The board as Black would see it if he were the player to move.
    color_t[WIDE * WIDE] color


cdef inline int on_canvas(int line, int column) noexcept nogil:
    return (line - 1 + REACH) * WIDE + column - 1 + REACH


cdef int paint(const Position* at, color_t to_play, Canvas* canvas) noexcept nogil
cdef int survey_point(
    const Canvas* canvas, int place, uint64_t* names, uint8_t* packed) noexcept nogil


cdef class Patterns:
    cdef readonly int n              # patterns; their numbers are 0 .. n - 1
    cdef uint64_t mask               # of the index into the table: its length less one
    cdef uint64_t* keys              # hashes; 0 where the table is free
    cdef int32_t* numbers

    cdef int release(self) noexcept
    cdef int match(self, const Canvas* canvas, int place, int32_t* found) noexcept nogil
