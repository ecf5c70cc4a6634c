"""Pictures for GoGui: boards of tokens, drawing commands, and what it shows while we think."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from gtpengine.console import tell
from gtpengine.coords import format_vertex, point_at
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.report import Snapshot, take_snapshot

LIVE_INTERVAL = 0.5  # seconds
_LABELED = 10  # moves
_LINE = 12  # moves of a main line
_LETTER = {BLACK: "b", WHITE: "w"}


def format_board(size: int, token: Callable[[int], str]) -> str:
    """A token a point, a line of them a row, the top row first, under an empty line."""
    rows = (
        " ".join(token(point_at(column, line)) for column in range(1, size + 1))
        for line in range(size, 0, -1)
    )
    return "\n".join(["", *rows])


def best_moves(shot: Snapshot) -> Iterator[str]:
    """Drawing commands: win rates in percent beside the best moves, the best one in green."""
    shown = [c.choice for c in shot.candidates[:_LABELED] if c.choice.point > 0]
    if shown:
        most = max(choice.visits for choice in shown)
        good = [choice for choice in shown[1:] if 4 * choice.visits >= most]
        yield f"COLOR green {format_vertex(shown[0].point)}"
        if good:
            yield f"COLOR yellow {_vertices(choice.point for choice in good)}"
        labels = (f"{format_vertex(c.point)} {100 * c.win_rate:.0f}" for c in shown)
        yield f"LABEL {' '.join(labels)}"
    yield _text(shot)


def main_line(shot: Snapshot) -> Iterator[str]:
    """Drawing commands: the main line as numbered stones."""
    if shot.candidates:
        moves, color = [], shot.color
        for point in shot.candidates[0].line[:_LINE]:
            moves.append(f"{_LETTER[color]} {format_vertex(point)}")
            color = WHITE if color == BLACK else BLACK
        yield f"VAR {' '.join(moves)}"
    yield _text(shot)


def _text(shot: Snapshot) -> str:
    return (
        f"TEXT {shot.visits} visits, win rate {100 * shot.win_rate:.0f} %, "
        f"lead {shot.lead:+.1f} for {'Black' if shot.color == BLACK else 'White'}"
    )


def _vertices(points: Iterable[int]) -> str:
    return " ".join(map(format_vertex, points))


class LiveGraphics:
    """An observer that has GoGui draw the main line of a running search.

    GoGui reads drawing commands from stderr up to an empty line; the last one takes all away.
    """

    def __init__(self, game: Game, color: int) -> None:
        self._game = game
        self._color = color
        self._due = time.monotonic() + LIVE_INTERVAL
        self._has_drawn = False

    def look(self, search: Search) -> None:
        """Draw, if it is time."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + LIVE_INTERVAL
        self._has_drawn = True
        shot = take_snapshot(search, self._game, self._color, most=1)
        tell("\n".join(["gogui-gfx:", *main_line(shot), "", ""]))

    def finish(self, search: Search, move: int) -> None:
        """Take the drawing away."""
        if self._has_drawn:
            tell("gogui-gfx: CLEAR\n")
