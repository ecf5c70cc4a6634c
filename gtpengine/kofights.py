"""Death that has to be played out in a ko: bent four in the corner, where areas are counted.

Where territory is counted such a chain is dead as it stands.  Where areas are counted the captor
must win the ko.  He first removes every threat of the owner that he can, which costs him nothing.
What he cannot remove is a threat inside a seki: one that costs the owner nothing, as in a double
ko, or one that costs him his stones there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from gtpengine.arenas import Arena, Chain
from gtpengine.core.board import Board
from gtpengine.core.reading import EVERY_KO
from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.local import ArenaReader

MOST_REMOVALS = 3  # moves by which the captor removes threats
Stones = tuple[frozenset[int], frozenset[int], int]  # Black's, White's; removals left


@dataclass(frozen=True)
class Threat:
    """What a move in a seki threatens to take, and what the opponent takes by his answer.

    Both in points of area; a free threat has no ``price``.
    """

    worth: int
    price: int


def hangs_on_ko(reader: ArenaReader, chain: Chain, n_threats: int = EVERY_KO) -> bool:
    """Whether a dead chain would live if its owner had so many threats."""
    return reader.is_lost(chain, owner_first=True, owner_retakes=n_threats) is False


def loss(arena: Arena, chains: Collection[Chain]) -> int:
    """What the owner of chains in an arena loses with them, in points of area.

    The stones become points of the other color, and so does what is open there.
    """
    return 2 * sum(map(len, chains)) + (arena.n_empty if chains else 0)


class Seki:
    """A seki in which ``color`` looks for threats, and its opponent for ways to remove them."""

    def __init__(self, reader: ArenaReader, chains: list[Chain], color: int) -> None:
        self.reader = reader
        self.color = color
        board = reader.arena.board
        chains = [chain for chain in chains if len(chain) > 1]  # single stones come and go in a ko
        self.own = [chain for chain in chains if board.color_at(chain[0]) == color]
        self.others = [chain for chain in chains if board.color_at(chain[0]) != color]

    def least_gain(self, gain: Callable[[Threat], int], most: int) -> int:
        """The least that the opponent is left with by a threat that he cannot remove first.

        ``gain`` says what a threat leaves him with; at least 0, and ``most`` without such a threat.
        """
        return bisect_left(range(most), True, key=partial(self._has_lasting_threat, gain))

    def _has_lasting_threat(self, gain: Callable[[Threat], int], least: int) -> bool:
        """Whether the opponent cannot remove all threats that leave him with ``least`` or less."""
        board = self.reader.arena.board
        return not self._is_cleared(board, MOST_REMOVALS, lambda threat: gain(threat) <= least, {})

    def _threats(self, board: Board) -> Iterator[Threat]:
        for after, reader in self._moves(board, self.color):
            others, own = (
                [chain for chain in chains if after.color_at(chain[0]) != EMPTY]
                for chains in (self.others, self.own)
            )
            taken = [chain for chain in others if reader.is_lost(chain, owner_first=False)]
            if taken:
                lost = [c for c in own if reader.is_lost(c, owner_first=False) is not False]
                arena = self.reader.arena
                yield Threat(loss(arena, taken), loss(arena, lost))

    def _is_cleared(
        self,
        board: Board,
        removals: int,
        is_enough: Callable[[Threat], bool],
        known: dict[Stones, bool],
    ) -> bool:
        """Whether the opponent, to move, can make an end of these threats and keep his chains."""
        key = frozenset(board.stones(BLACK)), frozenset(board.stones(WHITE)), removals
        if key not in known:
            known[key] = (
                self._is_safe(self._reader(board)) and not any(map(is_enough, self._threats(board)))
            ) or any(
                self._is_safe(reader)
                and self._is_cleared(after, removals - 1, is_enough, known)
                and all(
                    self._is_cleared(answered, removals - 1, is_enough, known)
                    for answered, _ in self._moves(after, self.color)
                )
                for after, reader in self._moves(board, BLACK + WHITE - self.color)
                if removals > 0
            )
        return known[key]

    def _is_safe(self, reader: ArenaReader) -> bool:
        """Whether the opponent keeps his chains although ``color`` moves."""
        return all(
            reader.arena.board.color_at(chain[0]) != EMPTY
            and reader.is_lost(chain, owner_first=False) is False
            for chain in self.others
        )

    def _moves(self, board: Board, color: int) -> Iterator[tuple[Board, ArenaReader]]:
        for point in sorted(self.reader.arena.points):
            if board.legality(color, point) == "":
                after = board.copy()
                after.play(color, point)
                yield after, self._reader(after)

    def _reader(self, board: Board) -> ArenaReader:
        arena = Arena(board, self.reader.arena.points)
        return ArenaReader(arena, self.reader.walls, self.reader.budget)
