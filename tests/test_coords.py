"""Vertices, points, rows and columns."""

from itertools import product

import pytest

from gtpengine.coords import (
    COLUMNS,
    column_of,
    format_vertex,
    line_of,
    parse_vertex,
    point_at,
    point_in_row,
    row_column,
)
from gtpengine.core.board import Board
from gtpengine.core.types import NO_POINT, PASS

VERTICES = [  # vertex, size, column, line, row from the top, column from the left
    ("A1", 19, 1, 1, 18, 0),
    ("T19", 19, 19, 19, 0, 18),
    ("D4", 19, 4, 4, 15, 3),
    ("Q16", 19, 16, 16, 3, 15),
    ("H8", 9, 8, 8, 1, 7),
    ("J8", 9, 9, 8, 1, 8),
    ("B2", 2, 2, 2, 0, 1),
    ("Z25", 25, 25, 25, 0, 24),
    ("O3", 25, 14, 3, 22, 13),
]


@pytest.mark.parametrize(("vertex", "size", "column", "line", "row", "left"), VERTICES)
def test_vertex(vertex, size, column, line, row, left):
    point = parse_vertex(vertex, size)
    assert parse_vertex(vertex.lower(), size) == point
    assert point == point_at(column, line) == point_in_row(row, left, size)
    assert (column_of(point), line_of(point)) == (column, line)
    assert row_column(point, size) == (row, left)
    assert format_vertex(point) == vertex


@pytest.mark.parametrize("size", range(2, 26))
def test_every_point_of_every_size(size):
    points = Board(size).points()
    assert points == [point_at(c, n) for n in range(1, size + 1) for c in range(1, size + 1)]
    vertices = [format_vertex(point) for point in points]
    assert vertices == [f"{c}{n}" for n in range(1, size + 1) for c in COLUMNS[:size]]
    assert [parse_vertex(vertex, size) for vertex in vertices] == points
    assert sorted(row_column(point, size) for point in points) == [
        (row, column) for row in range(size) for column in range(size)
    ]
    assert [point_in_row(*row_column(point, size), size) for point in points] == points
    assert PASS not in points
    assert NO_POINT not in points


def test_no_column_i():
    assert "I" not in COLUMNS
    assert column_of(parse_vertex("J1", 9)) == column_of(parse_vertex("H1", 9)) + 1


@pytest.mark.parametrize("word", ["pass", "PASS", "Pass"])
def test_pass(word):
    assert parse_vertex(word, 9) == PASS
    assert format_vertex(PASS) == "pass"


# fmt: off
NO_VERTEX = [
    "", "A", "1", "A0", "A10", "K1", "I5", "i5", "AA1", "A1B", "A-1", "A+1", "A 1", " A1", "A1 ",
    "A1.0", "A\u0661", "\uff211", "1A", "passes", "resign", "A1000", "A" + "0" * 5000 + "1",
    "@1", "[1",
]
# fmt: on


@pytest.mark.parametrize("word", NO_VERTEX)
def test_no_vertex_of_nine_by_nine(word):
    with pytest.raises(ValueError, match="expected") as error:
        parse_vertex(word, 9)
    assert str(error.value) == f"expected a vertex A1..J9 or pass, got '{word}'"


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_whatever_is_read_is_written_back(size):
    points = set(Board(size).points())
    n_read = 0
    for letters in product(("", *"AbHIjTz@"), "0123456789-", ("", *"0123456789 a")):
        try:
            point = parse_vertex("".join(letters), size)
        except ValueError:
            continue
        n_read += 1
        assert point in points
        assert parse_vertex(format_vertex(point), size) == point
    assert n_read > size
