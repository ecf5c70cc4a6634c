"""The commands that make a game: board, komi, moves, undo, and the owners of all commands.

Wordings of failure are those of GTP 2 draft 2, section 6.3.  A command that fails leaves game and
clocks as they were.
"""

from __future__ import annotations

import logging

from gtpengine.coords import format_vertex
from gtpengine.core.board import IllegalMove
from gtpengine.core.types import MAX_SIZE, MIN_SIZE
from gtpengine.gtp.analysis import AnalysisCommands
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.genmove import generate
from gtpengine.gtp.gogui_commands import GoguiCommands
from gtpengine.gtp.parameter_commands import ParameterCommands
from gtpengine.gtp.position_commands import PositionCommands
from gtpengine.gtp.protocol import failing_as
from gtpengine.gtp.score_commands import ScoreCommands
from gtpengine.gtp.session import Session
from gtpengine.gtp.setup_commands import SetupCommands
from gtpengine.gtp.table import command
from gtpengine.gtp.time_commands import TimeCommands

log = logging.getLogger(__name__)

_MOST_MOVES = 10**6


def owners_of(session: Session) -> list[object]:
    """All that answer for the commands of a session, to be handed to an Engine."""
    owners = (
        GameCommands,
        SetupCommands,
        PositionCommands,
        ScoreCommands,
        TimeCommands,
        AnalysisCommands,
        GoguiCommands,
        ParameterCommands,
    )
    return [owner(session) for owner in owners]


class GameCommands:
    """Commands that begin a game and move it on or back."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("boardsize")
    def boardsize(self, args: Arguments) -> None:
        """boardsize SIZE

        Clears the board, too.  "unacceptable size" keeps the game.
        """
        with failing_as("unacceptable size"):
            size = args.integer(MIN_SIZE, MAX_SIZE, "size")
            args.done()
        self._clear(size)

    @command("clear_board")
    def clear_board(self, args: Arguments) -> None:
        """clear_board

        Komi, rules and time settings stay; the clocks restart.
        """
        args.done()
        self._clear(self._session.game.size)

    def _clear(self, size: int) -> None:
        self._session.restart()
        self._session.game.clear(size)
        self._session.prepare()

    @command("komi")
    def komi(self, args: Arguments) -> None:
        """komi POINTS

        Holds at once.  "unacceptable komi" (a wording that LizzieYzy knows) if it is no finite
        number; but for NaN, which Sabaki makes of a broken record, the komi stays and all is well.
        """
        with failing_as("unacceptable komi"):
            if args and args.peek().lower() == "nan":
                args.rest()
                log.warning("komi stays %g, got 'NaN'", self._session.game.komi)
                return
            komi = args.number("komi")
            args.done()
        self._session.game.komi = komi

    @command("get_komi")
    def get_komi(self, args: Arguments) -> str:
        """get_komi

        A number like 7.0.
        """
        args.done()
        return str(self._session.game.komi)

    @command("play")
    def play(self, args: Arguments) -> None:
        """play COLOR VERTEX

        For either color, in or out of turn, after two passes too.  Fails with "illegal move".
        """
        game = self._session.game
        color, point = args.color(), args.vertex(game.size)
        args.done()
        with failing_as("illegal move"):
            game.play(color, point, lenient=self._session.lenient)

    @command("gogui-play_sequence")
    def gogui_play_sequence(self, args: Arguments) -> None:
        """gogui-play_sequence [COLOR VERTEX]...

        All of them or none.  Fails with "illegal move".
        """
        game = self._session.game
        moves = []
        while args:
            moves.append((args.color(), args.vertex(game.size)))
        for n_played, (color, point) in enumerate(moves):
            with failing_as("illegal move"):
                try:
                    game.play(color, point, lenient=self._session.lenient)
                except IllegalMove:
                    game.undo(n_played)
                    raise

    @command("genmove")
    def genmove(self, args: Arguments) -> str:
        """genmove COLOR

        Chooses and plays a move, whoever is to move, and takes the time off the clock.  After
        "resign" the board is as before.
        """
        color = args.color()
        args.done()
        return generate(self._session, color)

    @command("kgs-genmove_cleanup")
    def kgs_genmove_cleanup(self, args: Arguments) -> str:
        """kgs-genmove_cleanup COLOR

        Like genmove, but never resigns, nor passes while dead stones of the opponent are left.
        """
        color = args.color()
        args.done()
        self._session.begin_cleanup()
        return generate(self._session, color, cleanup=True)

    @command("reg_genmove")
    def reg_genmove(self, args: Arguments) -> str:
        """reg_genmove COLOR

        Like genmove, but board and clocks stay, and it never resigns.
        """
        color = args.color()
        args.done()
        move = self._session.ready_player().move(self._session.game, color, may_resign=False)
        return format_vertex(move)

    @command("undo")
    def undo(self, args: Arguments) -> None:
        """undo

        Takes one move back.  Fails with "cannot undo" where only handicap or set-up stones are
        left, or nothing.
        """
        args.done()
        with failing_as("cannot undo"):
            self._session.undo()

    @command("gg-undo")
    def gg_undo(self, args: Arguments) -> None:
        """gg-undo [NUMBER]

        Takes so many moves back, one without a number: all of them or, with "cannot undo", none.
        """
        n_moves = args.integer(0, _MOST_MOVES, "number of moves") if args else 1
        args.done()
        with failing_as("cannot undo"):
            self._session.undo(n_moves)

    @command("kgs-game_over")
    def kgs_game_over(self, args: Arguments) -> None:
        """kgs-game_over [WORD]...

        The position stays, for an adjourned game may go on; no thought is given to it any more.
        """
        self._session.player.stop_ponder()
