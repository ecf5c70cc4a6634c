"""Unconditional life: diagrams, and what it promises on small random boards."""

import random

import pytest

from gtpengine.coords import format_vertex
from gtpengine.core.board import Board
from gtpengine.core.life import unconditional
from gtpengine.core.types import BLACK, EMPTY, WHITE
from positions import board_of, points_of

CASES = {  # diagram, Black's stones that live, points where White cannot
    "two one-point eyes": (
        """
        . X . X O
        X X X X O
        O O O O O
        O . O . O
        O O O O O""",
        "A4 B4 B5 C4 D4 D5",
        "A5 C5",
    ),
    "one eye is none": (
        """
        . X X X O
        X X X X O
        O O O O O
        O . O . O
        O O O O O""",
        "",
        "",
    ),
    "an eye may hold dead stones": (
        """
        . X O . X
        X X X X X
        O O O O O
        O . O . O
        O O O O O""",
        "A4 B4 B5 C4 D4 E4 E5",
        "A5 C5 D5",
    ),
    "a region with inner points is no eye": (
        """
        . . . X . O
        . . . X X O
        . . . X O O
        X X X X O .
        O O O O O O
        O . O O . O""",
        "",
        "",
    ),
    "two chains that share their eyes": (
        """
        . X X X .
        X O . O X
        X X X X X
        O O O O O
        O . O . O""",
        "A3 A4 B3 B5 C3 C5 D3 D5 E3 E4",
        "A5 E5 B4 C4 D4",
    ),
    "no stones": (
        """
        . . .
        . . .
        . . .""",
        "",
        "",
    ),
}


@pytest.mark.parametrize(("diagram", "alive", "closed"), CASES.values(), ids=CASES)
def test_unconditional_life(diagram, alive, closed):
    board = board_of(diagram)
    stones, territory = unconditional(board, BLACK)
    assert stones == set(points_of(alive, board.size))
    assert territory == set(points_of(closed, board.size))


def can_be_taken(board: Board, stone: int, color: int) -> bool:
    """Whether ``color``, moving alone, can take the chain at ``stone``: tries everything."""
    seen: set[tuple[int, ...]] = set()
    todo = [board]
    while todo:
        here = todo.pop()
        for point in here.points():
            if here.legality(color, point):
                continue
            after = here.copy()
            after.play(color, point)
            after.play(BLACK + WHITE - color, 0)  # a pass: no ko can stop the next move
            if after.color_at(stone) == EMPTY:
                return True
            key = tuple(after.color_at(point) for point in after.points())
            if key not in seen:
                seen.add(key)
                todo.append(after)
    return False


@pytest.mark.parametrize("seed", range(60))
def test_the_opponent_alone_cannot_take_what_lives(seed):
    rng = random.Random(seed)
    board = Board(4)
    for _ in range(rng.randrange(12, 40)):
        color, point = rng.choice((BLACK, BLACK, WHITE)), rng.choice(board.points())
        if not board.legality(color, point):
            board.play(color, point)
    for color in (BLACK, WHITE):
        alive, _ = unconditional(board, color)
        for stone in alive:
            taken = can_be_taken(board, stone, BLACK + WHITE - color)
            assert not taken, f"{format_vertex(stone)} of\n{board}"
