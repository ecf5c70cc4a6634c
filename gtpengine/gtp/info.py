"""A snapshot of a search as one line of text, as Leela Zero, KataGo and CGOS lay it out.

Clients split at single blanks and take keys and values in turn: every key has one value but pv,
which ends an entry.  What was not asked for is not printed, for it would land in the pv.  Lines
may be long and come in parts, to be joined by blanks: whoever is told to stop makes no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from gtpengine.coords import format_vertex
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK
from gtpengine.gtp.request import Request
from gtpengine.report import Candidate, Snapshot

Grid = npt.NDArray[np.float32]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def leela_parts(shot: Snapshot) -> Iterator[str]:
    """Rates as whole ten-thousandths, all for the player to move."""
    for order, candidate in enumerate(shot.candidates):
        choice = candidate.choice
        yield (
            f"info move {format_vertex(choice.point)} visits {choice.visits} "
            f"winrate {_whole(choice.win_rate)} prior {_whole(choice.prior)} "
            f"lcb {_whole(candidate.lower_bound)} order {order} {_line(candidate)}"
        )


def katago_parts(shot: Snapshot, request: Request, search: Search) -> Iterator[str]:
    """Rates as fractions of 1, scores in points, ownership -1..1, all for the player to move."""
    sign = 1 if shot.color == BLACK else -1
    for order, candidate in enumerate(shot.candidates):
        choice = candidate.choice
        yield (
            f"info move {format_vertex(choice.point)} visits {choice.visits} "
            f"winrate {choice.win_rate:.6f} scoreMean {choice.lead:.4f} "
            f"scoreStdev {choice.lead_deviation:.4f} scoreLead {choice.lead:.4f} "
            f"prior {choice.prior:.6f} lcb {candidate.lower_bound:.6f} order {order} "
            f"{'noResultValue 0.0 ' if request.no_result else ''}{_line(candidate)}"
        )
        visits = f" {' '.join(map(str, candidate.line_visits))}"
        if request.line_visits:
            yield f"pvVisits{visits}"
        if request.line_edge_visits:
            yield f"pvEdgeVisits{visits}"
        if request.moves_ownership or request.moves_ownership_deviation:
            mean, deviation = search.ownership_by_move(choice.point)
            if request.moves_ownership:
                yield f"movesOwnership {_numbers(sign * mean)}"
            if request.moves_ownership_deviation:
                yield f"movesOwnershipStdev {_numbers(deviation)}"
    if request.root_info:
        yield (
            f"rootInfo visits {shot.visits} winrate {shot.win_rate:.6f} "
            f"scoreMean {shot.lead:.4f} scoreStdev {shot.lead_deviation:.4f} "
            f"scoreLead {shot.lead:.4f}"
        )
    if request.ownership:
        yield f"ownership {_numbers(sign * search.ownership())}"
    if request.ownership_deviation:
        yield f"ownershipStdev {_numbers(search.ownership_by_move()[1])}"


def cgos_line(shot: Snapshot, search: Search) -> str:
    """One JSON object; the ownership is a letter a point, from A (the opponent's) to + (62 on)."""
    sign = 1 if shot.color == BLACK else -1
    moves = [
        {
            "move": format_vertex(candidate.choice.point),
            "winrate": round(candidate.choice.win_rate, 4),
            "score": round(candidate.choice.lead, 2),
            "prior": round(candidate.choice.prior, 4),
            "visits": candidate.choice.visits,
            "pv": _vertices(candidate.line[1:]),
        }
        for candidate in shot.candidates
    ]
    letters = (_LETTERS[round(31 * (1 + owner))] for owner in _values(sign * search.ownership()))
    told = {
        "winrate": round(shot.win_rate, 4),
        "score": round(shot.lead, 2),
        "visits": shot.visits,
        "moves": moves,
        "ownership": "".join(letters),
    }
    return json.dumps(told, separators=(",", ":"), allow_nan=False)


def _line(candidate: Candidate) -> str:
    return f"pv {_vertices(candidate.line)}"


def _vertices(points: Iterable[int]) -> str:
    return " ".join(map(format_vertex, points))


def _whole(rate: float) -> int:
    return round(10000 * rate)


def _values(grid: Grid) -> Iterator[float]:
    """Row by row from the top left."""
    return (float(value) for value in grid.flat)


def _numbers(grid: Grid) -> str:
    return " ".join(f"{value:.3f}" for value in _values(grid))
