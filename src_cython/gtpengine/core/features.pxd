from gtpengine.core.board cimport Position
from gtpengine.core.types cimport MAX_POINTS, STRIDE, color_t, point_t

cdef enum:
    N_PLANES = 20       # network input per point
    N_SCALARS = 5       # network input per position
    N_RECENT = 5        # moves of the past that the network sees
    N_SYMMETRIES = 8


cdef struct View:
    # What an evaluator is told of a position besides the stones.
    color_t to_play
    float komi                   # points for White, with all that the rules add to the area score
    bint territory               # prisoners and empty points count, not stones
    point_t[N_RECENT] recent     # the last moves, newest first: a point, PASS or NO_POINT
    int n_banned
    point_t[MAX_POINTS] banned   # where superko forbids `to_play` to play


cdef int encode(
    Position* at, const View* view, int symmetry, int width, float* planes, float* scalars
) noexcept nogil


cdef inline int place(int point, int size, int width, int symmetry) noexcept nogil:
    # Index in a picture ``width`` points wide (row 0 is the top line) of a board of ``size`` lines.
    # Symmetry: bit 0 turns it upside down, bit 1 swaps left and right, bit 2 then swaps the axes.
    cdef int row = size - point // STRIDE
    cdef int column = point % STRIDE - 1
    if symmetry & 1:
        row = size - 1 - row
    if symmetry & 2:
        column = size - 1 - column
    return column * width + row if symmetry & 4 else row * width + column
