"""Fights that random games leave open: a search says which side of them is lost.

Random games tell the rest of a board well, but not a fight between chains without eyes, nor what
lives in a large space.  There a search tells more.  Komi is put between the scores of a board with
and without the chains in question, so that both players must fight for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np

from gtpengine.arenas import Chain, components, without
from gtpengine.coords import row_column
from gtpengine.core.board import Board
from gtpengine.core.history import History
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, WHITE
from gtpengine.estimate import Estimate
from gtpengine.evaluators import search_with_playouts
from gtpengine.parameters import SearchParameters


@dataclass(frozen=True)
class Limits:
    """Which fights are searched, and how much."""

    doubtful: float = 0.4  # share, -1..1, below which, either way, random games say little
    stake: int = 8  # points that must depend on a fight
    searches: int = 3  # of a position; each is made twice, so that each player begins once
    visits: int = 1000  # of one of them
    contradiction: float = 0.12  # share of the stones that speaks against the result of a search
    memory: int = 32 << 20  # bytes of its tree
    seed: int = 1


@dataclass(frozen=True)
class Party:
    """Chains of one color that stand or fall together, and what is against them."""

    color: int
    chains: tuple[Chain, ...]
    rivals: frozenset[int]  # stones of the other color in the same fight

    @property
    def stones(self) -> frozenset[int]:
        """Points of all chains."""
        return frozenset(point for chain in self.chains for point in chain)


def open_parties(estimate: Estimate, chains: Iterable[Chain], limits: Limits) -> list[Party]:
    """The parties of the doubtful among some chains.

    Chains are in one fight if points that are as doubtful connect them.
    """
    board = estimate.board
    doubtful = [chain for chain in chains if abs(estimate.share(chain)) < limits.doubtful]
    points = {point for point, black in estimate.black.items() if abs(black) < limits.doubtful}
    points.update(point for chain in doubtful for point in chain)
    parties = []
    for region in sorted(components(points), key=min):
        inside = [chain for chain in doubtful if chain[0] in region]
        for color in (BLACK, WHITE):
            own = tuple(chain for chain in inside if board.color_at(chain[0]) == color)
            if own:
                rest = frozenset(p for chain in inside if chain not in own for p in chain)
                parties.append(Party(color, own, rest))
    return parties


def scores(board: Board, party: Party, dead: Set[int]) -> tuple[int, int]:
    """Area, Black minus White, if a party is alive and if it is dead; ``dead`` are lost besides."""
    alive = _area(board, dead - party.stones)
    return alive, _area(board, (dead | party.stones) - party.rivals)


def outcome(board: Board, party: Party, komi: float, limits: Limits) -> bool | None:
    """Whether a party survives, whoever begins; None if searches do not tell.

    ``komi`` is in points that White gets.  A side may also win or lose a search by what happens
    elsewhere: then the party's own stones tell another story, and nothing is known.
    """
    wins, shares = set(), []
    for first in (BLACK, WHITE):
        search = search_with_playouts(
            SearchParameters(), memory=limits.memory, n_threads=1, seed=limits.seed
        )
        search.set_position(History(board, first), first, komi=komi, all_alive=True)
        search.begin(limits.visits)
        search.work(0)
        wins.add((search.win_rate > 0.5) == (first == party.color))
        ownership = search.ownership()
        shares += [ownership[row_column(point, board.size)] for point in party.stones]
    if len(wins) > 1:
        return None
    survives = wins == {True}
    share = float(np.mean(shares)) * (1 if (party.color == BLACK) == survives else -1)
    return survives if share > -limits.contradiction else None


def _area(board: Board, dead: Set[int]) -> int:
    """Points, Black minus White, without dead stones."""
    return int(area_owner(without(board, dead)).sum())
