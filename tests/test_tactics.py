"""What playouts and priors see: ladders, eye spaces, patterns, the weight of moves."""

import random

import pytest

from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.board import Board
from gtpengine.core.ladder import is_caught
from gtpengine.core.pattern import pattern_suits
from gtpengine.core.playout import vital_point_of
from gtpengine.core.types import BLACK, NO_POINT, PASS, STRIDE, WALL, WHITE
from gtpengine.prior import shipped_prior
from positions import board_of

# The chain at the marked vertex, and whether it is lost: in atari its owner moves first, with two
# liberties the opponent does.
LADDERS = {
    "a ladder runs to the edge": ("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O O . . .
        . . . . . . .""", "C3", True),
    "a ladder breaker waits": ("""
        . . . . . . .
        . . . . . X .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O O . . .
        . . . . . . .""", "C3", False),
    "the runner takes a chaser": ("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X O X . . .
        . O X . . . .
        . O O . . . .""", "C2", False),
    "two liberties on the edge": ("""
        . . . . .
        . . . . .
        . . . . .
        O O . . .
        . X . . .""", "B1", True),
    "two liberties, a ladder either way": ("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O X . . . .
        . . O O . . .
        . . . . . . .""", "C3", True),
    "two liberties in the open": ("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . . . . . .
        . . . . . . .""", "C3", False),
    "two liberties with a friend near": ("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . . X . . .
        . . . . . . .""", "C3", False),
}  # fmt: skip


@pytest.mark.parametrize(("diagram", "vertex", "caught"), LADDERS.values(), ids=LADDERS)
def test_ladder(diagram: str, vertex: str, caught: bool) -> None:
    board = board_of(diagram)
    before = board.facts()
    assert is_caught(board, parse_vertex(vertex, board.size)) is caught
    assert board.facts() == before


EYE_SPACES = {   # a point of the space, and its vital point
    "straight three": ("""
        . . . O X
        O O O O X
        X X X X X
        . . . . .
        . . . . .""", "A5", "B5"),
    "bent three": ("""
        . . O X .
        . O O X .
        O O X X .
        X X X . .
        . . . . .""", "A4", "A5"),
    "square four is lost anyway": ("""
        . . O X .
        . . O X .
        O O O X .
        X X X X .
        . . . . .""", "A5", None),
    "straight four lives": ("""
        . . . . O
        O O O O O
        X X X X X
        . . . . .
        . . . . .""", "B5", None),
    "pyramid four": ("""
        . . . O X
        O . O O X
        O O O X X
        X X X X .
        . . . . .""", "A5", "B5"),
    "bulky five": ("""
        . . . O X
        . . O O X
        O O O X X
        X X X X .
        . . . . .""", "A5", "B5"),
    "a space with both colors around": ("""
        . . . X X
        O O O O X
        X X X X X
        . . . . .
        . . . . .""", "A5", None),
}  # fmt: skip


@pytest.mark.parametrize(("diagram", "vertex", "vital"), EYE_SPACES.values(), ids=EYE_SPACES)
def test_vital_point(diagram: str, vertex: str, vital: str | None) -> None:
    board = board_of(diagram)
    expected = NO_POINT if vital is None else parse_vertex(vital, board.size)
    assert vital_point_of(board, parse_vertex(vertex, board.size)) == expected


def test_rabbity_six_and_cross() -> None:
    cross = board_of("""
        O O . O O
        O O . O O
        . . . . .
        O O . O O
        O O . O O""")
    assert vital_point_of(cross, parse_vertex("C3", 5)) == NO_POINT  # nine points: too large
    rabbity = board_of("""
        . . . . . . .
        . . O O . . .
        . O . . O . .
        O . . . O . .
        . O . O . . .
        . . O . . . .
        . . . . . . .""")
    assert format_vertex(vital_point_of(rabbity, parse_vertex("C3", 7))) == "C4"


PATTERNS = {
    "hane": ("""
        . X O X .
        . . . . .
        . . . . .
        . . . . .
        . . . . .""", "C4", True),
    "cut": ("""
        . . . . .
        . X O . .
        . O . . .
        . . . . .
        . . . . .""", "C3", True),
    "nothing around": ("""
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .""", "C3", False),
}  # fmt: skip


@pytest.mark.parametrize(("diagram", "vertex", "suits"), PATTERNS.values(), ids=PATTERNS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_pattern(diagram: str, vertex: str, suits: bool, color: int) -> None:
    board = board_of(diagram)
    assert pattern_suits(board, color, parse_vertex(vertex, board.size)) is suits


def best_candidate(diagram: str, color: int, last: str) -> str:
    board = board_of(diagram)
    moves = shipped_prior().candidates(board, color, parse_vertex(last, board.size))
    return format_vertex(max(moves, key=lambda point: moves[point]))


def test_the_first_thought_is_to_take_or_to_run() -> None:
    assert (
        best_candidate(
            """
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . O X . . .
        . . . O . . .
        . . . . . . .
        . . . . . . .""",
            WHITE,
            "D4",
        )
        == "E4"
    )
    assert (
        best_candidate(
            """
        . . . . . . .
        . . . . . . .
        . . . O X . .
        . . O X . . .
        . . . O X . .
        . . . . . . .
        . . . . . . .""",
            BLACK,
            "D3",
        )
        == "E4"
    )


def test_priors_are_shares_and_leave_out_own_eyes_and_illegal_moves() -> None:
    board = board_of("""
        . X . O .
        X X O O O
        X X X O .
        X . X O O
        X X X X O""")
    moves = shipped_prior().candidates(board, BLACK)
    assert sum(moves.values()) == pytest.approx(1, abs=1e-5)
    assert {format_vertex(point) for point in moves if point != PASS} == {"C5"}


def test_every_legal_move_is_a_candidate_once_however_many_ladders_are_read() -> None:
    # Games of captures and chases; a candidate that is lost or doubled would not show elsewhere.
    for seed in range(20):
        rng, board, color = random.Random(seed), Board(7), BLACK
        for _ in range(60):
            legal = [point for point in board.points() if not board.legality(color, point)]
            found = shipped_prior().candidates(board, color)
            own_eyes = {point for point in legal if point not in found}
            assert set(found) - {PASS} <= set(legal)
            for point in own_eyes:
                beside = [board.color_at(point + step) for step in (1, -1, STRIDE, -STRIDE)]
                assert set(beside) <= {color, WALL}
            assert sum(found.values()) == pytest.approx(1, abs=1e-4)
            if not legal:
                break
            board.play(color, rng.choice(legal))
            color = BLACK + WHITE - color
