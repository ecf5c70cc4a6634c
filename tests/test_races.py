"""Capturing races: counting says what reading to the end says, and what is too long to read."""

from itertools import product

import pytest

from gtpengine.arenas import Arena, chains_of
from gtpengine.coords import point_at
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.local import ArenaReader, Fate, NodeBudget
from gtpengine.races import decided_races
from gtpengine.status import judge
from positions import board_of, plain

LANES = {4: WHITE, 5: BLACK, 6: BLACK, 7: WHITE, 8: BLACK}  # by column, from D on


def race(size: int, n_black: int, n_white: int, n_both: int) -> Board:
    """Two chains side by side, from edge to edge, with so many liberties each alone, and both.

    Each stands before a wall of the other color with eyes behind, and its own liberties are holes
    in that wall.
    """
    holes = {
        *((4, size - 2 * i) for i in range(n_black)),
        *((8, size - 2 * i) for i in range(n_white)),
        *((6, 1 + i) for i in range(n_both)),
        *((column, line) for column in (1, size) for line in range(2, size, 3)),  # the eyes
    }
    board = Board(size)
    for column, line in product(range(1, size + 1), repeat=2):
        if (column, line) not in holes:
            color = LANES.get(column, WHITE if column < 4 else BLACK)
            board.play(color, point_at(column, line))
    return board


def racers(board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The black chain and the white one."""
    top = board.size
    black, white = (tuple(board.chain(point_at(column, top))) for column in (5, 7))
    return black, white


def counted(board: Board) -> dict[tuple[int, ...], Fate]:
    chains = racers(board)
    stones = frozenset(p for p in board.points() if board.color_at(p) != EMPTY)
    fates: dict[tuple[int, ...], Fate] = {}
    for found in decided_races(board, chains, stones.difference(*chains)):
        fates.update(found)
    return fates


SHORT = [n for n in product(range(3), range(3), range(4)) if n[0] + n[2] > 0 and n[1] + n[2] > 0]


@pytest.mark.parametrize("numbers", SHORT, ids=str)
def test_counting_agrees_with_reading(numbers: tuple[int, int, int]) -> None:
    board = race(9, *numbers)
    black, white = racers(board)
    inside = {*black, *white, *board.liberties(black[0]), *board.liberties(white[0])}
    walls = {p for p in board.points() if board.color_at(p) != EMPTY}.difference(inside)
    reader = ArenaReader(Arena(board, frozenset(inside)), walls, NodeBudget(10**7, 10**6))
    assert counted(board) == reader.fates(chains_of(board, inside), set())


@pytest.mark.parametrize(
    ("numbers", "dead"),
    [
        ((3, 4, 3), None),
        ((4, 6, 4), None),
        ((5, 5, 2), None),
        ((6, 3, 3), WHITE),
        ((2, 6, 4), BLACK),
        ((6, 5, 0), WHITE),
        ((4, 6, 1), BLACK),
    ],
    ids=str,
)
def test_a_race_too_long_to_read(numbers: tuple[int, int, int], dead: int | None) -> None:
    board = race(13, *numbers)
    black, white = racers(board)
    verdict = judge(board)
    assert verdict.dead == frozenset({BLACK: black, WHITE: white}.get(dead or EMPTY, ()))
    assert verdict.seki == frozenset(() if dead else black + white)


def test_what_may_be_taken_is_no_wall() -> None:
    board = race(9, 2, 2, 0)
    assert counted(board)
    assert not list(decided_races(board, racers(board), frozenset()))


@pytest.mark.parametrize(
    "diagram",
    [
        """
        . . . . . .
        X X X X X X
        O O O O O X
        . X X X O X""",  # in an eye space: whoever takes three is not yet alive
        """
        O . X . . .
        O O X X X X
        O X O O O X
        O X . . O X
        O X X O O X
        O O X . . .""",  # room for an eye
    ],
)
def test_counting_is_not_for_eyes(diagram: str) -> None:
    rows = [line.split() for line in plain(diagram).splitlines()]
    size = len(rows[0])
    filled = [["."] * size] * (size - len(rows)) + rows
    board = board_of("\n".join(" ".join(row) for row in filled))
    chains = chains_of(board, board.points())
    for pair in product(chains, repeat=2):
        walls = frozenset(board.points()).difference(*pair)
        assert not list(decided_races(board, pair, walls))
