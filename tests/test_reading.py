"""Local reading: diagrams with known answers, and the slow twin on small random arenas."""

import random
from typing import NamedTuple

import pytest

from gtpengine.core.board import Board
from gtpengine.core.reading import Reader
from gtpengine.core.types import BLACK, EMPTY, STRIDE, WHITE
from positions import board_of, points_of
from reference_reading import ReferenceReader, TooLarge

ENOUGH = 1_000_000  # nodes


class Puzzle(NamedTuple):
    """An arena of a board, the chains outside it being safe."""

    board: Board
    arena: set[int]
    safe: set[int]

    def reader(self) -> Reader:
        return Reader(self.board, self.arena, self.safe)


def puzzle(diagram: str, safe: str) -> Puzzle:
    """All points make the arena but the chains at ``safe`` and the eyes of those, written ``+``."""
    board = board_of(diagram)
    stones = {point for vertex in points_of(safe, board.size) for point in board.chain(vertex)}
    rows = [line.split() for line in reversed(diagram.strip().splitlines())]
    outside = {
        (line + 1) * STRIDE + column + 1
        for line, row in enumerate(rows)
        for column, symbol in enumerate(row)
        if symbol == "+"
    }
    return Puzzle(board, set(board.points()) - stones - outside, stones)


# Diagram, a stone of each safe chain, the stone in question, and four answers: is it taken if its
# owner moves first, if the opponent does; does it get two eyes if the owner moves first, if not.
CASES = {
    "ladder to the edge": (
        """
        X . . . . . X
        X . . . . . X
        X . . . . . X
        X . . O X . X
        X . X O X . X
        X . X O X . X
        X X X X X X X""",
        "A1",
        "D3",
        "yes yes no no",
    ),
    "snapback": (
        """
        X X X X X X
        X O O O X X
        X O . X O X
        X O O O O X
        X X X X X X
        + X + X X X""",
        "A6",
        "B5",
        "yes yes no no",
    ),
    "three in a row, the middle free": (
        """
        X X X X X X X
        X O O O O O X
        X O . . . O X
        X O O O O O X
        X X X X X X X
        + X + X X X X
        X X X X X X X""",
        "A7",
        "B6",
        "no yes yes no",
    ),
    "three in a row, the middle taken": (
        """
        X X X X X X X
        X O O O O O X
        X O . X . O X
        X O O O O O X
        X X X X X X X
        + X + X X X X
        X X X X X X X""",
        "A7",
        "B6",
        "yes yes no no",
    ),
    "square four": (
        """
        X X X X X X X
        X O O O O X +
        X O . . O X X
        X O . . O X +
        X O O O O X X
        X X X X X X X
        X X X X X X X""",
        "A7",
        "B6",
        "yes yes no no",
    ),
    "straight four": (
        """
        X X X X X X X
        O O O O O X X
        . . . . O X +
        O O O O O X X
        X X X X X X X
        + X X X X X X
        X X X X X X X""",
        "A7",
        "A6",
        "no no yes yes",
    ),
    "bent four in the corner": (
        """
        X X X X X X X
        X X X X X X +
        X X X X X X X
        X X X X X X +
        O O O O X X X
        . O . O X X X
        X X X O X X X""",
        "A7",
        "A3",
        "yes yes no no",
    ),
    "six in the corner, no liberty outside": (
        """
        X X X X X X X
        X X X X X X +
        X X X X X X X
        X X X X X X +
        O O O O X X X
        . . . O X X X
        . . . O X X X""",
        "A7",
        "A3",
        "no yes yes no",
    ),
    "seki of two chains": (
        """
        + O + O O O O
        O O O O O O O
        O X X X X X O
        O X . X . X O
        X O O O O O X
        X X X X X X X
        + X + X X X X""",
        "A6 A3",
        "B4",
        "no no no no",
    ),
    "race that the first to move wins": (
        """
        + O + O O O O
        O O O O O O O
        O X X X X . O
        X O O O O . X
        X X X X X X X
        X X X X X X X
        + X + X X X X""",
        "A6 A3",
        "B5",
        "no yes yes no",
    ),
    "a ko without threats belongs to whoever takes it": (
        """
        X X X X X X X
        X X X X X X +
        X X X X X X X
        O O O X X X +
        O . X O X X X
        X O O . X X X
        . X O O X X X""",
        "A7",
        "A3",
        "no yes yes no",
    ),
}


@pytest.mark.parametrize(("diagram", "safe", "stone", "answers"), CASES.values(), ids=CASES)
def test_reading(diagram, safe, stone, answers):
    riddle = puzzle(diagram, safe)
    (point,) = points_of(stone, riddle.board.size)
    reader = riddle.reader()
    got = (
        reader.is_captured(point, True, ENOUGH),
        reader.is_captured(point, False, ENOUGH),
        reader.is_living(point, True, ENOUGH),
        reader.is_living(point, False, ENOUGH),
    )
    assert got == tuple(word == "yes" for word in answers.split())


def random_puzzle(rng: random.Random) -> Puzzle:
    """Chains of both colors in a corner of 7x7, between two that have room on the top line."""
    board = Board(7)
    width, height, split = rng.randint(2, 4), rng.randint(2, 3), rng.randint(0, 5)
    corner = {p for p in board.points() if p % STRIDE <= width and p // STRIDE <= height}
    holes = set(rng.sample(sorted(corner), rng.randint(2, 4)))
    for point in board.points():
        color = WHITE if point % STRIDE <= split else BLACK
        if point in corner:
            color = rng.choice((BLACK, WHITE))
        if point // STRIDE < 7 and point not in holes:
            board.play(color, point)
    outside = set(board.points()) - corner
    safe = {point for point in outside if board.color_at(point) != EMPTY}
    return Puzzle(board, corner, safe)


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 200), marks=pytest.mark.slow)])
def test_reader_and_slow_twin_agree(seeds):
    n_compared = 0
    for seed in seeds:
        try:
            riddle = random_puzzle(random.Random(seed))
        except ValueError:  # a chain would have had no liberty
            continue
        chains = {
            tuple(riddle.board.chain(p))
            for p in riddle.arena - {0}
            if riddle.board.color_at(p) != EMPTY
        }
        reader = riddle.reader()
        for stone, *_ in sorted(chains):
            if any(riddle.safe & set(riddle.board.chain(stone))):
                continue
            try:
                twin = ReferenceReader(*riddle, stone, most=1500)
            except TooLarge:
                continue
            for owner_first in (True, False):
                what = f"seed {seed}, {stone}, owner first: {owner_first}\n{riddle.board}"
                taken = reader.is_captured(stone, owner_first, ENOUGH)
                assert taken == twin.is_captured(owner_first), what
                lives = reader.is_living(stone, owner_first, ENOUGH)
                assert lives == twin.is_living(owner_first), what
                n_compared += 2
    assert n_compared > 20


def test_an_unanswered_question_is_none():
    riddle = puzzle(*CASES["six in the corner, no liberty outside"][:2])
    reader = riddle.reader()
    (stone,) = points_of("A3", 7)
    assert reader.is_living(stone, True, 20) is None
    assert reader.nodes >= 20
