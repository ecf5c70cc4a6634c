"""Playouts: they end, they count right, they obey their seed, and they know a little."""

import numpy as np
import pytest

from gtpengine.coords import parse_vertex, row_column
from gtpengine.core.board import Board
from gtpengine.core.history import History
from gtpengine.core.playout import count_random_playouts, run_playouts
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, WHITE
from positions import board_of


@pytest.mark.parametrize("tactical", [False, True])
@pytest.mark.parametrize("size", [2, 3, 5, 9, 13, 19, 25])
def test_playouts_end_and_score_within_the_board(size: int, tactical: bool) -> None:
    score, length, owner = run_playouts(Board(size), BLACK, 20, seed=1, tactical=tactical)
    assert abs(score) <= size * size
    assert 2 <= length <= 3 * size * size
    assert owner.shape == (size, size)
    assert owner.sum() == pytest.approx(score, abs=1e-3)


def test_a_seed_is_a_game() -> None:
    board = Board(9)
    once, again = run_playouts(board, BLACK, 10, seed=5), run_playouts(board, BLACK, 10, seed=5)
    assert once[:2] == again[:2]
    assert np.array_equal(once[2], again[2])
    assert run_playouts(board, BLACK, 10, seed=6)[:2] != once[:2]
    assert count_random_playouts(board, BLACK, 50, 7) == count_random_playouts(board, BLACK, 50, 7)
    assert board.facts() == Board(9).facts()  # the board given is not changed


def test_a_seed_does_not_ask_how_the_position_came_about() -> None:
    straight, detour = History(Board(9)), History(Board(9))
    for point in (parse_vertex("E5", 9), parse_vertex("C3", 9)):
        straight.play(straight.to_play, point)
    detour.play(BLACK, parse_vertex("G7", 9))
    detour.undo()
    detour.play(WHITE, parse_vertex("C3", 9))
    detour.play(BLACK, parse_vertex("E5", 9))
    one = run_playouts(straight.board, BLACK, 20, seed=1)
    two = run_playouts(detour.board, BLACK, 20, seed=1)
    assert one[:2] == two[:2]
    assert np.array_equal(one[2], two[2])


def test_moving_first_is_worth_something_and_colors_are_alike() -> None:
    black, _, _ = run_playouts(Board(9), BLACK, 3000, seed=1)
    white, _, _ = run_playouts(Board(9), WHITE, 3000, seed=2)
    assert black > 0.5
    assert white < -0.5
    assert abs(black + white) < 1.5


def test_a_finished_board_keeps_its_owner() -> None:
    board = board_of("""
        . X O . O
        X X O O .
        . X X O O
        X X O O .
        . X O . O""")
    score, _, owner = run_playouts(board, BLACK, 200, seed=1)
    assert np.array_equal(np.sign(np.round(owner, 1)), area_owner(board))
    assert score == pytest.approx(area_owner(board).sum(), abs=0.5)


def test_playouts_do_not_begin_on_the_first_line() -> None:
    # On 3x3 the middle is what remains, and wins the whole board.
    assert run_playouts(Board(3), BLACK, 500, seed=1)[0] > 8
    assert run_playouts(Board(3), BLACK, 500, seed=1, tactical=False)[0] < 4
    assert run_playouts(Board(2), BLACK, 500, seed=1)[1] > 3  # nothing else there to play


def test_playouts_take_what_is_in_atari() -> None:
    # Whoever moves, the black stone on the edge has nowhere to run.
    board = board_of("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O O O . .
        . O O . O O .
        . . O O O O .
        . . . X O . .""")
    for color in (BLACK, WHITE):
        _, _, owner = run_playouts(board, color, 300, seed=3)
        assert owner[row_column(parse_vertex("D1", 7), 7)] < -0.5


def test_number_of_playouts_is_checked() -> None:
    with pytest.raises(ValueError, match="at least 1, got '0'"):
        run_playouts(Board(9), BLACK, 0, seed=1)


def test_area_counts_regions_of_one_color_only() -> None:
    board = board_of("""
        . . X O .
        . . X O .
        X X X . O
        O O O O O
        . . . . .""")
    owner = area_owner(board)
    assert owner[2, 3] == 0  # the shared point
    assert owner[0, 0] == 1
    assert owner[4, 0] == -1
    assert owner.sum() == (5 + 4) - (8 + 2 + 5)
    assert not area_owner(Board(5)).any()
