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


@dataclass(frozen=True)
class Stake:
    """What a ko decides, in points of area.

    The captor of the chains may leave it alone; or begin it and, when he is threatened, answer,
    which lets the chains live; or take them, and let the threat be carried out.
    """

    chains: int  # lost by their owner if they die
    captors: int  # lost by the captor if they live
    one_is_enough: bool  # a single threat lets them live

    def by_answer(self, threat: Threat) -> int:
        """What the captor gains if he answers the threat."""
        return threat.price - self.captors

    def by_taking(self, threat: Threat) -> int:
        """What he gains if he does not."""
        return self.chains - threat.worth

    def gain(self, threat: Threat) -> int:
        """What he gains by the better of the two, up to the whole of the chains."""
        if threat.price > 0 and not self.one_is_enough:
            return self.chains  # a threat that costs stones is made once
        return max(self.by_answer(threat), self.by_taking(threat))


class Seki:
    """A seki in which ``color`` looks for threats, and its opponent for ways to remove them."""

    def __init__(self, reader: ArenaReader, chains: list[Chain], color: int) -> None:
        self.reader = reader
        self.color = color
        board = reader.arena.board
        chains = [chain for chain in chains if len(chain) > 1]  # single stones come and go in a ko
        self.own = [chain for chain in chains if board.color_at(chain[0]) == color]
        self.others = [chain for chain in chains if board.color_at(chain[0]) != color]

    @property
    def whole(self) -> Threat:
        """The threat to all chains of the opponent at the price of all own ones."""
        return Threat(loss(self.reader.arena, self.others), loss(self.reader.arena, self.own))

    def least_gain(self, stake: Stake) -> int:
        """What the threats leave the opponent of a stake once he has removed those that he can.

        0 if he had better leave it alone; all of ``stake.chains`` if no threat helps.
        """
        return bisect_left(range(stake.chains), True, key=partial(self._has_lasting_threat, stake))

    def _has_lasting_threat(self, stake: Stake, most: int) -> bool:
        """Whether the opponent cannot remove all threats that leave him with ``most`` or less."""
        board = self.reader.arena.board
        return not self._is_cleared(
            board, MOST_REMOVALS, lambda threat: stake.gain(threat) <= most, {}
        )

    def _threats(self, board: Board) -> Iterator[Threat]:
        arena = self.reader.arena
        for after in self._moves(board, self.color):
            reader = self._reader(after)
            others, own = (
                [chain for chain in chains if after.color_at(chain[0]) != EMPTY]
                for chains in (self.others, self.own)
            )
            taken = [chain for chain in others if reader.is_lost(chain, owner_first=False)]
            if taken:
                lost = [c for c in own if reader.is_lost(c, owner_first=False) is not False]
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
                self._is_safe(board) and not any(map(is_enough, self._threats(board)))
            ) or (
                removals > 0
                and any(
                    self._is_safe(after)
                    and self._is_cleared(after, removals - 1, is_enough, known)
                    and all(
                        self._is_cleared(answered, removals - 1, is_enough, known)
                        for answered in self._moves(after, self.color)
                    )
                    for after in self._moves(board, BLACK + WHITE - self.color)
                )
            )
        return known[key]

    def _is_safe(self, board: Board) -> bool:
        """Whether the opponent keeps his chains although ``color`` moves."""
        reader = self._reader(board)
        return all(
            board.color_at(chain[0]) != EMPTY and reader.is_lost(chain, owner_first=False) is False
            for chain in self.others
        )

    def _moves(self, board: Board, color: int) -> Iterator[Board]:
        """The boards after each legal move in the arena."""
        for point in sorted(self.reader.arena.points):
            if board.legality(color, point) == "":
                after = board.copy()
                after.play(color, point)
                yield after

    def _reader(self, board: Board) -> ArenaReader:
        arena = Arena(board, self.reader.arena.points)
        return ArenaReader(arena, self.reader.walls, self.reader.budget)
