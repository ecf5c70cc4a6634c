"""The parts of a board that can be read apart from each other: what walls leave between them.

A wall is a chain taken for safe.  The other points fall into arenas, the largest connected sets of
them; what happens in one arena does not touch another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from gtpengine.core.board import Board
from gtpengine.core.types import EMPTY, STRIDE, WALL

NEIGHBORS = (STRIDE, -STRIDE, 1, -1)
Chain = tuple[int, ...]


@dataclass(frozen=True)
class Arena:
    """A connected set of points, none of them a stone of a wall."""

    board: Board
    points: frozenset[int]

    @cached_property
    def chains(self) -> list[Chain]:
        """The chains of the arena, largest first."""
        return chains_of(self.board, self.points)

    @cached_property
    def n_empty(self) -> int:
        """How many of its points are empty."""
        return len(self.points) - sum(map(len, self.chains))


def chains_of(board: Board, points: Iterable[int]) -> list[Chain]:
    """The chains with a stone among ``points``, largest first, then by their first point."""
    unseen = {point for point in points if board.color_at(point) not in (EMPTY, WALL)}
    chains = []
    while unseen:
        chain = tuple(board.chain(min(unseen)))
        unseen.difference_update(chain)
        chains.append(chain)
    return sorted(chains, key=lambda chain: (-len(chain), chain))


def without(board: Board, dead: Set[int]) -> Board:
    """The board with these stones, whole chains, taken off."""
    left = Board(board.size)
    for point in board.points():
        if board.color_at(point) != EMPTY and point not in dead:
            left.play(board.color_at(point), point)
    return left


def ko_partners(board: Board, chain: Chain) -> list[Chain]:
    """The chains that a stone in a ko would be joined to if its owner filled the ko; else none."""
    if len(chain) > 1 or board.n_liberties(chain[0]) > 1:
        return []
    (mouth,) = board.liberties(chain[0])
    beside = [mouth + step for step in NEIGHBORS]
    if any(board.color_at(point) not in (board.color_at(chain[0]), WALL) for point in beside):
        return []
    return [other for other in chains_of(board, beside) if other != chain]


def components(points: Iterable[int]) -> Iterator[frozenset[int]]:
    """The connected parts of a set of points."""
    unseen = set(points)
    while unseen:
        part = [unseen.pop()]
        for point in part:
            beside = [point + step for step in NEIGHBORS if point + step in unseen]
            unseen.difference_update(beside)
            part.extend(beside)
        yield frozenset(part)


def arenas_between(board: Board, walls: Set[int], closed: Set[int] = frozenset()) -> list[Arena]:
    """The arenas that walls leave, those with stones only; ``closed`` points belong to none."""
    rest = set(board.points()) - walls - closed
    arenas = [Arena(board, part) for part in components(rest)]
    with_stones = [arena for arena in arenas if arena.chains]
    return sorted(with_stones, key=lambda arena: (arena.n_empty, min(arena.points)))


def quiet_arena(board: Board, chain: Chain, most_empty: int) -> frozenset[int]:
    """The empty regions beside a chain that its color alone surrounds, with the chains around them.

    Regions of more than ``most_empty`` points are left out.
    """
    color = board.color_at(chain[0])
    points: set[int] = set()
    seen: set[int] = set()
    for start in board.liberties(chain[0]):
        if start in seen:
            continue
        region, border = [start], set()
        seen.add(start)
        for point in region:
            for beside in (point + step for step in NEIGHBORS):
                if board.color_at(beside) == EMPTY:
                    if beside not in seen:
                        seen.add(beside)
                        region.append(beside)
                elif board.color_at(beside) != WALL:
                    border.add(beside)
        if len(region) <= most_empty and all(board.color_at(point) == color for point in border):
            points.update(region)
            for point in border:
                points.update(board.chain(point))
    return frozenset(points)
