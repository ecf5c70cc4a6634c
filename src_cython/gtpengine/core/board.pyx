"""The board: stones, chains with incremental liberties, simple ko, Zobrist hash.

``put`` trusts its caller, ``legality`` checks; superko belongs to ``history``.  Every move can be
taken back exactly: chains are rings of stones, and swapping two links of two rings joins them,
while swapping the same two links again parts them (the idea of Knuth 2000, Dancing Links).
"""

from libc.string cimport memset

from gtpengine.core.types cimport (
    BLACK, EMPTY, LEGAL, MAX_POINTS, MAX_SIZE, MIN_SIZE, NO_POINT, OCCUPIED, PASS, SIMPLE_KO,
    STRIDE, SUICIDE, WALL, WHITE, Legality, color_t, hash_t, neighbor, point_t,
)
from gtpengine.core.zobrist cimport KEY

from typing import NamedTuple

cdef tuple REASON = ("legal", "occupied", "suicide", "ko")   # indexed by Legality


class IllegalMove(ValueError):
    """A move that the rules in force forbid; the position is unchanged."""


class Facts(NamedTuple):
    """What a position is, apart from how it is stored.

    ``stones`` has the color of every stone by point, ``liberties`` the number of liberties of its
    chain; ``chains`` are sets of points; ``lost`` counts the black and white stones taken off.
    """

    stones: dict[int, int]
    chains: frozenset[frozenset[int]]
    liberties: dict[int, int]
    ko: int
    hash: int
    lost: tuple[int, int]


cdef int reset(Position* at, int size) noexcept nogil:
    """Make ``at`` the empty board of ``size`` lines."""
    cdef int line = 0
    cdef int column = 0
    cdef int point = 0
    cdef int i = 0
    memset(at, 0, sizeof(Position))
    at.size = size
    at.ko = NO_POINT
    for point in range(MAX_POINTS):
        at.color[point] = WALL
        at.head[point] = NO_POINT
    for line in range(1, size + 1):
        for column in range(1, size + 1):
            point = line * STRIDE + column
            at.color[point] = EMPTY
            at.slot[point] = <int16_t>at.n_empty
            at.empty[at.n_empty] = <point_t>point
            at.n_empty += 1
    for line in range(1, size + 1):
        for column in range(1, size + 1):
            point = line * STRIDE + column
            for i in range(8):
                at.shape[point] |= <uint16_t>(at.color[point + neighbor(i)] << (2 * i))
    return 0


cdef int order_empty(Position* at) noexcept nogil:
    """Put the list of empty points into the order of the points.

    Otherwise its order tells how the position came about, by which moves and undos; what is random
    and has a seed must not depend on that.
    """
    cdef int point = 0
    cdef int n = 0
    for point in range(STRIDE, (at.size + 1) * STRIDE):
        if at.color[point] == EMPTY:
            at.empty[n] = <point_t>point
            at.slot[point] = <int16_t>n
            n += 1
    return n


cdef inline int flip_shape(Position* at, int point, color_t color) noexcept nogil:
    # Write a stone into, or wipe it out of, the shapes around ``point``.
    cdef int i = 0
    for i in range(8):
        at.shape[point + neighbor(i)] ^= <uint16_t>(color << (2 * (i ^ 1)))
    return 0


cdef inline int occupy(Position* at, int point, color_t color) noexcept nogil:
    cdef point_t last = at.empty[at.n_empty - 1]
    at.n_empty -= 1
    at.empty[at.slot[point]] = last
    at.slot[last] = at.slot[point]
    at.color[point] = color
    at.n_stones[color] += 1
    flip_shape(at, point, color)
    return 0


cdef inline int vacate(Position* at, int point, color_t color) noexcept nogil:
    at.slot[point] = <int16_t>at.n_empty
    at.empty[at.n_empty] = <point_t>point
    at.n_empty += 1
    at.color[point] = EMPTY
    at.head[point] = NO_POINT
    at.n_stones[color] -= 1
    flip_shape(at, point, color)
    return 0


cdef inline int chains_around(
    const Position* at, int point, color_t color, point_t* heads
) noexcept nogil:
    # The distinct chains of ``color`` next to ``point``; returns how many, at most four.
    cdef int n = 0
    cdef int i = 0
    cdef point_t head = NO_POINT
    for i in range(4):
        if at.color[point + neighbor(i)] == color:
            head = at.head[point + neighbor(i)]
            if ((n > 0 and heads[0] == head) or (n > 1 and heads[1] == head)
                    or (n > 2 and heads[2] == head)):
                continue
            heads[n] = head
            n += 1
    return n


cdef inline int add_liberty(Position* at, int point, color_t color, int count) noexcept nogil:
    # ``point`` becomes (count 1) or ceases to be (count -1) a liberty of the chains of ``color``.
    cdef point_t[4] heads
    cdef int n = chains_around(at, point, color, heads)
    cdef int i = 0
    for i in range(n):
        at.n_liberties[heads[i]] += <int16_t>count
        at.liberty_sum[heads[i]] += <uint16_t>(count * point)
    return 0


cdef int remove_chain(Position* at, point_t head, color_t color) noexcept nogil:
    """Take a chain off; its ring of links stays as it was, for ``restore_chain``."""
    cdef point_t stone = head
    cdef color_t other = opponent(color)
    while True:
        vacate(at, stone, color)
        at.hash ^= KEY[color][stone]
        add_liberty(at, stone, other, 1)
        stone = at.next[stone]
        if stone == head:
            break
    at.n_lost[color] += at.length[head]
    return 0


cdef int restore_chain(Position* at, point_t head, color_t color) noexcept nogil:
    """The inverse of ``remove_chain``."""
    cdef point_t stone = head
    cdef color_t other = opponent(color)
    while True:
        add_liberty(at, stone, other, -1)
        occupy(at, stone, color)
        at.head[stone] = head
        stone = at.next[stone]
        if stone == head:
            break
    at.n_lost[color] -= at.length[head]
    return 0


cdef inline int swap_links(Position* at, point_t one, point_t two) noexcept nogil:
    cdef point_t link = at.next[one]
    at.next[one] = at.next[two]
    at.next[two] = link
    return 0


cdef inline bint is_beside(const Position* at, int point, point_t head) noexcept nogil:
    # Whether ``point`` touches the chain; heads of empty points and walls are NO_POINT.
    return (at.head[point + neighbor(0)] == head or at.head[point + neighbor(1)] == head
            or at.head[point + neighbor(2)] == head or at.head[point + neighbor(3)] == head)


cdef inline int absorb(Position* at, point_t kept, point_t absorbed) noexcept nogil:
    # Relabel the stones of one chain as another's and count the liberties that they bring.
    cdef point_t stone = absorbed
    cdef int i = 0
    cdef int point = 0
    while True:
        if has_empty_neighbor(at.shape[stone]):
            for i in range(4):
                point = stone + neighbor(i)
                if at.color[point] == EMPTY and not is_beside(at, point, kept):
                    at.n_liberties[kept] += 1
                    at.liberty_sum[kept] += <uint16_t>point
        at.head[stone] = kept
        stone = at.next[stone]
        if stone == absorbed:
            break
    at.length[kept] += at.length[absorbed]
    swap_links(at, kept, absorbed)
    return 0


cdef inline int apply(Position* at, color_t color, point_t point, Change* change) noexcept nogil:
    cdef color_t other = opponent(color)
    cdef point_t[4] heads
    cdef point_t kept = point
    cdef point_t absorbed = NO_POINT
    cdef int n = 0
    cdef int i = 0
    cdef int n_captured = 0
    if change != NULL:
        change.hash, change.ko, change.point, change.color = at.hash, at.ko, point, color
        change.next, change.length = at.next[point], at.length[point]
        change.n_liberties, change.liberty_sum = at.n_liberties[point], at.liberty_sum[point]
        change.n_merged = change.n_captured = 0
        change.suicide = NO_POINT
    at.ko = NO_POINT
    occupy(at, point, color)
    at.hash ^= KEY[color][point]
    at.head[point] = at.next[point] = point
    at.length[point] = 1
    at.n_liberties[point] = 0
    at.liberty_sum[point] = 0
    for i in range(4):
        if at.color[point + neighbor(i)] == EMPTY:
            at.n_liberties[point] += 1
            at.liberty_sum[point] += <uint16_t>(point + neighbor(i))

    if touches(at.shape[point], other):
        n = chains_around(at, point, other, heads)
        for i in range(n):
            at.n_liberties[heads[i]] -= 1
            at.liberty_sum[heads[i]] -= <uint16_t>point
        for i in range(n):
            if at.n_liberties[heads[i]] == 0:
                if change != NULL:
                    change.captured[change.n_captured] = heads[i]
                    change.n_captured += 1
                n_captured += at.length[heads[i]]
                remove_chain(at, heads[i], other)

    if touches(at.shape[point], color):
        n = chains_around(at, point, color, heads)
        for i in range(n):
            at.n_liberties[heads[i]] -= 1
            at.liberty_sum[heads[i]] -= <uint16_t>point
        for i in range(n):
            absorbed = heads[i]
            if at.length[absorbed] > at.length[kept]:
                kept, absorbed = absorbed, kept
            if change != NULL:
                change.kept[i], change.absorbed[i] = kept, absorbed
                change.kept_liberties[i] = at.n_liberties[kept]
                change.kept_sum[i] = at.liberty_sum[kept]
                change.n_merged = i + 1
            absorb(at, kept, absorbed)

    if at.n_liberties[kept] == 0:
        if change != NULL:
            change.suicide = kept
        remove_chain(at, kept, color)
    elif n_captured == 1 and at.length[kept] == 1 and at.n_liberties[kept] == 1:
        at.ko = only_liberty(at, kept)
    return n_captured


cdef int put(Position* at, color_t color, point_t point) noexcept nogil:
    """Place a stone on an empty point; return the number of stones captured.

    The caller has made sure that ``legality`` allows it.
    """
    return apply(at, color, point, NULL)


cdef int put_recorded(Position* at, color_t color, point_t point, Change* change) noexcept nogil:
    """Like ``put``, or pass; ``change`` then lets ``undo`` take the move back."""
    if point == PASS:
        change.point, change.ko, change.color = PASS, at.ko, color
        return pass_turn(at)
    return apply(at, color, point, change)


cdef int undo(Position* at, const Change* change) noexcept nogil:
    """Take back the last move, the one that wrote ``change``."""
    cdef point_t point = change.point
    cdef color_t color = change.color
    cdef color_t other = opponent(color)
    cdef point_t stone = NO_POINT
    cdef int i = 0
    at.ko = change.ko
    if point == PASS:
        return 0
    if change.suicide != NO_POINT:
        restore_chain(at, change.suicide, color)
    for i in range(change.n_merged - 1, -1, -1):
        swap_links(at, change.kept[i], change.absorbed[i])
        at.length[change.kept[i]] -= at.length[change.absorbed[i]]
        at.n_liberties[change.kept[i]] = change.kept_liberties[i]
        at.liberty_sum[change.kept[i]] = change.kept_sum[i]
        stone = change.absorbed[i]
        while True:
            at.head[stone] = change.absorbed[i]
            stone = at.next[stone]
            if stone == change.absorbed[i]:
                break
    for i in range(change.n_captured - 1, -1, -1):
        restore_chain(at, change.captured[i], other)
    vacate(at, point, color)
    add_liberty(at, point, BLACK, 1)
    add_liberty(at, point, WHITE, 1)
    at.next[point], at.length[point] = change.next, change.length
    at.n_liberties[point], at.liberty_sum[point] = change.n_liberties, change.liberty_sum
    at.hash = change.hash
    return 0


cdef Legality legality(
    const Position* at, color_t color, point_t point, bint suicide
) noexcept nogil:
    """Judge a move by everything but superko.

    ``suicide`` says whether a chain of two or more stones may take its own last liberty; a single
    stone never may: it would leave the board as it was.
    """
    cdef int i = 0
    cdef int at_neighbor = 0
    cdef bint joins = False
    if at.color[point] != EMPTY:
        return OCCUPIED
    if has_empty_neighbor(at.shape[point]):
        return LEGAL
    if point == at.ko and is_surrounded(at.shape[point], opponent(color)):
        return SIMPLE_KO
    for i in range(4):
        at_neighbor = point + neighbor(i)
        if at.color[at_neighbor] == color:
            joins = True
            if at.n_liberties[at.head[at_neighbor]] > 1:
                return LEGAL
        elif at.color[at_neighbor] != WALL and at.n_liberties[at.head[at_neighbor]] == 1:
            return LEGAL
    return LEGAL if suicide and joins else SUICIDE


cdef hash_t hash_of_chain(const Position* at, point_t head) noexcept nogil:
    cdef hash_t total = 0
    cdef point_t stone = head
    while True:
        total ^= KEY[at.color[head]][stone]
        stone = at.next[stone]
        if stone == head:
            return total


cdef hash_t hash_after(const Position* at, color_t color, point_t point) noexcept nogil:
    """The hash of the position that a legal move leads to."""
    cdef hash_t total = at.hash ^ KEY[color][point]
    cdef point_t[4] heads
    cdef int n = 0
    cdef int i = 0
    cdef bint alive = has_empty_neighbor(at.shape[point])
    n = chains_around(at, point, opponent(color), heads)
    for i in range(n):
        if at.n_liberties[heads[i]] == 1:
            total ^= hash_of_chain(at, heads[i])
            alive = True
    if alive:
        return total
    n = chains_around(at, point, color, heads)
    for i in range(n):
        if at.n_liberties[heads[i]] > 1:
            return total
    for i in range(n):
        total ^= hash_of_chain(at, heads[i])
    return total ^ KEY[color][point]


cdef point_t first_liberty(const Position* at, point_t head) noexcept nogil:
    """Some liberty of a chain; of two, the other one is ``liberty_sum`` less this one."""
    cdef point_t stone = head
    cdef int i = 0
    while True:
        if has_empty_neighbor(at.shape[stone]):
            for i in range(4):
                if at.color[stone + neighbor(i)] == EMPTY:
                    return <point_t>(stone + neighbor(i))
        stone = at.next[stone]
        if stone == head:
            return NO_POINT


cdef inline int note(point_t* found, int n, int point) noexcept nogil:
    # Add ``point`` to the first ``n`` entries unless it is among them; return the new count.
    cdef int i = 0
    for i in range(n):
        if found[i] == point:
            return n
    found[n] = <point_t>point
    return n + 1


cdef int liberties_after(
    const Position* at, color_t color, point_t point, int enough
) noexcept nogil:
    """Liberties of the chain that a legal move makes, counted up to ``enough`` (at most 8).

    Points vacated by a capture count where they touch the new stone itself; liberties that a
    capture gives to stones further away are left out.
    """
    cdef point_t[12] found
    cdef point_t[4] heads
    cdef point_t stone = NO_POINT
    cdef int n = 0
    cdef int n_heads = 0
    cdef int i = 0
    cdef int k = 0
    cdef int at_neighbor = 0
    for i in range(4):
        at_neighbor = point + neighbor(i)
        if at.color[at_neighbor] == EMPTY:
            n = note(found, n, at_neighbor)
        elif at.color[at_neighbor] == opponent(color) and at.n_liberties[at.head[at_neighbor]] == 1:
            n = note(found, n, at_neighbor)
    if n >= enough:
        return n
    n_heads = chains_around(at, point, color, heads)
    for i in range(n_heads):
        if at.n_liberties[heads[i]] > enough:
            return enough
    for i in range(n_heads):
        if at.n_liberties[heads[i]] == 1:
            continue
        if at.n_liberties[heads[i]] == 2:
            n = note(found, n, <point_t><uint16_t>(at.liberty_sum[heads[i]] - point))
            if n >= enough:
                return n
            continue
        stone = heads[i]
        while True:
            if has_empty_neighbor(at.shape[stone]):
                for k in range(4):
                    at_neighbor = stone + neighbor(k)
                    if at.color[at_neighbor] == EMPTY and at_neighbor != point:
                        n = note(found, n, at_neighbor)
                        if n >= enough:
                            return n
            stone = at.next[stone]
            if stone == heads[i]:
                break
    return n


cdef class Board:
    """One position, for Python; superko is History's.

    Points and colors are ints (see ``types``); ``size`` is the number of lines.
    """

    def __init__(self, int size):
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"size must be {MIN_SIZE}..{MAX_SIZE}, got '{size}'")
        reset(&self.position, size)

    @property
    def size(self):
        """Lines on a side."""
        return self.position.size

    @property
    def hash(self):
        """Zobrist hash of the stones; 0 for the empty board."""
        return self.position.hash

    @property
    def ko(self):
        """The point that a simple ko bans for the player to move, or NO_POINT."""
        return self.position.ko

    @property
    def lost(self):
        """Black and white stones taken off so far."""
        return self.position.n_lost[BLACK], self.position.n_lost[WHITE]

    def copy(self):
        """An independent copy."""
        cdef Board board = Board.__new__(Board)
        board.position = self.position
        return board

    def points(self):
        """All points of the board, A1 first, line by line."""
        cdef int size = self.position.size
        lines = columns = range(1, size + 1)
        return [line * STRIDE + column for line in lines for column in columns]

    def color_at(self, int point):
        """EMPTY, BLACK or WHITE; WALL outside the board."""
        return <int>self.position.color[point] if 0 <= point < MAX_POINTS else <int>WALL

    def stones(self, int color):
        """Points that hold a stone of ``color``, A1 first."""
        return [point for point in self.points() if self.position.color[<int>point] == color]

    cdef point_t checked_head(self, int point) except -2:
        if self.color_at(point) not in (BLACK, WHITE):
            raise ValueError(f"point {point} holds no stone")
        return self.position.head[point]

    def chain(self, int point):
        """Points of the chain at ``point``, ascending; ValueError if there is no stone."""
        cdef point_t head = self.checked_head(point)
        cdef point_t stone = self.position.next[head]
        found = [<int>head]
        while stone != head:
            found.append(stone)
            stone = self.position.next[stone]
        return sorted(found)

    def liberties(self, int point):
        """Liberties of the chain at ``point``, ascending; ValueError if there is no stone."""
        return sorted({stone + neighbor(i) for stone in self.chain(point) for i in range(4)
                       if self.color_at(stone + neighbor(i)) == EMPTY})

    def n_liberties(self, int point):
        """How many liberties the chain at ``point`` has; ValueError if there is no stone."""
        return self.position.n_liberties[self.checked_head(point)]

    def legality(self, int color, int point, bint suicide=False):
        """'' if the move is legal, else the reason: 'occupied', 'suicide' or 'ko'.

        Superko is not considered.  A pass is always legal.  ``suicide`` allows two stones or more
        to take their own last liberty.
        """
        if color not in (BLACK, WHITE):
            raise ValueError(f"color must be {BLACK} or {WHITE}, got '{color}'")
        if point == PASS:
            return ""
        if self.color_at(point) == WALL:
            return "off the board"
        cdef Legality verdict = legality(&self.position, color, point, suicide)
        return "" if verdict == LEGAL else REASON[verdict]

    def play(self, int color, int point, bint suicide=False):
        """Play a stone or PASS; return the number of stones captured.

        Raises IllegalMove if the point is off the board, occupied, banned by simple ko, or suicide.
        """
        reason = self.legality(color, point, suicide)
        if reason:
            raise IllegalMove(f"point {point} is not playable: {reason}")
        if point == PASS:
            return pass_turn(&self.position)
        return put(&self.position, color, point)

    def facts(self):
        """All that distinguishes this position from another, in plain values."""
        colors = {point: self.color_at(point) for point in self.points()}
        stones = {point: color for point, color in colors.items() if color != EMPTY}
        return Facts(
            stones,
            frozenset(frozenset(self.chain(point)) for point in stones),
            {point: self.n_liberties(point) for point in stones},
            self.ko, self.hash, self.lost,
        )

    def check(self):
        """Recount everything that is kept incrementally; RuntimeError names what is wrong."""
        cdef Position* at = &self.position
        cdef int point = 0
        cdef hash_t total = 0
        cdef int i = 0
        cdef int shape = 0
        wrong = []
        for point in self.points():
            shape = 0
            for i in range(8):
                shape |= at.color[point + neighbor(i)] << (2 * i)
            if shape != at.shape[point]:
                wrong.append(f"shape of {point}")
            if at.color[point] == EMPTY:
                if at.empty[at.slot[point]] != point or at.slot[point] >= at.n_empty:
                    wrong.append(f"slot of {point}")
                if at.head[point] != NO_POINT:
                    wrong.append(f"head of empty {point}")
                continue
            total ^= KEY[at.color[point]][point]
            chain, liberties = self.flood(point)
            if chain != self.chain(point) or len(chain) != at.length[at.head[point]]:
                wrong.append(f"chain of {point}")
            if len(liberties) != at.n_liberties[at.head[point]]:
                wrong.append(f"number of liberties of {point}")
            if sum(liberties) % 65536 != at.liberty_sum[at.head[point]]:
                wrong.append(f"sum of liberties of {point}")
        if total != at.hash:
            wrong.append("hash")
        for color in (BLACK, WHITE):
            if at.n_stones[color] != len(self.stones(color)):
                wrong.append(f"number of stones of color {color}")
        if at.n_empty != at.size * at.size - at.n_stones[BLACK] - at.n_stones[WHITE]:
            wrong.append("number of empty points")
        if wrong:
            raise RuntimeError("inconsistent board: " + ", ".join(wrong))

    def flood(self, int point):
        """Points and liberties of the chain at ``point``, found by walking over the stones."""
        color = self.color_at(point)
        chain, liberties, todo = {point}, set(), [point]
        while todo:
            stone = todo.pop()
            for i in range(4):
                beside = stone + neighbor(i)
                if self.color_at(beside) == color and beside not in chain:
                    chain.add(beside)
                    todo.append(beside)
                elif self.color_at(beside) == EMPTY:
                    liberties.add(beside)
        return sorted(chain), sorted(liberties)

    def __str__(self):
        """Diagram, top line first: X Black, O White, a dot for an empty point."""
        columns = range(1, self.size + 1)
        return "\n".join(
            " ".join(".XO"[self.color_at(line * STRIDE + column)] for column in columns)
            for line in range(self.size, 0, -1)
        )
