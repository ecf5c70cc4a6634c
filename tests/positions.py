"""Diagrams and moves as the tests write them."""

from textwrap import dedent

from gtpengine.coords import parse_vertex, point_at
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, WHITE
from gtpengine.diagram import parse_diagram
from gtpengine.game import Game
from gtpengine.rules import DEFAULT, Rules
from gtpengine.status import judge

COLOR = {"B": BLACK, "W": WHITE}
LETTER = {BLACK: "B", WHITE: "W"}
FATES = ".XO", ".xo", ".BW"  # alive, dead, in seki; by color

# White's two stones on the left are dead; as long as they stand, the left is not Black's.
WITH_DEAD = """
    . X . X O . O
    X X . X O O O
    . . . X O . O
    X X . X O O O
    . . . X O . O
    X O O X O O O
    . X X X O O ."""


def board_of(diagram: str) -> Board:
    """The position of a diagram."""
    size, stones = parse_diagram(diagram)
    board = Board(size)
    for color, point in stones:
        assert board.play(color, point) == 0, "a chain of the diagram has no liberty"
    return board


def game_of(diagram: str, to_play: str = "B", rules: Rules = DEFAULT) -> Game:
    """A game that begins with a diagram."""
    size, stones = parse_diagram(diagram)
    game = Game(size, rules)
    game.setup(stones, COLOR[to_play])
    return game


def plain(diagram: str) -> str:
    """A diagram as ``str(board)`` prints it."""
    return dedent(diagram).strip()


def parse_moves(text: str, size: int) -> list[tuple[int, int]]:
    """Read "B A3, W pass, B C1"."""
    words = [move.split() for move in text.split(",") if move.strip()]
    return [(COLOR[color], parse_vertex(vertex, size)) for color, vertex in words]


def parse_move(text: str, size: int) -> tuple[int, int]:
    """Read "B A3"."""
    (move,) = parse_moves(text, size)
    return move


def points_of(text: str, size: int) -> list[int]:
    """Read "A3 C1"."""
    return [parse_vertex(word, size) for word in text.split()]


def rules_of(ko: str, suicide: bool = False) -> Rules:
    """The default rules with another ko rule and another view of suicide."""
    changed = DEFAULT.with_setting("ko", ko.upper())
    return changed.with_setting("suicide", "true" if suicide else "false")


def play_all(game: Game, moves: str) -> None:
    """Play "B A3, W pass"."""
    for color, point in parse_moves(moves, game.size):
        game.play(color, point)


def marked(board: Board, *, counts_area: bool = False, proven_only: bool = False) -> str:
    """The board with its stones as FATES writes them."""
    verdict = judge(board, proven_only, counts_area)
    rows = []
    for line in range(board.size, 0, -1):
        points = [point_at(column, line) for column in range(1, board.size + 1)]
        fates = [FATES[(p in verdict.dead) + 2 * (p in verdict.seki)] for p in points]
        rows.append(
            " ".join(fate[board.color_at(point)] for point, fate in zip(points, fates, strict=True))
        )
    return "\n".join(rows)


def unmarked(diagram: str) -> str:
    """A diagram without its marks: what is to be judged."""
    return diagram.translate(str.maketrans("xoBW", "XOXO"))
