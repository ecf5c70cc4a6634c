"""The status of the chains of one arena, by reading.

A chain is dead if it is lost although its owner moves first, living if it gets two eyes although
the opponent moves first, and in seki if it can be neither taken nor made to live.  What depends on
who moves first is unsettled.
"""

from __future__ import annotations

from collections.abc import Set
from enum import Enum

from gtpengine.arenas import NEIGHBORS, Arena, Chain
from gtpengine.core.reading import Reader
from gtpengine.core.types import BLACK, NO_POINT, WHITE

SHARES = (0.01, 0.1, 1.0)  # of the nodes for one question: easy answers first


class Fate(Enum):
    """What is known about a chain."""

    LIVING = "living"
    DEAD = "dead"
    SEKI = "seki"
    UNSETTLED = "unsettled"


class NodeBudget:
    """Nodes left for all the reading of a position: who asks much leaves less to the rest."""

    def __init__(self, total: int, most_per_question: int) -> None:
        self.left = total
        self.most_per_question = most_per_question

    def grant(self, wanted: int | None) -> int:
        """Nodes that the next question may take: ``wanted`` at most."""
        return min(self.left, self.most_per_question if wanted is None else wanted)

    def spend(self, nodes: int) -> None:
        """Note what a question took."""
        self.left = max(0, self.left - nodes)


class ArenaReader:
    """Asks questions about the chains of one arena between walls.

    A chain stands for its first stone here: it may have grown since.
    """

    def __init__(self, arena: Arena, walls: Set[int], budget: NodeBudget) -> None:
        self.arena = arena
        self.walls = walls
        self.budget = budget
        self._reader = Reader(arena.board, arena.points, walls)

    def fate(self, chain: Chain, looks_dead: bool = False) -> Fate | None:
        """The fate of a chain, or None if that is too hard to read.

        ``looks_dead`` is a guess: it changes the order of the questions, not the answer.
        """
        for share in SHARES:
            fate = self._fate(chain, looks_dead, int(share * self.budget.most_per_question))
            if fate is not None:
                return fate
        return None

    def _fate(self, chain: Chain, looks_dead: bool, most_nodes: int) -> Fate | None:
        if looks_dead and self.is_lost(chain, owner_first=True, most_nodes=most_nodes):
            return Fate.DEAD
        lives = self.lives(chain, owner_first=False, most_nodes=most_nodes)
        if lives:
            return Fate.LIVING
        can_be_lost = self.is_lost(chain, owner_first=False, most_nodes=most_nodes)
        if can_be_lost is None:
            return None
        if can_be_lost:
            is_lost = self.is_lost(chain, owner_first=True, most_nodes=most_nodes)
            return None if is_lost is None else Fate.DEAD if is_lost else Fate.UNSETTLED
        can_live = self.lives(chain, owner_first=True, most_nodes=most_nodes)
        if lives is None or can_live is None:
            return None
        return Fate.UNSETTLED if can_live else Fate.SEKI

    def lives(
        self, chain: Chain, *, owner_first: bool, most_nodes: int | None = None
    ) -> bool | None:
        """Whether a chain gets two eyes."""
        answer = self._reader.is_living(chain[0], owner_first, self.budget.grant(most_nodes))
        self.budget.spend(self._reader.nodes)
        return answer

    def is_lost(
        self,
        chain: Chain,
        *,
        owner_first: bool,
        owner_retakes: bool = False,
        most_nodes: int | None = None,
    ) -> bool | None:
        """Whether a chain is taken, and not at the price of a larger one."""
        answer = self._reader.is_captured(
            chain[0],
            owner_first,
            self.budget.grant(most_nodes),
            self._guard(chain),
            owner_retakes,
        )
        self.budget.spend(self._reader.nodes)
        return answer

    def _guard(self, chain: Chain) -> int:
        """A stone of the captors that may not fall in return for the chain, or NO_POINT.

        It is the largest neighbor that can be taken, if such neighbors weigh more than the chain.
        """
        captors = neighbors(self.arena, chain)
        return captors[0][0] if sum(map(len, captors)) > len(chain) else NO_POINT


def neighbors(arena: Arena, chain: Chain) -> list[Chain]:
    """The opponent's chains of the arena that touch a chain, largest first."""
    rival = BLACK + WHITE - arena.board.color_at(chain[0])
    beside = {point + step for point in chain for step in NEIGHBORS}
    return [
        other
        for other in arena.chains
        if arena.board.color_at(other[0]) == rival and not beside.isdisjoint(other)
    ]
