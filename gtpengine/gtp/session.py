"""What the commands of one session share."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from gtpengine.coords import column_of, format_vertex, line_of
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.gtp.protocol import failing_as
from gtpengine.player import Player

COLOR_NAMES = {BLACK: "black", WHITE: "white"}


@dataclass
class Session:
    """One game and one player.

    ``game`` is replaced by loadsgf, so that nobody may keep it.  ``lenient``: ``play`` accepts what
    only superko forbids, for bridges whose server is the judge.  ``cleanup_from``: how many moves
    the game had when its dead stones began to be captured, after the players of KGS disagreed about
    them.  ``live_gfx``: draw on the board of GoGui while genmove thinks.
    """

    game: Game
    player: Player
    lenient: bool = False
    cleanup_from: int | None = None
    live_gfx: bool = False

    def ready_player(self) -> Player:
        """The player, once it is sure that it has what it needs for this board."""
        with failing_as("cannot think", tell=True):
            self.player.search_for(self.game.size)
        return self.player

    def prepare(self) -> None:
        """Load what the player needs for this board now, not when its clock runs.

        What is missing is told when a move is asked for: see ``ready_player``.
        """
        with suppress(ValueError):
            self.player.search_for(self.game.size)

    def restart(self) -> None:
        """Forget what belonged to the last game; for whoever empties or replaces the board."""
        self.player.stop_ponder()
        self.cleanup_from = None

    def begin_cleanup(self) -> None:
        """From now on dead stones are captured; if they are already, nothing changes."""
        if self.cleanup_from is None:
            self.cleanup_from = len(self.game.moves)

    def undo(self, n_moves: int = 1) -> None:
        """Take moves back, as Game.undo does; a cleanup without moves has not begun."""
        self.game.undo(n_moves)
        if self.cleanup_from is not None and len(self.game.moves) <= self.cleanup_from:
            self.cleanup_from = None

    def finished_game(self) -> Game:
        """The game to be scored.

        After a finished cleanup every stone that is left is alive, whatever we think of it.
        """
        if self.cleanup_from is None or not self.game.is_over:
            return self.game
        cleaned = self.game.copy()
        cleaned.rules = replace(cleaned.rules, friendly_pass=False)
        return cleaned


def format_vertices(points: Iterable[int]) -> str:
    """Vertices on one line, from the top left to the bottom right."""
    ordered = sorted(points, key=lambda point: (-line_of(point), column_of(point)))
    return " ".join(map(format_vertex, ordered))
