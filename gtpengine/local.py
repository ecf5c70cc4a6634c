"""The status of the chains of one arena, by reading.

A chain is dead if it is lost although its owner moves first, living if it gets two eyes although
the opponent moves first, and in seki if it can be neither taken nor made to live.  What depends on
who moves first is unsettled.
"""

from __future__ import annotations

from collections.abc import Set
from enum import Enum

from gtpengine.arenas import NEIGHBORS, Arena, Chain, components
from gtpengine.core.reading import Reader
from gtpengine.core.types import BLACK, NO_POINT, WHITE

ROUNDS = (0.01,), (0.1, 1.0)  # shares of the nodes for one question, round by round


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
        self._regions: dict[int, list[frozenset[int]]] = {}  # by color: parts without its stones
        self._reader = Reader(arena.board, arena.points, walls)

    def fates(self, chains: list[Chain], look_dead: Set[Chain]) -> dict[Chain, Fate]:
        """The fates of chains, without those that are too hard to read.

        Easy answers come first, whatever chain they are about.  ``look_dead`` is a guess: it
        changes the order of the questions, not the answers.
        """
        fates: dict[Chain, Fate] = {}
        inquiries = [Inquiry(self, chain) for chain in chains]
        for shares in ROUNDS:
            for inquiry in inquiries:
                for share in shares:
                    if inquiry.chain not in fates:
                        inquiry.resume(int(share * self.budget.most_per_question))
                        fate = inquiry.fate(inquiry.chain in look_dead)
                        if fate is not None:
                            fates[inquiry.chain] = fate
        return fates

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
        owner_retakes: int = 0,
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
        if sum(map(len, captors)) <= len(chain):
            return NO_POINT
        captors = [captor for captor in captors if not self._is_nakade(captor, chain)]
        return captors[0][0] if sum(map(len, captors)) > len(chain) else NO_POINT

    def _is_nakade(self, captor: Chain, chain: Chain) -> bool:
        """Whether stones are to be taken: they fill the eye space of chains that weigh as much.

        ``chain`` is one of these: beside it there are safe stones, too, but not in that eye space.
        """
        board, color = self.arena.board, self.arena.board.color_at(chain[0])
        if color not in self._regions:
            others = (p for p in board.points() if board.color_at(p) != color)
            self._regions[color] = list(components(others))
        beside = {point + step for point in chain for step in NEIGHBORS}
        regions = [region for region in self._regions[color] if not beside.isdisjoint(region)]
        return (
            not any(captor[0] in region and self.walls & region for region in regions)
            and any(self.walls & region for region in regions)
            and sum(map(len, neighbors(self.arena, captor))) >= len(captor)
        )


class Inquiry:
    """Questions about one chain, each asked once: again, with more nodes, if it was too hard."""

    def __init__(self, reader: ArenaReader, chain: Chain) -> None:
        self.reader = reader
        self.chain = chain
        self.most_nodes = 0
        self.answers: dict[tuple[str, bool], bool | None] = {}  # by question, and who moves first

    def resume(self, most_nodes: int) -> None:
        """Forget what was too hard; ``most_nodes`` for one question from now on."""
        self.most_nodes = most_nodes
        self.answers = {key: answer for key, answer in self.answers.items() if answer is not None}

    def fate(self, looks_dead: bool) -> Fate | None:
        """The fate that the answers tell; what one of them implies is not asked."""
        if looks_dead and self._is_lost(owner_first=True):
            return Fate.DEAD
        if looks_dead:
            self._is_lost(owner_first=False)
        if self._lives(owner_first=False):
            return Fate.LIVING
        can_be_lost = self._is_lost(owner_first=False)
        if can_be_lost is None:
            return None
        if can_be_lost:
            is_lost = self._is_lost(owner_first=True)
            return None if is_lost is None else Fate.DEAD if is_lost else Fate.UNSETTLED
        can_live = self._lives(owner_first=True)
        if self._lives(owner_first=False) is None or can_live is None:
            return None
        return Fate.UNSETTLED if can_live else Fate.SEKI

    def _lives(self, *, owner_first: bool) -> bool | None:
        if self.answers.get(("is lost", False)) and not owner_first:
            return False
        key = "lives", owner_first
        if key not in self.answers:
            self.answers[key] = self.reader.lives(
                self.chain, owner_first=owner_first, most_nodes=self.most_nodes
            )
        return self.answers[key]

    def _is_lost(self, *, owner_first: bool) -> bool | None:
        key = "is lost", owner_first
        if key not in self.answers:
            self.answers[key] = self.reader.is_lost(
                self.chain, owner_first=owner_first, most_nodes=self.most_nodes
            )
        return self.answers[key]


def neighbors(arena: Arena, chain: Chain) -> list[Chain]:
    """The opponent's chains of the arena that touch a chain, largest first."""
    rival = BLACK + WHITE - arena.board.color_at(chain[0])
    beside = {point + step for point in chain for step in NEIGHBORS}
    return [
        other
        for other in arena.chains
        if arena.board.color_at(other[0]) == rival and not beside.isdisjoint(other)
    ]
