"""When a game is over: what passing is worth, and what is left to do before."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gtpengine.arenas import NEIGHBORS
from gtpengine.coords import row_column
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.game import Game
from gtpengine.scoring import final_score, owners
from gtpengine.status import Verdict, judge

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

    ``ownership`` is the search's, as Search.ownership gives it: it must agree with what will be
    counted once the dead stones of ``verdict`` are off.  Points of a seki are settled; a neutral
    point is only where it is worth nothing: under territory rules, beside a living stone.  One
    without living neighbors lies in a region that somebody may still close.
    """
    owner = owners(game.board, verdict.dead, frozenset())
    for point in game.board.points():
        if _is_in_seki(game, point, verdict):
            continue
        if owner[point] == EMPTY:
            if game.rules.scoring == "area" or not _touches_life(game, point, verdict):
                return False
            continue
        if game.board.color_at(point) == owner[point] and game.board.n_liberties(point) == 1:
            return False  # alive, but in atari: a ko, or a connection to be made
        sign = 1 if owner[point] == BLACK else -1
        if sign * ownership[row_column(point, game.size)] < SETTLED:
            return False
    return True


def _is_in_seki(game: Game, point: int, verdict: Verdict) -> bool:
    if game.board.color_at(point) != EMPTY:
        return point in verdict.seki
    return any(point + step in verdict.seki for step in NEIGHBORS)


def _touches_life(game: Game, point: int, verdict: Verdict) -> bool:
    stones = (
        beside for beside in (point + step for step in NEIGHBORS) if beside not in verdict.dead
    )
    return any(game.board.color_at(stone) in (BLACK, WHITE) for stone in stones)


def cleanup_points(
    game: Game, color: int, verdict: Verdict, ownership: npt.NDArray[np.float32] | None = None
) -> set[int]:
    """Liberties of the opponent's dead stones: where ``color`` plays to take them off.

    Dead is what ``verdict`` says, and what never survives the search if ``ownership`` is given.
    """
    board, sign = game.board, 1 if color == BLACK else -1
    dead = {
        point
        for point in board.stones(BLACK + WHITE - color)
        if point in verdict.dead
        or (
            ownership is not None
            and sign * ownership[row_column(point, game.size)] >= SETTLED
            and point not in verdict.seki
        )
    }
    return {liberty for point in dead for liberty in board.liberties(point)}


def costs_nothing(game: Game, color: int, point: int, verdict: Verdict, proven_only: bool) -> bool:
    """Whether a legal move inside settled ground leaves ``color`` as large an area as before.

    ``verdict`` is that of the position, found with ``proven_only`` or not; dead stones are off.
    """
    after = game.board.copy()
    after.play(color, point, game.rules.suicide)
    areas = [
        sum(owner == color for owner in owners(board, dead).values())
        for board, dead in ((game.board, verdict.dead), (after, judge(after, proven_only).dead))
    ]
    return areas[1] >= areas[0]
