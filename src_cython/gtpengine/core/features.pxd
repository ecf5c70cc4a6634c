from gtpengine.core.leaf cimport Leaf
from gtpengine.core.types cimport STRIDE

cdef enum:
    N_PLANES = 20       # network input per point
    N_SCALARS = 5       # network input per position
    N_SYMMETRIES = 8


cdef int encode(Leaf* leaf, int symmetry, int width, float* planes, float* scalars) noexcept nogil


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
