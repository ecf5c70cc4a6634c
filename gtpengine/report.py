"""What a search has found: for those who watch it, for the log, for analysis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from gtpengine.coords import format_vertex
from gtpengine.core.findings import Choice
from gtpengine.core.search import Search
from gtpengine.core.types import PASS
from gtpengine.game import Game

WIDTH = 2.0  # standard deviations from the mean down to the lower bound that is shown
SURENESS = 5.0  # likewise, to the bound that decides which move is played
FAIR_SHARE = 0.15  # of the most visits: a move with fewer is not known well enough to be played
LISTED = 3  # moves in a summary
SUMMARY_LINE = 12  # moves of a main line in a summary

Avoided = Sequence[tuple[int, int, int]]
"""(color, move, depth): the color does not play the move among the first ``depth`` moves."""


class Observer(Protocol):
    """Who wants to see a search."""

    def look(self, search: Search) -> None:
        """See it running; called many times a second, and to be quick."""

    def finish(self, search: Search, move: int) -> None:
        """See what it has found, and the move that it led to, before that is played."""


class Candidate(NamedTuple):
    """A move at the root; ``line`` is the main line that begins with it."""

    choice: Choice
    lower_bound: float
    line: list[int]
    line_visits: list[int]


@dataclass(frozen=True)
class Snapshot:
    """A search at one moment.  Rates and leads are those of ``color``, who is to play."""

    color: int
    visits: int
    win_rate: float
    lead: float
    lead_deviation: float
    candidates: list[Candidate]


def take_snapshot(
    search: Search, game: Game, color: int, least: int = 0, most: int | None = None
) -> Snapshot:
    """Look at a search, which may be running, of ``game`` with ``color`` to play.

    The candidates are the legal moves that have been visited, the one to play first; ``least``
    moves are taken even if nothing visited some of them, and no more than ``most``.
    """
    legal = ranked([c for c in search.choices() if not game.legality(color, c.point)])
    n_visited = sum(choice.visits > 0 for choice in legal)
    candidates = [
        Candidate(
            choice,
            lower_bound(choice),
            search.variation(choice.point),
            search.variation_visits(choice.point),
        )
        for choice in legal[: max(n_visited, least)][:most]
    ]
    rate = min(max(search.win_rate, 0.0), 1.0)
    return Snapshot(color, search.visits, rate, search.lead, search.lead_deviation, candidates)


def ranked(choices: Sequence[Choice]) -> list[Choice]:
    """Choices, which come most visited first, with the one to play in front.

    That is the one with the best lower bound among those with a fair share of the visits: it need
    not have caught up with a move that looked better for long (Leela Zero 0.17 and KataGo choose
    so).  The most visited move stays in front if it is the pass, and nothing else gives way to one.
    """
    if not choices or choices[0].point == PASS:
        return list(choices)
    known = [c for c in choices if c.visits >= FAIR_SHARE * choices[0].visits and c.point != PASS]
    best = max(known, key=lambda choice: (_bound(choice, SURENESS), choice.visits))
    return [best, *(choice for choice in choices if choice is not best)]


def lower_bound(choice: Choice) -> float:
    """What the win rate of a move is worth with little luck, 0..1; few visits make it low."""
    return max(0.0, _bound(choice, WIDTH))


def _bound(choice: Choice, width: float) -> float:
    """The win rate of a move less ``width`` times its standard error.

    The deviation is taken to be that of all visits, those of earlier searches too.  Two games of no
    information, of variance 1/4 each, keep it from trusting the first results.
    """
    variance = (choice.visits * choice.deviation**2 + 2 * 0.25) / (choice.visits + 2)
    return choice.win_rate - width * math.sqrt(variance / max(choice.visits, 1))


def summary(search: Search, playouts: int, seconds: float) -> Iterator[str]:
    """Lines about the best moves and the whole search, as Leela Zero words them: bridges read them.

    ``playouts`` were made in ``seconds``; earlier ones are among the visits, too.
    """
    for choice in ranked(search.choices())[:LISTED]:
        line = search.variation(choice.point, SUMMARY_LINE)
        rates = (100 * choice.win_rate, 100 * lower_bound(choice), 100 * choice.prior)
        yield (
            f"{format_vertex(choice.point):>4} -> {choice.visits:7} "
            "(V: {:5.2f}%) (LCB: {:5.2f}%) (N: {:5.2f}%) PV: ".format(*rates)
        ) + " ".join(map(format_vertex, line))
    yield (
        f"{search.visits} visits, {search.n_nodes} nodes, {playouts} playouts, "
        f"{playouts / max(seconds, 1e-3):.0f} n/s, {seconds:.2f} s, lead {search.lead:+.1f}"
    )
