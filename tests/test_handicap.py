"""Fixed handicap stones stand where GTP says; free ones stand anywhere and live."""

import pytest

from gtpengine.coords import column_of, format_vertex, line_of
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK
from gtpengine.game import Game
from gtpengine.handicap import fixed_handicap_points, free_handicap_points

NINETEEN = {  # GTP version 2, draft 2, section 4.1.1
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}
OTHERS = [
    (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
    (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
    (11, 5, "C3 J9 C9 J3 F6"),
    (25, 9, "D4 W22 D22 W4 D13 W13 N4 N22 N13"),
    (7, 4, "C3 E5 C5 E3"),
    (8, 4, "C3 F6 C6 F3"),
    (12, 4, "C3 K10 C10 K3"),
    (14, 4, "D4 L11 D11 L4"),
    (24, 4, "D4 V21 D21 V4"),
]
MOST = {size: 0 if size < 7 else 9 if size % 2 and size > 7 else 4 for size in range(2, 26)}


def vertices(points: list[int]) -> str:
    return " ".join(map(format_vertex, points))


@pytest.mark.parametrize("n", NINETEEN)
def test_nineteen(n):
    assert vertices(fixed_handicap_points(19, n)) == NINETEEN[n]


@pytest.mark.parametrize(("size", "n", "points"), OTHERS)
def test_other_sizes(size, n, points):
    assert vertices(fixed_handicap_points(size, n)) == points


@pytest.mark.parametrize("size", MOST)
def test_how_many(size):
    for n in range(2, MOST[size] + 1):
        points = fixed_handicap_points(size, n)
        assert len(set(points)) == n
        edges = {min(x, size + 1 - x) for p in points for x in (column_of(p), line_of(p))}
        assert edges <= {3 if size < 13 else 4, (size + 1) // 2}
    for n in (-1, 0, 1, MOST[size] + 1, 10, 400):
        expected = f"2..{MOST[size]}" if MOST[size] else "none on this size"
        with pytest.raises(ValueError, match=f"^number of stones must be {expected}, got '{n}'$"):
            fixed_handicap_points(size, n)


# fmt: off
FREE = {  # size: numbers of stones
    2: range(2, 4), 3: range(2, 9), 4: range(2, 16), 5: range(2, 25), 6: range(2, 36),
    7: range(2, 49), 8: range(2, 64, 7), 9: range(2, 81, 13), 13: (2, 9, 10, 84, 85, 168),
    19: (2, 4, 9, 10, 17, 100, 200, 360), 25: (9, 25, 624),
}
# fmt: on


@pytest.mark.parametrize("size", FREE)
def test_free_handicap(size):
    for n in FREE[size]:
        points = free_handicap_points(size, n)
        assert len(set(points)) == n
        game = Game(size)
        game.place_handicap(points)
        assert game.board.stones(BLACK) == sorted(points)
        assert points == free_handicap_points(size, n)


def test_free_handicap_begins_with_the_star_points():
    for n in range(2, 10):
        assert free_handicap_points(19, n) == fixed_handicap_points(19, n)
    assert free_handicap_points(19, 12)[:9] == fixed_handicap_points(19, 9)


@pytest.mark.parametrize("size", [2, 5, 19])
def test_free_handicap_leaves_a_liberty(size):
    for n in (-1, 0, 1, size * size, 1000):
        expected = rf"^number of stones must be 2\.\.{size * size - 1}, got '{n}'$"
        with pytest.raises(ValueError, match=expected):
            free_handicap_points(size, n)
    assert len(free_handicap_points(size, size * size - 1)) == len(Board(size).points()) - 1
