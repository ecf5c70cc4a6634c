"""The slow twin of the board and its history: plain, independent, only for tests.

It follows Tromp and Taylor (The Logical Rules of Go): a position is a coloring of the points, and a
play colors a point, then clears the opponent's stones that do not reach an empty point, then one's
own.  Nothing is kept incrementally, positions are compared as a whole and never by a hash, and a
move is taken back by going to the entry before.
"""

from functools import lru_cache
from typing import NamedTuple

from gtpengine.coords import column_of, line_of, point_at
from gtpengine.core.types import BLACK, EMPTY, NO_POINT, PASS, WHITE

Position = bytes  # the color of every point, A1 first, line by line


class Entry(NamedTuple):
    """A position that has stood in the game."""

    position: Position
    mover: int  # who played last, EMPTY in the first position
    point: int  # where
    to_play: int
    lost: tuple[int, int]  # black and white stones taken off so far


@lru_cache
def neighbors(size: int) -> list[list[int]]:
    """For every index the indices beside it."""
    last = size - 1
    found = []
    for index in range(size * size):
        line, column = divmod(index, size)
        beside = {index + 1: column < last, index - 1: column > 0}
        beside |= {index + size: line < last, index - size: line > 0}
        found.append([i for i, is_inside in beside.items() if is_inside])
    return found


class ReferenceBoard:
    """A game under given rules; ``ko`` is simple, positional or situational."""

    def __init__(
        self, size: int, ko: str = "simple", suicide: bool = False, to_play: int = BLACK
    ) -> None:
        self.size = size
        self.ko_rule = ko
        self.suicide = suicide
        self.beside = neighbors(size)
        self.entries = [Entry(bytes(size * size), EMPTY, NO_POINT, to_play, (0, 0))]

    def index(self, point: int) -> int:
        return (line_of(point) - 1) * self.size + column_of(point) - 1

    def point(self, index: int) -> int:
        return point_at(index % self.size + 1, index // self.size + 1)

    @property
    def position(self) -> Position:
        return self.entries[-1].position

    @property
    def to_play(self) -> int:
        return self.entries[-1].to_play

    @property
    def lost(self) -> tuple[int, int]:
        return self.entries[-1].lost

    def chain_and_liberties(self, position: Position, index: int) -> tuple[set[int], set[int]]:
        """The stones connected to one, and the empty points beside them."""
        chain, liberties, todo = {index}, set(), [index]
        while todo:
            for beside in self.beside[todo.pop()]:
                if position[beside] == EMPTY:
                    liberties.add(beside)
                elif position[beside] == position[index] and beside not in chain:
                    chain.add(beside)
                    todo.append(beside)
        return chain, liberties

    def clear(self, position: Position, color: int, around: int) -> Position:
        """Take off the stones of ``color`` at or beside ``around`` that reach no empty point."""
        for index in (around, *self.beside[around]):
            if position[index] == color:
                chain, liberties = self.chain_and_liberties(position, index)
                if not liberties:
                    position = bytes(EMPTY if i in chain else c for i, c in enumerate(position))
        return position

    def after(self, color: int, index: int) -> Position:
        """The position that a stone on an empty point leads to, be it legal or not."""
        position = self.position[:index] + bytes([color]) + self.position[index + 1 :]
        return self.clear(self.clear(position, BLACK + WHITE - color, index), color, index)

    def legality(self, color: int, point: int) -> str:
        """'' if the move is legal, else 'occupied', 'suicide', 'ko' or 'superko'."""
        if point == PASS:
            return ""
        index = self.index(point)
        if self.position[index] != EMPTY:
            return "occupied"
        after = self.after(color, index)
        if after[index] == EMPTY and (not self.suicide or after == self.position):
            return "suicide"
        if self.entries[-1].mover == BLACK + WHITE - color and after == self.entries[-2].position:
            return "ko"
        if self.ko_rule == "positional" and any(after == e.position for e in self.entries):
            return "superko"
        if self.ko_rule == "situational":
            entry = after, BLACK + WHITE - color
            if any(entry == (e.position, e.to_play) for e in self.entries):
                return "superko"
        return ""

    def play(self, color: int, point: int) -> int:
        """Play a legal move; return the number of the opponent's stones that it takes."""
        assert self.legality(color, point) == ""
        position, lost = self.position, list(self.lost)
        if point != PASS:
            before = self.position
            position = self.after(color, self.index(point))
            lost[0] += before.count(BLACK) + (color == BLACK) - position.count(BLACK)
            lost[1] += before.count(WHITE) + (color == WHITE) - position.count(WHITE)
        captured = lost[2 - color] - self.lost[2 - color]
        entry = Entry(position, color, point, BLACK + WHITE - color, (lost[0], lost[1]))
        self.entries.append(entry)
        return captured

    def undo(self) -> None:
        self.entries.pop()

    @property
    def ko(self) -> int:
        """Where a stone of the last mover's opponent would bring back the position before."""
        mover = self.entries[-1].mover
        if mover == EMPTY:
            return NO_POINT
        before = self.entries[-2].position
        for index, color in enumerate(before):
            if color == BLACK + WHITE - mover and self.position[index] == EMPTY:
                return self.point(index) if self.after(color, index) == before else NO_POINT
        return NO_POINT

    def facts(self) -> dict[str, object]:
        """What ``Board.facts`` says, recounted; without the hash, which no twin can know."""
        stones = {self.point(i): color for i, color in enumerate(self.position) if color != EMPTY}
        chains: dict[int, tuple[frozenset[int], int]] = {}
        for point in stones:
            if point not in chains:
                chain, liberties = self.chain_and_liberties(self.position, self.index(point))
                points = frozenset(map(self.point, chain))
                chains |= dict.fromkeys(points, (points, len(liberties)))
        return {
            "stones": stones,
            "chains": frozenset(points for points, _ in chains.values()),
            "liberties": {point: n_liberties for point, (_, n_liberties) in chains.items()},
            "ko": self.ko,
            "lost": self.lost,
        }
