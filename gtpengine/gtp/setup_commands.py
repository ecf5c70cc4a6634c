"""The commands that make the first position of a game: handicap, set-up stones, an SGF file."""

from __future__ import annotations

from gtpengine.coords import format_vertex
from gtpengine.core.types import BLACK, WHITE
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import GtpError, failing_as
from gtpengine.gtp.session import Session
from gtpengine.gtp.table import command
from gtpengine.handicap import fixed_handicap_points, free_handicap_points
from gtpengine.sgf import load

_MOST_MOVES = 10**6


class SetupCommands:
    """Commands that want an empty board and leave a first position."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("fixed_handicap")
    def fixed_handicap(self, args: Arguments) -> str:
        """fixed_handicap NUMBER

        Puts the stones on the star points; answers with their vertices.  Fails with "invalid
        number of stones" or "board not empty".
        """
        size = self._session.game.size
        with failing_as("invalid number of stones"):
            n_stones = args.integer(2, 9, "number of stones")
            args.done()
            points = fixed_handicap_points(size, n_stones)
        return self._place(points)

    @command("place_free_handicap")
    def place_free_handicap(self, args: Arguments) -> str:
        """place_free_handicap NUMBER

        Chooses exactly so many points and puts stones there.  Fails like fixed_handicap.
        """
        size = self._session.game.size
        with failing_as("invalid number of stones"):
            n_stones = args.integer(2, size * size - 1, "number of stones")
            args.done()
            points = free_handicap_points(size, n_stones)
        return self._place(points)

    @command("set_free_handicap")
    def set_free_handicap(self, args: Arguments) -> None:
        """set_free_handicap VERTEX VERTEX...

        Fails with "bad vertex list", unless two or more distinct points come, or with "board not
        empty".  Two white moves right behind it show a problem that is being set up: that counts as
        no handicap.
        """
        size = self._session.game.size
        with failing_as("bad vertex list"):
            points = [args.point(size)]
            while args:
                points.append(args.point(size))
            if len(points) < 2:
                raise GtpError(f"expected two or more vertices, got '{format_vertex(points[0])}'")
        self._require_empty_board()
        with failing_as("bad vertex list"):
            self._session.game.place_handicap(points)

    def _place(self, points: list[int]) -> str:
        self._require_empty_board()
        self._session.game.place_handicap(points)
        return " ".join(map(format_vertex, points))

    def _require_empty_board(self) -> None:
        game = self._session.game
        if game.moves or game.board.stones(BLACK) or game.board.stones(WHITE):
            raise GtpError("board not empty")

    @command("gogui-setup")
    def gogui_setup(self, args: Arguments) -> None:
        """gogui-setup [COLOR VERTEX]...

        Puts the stones on the empty board; there is no move to undo.  Says nothing of who is to
        move.  Fails if a chain would have no liberty.
        """
        game = self._session.game
        stones = []
        while args:
            stones.append((args.color(), args.point(game.size)))
        self._require_empty_board()
        with failing_as("cannot set up", tell=True):
            game.setup(stones)

    @command("gogui-setup_player")
    def gogui_setup_player(self, args: Arguments) -> None:
        """gogui-setup_player COLOR

        Says who moves first; fails after the first move.
        """
        color = args.color()
        args.done()
        with failing_as("cannot set the player", tell=True):
            self._session.game.set_to_play(color)

    @command("loadsgf")
    def loadsgf(self, args: Arguments) -> None:
        """loadsgf FILE [MOVE]

        Takes size, komi, rules and position from the file, up to just before that move.  A
        relative name starts at the working directory.  Time settings stay, the clocks restart.
        Fails with "cannot load file".
        """
        session = self._session
        name = args.word("file name")
        before = args.integer(1, _MOST_MOVES, "move number") if args else None
        args.done()
        with failing_as("cannot load file"):
            game = load(name, before, session.game.rules, session.game.komi)
        game.set_time(session.game.time_settings)
        session.restart()
        session.game = game
