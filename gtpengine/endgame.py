"""When a game is over: what passing is worth, and what is left to do before."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gtpengine.coords import row_column
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, EMPTY
from gtpengine.game import Game
from gtpengine.scoring import final_score, final_status

SETTLED = 0.85  # mean ownership, 0..1, from which on a point counts as somebody's


def pass_wins(game: Game, color: int, *, all_alive: bool) -> bool:
    """Whether the game, if it ended now, is won for ``color``; a draw is no win.

    ``all_alive`` counts every stone on the board; otherwise dead stones are taken off first.
    """
    if all_alive:
        score = int(area_owner(game.board).sum()) - game.komi - game.rules.bonus(game.handicap)
    else:
        score = final_score(game)
    return score > 0 if color == BLACK else score < 0


def is_settled(game: Game, color: int, ownership: npt.NDArray[np.float32]) -> bool:
    """Whether no point is left that a move could still win or lose.

    ``ownership`` is the search's, as Search.ownership gives it.  Shared points where neither side can
    move without loss, as in a seki, are settled.
    """
    board = game.board
    status = None
    for point in board.points():
        if abs(ownership[row_column(point, game.size)]) >= SETTLED:
            continue
        status = status or final_status(game)
        if board.color_at(point) != EMPTY:
            if point not in status.seki:
                return False
        elif not _is_shared_in_seki(game, point, status.seki):
            return False
    return True


def _is_shared_in_seki(game: Game, point: int, seki: frozenset[int]) -> bool:
    neighbors = (point + step for step in (1, -1, 27, -27))
    return any(beside in seki for beside in neighbors)


def cleanup_points(game: Game, color: int) -> set[int]:
    """Liberties of the opponent's dead stones: where ``color`` plays to take them off."""
    status = final_status(game)
    dead = [point for point in status.dead if game.board.color_at(point) != color]
    return {liberty for point in dead for liberty in game.board.liberties(point)}
