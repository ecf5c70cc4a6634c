"""Learned priors: patterns around a point, shares that do not depend on the viewpoint, learning."""

import random
from pathlib import Path

import numpy as np
import pytest

import priors
from gtpengine.coords import format_vertex, parse_vertex, point_in_row, row_column
from gtpengine.core.board import Board
from gtpengine.core.move_features import Recordings
from gtpengine.core.prior import Prior
from gtpengine.core.spatial import Patterns
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.prior import shipped_prior
from positions import board_of
from toy_labels import write_labels


def image_of(point: int, size: int, turn: int) -> int:
    """Where one of the eight symmetries takes a point."""
    row, column = row_column(point, size)
    row = size - 1 - row if turn & 1 else row
    column = size - 1 - column if turn & 2 else column
    return point_in_row(column, row, size) if turn & 4 else point_in_row(row, column, size)


def random_board(size: int, n_moves: int, seed: int) -> tuple[Board, list[tuple[int, int]]]:
    rng, board = random.Random(seed), Board(size)
    for i in range(n_moves):
        color = WHITE if i % 2 else BLACK
        legal = [point for point in board.points() if not board.legality(color, point)]
        if legal:
            board.play(color, rng.choice(legal))
    stones = [(color, point) for color in (BLACK, WHITE) for point in board.stones(color)]
    return board, stones


@pytest.mark.parametrize("size", [5, 9, 19])
def test_candidates_come_best_first_and_equals_in_the_order_of_points(size: int) -> None:
    """On an empty board each move has up to seven equals; the pass comes behind its own."""
    found = list(shipped_prior().candidates(Board(size), BLACK).items())
    assert len({prior for _, prior in found}) < len(found) / 3
    assert found == sorted(found, key=lambda move: (-move[1], move[0] == PASS, move[0]))


@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_priors_turn_with_the_board_and_swap_with_the_colors(size: int) -> None:
    board, stones = random_board(size, size * size // 2, seed=size)
    last, before = stones[0][1], stones[-1][1]
    plain = shipped_prior().candidates(board, BLACK, last, before)
    for turn in range(8):
        for swapped in (False, True):
            image = Board(size)
            for color, point in stones:
                color = BLACK + WHITE - color if swapped else color
                image.play(color, image_of(point, size, turn))
            found = shipped_prior().candidates(
                image, WHITE if swapped else BLACK,
                image_of(last, size, turn), image_of(before, size, turn),
            )  # fmt: skip
            assert found.pop(PASS) == pytest.approx(plain[PASS])
            assert found == pytest.approx(
                {image_of(p, size, turn): share for p, share in plain.items() if p != PASS}
            )


def test_an_empty_board_is_opened_in_the_corners() -> None:
    for size in (13, 19):
        priors_of = shipped_prior().candidates(Board(size), BLACK)
        corners = [
            share
            for point, share in priors_of.items()
            if point != PASS
            and all(2 <= min(x, size - 1 - x) <= 4 for x in row_column(point, size))
        ]
        assert sum(corners) > 0.9


def test_patterns_grow_ring_by_ring_to_the_first_unknown_one() -> None:
    stones = {"D4": BLACK, "F5": WHITE, "C6": WHITE, "D7": BLACK}
    known = board_of_stones(stones)
    played = ["D4", "F5", "D7", "C6", "D5"]  # in turn, the last one being the point in question
    moves = np.array([np.dot(row_column(parse_vertex(v, 9), 9), (9, 1)) for v in played], np.int16)
    recordings = Recordings(9, moves, np.zeros(1, np.int64), np.full(1, 4, np.int64))
    _, packed = recordings.surroundings()
    patterns = Patterns(np.repeat(packed, 6, axis=0), np.arange(6, dtype=np.uint8))
    point = parse_vertex("D5", 9)
    assert patterns.at(known, BLACK, point) == [0, 1, 2, 3, 4, 5]
    assert patterns.at(board_of_stones({**stones, "D9": BLACK}), BLACK, point) == [0, 1, 2, 3, 4]
    assert patterns.at(board_of_stones({**stones, "F6": BLACK}), BLACK, point) == [0, 1]
    assert patterns.at(board_of_stones({**stones, "D6": BLACK}), BLACK, point) == []
    assert patterns.at(known, WHITE, point) == []
    with pytest.raises(ValueError, match="off the board"):
        patterns.at(known, BLACK, 0)


def board_of_stones(stones: dict[str, int]) -> Board:
    board = Board(9)
    for vertex, color in stones.items():
        board.play(color, parse_vertex(vertex, 9))
    return board


def test_weights_are_learned_from_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = write_labels(tmp_path / "labels.npz", 7, n_games=60, seed=1)
    out = tmp_path / "prior.npz"
    priors.main([
        "--labels", str(labels), "--out", str(out), "--collect", "2000", "--often", "20",
        "--positions", "6000", "--batch", "32",
    ])  # fmt: skip
    first, *_, last = [float(line.split()[4].rstrip(",")) for line in
                       capsys.readouterr().out.splitlines()[1:]]  # fmt: skip
    assert last < first
    with np.load(out) as learned:
        prior = Prior(Patterns(learned["packed"], learned["levels"]), learned["weights"])
    # The teacher of these labels knows one thing: captures.
    board = board_of("""
        . . . . . . .
        . . . X . . .
        . . X O . . .
        . . . X . . .
        . . . . . O .
        . . X . . . .
        . . . . . . .""")
    moves = prior.candidates(board, BLACK)
    assert format_vertex(max(moves, key=lambda point: moves[point])) == "E5"


def test_tables_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="patterns of 12 bytes"):
        Patterns(np.zeros((1, 11), np.uint8), np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="level"):
        Patterns(np.zeros((1, 12), np.uint8), np.full(1, 6, np.uint8))
    with pytest.raises(ValueError, match="weights, got 3"):
        Prior(shipped_prior().patterns, np.zeros(3, np.int16))
