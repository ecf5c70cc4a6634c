from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t

ctypedef int16_t point_t     # line * STRIDE + column, both from 1; or PASS, or NO_POINT
ctypedef uint8_t color_t     # EMPTY, BLACK, WHITE or WALL
ctypedef uint64_t hash_t     # Zobrist hash of the stones on the board; 0 when it is empty

cpdef enum:
    # Bit 0 is set for "Black or wall", bit 1 for "White or wall": the eye test rests on this.
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    WALL = 3

cpdef enum:
    MIN_SIZE = 2
    MAX_SIZE = 25
    STRIDE = MAX_SIZE + 2            # one for all sizes: D4 is the same point on every board
    MAX_POINTS = STRIDE * STRIDE     # length of an array indexed by point
    PASS = 0                         # never a point on the board
    NO_POINT = -1

cdef enum Legality:
    LEGAL = 0
    OCCUPIED = 1
    SUICIDE = 2
    SIMPLE_KO = 3

cdef extern from *:
    """
    /* Offsets of the four neighbors (i < 4), then of the diagonals; i and i ^ 1 are opposite. */
    static inline int gtpengine_neighbor(int i) {
        static const int offset[8] = {27, -27, 1, -1, 28, -28, 26, -26};
        return offset[i];
    }

    /* Number of the lowest bit that is set; ``mask`` is not 0. */
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int gtpengine_lowest(unsigned int mask) {
        unsigned long bit;
        _BitScanForward(&bit, mask);
        return (int)bit;
    }
    #else
    #define gtpengine_lowest(mask) __builtin_ctz(mask)
    #endif
    """
    int neighbor "gtpengine_neighbor"(int i) noexcept nogil
    int lowest "gtpengine_lowest"(unsigned int mask) noexcept nogil
