"""The commands that show a game and change nothing."""

from __future__ import annotations

from pathlib import Path

from gtpengine.coords import format_vertex
from gtpengine.core.types import BLACK, PASS
from gtpengine.diagram import format_diagram
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import failing_as
from gtpengine.gtp.session import COLOR_NAMES, Session, format_vertices
from gtpengine.gtp.table import command
from gtpengine.sgf import format_sgf


class PositionCommands:
    """Commands about position and history; those GNU Go has, mean what they mean there."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("showboard")
    def showboard(self, args: Arguments) -> str:
        """showboard

        A diagram that marks the last move, and what a player would like to know beside it.
        """
        args.done()
        game = self._session.game
        moves, (black_lost, white_lost) = game.moves, game.prisoners
        last = [moves[-1].point] if moves and moves[-1].point != PASS else []
        return "\n".join(
            [
                "",
                format_diagram(game.board, last),
                f"Rules {game.rules.name}, komi {game.komi:g}, handicap {game.handicap}",
                f"Captures: Black {white_lost}, White {black_lost}",
                f"Moves {len(moves)}, {COLOR_NAMES[game.to_play]} to play",
            ]
        )

    @command("printsgf")
    def printsgf(self, args: Arguments) -> str:
        """printsgf [FILE]

        The game as SGF, or an empty answer and the game in the file.
        """
        name = args.word("file name") if args else None
        args.done()
        text = format_sgf(self._session.game)
        if name is None:
            return text
        with failing_as("cannot write file", tell=True):
            Path(name).write_text(f"{text}\n", encoding="utf-8")
        return ""

    @command("list_stones")
    def list_stones(self, args: Arguments) -> str:
        """list_stones COLOR

        Vertices on one line, from the top left to the bottom right.
        """
        color = args.color()
        args.done()
        return format_vertices(self._session.game.board.stones(color))

    @command("captures")
    def captures(self, args: Arguments) -> str:
        """captures COLOR

        The number of stones that the color has taken.
        """
        color = args.color()
        args.done()
        black_lost, white_lost = self._session.game.prisoners
        return str(white_lost if color == BLACK else black_lost)

    @command("move_history")
    def move_history(self, args: Arguments) -> str:
        """move_history

        A line "black D4" a move, the last move first; handicap and set-up stones are no moves.
        """
        args.done()
        moves = reversed(self._session.game.moves)
        return "\n".join(f"{COLOR_NAMES[color]} {format_vertex(point)}" for color, point in moves)

    @command("is_legal")
    def is_legal(self, args: Arguments) -> str:
        """is_legal COLOR VERTEX

        "1" if the rules in force allow the move, else "0"; a pass always is legal.
        """
        game = self._session.game
        color, point = args.color(), args.vertex(game.size)
        args.done()
        return "0" if game.legality(color, point) else "1"

    @command("all_legal")
    def all_legal(self, args: Arguments) -> str:
        """all_legal COLOR

        The points where the color may play, in the order of list_stones.
        """
        color = args.color()
        args.done()
        return format_vertices(self._session.game.legal_points(color))
