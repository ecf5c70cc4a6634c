from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

from gtpengine.core.types cimport MAX_POINTS, Legality, color_t, hash_t, point_t

# A set of points in which each may occur several times, in one number: how many they are (from bit
# 52), their sum (from bit 32), the sum of their squares.  One addition puts a point in or takes it
# out.  No chain has so many that a field runs over.
ctypedef uint64_t points_t


cdef struct Position:
    # Stones, chains, liberties and simple ko.  A chain is named by its head, one of its stones.
    int size                          # points on a side, MIN_SIZE..MAX_SIZE
    int n_empty                       # how many of `empty` are valid
    int[3] n_stones                   # on the board, by color
    int[3] n_lost                     # stones of this color taken off so far
    hash_t hash                       # Zobrist hash of the stones; 0 when empty
    point_t ko                        # where the last move was a single stone taking a single stone
    color_t[MAX_POINTS] color         # per point; the border is WALL
    uint16_t[MAX_POINTS] shape        # per point: colors around it, 2 bits each, as neighbor()
    point_t[MAX_POINTS] head          # per stone: its chain; of any other point: the point
    points_t[MAX_POINTS] liberties    # per head: its liberties, one for each stone that has it;
    # per empty point: the empty points beside it.  Other entries mean nothing.
    point_t[MAX_POINTS] next          # per stone: next stone of its chain, in a ring
    int16_t[MAX_POINTS] length        # per head: stones in the chain
    point_t[MAX_POINTS] empty         # the empty points, in no order
    int16_t[MAX_POINTS] slot          # per empty point: its index in `empty`


cdef struct Change:
    # What `undo` needs to take one move back; written by `put_recorded`.
    hash_t hash                       # before the move, as are ko, next and length of the point
    point_t point                     # PASS for a pass
    color_t color
    point_t ko
    point_t next
    int16_t length
    int n_merged                      # chains joined, in this order: `absorbed` into `kept`
    point_t[4] kept
    point_t[4] absorbed
    points_t[4] kept_liberties        # before the joining
    points_t[4] absorbed_liberties
    int n_captured                    # chains taken
    point_t[4] captured
    point_t suicide                   # head of the own chain taken off, or NO_POINT


cdef int reset(Position* at, int size) noexcept nogil
cdef int copy(Position* to, const Position* at) noexcept nogil
cdef int order_empty(Position* at) noexcept nogil
cdef Legality legality(
    const Position* at, color_t color, point_t point, bint suicide
) noexcept nogil
cdef int put(Position* at, color_t color, point_t point) noexcept nogil
cdef int put_recorded(Position* at, color_t color, point_t point, Change* change) noexcept nogil
cdef int undo(Position* at, const Change* change) noexcept nogil
cdef hash_t hash_after(const Position* at, color_t color, point_t point) noexcept nogil
cdef int liberties_after(
    const Position* at, color_t color, point_t point, int enough
) noexcept nogil
cdef int n_liberties(const Position* at, point_t head, int enough) noexcept nogil
cdef point_t first_liberty(const Position* at, point_t head) noexcept nogil
cdef point_t other_liberty(const Position* at, point_t head, point_t liberty) noexcept nogil


cdef inline color_t opponent(color_t color) noexcept nogil:
    return 3 - color


cdef inline int pass_turn(Position* at) noexcept nogil:
    at.ko = -1
    return 0


cdef inline points_t once(int point) noexcept nogil:
    # The set that holds ``point`` once.
    return (<points_t>1 << 52) + (<points_t>point << 32) + <points_t>(point * point)


cdef inline uint64_t size_of(points_t points) noexcept nogil:
    return points >> 52


cdef inline uint64_t sum_of(points_t points) noexcept nogil:
    return (points >> 32) & 0xFFFFF


cdef inline bint is_one_point(points_t points) noexcept nogil:
    # All in the set are the same point, or it is empty: by the inequality of Cauchy and Schwarz
    # the square of a sum is less than the sum of squares times the number, unless all are equal.
    return size_of(points) * <uint32_t>points == sum_of(points) * sum_of(points)


# The shape of a point: four low fields for the neighbors, four high ones for the diagonals.
# A field is a color; bit 0 of it says "Black or wall", bit 1 "White or wall".

cdef inline bint has_empty_neighbor(uint16_t shape) noexcept nogil:
    return ((shape | (shape >> 1)) & 0x55) != 0x55


cdef inline bint is_surrounded(uint16_t shape, color_t color) noexcept nogil:
    # All four neighbors are stones of ``color`` or wall.
    cdef int mask = 0x55 << (color - 1)
    return (shape & mask) == mask


cdef inline int empty_around(uint16_t shape) noexcept nogil:
    # Bit 2 * i for each empty neighbor(i).  To go from one to the next is faster than to look at
    # all of them: what stands there cannot be foreseen.
    return ~(shape | (shape >> 1)) & 0x5555


cdef inline int stones_beside(uint16_t shape, color_t color) noexcept nogil:
    # Likewise for stones of ``color`` on the four neighbors.
    return (shape >> (color - 1)) & ~(shape >> (2 - color)) & 0x55


cdef inline bint touches(uint16_t shape, color_t color) noexcept nogil:
    # Some neighbor is a stone of ``color``.
    return stones_beside(shape, color) != 0


cdef inline bint is_bare_edge(uint16_t shape) noexcept nogil:
    # On the first line, and no stone stands on the points around.
    cdef int wall = shape & (shape >> 1) & 0x5555
    return (wall & 0x55) != 0 and ((shape | (shape >> 1)) & 0x5555) == wall


cdef inline bint is_eye(uint16_t shape, color_t color) noexcept nogil:
    # Surrounded, and the opponent holds less than two diagonals (none at the edge): the usual
    # guess at a true eye (Gelly et al. 2006, Modification of UCT with Patterns, section 3.1).
    if not is_surrounded(shape, color):
        return False
    cdef int diagonal = shape >> 8
    cdef int wall = diagonal & (diagonal >> 1) & 0x55
    cdef int enemy = (diagonal >> (2 - color)) & ~(diagonal >> (color - 1)) & 0x55
    if wall != 0:
        return enemy == 0
    return (enemy & (enemy - 1)) == 0


cdef inline bint in_atari(const Position* at, point_t head) noexcept nogil:
    return is_one_point(at.liberties[head])


cdef inline point_t only_liberty(const Position* at, point_t head) noexcept nogil:
    # The liberty of a chain in atari.
    cdef points_t liberties = at.liberties[head]
    return <point_t>(<int>sum_of(liberties) // <int>size_of(liberties))
