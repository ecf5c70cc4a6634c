"""The score of a position as it stands: dead stones off, area or territory counted.

A point of nobody's may be a shared liberty, a neutral point left open, or an eye inside a seki
where the rules give nothing for it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from gtpengine.arenas import NEIGHBORS, components
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, WALL, WHITE
from gtpengine.game import Game
from gtpengine.status import Verdict, judge


@dataclass(frozen=True)
class Status:
    """What every stone and every point is worth at the end.

    ``dead``, ``seki`` and ``alive`` part the stones by whole chains.  ``owner`` gives every point
    of the board its color, or EMPTY; a dead stone's point belongs to its captor.
    """

    dead: frozenset[int]
    seki: frozenset[int]
    alive: frozenset[int]
    owner: dict[int, int]


def final_status(game: Game, proven_only: bool = False) -> Status:
    """Decide which stones are dead, in seki or alive, and whose each point is.

    Whose turn it is does not matter.  Rules without agreement about dead stones (tromp-taylor) take
    every stone for alive.  ``proven_only`` leaves on the board what is not certainly dead.
    """
    board, rules = game.board, game.rules
    nothing = Verdict(frozenset(), frozenset())
    counts_area = rules.scoring == "area"
    verdict = judge(board, proven_only, counts_area) if rules.friendly_pass else nothing
    stones = frozenset(board.stones(BLACK)) | frozenset(board.stones(WHITE))
    alive = stones - verdict.dead - verdict.seki
    taxed = verdict.seki if rules.seki_tax else frozenset()
    return Status(verdict.dead, verdict.seki, alive, owners(board, verdict.dead, taxed))


@dataclass(frozen=True)
class Tally:
    """The points of both players.

    ``black`` and ``white`` are area, or territory and prisoners; White also gets ``komi`` and, for
    the handicap, ``bonus``.
    """

    black: int
    white: int
    komi: float
    bonus: int

    @property
    def score(self) -> float:
        """Points, Black minus White, with komi and bonus."""
        return self.black - self.white - self.komi - self.bonus

    def __str__(self) -> str:
        """ "B+3.5 (Black 45, White 34 + komi 7.5)"."""
        bonus = f" + handicap {self.bonus}" if self.bonus else ""
        points = f"Black {self.black}, White {self.white} + komi {self.komi:g}{bonus}"
        return f"{format_score(self.score)} ({points})"


def tally(game: Game, status: Status) -> Tally:
    """Count the points of a game, for a status already known."""
    board = game.board
    points = {BLACK: 0, WHITE: 0, EMPTY: 0}
    for point, owner in status.owner.items():
        is_stone_left = board.color_at(point) != EMPTY and point not in status.dead
        if game.rules.scoring == "area" or not is_stone_left:
            points[owner] += 1
    if game.rules.scoring == "territory":
        lost_by_black, lost_by_white = board.lost
        n_dead_white = sum(board.color_at(point) == WHITE for point in status.dead)
        points[BLACK] += lost_by_white + n_dead_white
        points[WHITE] += lost_by_black + len(status.dead) - n_dead_white
    bonus = game.rules.bonus(game.handicap)
    return Tally(points[BLACK], points[WHITE], game.komi, bonus)


def score_of(game: Game, status: Status) -> float:
    """Points, Black minus White, with komi and handicap bonus, for a status already known."""
    return tally(game, status).score


def final_score(game: Game, proven_only: bool = False) -> float:
    """Points, Black minus White, with komi and the handicap bonus of the rules."""
    return score_of(game, final_status(game, proven_only))


def owners(
    board: Board, dead: frozenset[int], taxed: frozenset[int] = frozenset()
) -> dict[int, int]:
    """Whose each point is once ``dead`` stones are off.

    The point of a dead stone is its captor's.  An empty region belongs to the color that alone
    borders it, as if the dead stones were the captor's.  Nobody gets what a stone of ``taxed``
    borders, those in seki where eyes there count nothing: empty points, nor dead stones among them.
    """
    owner = {point: board.color_at(point) for point in board.points()}
    open_points = dead.union(point for point, color in owner.items() if color == EMPTY)
    for region in components(open_points):
        owner.update(dict.fromkeys(region, EMPTY))
        if not taxed.isdisjoint(_border(board, region)):
            continue
        for point in region & dead:
            owner[point] = BLACK + WHITE - board.color_at(point)
        for part in components(region - dead):
            colors = {owner[point] for point in _border(board, part)}
            if len(colors) == 1:
                owner.update(dict.fromkeys(part, min(colors)))
    return owner


def _border(board: Board, region: Set[int]) -> set[int]:
    """The points of the board beside a region."""
    beside = {point + step for point in region for step in NEIGHBORS} - region
    return {point for point in beside if board.color_at(point) != WALL}


def format_score(score: float) -> str:
    """ "B+3.5", "W+11.0", or "0" for a draw; ``score`` is Black minus White."""
    if score == 0:
        return "0"
    points = f"{abs(score):.2f}"  # komi may have quarters
    return f"{'B' if score > 0 else 'W'}+{points[:-1] if points.endswith('0') else points}"
