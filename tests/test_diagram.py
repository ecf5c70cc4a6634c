"""Diagrams: what showboard prints, and that it can be read back."""

import random

import pytest

from gtpengine.core.board import Board
from gtpengine.diagram import format_diagram, parse_diagram
from positions import board_of, parse_moves, points_of

NINE = """\
   A B C D E F G H J
 9 . . . . . . . . . 9
 8 . . . . . . . . . 8
 7 . . + . + . X . . 7
 6 . . . . . . . . . 6
 5 . . + . + . + . . 5
 4 . . .(X). . . . . 4
 3 . . O . + . + . . 3
 2 . . . . . . . . . 2
 1 . . . . . . . .(O)1
   A B C D E F G H J"""

SEVEN = """\
   A B C D E F G
 7(X(O). . . . . 7
 6 . . . . . . . 6
 5 . . + . + . . 5
 4 . . . . . . . 4
 3 . . + .(+). . 3
 2 . . . . . . . 2
 1 . . . . . . . 1
   A B C D E F G"""


def test_nine_by_nine():
    board = Board(9)
    for color, point in parse_moves("B G7, W C3, B D4, W J1", 9):
        board.play(color, point)
    assert format_diagram(board, points_of("J1 D4", 9)) == NINE


def test_two_marks_side_by_side_share_a_parenthesis():
    board = board_of("X O . . . . .\n" + ". . . . . . .\n" * 6)
    assert format_diagram(board, points_of("A7 B7 E3", 7)) == SEVEN


@pytest.mark.parametrize("size", range(2, 26))
def test_a_printed_board_is_read_back(size):
    rng = random.Random(size)
    board = Board(size)
    for _ in range(2 * size * size):
        color, point = rng.choice((1, 2)), rng.choice(board.points())
        if not board.legality(color, point):
            board.play(color, point)
    marks = rng.sample(board.points(), 2)
    text = format_diagram(board, marks)
    again = board_of(text)
    assert again.facts().stones == board.facts().stones
    assert format_diagram(again, marks) == text
    assert board_of(str(board)).facts().stones == board.facts().stones
    lines = text.splitlines()
    assert all(line.strip() for line in lines)
    assert len({len(line) for line in lines[1:-1]}) <= 2  # line numbers of one figure or two


def test_coordinates_blanks_and_case_of_lines():
    with_coordinates = """
        A B C
      3 . X(O) 3
      2 + . .  2

      1 X . .  1
        A B C
    """
    assert parse_diagram(with_coordinates) == parse_diagram(".XO\n...\nX..")
    assert parse_diagram("O.\n.X")[0] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 2..25 lines of points, got '0'"),
        (".", "expected 2..25 lines of points, got '1'"),
        (". X\n. . .", "expected 2 points in line 1, got '...'"),
        (". ?\n. .", "expected one of . X O + in line 2, got '?'"),
        (". x\n. .", "expected one of . X O + in line 2, got 'x'"),
        ("\n".join(["." * 26] * 26), "expected 2..25 lines of points, got '26'"),
    ],
)
def test_what_is_no_diagram(text, message):
    with pytest.raises(ValueError, match="expected") as error:
        parse_diagram(text)
    assert str(error.value) == message
