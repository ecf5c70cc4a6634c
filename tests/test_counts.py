"""Counts as a contract: legal positions, and sequences of moves (perft)."""

import runpy
from itertools import product
from pathlib import Path

import pytest

from gtpengine.core.board import Board
from gtpengine.core.history import History
from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.game import Game
from reference_board import ReferenceBoard

ROOT = Path(__file__).parents[1]
LINES = [line.split() for line in (ROOT / "tests/data/counts.perft").read_text().splitlines()]
POSITIONS = [(int(size), int(n)) for word, size, n in (x for x in LINES if x[:1] == ["positions"])]
PERFT = [
    (int(size), depth, int(n))
    for word, size, *counts in (line for line in LINES if line[:1] == ["perft"])
    for depth, n in enumerate(counts, start=1)
]

perft = runpy.run_path(str(ROOT / "scripts/perft.py"))["perft"]


def twin_perft(twin: ReferenceBoard, depth: int) -> int:
    """What scripts/perft.py counts, with the slow twin."""
    points = [twin.point(i) for i in range(twin.size**2)]
    points = [point for point in points if not twin.legality(twin.to_play, point)]
    if depth == 1:
        return len(points)
    total = 0
    for point in points:
        twin.play(twin.to_play, point)
        total += twin_perft(twin, depth - 1)
        twin.undo()
    return total


def at_most(limit: int) -> list[object]:
    """The perft lines, those with a higher count marked slow."""
    return [
        pytest.param(*line, marks=[pytest.mark.slow] if line[2] > limit else []) for line in PERFT
    ]


@pytest.mark.parametrize(("size", "depth", "n"), at_most(200_000))
def test_perft(size, depth, n):
    history = History(Board(size))
    assert perft(history, depth) == n
    assert history.board.facts() == Board(size).facts()


@pytest.mark.parametrize(("size", "depth", "n"), at_most(15_000))
def test_perft_of_the_twin(size, depth, n):
    assert twin_perft(ReferenceBoard(size, "positional"), depth) == n


@pytest.mark.parametrize(("size", "n"), POSITIONS)
def test_legal_positions(size, n):
    """Set-up takes the positions in which every chain breathes, and they all hash differently."""
    points = Board(size).points()
    twin = ReferenceBoard(size)
    hashes = []
    for colors in product((EMPTY, BLACK, WHITE), repeat=size * size):
        position = bytes(colors)
        stones = [i for i, color in enumerate(colors) if color != EMPTY]
        game = Game(size)
        if all(twin.chain_and_liberties(position, i)[1] for i in stones):
            game.setup((colors[i], points[i]) for i in stones)
            game.board.check()
            hashes.append(game.board.hash)
        else:
            with pytest.raises(ValueError, match="has no liberty"):
                game.setup((colors[i], points[i]) for i in stones)
            assert game.board.hash == 0
    assert len(hashes) == len(set(hashes)) == n
