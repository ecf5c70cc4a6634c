"""The board for Python: one position, checked at the edge, with all that can be asked of it."""

from gtpengine.core.position cimport (
    Position, legality, n_liberties, once, pass_turn, points_t, put, reset,
)
from gtpengine.core.types cimport (
    BLACK, EMPTY, LEGAL, MAX_POINTS, MAX_SIZE, MIN_SIZE, PASS, STRIDE, WALL, WHITE, Legality,
    hash_t, neighbor, point_t,
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
        return len(self.liberties(point))

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
                if at.head[point] != point:
                    wrong.append(f"head of empty {point}")
                if at.liberties[point] != self.points_beside([point]):
                    wrong.append(f"empty points beside {point}")
                continue
            total ^= KEY[at.color[point]][point]
            chain, liberties = self.flood(point)
            if chain != self.chain(point) or len(chain) != at.length[at.head[point]]:
                wrong.append(f"chain of {point}")
            if at.liberties[at.head[point]] != self.points_beside(chain):
                wrong.append(f"liberties of {point}")
            if min(len(liberties), 4) != n_liberties(at, at.head[point], 4):
                wrong.append(f"number of liberties of {point}")
        if total != at.hash:
            wrong.append("hash")
        for color in (BLACK, WHITE):
            if at.n_stones[color] != len(self.stones(color)):
                wrong.append(f"number of stones of color {color}")
        if at.n_empty != at.size * at.size - at.n_stones[BLACK] - at.n_stones[WHITE]:
            wrong.append("number of empty points")
        if wrong:
            raise RuntimeError("inconsistent board: " + ", ".join(wrong))

    cdef points_t points_beside(self, list points):
        """The empty neighbors of points, as a Position keeps them."""
        cdef points_t total = 0
        cdef int point = 0
        cdef int i = 0
        for point in points:
            for i in range(4):
                if self.position.color[point + neighbor(i)] == EMPTY:
                    total += once(point + neighbor(i))
        return total

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
