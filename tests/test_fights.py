"""Fights that random games leave open: what players agreed on, and what exact reading says."""

import pytest

from gtpengine import status
from positions import board_of, marked, plain, unmarked

FIGHTS = {  # from games between strong amateurs, whose margin tells which stones they took off
    "cut off beside strong walls": """
        . . . . . . . . X . X X O O O . x . .
        . . . X . . . X o . X O O x O O x O .
        . . X . . X . . o . X O O x x . . x x
        . . . o . X o . o X X X O O x x x O .
        . . . . . . . . X X X O . O O . x O .
        . . o . X . o o X O X O O O . x x O .
        . . . o X . o X O O X X O . . x O O .
        . X X X . . . X O O O X O x . x x O .
        X O X . . . . X O . x O O O . x O . .
        . O X . . X X X O . x x O . . x O . .
        O . O X X O O O . . . . O O x x O O .
        . O O X . X O . O . x O O x . x x O O
        . . O X X X O O . O O . O . . . O X O
        . . O X O X X X O X X O . O O O O X X
        . . . O O O O O O O X O O X X X X X .
        . . . O . . O X X X X X O X . . . . .
        . . O O X X X . . . . . X . o X o X .
        . . O X X . . . . . . . . . . X . . .
        . . O O X . . . . . . . . . . . . . .""",
    "cut off in the center, and not to be taken": """
        . . . . O O O O X . . X X X X O . O .
        . . . x O X O X . . . X O . O . . . .
        . . O . O X X X X X . X O O O O O O .
        . . . O . O X O O O X . X O X X X O O
        . . . . . O O O . X . X . X . . X X O
        . . O O . O X O O . X . X . . . o X X
        . . . x O X X X O O O O X X X . . . .
        . . . . O X X X X X O X O O O X . . .
        . O O O X . . X O O X X O . X . X . .
        O x x O X X X O . . O X O X X o X . .
        O x O X X . O . O O O X O O X X . . .
        . . O O X . O . O . O X . O X o . . .
        O O O . X X X O O X O X . O X . . . .
        X O . X . o X O X X O X O O O X . . .
        X X X . X X O X . X O X . O X X . . .
        . . X X . O O X X X O X . O O X X . .
        O O O O O O X . X . O X O O X . . . .
        . . . . O X X . X . O O X X X . . . .
        . . . . O O X X . . . O O X . . . . .""",
    "scattered stones in a large territory": """
        . . X O O . . O X X X . . . . . . . .
        . . . X O O O . O O X X . . . . . . .
        . X X X X O . O O X o X o . X . . X .
        . o X . O O O O X X . . . . . X X . X
        . X O O . X . X o X . X X X . X o X .
        . . X X X X X X o o . . o . . o . o .
        . . . X O O O O X o o o . o . . . . .
        . . . X X O . X X X X . . . . o o . .
        . X X X O O O O X O X X X X X . X o .
        . X O O x O . x O O O X O X . X X o .
        X X O O x O . x x O . O O O X X . X .
        X O . . x O x x O . . O O X X . X . .
        O O . O x x O x O O O . O O X X . X X
        . . O . O x O x O . O O X X X O X X O
        . O . . . x O x O O . O O X O O O O O
        O . O O . . O O x x O O X X O O O X X
        . O x . . O . . x O O . O O O X X X .
        O x . x . O . . . . . . . . O X X . X
        . . . . . . . . . . . . . . O O X . X""",
}


def with_dead(diagram: str) -> str:
    """The board of a diagram as judged, without a difference between seki and other life."""
    return marked(board_of(unmarked(diagram))).translate(str.maketrans("BW", "XO"))


@pytest.mark.parametrize("diagram", FIGHTS.values(), ids=FIGHTS)
def test_fight(diagram):
    assert with_dead(plain(diagram)) == plain(diagram)


def test_a_search_finds_the_same_again():
    diagram = plain(FIGHTS["cut off in the center, and not to be taken"])
    status._verdict.cache_clear()
    assert with_dead(diagram) == diagram


def test_nakade_in_a_large_arena():
    """White takes three stones at A9 and A8; B8 then leaves him one eye."""
    diagram = plain("""
        . X o . . . . . .
        . X o X X X . X X
        o X o X O O X X O
        o o o X X O O O O
        . X X O X O . . .
        . . X O O O . O .
        X X X X O X O . .
        X . X O O X O O .
        X . X X X X X O .""")
    assert with_dead(diagram) == diagram
