"""A game: the only owner of position, history, rules, komi and clocks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple

from gtpengine.clock import Clock, TimeSettings
from gtpengine.coords import format_vertex
from gtpengine.core.board import Board, IllegalMove
from gtpengine.core.history import History
from gtpengine.core.types import BLACK, EMPTY, PASS, WALL, WHITE
from gtpengine.rules import DEFAULT, DEFAULT_KOMI, Rules

DEFAULT_SIZE = 19


class CannotUndo(ValueError):
    """There are fewer moves than were to be taken back."""


class Move(NamedTuple):
    """A stone or a pass of one player."""

    color: int
    point: int


class Game:
    """One game from its first position on.

    Public attributes: ``rules`` (Rules), ``komi`` (points for White) and ``clocks`` (a Clock by
    color).  ``board`` is for reading: only the methods of this class change it.
    """

    def __init__(
        self, size: int = DEFAULT_SIZE, rules: Rules = DEFAULT, komi: float = DEFAULT_KOMI
    ) -> None:
        self.rules = rules
        self.komi = komi
        self.set_time(TimeSettings())
        self._start(Board(size), BLACK)

    def _start(self, board: Board, to_play: int, n_handicap: int = 0) -> None:
        self._first = board.copy()
        self._first_to_play = to_play
        self._n_handicap = n_handicap
        self._history = History(board, to_play)

    @property
    def size(self) -> int:
        """Lines on a side."""
        return self._first.size

    @property
    def board(self) -> Board:
        """The current position."""
        return self._history.board

    @property
    def history(self) -> History:
        """Every position since the first; for reading."""
        return self._history

    @property
    def to_play(self) -> int:
        """Who is to move: the opponent of whoever moved last."""
        return self._history.to_play

    @property
    def moves(self) -> list[Move]:
        """The moves since the first position, oldest first; not handicap or set-up stones."""
        return [Move(*move) for move in self._history.moves()]

    @property
    def first_board(self) -> Board:
        """A copy of the first position: handicap and set-up stones without any move."""
        return self._first.copy()

    @property
    def handicap(self) -> int:
        """Number of handicap stones, 0 or at least 2.

        Clients without handicap commands play them: two or more black moves before White's first.
        Two white moves right behind the stones show that a position is set up stone by stone, as
        clients do with problems: that is no handicap.
        """
        moves = self.moves
        n_played = 0
        if not self._n_handicap:
            if self._first.stones(BLACK) or self._first.stones(WHITE):
                return 0
            stones = takewhile(lambda move: move.color == BLACK and move.point != PASS, moves)
            n_played = len(list(stones))
        if [color for color, _ in moves[n_played : n_played + 2]] == [WHITE, WHITE]:
            return 0
        n = self._n_handicap + n_played
        return n if n >= 2 else 0

    @property
    def n_passes(self) -> int:
        """Passes in a row at the end of the game so far."""
        n = 0
        for _, point in reversed(self.moves):
            if point != PASS:
                break
            n += 1
        return n

    @property
    def is_over(self) -> bool:
        """Whether two passes in a row have ended the game; play may go on all the same."""
        return self.n_passes >= 2

    @property
    def prisoners(self) -> tuple[int, int]:
        """Black and white stones lost."""
        return self.board.lost

    def set_time(self, settings: TimeSettings) -> None:
        """Give both players fresh clocks."""
        self.time_settings = settings
        self.clocks = {BLACK: Clock(settings), WHITE: Clock(settings)}

    def clear(self, size: int | None = None) -> None:
        """Begin anew on an empty board; rules, komi and time settings stay, the clocks restart.

        Raises ValueError for a size that no board has, with the game unchanged.
        """
        self._start(Board(self.size if size is None else size), BLACK)
        self.set_time(self.time_settings)

    def legality(self, color: int, point: int, lenient: bool = False) -> str:
        """'' if the move is legal under the rules in force, else the reason; PASS always is.

        ``lenient`` overlooks superko, not the simple ko.
        """
        ko = "simple" if lenient else self.rules.ko
        return self._history.legality(color, point, ko, self.rules.suicide)

    def legal_points(self, color: int) -> list[int]:
        """Points where ``color`` may play, A1 first; without the pass."""
        points = self.board.points()
        return [point for point in points if not self.legality(color, point)]

    def play(self, color: int, point: int, lenient: bool = False) -> None:
        """Play a stone or PASS for either player, in or out of turn.

        Raises IllegalMove, with the game unchanged, for what ``legality`` objects to.
        """
        reason = self.legality(color, point, lenient)
        if reason:
            off_board = self.board.color_at(point) == WALL
            name = f"point {point}" if off_board else format_vertex(point)
            raise IllegalMove(f"{name} is not playable: {reason}")
        self._history.play(color, point, "simple", self.rules.suicide)

    def undo(self, n: int = 1) -> None:
        """Take ``n`` moves back: all or nothing, never handicap or set-up stones."""
        if not 0 <= n <= len(self._history):
            raise CannotUndo(f"expected 0..{len(self._history)} moves to undo, got '{n}'")
        for _ in range(n):
            self._history.undo()

    def setup(self, stones: Iterable[tuple[int, int]], to_play: int = BLACK) -> None:
        """Put (color, point) stones on the empty board as its first position.

        Raises ValueError, with the game unchanged, if the board is not empty or has a history, if
        a point is named twice or is off the board, or if a chain would have no liberty.
        """
        self._check_untouched()
        self._start(self._with_stones(stones), to_play)

    def set_to_play(self, color: int) -> None:
        """Say who moves first; ValueError after the first move."""
        if len(self._history):
            raise ValueError("the player to move is set before the first move")
        self._start(self._first, color, self._n_handicap)

    def place_handicap(self, points: Iterable[int]) -> None:
        """Put black handicap stones on the empty board; White is to move.

        Raises ValueError as ``setup`` does, and for fewer than two stones: one is no handicap.
        """
        self._check_untouched()
        points = list(points)
        if len(points) < 2:
            raise ValueError(f"expected at least 2 handicap stones, got '{len(points)}'")
        self._start(self._with_stones((BLACK, point) for point in points), WHITE, len(points))

    def _check_untouched(self) -> None:
        if len(self._history) or self.board.stones(BLACK) or self.board.stones(WHITE):
            raise ValueError("board not empty")

    def _with_stones(self, stones: Iterable[tuple[int, int]]) -> Board:
        colors: dict[int, int] = {}
        for color, point in stones:
            if self._first.color_at(point) == WALL or point in colors:
                raise ValueError(f"expected distinct points of the board, got '{point}'")
            colors[point] = color
        # Whatever the order, each part of a chain that has a liberty in the end has one all along:
        # that liberty, or the place of a stone still to come.  So a capture or a suicide on the way
        # means a chain without liberties.
        board = Board(self.size)
        for point, color in colors.items():
            if board.legality(color, point) or board.play(color, point):
                raise ValueError(f"a chain at or beside {format_vertex(point)} has no liberty")
        return board

    def copy(self) -> Game:
        """An independent copy; its clocks stand where these stand."""
        game = Game(self.size, self.rules, self.komi)
        game._start(self._first, self._first_to_play, self._n_handicap)
        for color, point in self.moves:
            game._history.play(color, point, "simple", True)
        game.time_settings = self.time_settings
        game.clocks = {color: clock.copy() for color, clock in self.clocks.items()}
        return game

    def __str__(self) -> str:
        return str(self.board)


__all__ = ["BLACK", "EMPTY", "PASS", "WHITE", "CannotUndo", "Game", "IllegalMove", "Move"]
