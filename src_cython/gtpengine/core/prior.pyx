"""What a move looks like before it is searched: tactics, patterns, distance, lines.

Every move gets a weight, the product of the weights of its features, as in Coulom 2007, Computing
Elo Ratings of Move Patterns in the Game of Go; its prior is its share of the sum.
"""

from libc.math cimport log2f
from libc.stdlib cimport calloc, free, qsort
from libc.string cimport memcpy

from gtpengine.core.board cimport (
    Board, Position, is_eye, legality, liberties_after, opponent, touches,
)
from gtpengine.core.leaf cimport Candidate, Leaf
from gtpengine.core.ladder cimport is_laddered, ladders
from gtpengine.core.pattern cimport suits
from gtpengine.core.playout cimport vital_point
from gtpengine.core.types cimport (
    EMPTY, LEGAL, MAX_POINTS, NO_POINT, PASS, STRIDE, WALL, color_t, neighbor, point_t,
)

cdef enum:
    FAR = 12   # distances from here on weigh alike

# By distance to the last move: rows + columns + the larger of the two, as Coulom 2007 has it.
cdef float[FAR + 1] NEAR_LAST = [1, 1, 4.0, 3.2, 2.6, 2.2, 1.9, 1.6, 1.4, 1.25, 1.15, 1.05, 1.0]
# By line from the edge, 1 first, where no stone is near.
cdef float[5] OPEN_LINE = [1, 0.08, 0.5, 1.6, 1.6]


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


cdef inline float opening(int size, int point) noexcept nogil:
    """The weight of a point with no stone near: lines 3 and 4, corners first on large boards."""
    cdef int one = from_edge(size, point // STRIDE)
    cdef int two = from_edge(size, point % STRIDE)
    cdef int low = one if one < two else two
    cdef int high = two if one < two else one
    if low > 4:
        return 1.2
    if size >= 13 and low >= 3 and high <= 5:
        return 6 if high <= 4 else 3
    return OPEN_LINE[low]


cdef float tactics(Position* at, color_t color, point_t point) noexcept nogil:
    """The weight of what a move does to the chains beside it."""
    cdef color_t other = opponent(color)
    cdef float weight = 1
    cdef point_t[4] seen
    cdef point_t head = NO_POINT
    cdef int n = 0
    cdef int i = 0
    cdef int k = 0
    cdef int beside = 0
    cdef int n_liberties = 0
    cdef bint rescues = False
    cdef bint captures = False
    cdef bint fresh = True
    for i in range(4):
        beside = point + neighbor(i)
        if at.color[beside] != color and at.color[beside] != other:
            continue
        head = at.head[beside]
        fresh = True
        for k in range(n):
            if seen[k] == head:
                fresh = False
        if not fresh:
            continue
        seen[n] = head
        n += 1
        n_liberties = at.n_liberties[head]
        if at.color[beside] == other:
            if n_liberties == 1:
                captures = True
                weight *= 6 + 3 * (at.length[head] if at.length[head] < 8 else 8)
                if saves_neighbor(at, head, color):
                    weight *= 4
            elif n_liberties == 2:
                weight *= 5 if ladders(at, <point_t>beside) else 1.6
        elif n_liberties == 1:
            rescues = True
    if captures:
        return weight
    n_liberties = liberties_after(at, color, point, 3)
    if n_liberties < 2:
        return weight * 0.08
    if rescues:
        if n_liberties > 2:
            return weight * 8
        return weight * (0.3 if flight_fails(at, color, point) else 6)
    return weight


cdef bint saves_neighbor(const Position* at, point_t head, color_t color) noexcept nogil:
    """Whether a chain of ``color`` in atari touches the chain at ``head``."""
    cdef point_t stone = head
    cdef int i = 0
    cdef int beside = 0
    while True:
        if touches(at.shape[stone], color):
            for i in range(4):
                beside = stone + neighbor(i)
                if at.color[beside] == color and at.n_liberties[at.head[beside]] == 1:
                    return True
        stone = at.next[stone]
        if stone == head:
            return False


cdef bint flight_fails(Position* at, color_t color, point_t point) noexcept nogil:
    """Whether the chain in atari beside ``point`` is caught in a ladder even so."""
    cdef int i = 0
    cdef int beside = 0
    for i in range(4):
        beside = point + neighbor(i)
        if at.color[beside] == color and at.n_liberties[at.head[beside]] == 1:
            if not is_laddered(at, <point_t>beside):
                return False
    return True


cdef int by_prior(const void* one, const void* two) noexcept nogil:
    # For qsort, the larger prior first; equals by point, so that every machine has one order.
    cdef const Candidate* left = <const Candidate*>one
    cdef const Candidate* right = <const Candidate*>two
    if left.prior != right.prior:
        return -1 if left.prior > right.prior else 1
    return left.move - right.move


cdef int list_candidates(Leaf* leaf) noexcept nogil:
    """Fill ``candidates``, best first; return their number.

    They are the pass and every legal move but those inside own eyes.  Superko is the business of
    the search.
    """
    cdef Position* at = &leaf.position
    cdef color_t color = leaf.to_play
    cdef Candidate* found = leaf.candidates
    cdef float weight = 0
    cdef float total = 0
    cdef point_t point = PASS
    cdef point_t vital = NO_POINT
    cdef color_t border = EMPTY
    cdef point_t[MAX_POINTS] empty
    cdef int n_empty = at.n_empty
    cdef int n = 0
    cdef int i = 0
    cdef int near = 0
    # Reading a ladder comes back to the same position but leaves the empty points in another order.
    memcpy(empty, at.empty, n_empty * sizeof(point_t))
    for i in range(n_empty):
        point = empty[i]
        if is_eye(at.shape[point], color) or legality(at, color, point, False) != LEGAL:
            continue
        weight = tactics(at, color, point)
        if suits(at.shape[point], color):
            weight *= 2.5
        if leaf.last > PASS:
            near = distance(point, leaf.last)
            weight *= NEAR_LAST[near if near < FAR else FAR]
        if leaf.last_but_one > PASS:
            near = distance(point, leaf.last_but_one)
            weight *= (NEAR_LAST[near if near < FAR else FAR] + 1) / 2
        if is_open(at, point):
            weight *= opening(at.size, point)
        else:
            vital = vital_point(at, point, &border)
            if vital == point:
                weight *= 6
        found[n].move = point
        found[n].prior = weight
        total += weight
        n += 1
    found[n].move = PASS
    # After the opponent's pass another one ends the game, and under territory rules a pass may be
    # better than any move: that must be looked at.
    found[n].prior = 0.01 + total * (
        0.2 if leaf.last == PASS else 0.03 if leaf.territory else 0.002)
    total += found[n].prior
    n += 1
    # The best first: the search looks at a few at a time.
    qsort(found, n, sizeof(Candidate), &by_prior)
    for i in range(n):
        # A doubling of the weight is worth a few per cent of the game, within bounds.
        weight = log2f(found[i].prior + 0.01)
        weight = 8 if weight > 8 else -6 if weight < -6 else weight
        found[i].value = 0.5 + 0.035 * weight
        found[i].prior /= total
        if found[i].move == PASS:
            found[i].value = 0.45 if leaf.territory else 0.3
    leaf.n_candidates = n
    return n


def candidate_moves(Board board not None, int color, int last=NO_POINT, int last_but_one=NO_POINT):
    """What a new node would be given: {point: (prior, guessed value for ``color``)}, with PASS.

    Points inside own eyes are left out.
    """
    cdef Leaf* leaf = <Leaf*>calloc(1, sizeof(Leaf))
    if leaf == NULL:
        raise MemoryError("no memory for a position")
    try:
        leaf.position = board.position
        leaf.to_play = <color_t>color
        leaf.last, leaf.last_but_one = <point_t>last, <point_t>last_but_one
        list_candidates(leaf)
        return {<int>leaf.candidates[i].move: (leaf.candidates[i].prior, leaf.candidates[i].value)
                for i in range(leaf.n_candidates)}
    finally:
        free(leaf)
