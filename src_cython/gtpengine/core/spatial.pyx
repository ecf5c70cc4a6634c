"""Patterns larger than 3x3: what stands around a point, ring by ring.

A pattern is the colors of all points up to a distance, the edge included, as the player to move
sees them; turned and mirrored ones are the same.  Of a point the patterns of all levels are looked
up, small ones first (Stern, Herbrich and Graepel 2006, Bayesian Pattern Ranking for Move Prediction
in the Game of Go; Coulom 2007).  Distance is rows + columns + the larger of the two, which makes
the rings nearly round.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from gtpengine.core.board cimport Board
from gtpengine.core.rng cimport random32, rng_t, seeded
from gtpengine.core.types cimport BLACK, STRIDE, WALL, WHITE

LEVELS = N_LEVELS

cdef int[N_LEVELS] LEVEL_END = [8, 12, 20, 28, 36, 48]   # points up to distance 3, 4, .. 8
cdef int[N_AROUND] OFFSET                # on a canvas, nearest first
cdef int[8][N_AROUND] TURNED             # [symmetry][i]: where point i goes
cdef uint64_t[4][N_AROUND] KEY           # by what stands there; nothing for EMPTY
cdef uint64_t[N_LEVELS] LEVEL_KEY


cdef uint64_t random64(rng_t* rng) noexcept nogil:
    return (<uint64_t>random32(rng) << 32) | random32(rng)


def _fill_tables():
    reach = range(-REACH, REACH + 1)

    def distance(point):
        rows, columns = abs(point[0]), abs(point[1])
        return rows + columns + max(rows, columns)

    around = sorted((p for p in ((r, c) for r in reach for c in reach) if 0 < distance(p) <= 8),
                    key=lambda point: (distance(point), point))
    turns = (lambda r, c: (r, c), lambda r, c: (c, -r), lambda r, c: (-r, -c), lambda r, c: (-c, r),
             lambda r, c: (r, -c), lambda r, c: (c, r), lambda r, c: (-r, c), lambda r, c: (-c, -r))
    cdef rng_t rng = seeded(20070601)
    for i, (row, column) in enumerate(around):
        OFFSET[<int>i] = row * WIDE + column
        for s, turn in enumerate(turns):
            TURNED[<int>s][<int>i] = around.index(turn(row, column))
        for color in range(1, 4):
            KEY[<int>color][<int>i] = random64(&rng)
    for level in range(N_LEVELS):
        LEVEL_KEY[<int>level] = random64(&rng)


_fill_tables()


cdef int paint(const Position* at, color_t to_play, Canvas* canvas) noexcept nogil:
    """Copy the board, the colors swapped if White is to play."""
    cdef int line = 0
    cdef int column = 0
    cdef int place = 0
    cdef color_t color = 0
    memset(canvas.color, WALL, sizeof(canvas.color))
    for line in range(1, at.size + 1):
        place = on_canvas(line, 1)
        for column in range(1, at.size + 1):
            color = at.color[line * STRIDE + column]
            canvas.color[place] = (
                color if color == 0 or to_play == BLACK else <color_t>(BLACK + WHITE - color))
            place += 1
    return 0


cdef inline uint64_t nonzero(uint64_t key) noexcept nogil:
    return key if key != 0 else 1


cdef class Patterns:
    """A set of patterns, to be found by what stands around a point.

    ``packed`` is uint8, shape (n, 12): the colors of the points around, nearest first, two bits
    each, four to a byte; ``levels`` says how many rings of them count, 0..LEVELS-1.
    """

    def __init__(self, const uint8_t[:, ::1] packed, const uint8_t[::1] levels):
        cdef uint64_t length = 64
        cdef int32_t number = 0
        cdef int i = 0
        cdef int s = 0
        cdef int level = 0
        cdef int color = 0
        cdef uint64_t key = 0
        cdef uint64_t slot = 0
        self.n = <int>levels.shape[0]
        if packed.shape[0] != self.n or packed.shape[1] != N_BYTES or (
                self.n and max(levels) >= N_LEVELS):
            raise ValueError(f"expected patterns of {N_BYTES} bytes and a level for each")
        while length < <uint64_t>(2 * 8 * self.n):
            length *= 2
        self.release()
        self.mask = length - 1
        self.keys = <uint64_t*>calloc(length, sizeof(uint64_t))
        self.numbers = <int32_t*>malloc(length * sizeof(int32_t))
        if self.keys == NULL or self.numbers == NULL:
            raise MemoryError(f"no memory for {self.n} patterns")
        for number in range(self.n):
            level = levels[number]
            for s in range(8):
                key = LEVEL_KEY[level]
                for i in range(LEVEL_END[level]):
                    color = packed[number, i // 4] >> (2 * (i % 4)) & 3
                    key ^= KEY[color][TURNED[s][i]]
                key = nonzero(key)
                slot = key & self.mask
                while self.keys[slot] != 0 and self.keys[slot] != key:
                    slot = (slot + 1) & self.mask
                self.keys[slot], self.numbers[slot] = key, number

    def __dealloc__(self):
        self.release()

    cdef int release(self) noexcept:
        free(self.keys)
        free(self.numbers)
        self.keys, self.numbers = NULL, NULL
        return 0

    cdef int match(self, const Canvas* canvas, int place, int32_t* found) noexcept nogil:
        """Write the numbers of the patterns at a place, one a level, up to the first that is none.

        Returns how many.  Part of a known pattern is known, so nothing is missed.
        """
        cdef uint64_t around = 0
        cdef uint64_t key = 0
        cdef uint64_t slot = 0
        cdef int i = 0
        cdef int level = 0
        for level in range(N_LEVELS):
            while i < LEVEL_END[level]:
                around ^= KEY[canvas.color[place + OFFSET[i]]][i]
                i += 1
            key = nonzero(around ^ LEVEL_KEY[level])
            slot = key & self.mask
            while self.keys[slot] != key:
                if self.keys[slot] == 0:
                    return level
                slot = (slot + 1) & self.mask
            found[level] = self.numbers[slot]
        return N_LEVELS

    def at(self, Board board not None, int color, int point):
        """The numbers of the patterns around ``point`` for ``color``, the smallest first."""
        cdef Canvas canvas
        cdef int32_t[N_LEVELS] found
        if board.color_at(point) == WALL:
            raise ValueError(f"point {point} is off the board")
        paint(&board.position, <color_t>color, &canvas)
        return [<int>found[i] for i in range(self.match(
            &canvas, on_canvas(point // STRIDE, point % STRIDE), found))]


cdef int survey_point(
    const Canvas* canvas, int place, uint64_t* names, uint8_t* packed
) noexcept nogil:
    """Write what stands around a place: N_LEVELS names, N_BYTES zeroed bytes of colors.

    A name is a hash of the pattern of a level, the same for all symmetries.
    """
    cdef uint64_t[8] keys
    cdef int i = 0
    cdef int s = 0
    cdef int level = 0
    cdef int seen = 0
    memset(keys, 0, sizeof(keys))
    for level in range(N_LEVELS):
        while i < LEVEL_END[level]:
            seen = canvas.color[place + OFFSET[i]]
            packed[i // 4] |= <uint8_t>(seen << (2 * (i % 4)))
            for s in range(8):
                keys[s] ^= KEY[seen][TURNED[s][i]]
            i += 1
        names[level] = keys[0]
        for s in range(1, 8):
            names[level] = min(names[level], keys[s])
    return 0
