"""When a game is over: what passing is worth, and what is left to do before."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gtpengine.coords import row_column
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, EMPTY
from gtpengine.game import Game
from gtpengine.scoring import NEIGHBORS, final_score
from gtpengine.status import Verdict

SETTLED = 0.85  # mean ownership, 0..1, from which on a point counts as somebody's


def pass_wins(game: Game, color: int, *, all_alive: bool, proven_only: bool) -> bool:
    """Whether the game, if it ended now, is won for ``color``; a draw is no win.

    ``all_alive`` counts every stone on the board; otherwise dead stones are taken off first, with
    ``proven_only`` those that are certainly dead.
    """
    if all_alive:
        score = int(area_owner(game.board).sum()) - game.komi - game.rules.bonus(game.handicap)
    else:
        score = final_score(game, proven_only)
    return score > 0 if color == BLACK else score < 0


def is_clear(ownership: npt.NDArray[np.float32]) -> bool:
    """Whether most points are somebody's for sure: only then a closer look is worth its time."""
    return bool(np.mean(np.abs(ownership) >= SETTLED) > 0.8)


def is_settled(game: Game, verdict: Verdict, ownership: npt.NDArray[np.float32]) -> bool:
    """Whether no point is left that a move could still win or lose.

    ``ownership`` is the search's, as Search.ownership gives it.  Points of a seki are settled.
    """
    return all(
        abs(ownership[row_column(point, game.size)]) >= SETTLED or _is_in_seki(game, point, verdict)
        for point in game.board.points()
    )


def _is_in_seki(game: Game, point: int, verdict: Verdict) -> bool:
    if game.board.color_at(point) != EMPTY:
        return point in verdict.seki
    return any(point + step in verdict.seki for step in NEIGHBORS)


def cleanup_points(game: Game, color: int, verdict: Verdict) -> set[int]:
    """Liberties of the opponent's dead stones: where ``color`` plays to take them off."""
    dead = [point for point in verdict.dead if game.board.color_at(point) != color]
    return {liberty for point in dead for liberty in game.board.liberties(point)}
