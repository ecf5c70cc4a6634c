"""What a move looks like before it is searched: tactics, patterns, distance, lines.

Each move has a list of features, numbers of which every one has a weight (see ``prior``); the kinds
are those of Coulom 2007, Computing Elo Ratings of Move Patterns in the Game of Go, section 4.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from gtpengine.core.history cimport Stand
from gtpengine.core.ladder cimport is_laddered, ladder_moves
from gtpengine.core.playout cimport vital_point
from gtpengine.core.position cimport (
    in_atari, is_eye, legality, liberties_after, n_liberties, opponent, touches,
)
from gtpengine.core.recording cimport Recording, replay
from gtpengine.core.spatial cimport N_BYTES, on_canvas, paint, survey_point
from gtpengine.core.types cimport (
    EMPTY, LEGAL, NO_POINT, PASS, STRIDE, WALL, color_t, neighbor, point_t,
)

import numpy as np

N_FIXED = PATTERN   # features that are not patterns

cdef enum:
    UNREAD = -1
    SAFE = 0
    CAUGHT = 1
    FAR = 17         # distances from here on are alike


cdef inline int distance(int one, int two) noexcept nogil:
    cdef int rows = one // STRIDE - two // STRIDE
    cdef int columns = one % STRIDE - two % STRIDE
    rows = rows if rows >= 0 else -rows
    columns = columns if columns >= 0 else -columns
    return rows + columns + (rows if rows > columns else columns)


cdef inline bint is_open(const Position* at, int point) noexcept nogil:
    # No stone within two steps along lines and none diagonally beside.
    cdef int i = 0
    for i in range(8):
        if at.color[point + neighbor(i)] != EMPTY and at.color[point + neighbor(i)] != WALL:
            return False
    for i in range(4):
        if at.color[point + neighbor(i)] == EMPTY and (
                at.color[point + 2 * neighbor(i)] != EMPTY
                and at.color[point + 2 * neighbor(i)] != WALL):
            return False
    return True


cdef inline int from_edge(int size, int coordinate) noexcept nogil:
    return coordinate if 2 * coordinate <= size else size + 1 - coordinate


cdef inline int board_class(int size) noexcept nogil:
    return 0 if size <= 11 else 1 if size <= 15 else 2


cdef inline int length_class(int length) noexcept nogil:
    return 0 if length == 1 else 1 if length <= 3 else 2


cdef bint saves_neighbor(const Position* at, point_t head, color_t color) noexcept nogil:
    """Whether a chain of ``color`` in atari touches the chain at ``head``."""
    cdef point_t stone = head
    cdef int i = 0
    cdef int beside = 0
    while True:
        if touches(at.shape[stone], color):
            for i in range(4):
                beside = stone + neighbor(i)
                if at.color[beside] == color and in_atari(at, at.head[beside]):
                    return True
        stone = at.next[stone]
        if stone == head:
            return False


cdef int survey(const Leaf* leaf, Scene* scene) noexcept nogil:
    """Get ready to describe the moves of a position."""
    paint(&leaf.position, leaf.to_play, &scene.canvas)
    memset(scene.n_liberties, UNREAD, sizeof(scene.n_liberties))
    memset(scene.fate, UNREAD, sizeof(scene.fate))
    return 0


cdef inline int liberties_of(const Position* at, Scene* scene, point_t head) noexcept nogil:
    if scene.n_liberties[head] == UNREAD:
        scene.n_liberties[head] = <int8_t>n_liberties(at, head, 4)
    return scene.n_liberties[head]


cdef int fate(Position* at, Scene* scene, point_t head) noexcept nogil:
    """Whether a chain with one or two liberties falls to a ladder.

    In atari it moves first; with two liberties its opponent does.
    """
    if scene.fate[head] == UNREAD:
        if in_atari(at, head):
            scene.fate[head] = CAUGHT if is_laddered(at, head) else SAFE
        else:
            scene.ladder[2 * head] = scene.ladder[2 * head + 1] = NO_POINT
            scene.fate[head] = CAUGHT if ladder_moves(at, head, &scene.ladder[2 * head]) else SAFE
    return scene.fate[head]


cdef inline int tactics(
    Position* at, Scene* scene, color_t color, point_t point, point_t last, int32_t* found
) noexcept nogil:
    """Features of what a move does to the chains beside it."""
    cdef color_t other = opponent(color)
    cdef point_t[4] seen
    cdef point_t head = NO_POINT
    cdef point_t flees = NO_POINT    # own chains with one and two liberties
    cdef point_t extends = NO_POINT
    cdef int n = 0
    cdef int n_seen = 0
    cdef int n_own = 0
    cdef int i = 0
    cdef int k = 0
    cdef int beside = 0
    cdef int length = 0
    cdef int joined = 1
    cdef int n_free = 0
    cdef bint captures = False
    cdef bint fresh = True
    for i in range(4):
        beside = point + neighbor(i)
        if at.color[beside] != color and at.color[beside] != other:
            continue
        head = at.head[beside]
        fresh = True
        for k in range(n_seen):
            if seen[k] == head:
                fresh = False
        if not fresh:
            continue
        seen[n_seen] = head
        n_seen += 1
        n_free = liberties_of(at, scene, head)
        length = length_class(at.length[head])
        if at.color[beside] == color:
            n_own += 1
            joined += at.length[head]
            if n_free == 1:
                flees = head
            elif n_free == 2:
                extends = head
        elif n_free == 1:
            captures = True
            length = length if at.length[head] < 6 else 3
            found[n] = CAPTURE + 4 * length + 2 * saves_neighbor(at, head, color) + (
                last > PASS and at.head[last] == head)
            n += 1
        elif n_free == 2:
            found[n] = ATARI + 2 * length + (
                fate(at, scene, head) == CAUGHT
                and (scene.ladder[2 * head] == point or scene.ladder[2 * head + 1] == point))
            n += 1
        elif n_free == 3:
            found[n] = PRESS + length
            n += 1
    if n_own > 1:
        found[n] = JOINS
        n += 1
    if n_seen - n_own > 1:
        found[n] = PARTS
        n += 1
    if captures:
        if n_own == 0 and touches(at.shape[point], other) and joined == 1 and (
                n_seen == 1 and at.length[seen[0]] == 1):
            found[n] = TAKES_KO
            n += 1
        return n
    n_free = liberties_after(at, color, point, 4)
    length = length_class(joined)
    if n_free < 2:
        found[n] = LIBERTIES + length
        return n + 1
    if n_free < 4:
        found[n] = LIBERTIES + 1 + n_free   # two, three
        n += 1
    if flees != NO_POINT:
        found[n] = RESCUE + 3 * length_class(at.length[flees]) + (
            0 if fate(at, scene, flees) == CAUGHT else 1 if n_free == 2 else 2)
        n += 1
    if extends != NO_POINT:
        found[n] = (DEFEND if fate(at, scene, extends) == CAUGHT else EXTEND) + (
            2 * length_class(at.length[extends]) + (n_free > 2))
        n += 1
    return n


cdef int describe(
    Leaf* leaf, Scene* scene, point_t point, Patterns patterns, int32_t* found
) noexcept nogil:
    """Write the features of a legal move; return how many, MOST_FEATURES at most.

    Reading ladders changes the position, which is restored but for the order of empty points.
    """
    cdef Position* at = &leaf.position
    cdef color_t border = EMPTY
    cdef int one = from_edge(at.size, point // STRIDE)
    cdef int two = from_edge(at.size, point % STRIDE)
    cdef int low = one if one < two else two
    cdef int high = two if one < two else one
    cdef int near = 0
    cdef int n = 0
    cdef int i = 0
    cdef int n_levels = 0
    if leaf.last > PASS:
        near = distance(point, leaf.last)
        found[n] = LAST + (near if near < FAR else FAR)
    else:
        found[n] = LAST
    n += 1
    near = 0
    if leaf.last_but_one > PASS:
        near = distance(point, leaf.last_but_one)
        # A capture may have emptied that very point.
        near = 1 if near == 0 else near if near < FAR else FAR
    found[n] = BEFORE_LAST + near
    n += 1
    if is_open(at, point):
        low, high = min(low, 10), min(high, 10)
        found[n] = OPEN + 100 * board_class(at.size) + 10 * (low - 1) + high - 1
        n += 1
    else:
        found[n] = LINE + 5 * board_class(at.size) + min(low, 5) - 1
        n += 1
        if vital_point(at, point, &border) == point:
            found[n] = VITAL + (border != leaf.to_play)
            n += 1
        n += tactics(at, scene, leaf.to_play, point, leaf.last, found + n)
    n_levels = patterns.match(
        &scene.canvas, on_canvas(point // STRIDE, point % STRIDE), found + n + 1)
    found[n] = KNOWN + n_levels
    n += 1
    for i in range(n, n + n_levels):
        found[i] += PATTERN
    return n + n_levels


cdef class Recordings:
    """Positions of recorded games, Black first, as ``encode_recordings`` takes them.

    Position i comes after ``n_moves[i]`` moves of the game that begins at ``moves[first[i]]``;
    moves are row * size + column from the top left, size * size for a pass.
    """

    cdef int size
    cdef const int16_t[::1] moves
    cdef const int64_t[::1] first
    cdef const int64_t[::1] n_moves
    cdef Leaf* leaf
    cdef Stand* stands

    def __init__(self, int size, const int16_t[::1] moves, const int64_t[::1] first,
                 const int64_t[::1] n_moves):
        cdef int64_t i = 0
        cdef int64_t longest = 0
        self.size, self.moves, self.first, self.n_moves = size, moves, first, n_moves
        for i in range(n_moves.shape[0]):
            if first[i] < 0 or n_moves[i] < 0 or first[i] + n_moves[i] > moves.shape[0]:
                raise ValueError(f"position {i}: expected moves within the array")
            longest = max(longest, n_moves[i])
        self.release()
        self.leaf = <Leaf*>malloc(sizeof(Leaf))
        self.stands = <Stand*>malloc((longest + 1) * sizeof(Stand))
        if self.leaf == NULL or self.stands == NULL:
            raise MemoryError(f"no memory for a game of {longest} moves")

    def __dealloc__(self):
        self.release()

    cdef int release(self) noexcept:
        free(self.leaf)
        free(self.stands)
        self.leaf, self.stands = NULL, NULL
        return 0

    cdef int go_to(self, int64_t i) except -1:
        cdef Recording game = Recording(
            &self.moves[0] + self.first[i], self.n_moves[i], 0, True)
        if replay(self.leaf, self.stands, self.size, &game) < 0:
            raise ValueError(f"position {i}: its game has an illegal move")
        return 0

    def surroundings(self):
        """What stands around the move that follows each position: (names, packed).

        uint64, shape (n, LEVELS), a hash of the pattern of each level, the same for all symmetries;
        uint8, shape (n, 12), as Patterns takes it.
        """
        cdef int64_t n = self.first.shape[0]
        cdef int64_t i = 0
        cdef int move = 0
        cdef Scene scene
        names = np.zeros((n, N_LEVELS), dtype=np.uint64)
        packed = np.zeros((n, N_BYTES), dtype=np.uint8)
        cdef uint64_t[:, ::1] to_names = names
        cdef uint8_t[:, ::1] to_packed = packed
        for i in range(n):
            self.go_to(i)
            move = self.moves[self.first[i] + self.n_moves[i]]
            if move < self.size * self.size:
                survey(self.leaf, &scene)
                survey_point(
                    &scene.canvas, on_canvas(self.size - move // self.size, move % self.size + 1),
                    &to_names[i, 0], &to_packed[i, 0])
        return names, packed

    def describe(self, Patterns patterns not None):
        """The features of every move of every position: (n_moves, moves, features).

        ``n_moves`` is int64, moves per position; ``moves`` int16, row * size + column; ``features``
        int32, shape (len(moves), MOST_FEATURES), -1 where there are no more.  Own eyes and passes
        are left out.
        """
        cdef int64_t n = self.first.shape[0]
        cdef int64_t i = 0
        cdef int64_t total = 0
        cdef int k = 0
        cdef int point = 0
        cdef Scene scene
        cdef Position* at = &self.leaf.position
        counts = np.zeros(n, dtype=np.int64)
        moves = np.empty(n * self.size * self.size, dtype=np.int16)
        features = np.full((n * self.size * self.size, MOST_FEATURES), -1, dtype=np.int32)
        cdef int64_t[::1] to_counts = counts
        cdef int16_t[::1] to_moves = moves
        cdef int32_t[:, ::1] to_features = features
        for i in range(n):
            self.go_to(i)
            survey(self.leaf, &scene)
            for k in range(self.size * self.size):
                point = (self.size - k // self.size) * STRIDE + k % self.size + 1
                if at.color[point] != EMPTY or is_eye(at.shape[point], self.leaf.to_play) or (
                        legality(at, self.leaf.to_play, <point_t>point, False) != LEGAL):
                    continue
                describe(self.leaf, &scene, <point_t>point, patterns, &to_features[total, 0])
                to_moves[total] = <int16_t>k
                to_counts[i] += 1
                total += 1
        return counts, moves[:total], features[:total]
