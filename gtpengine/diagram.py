"""Diagrams of the board in plain text, as ``showboard`` prints them and tests write them."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from gtpengine.coords import COLUMNS, point_at
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, WHITE
from gtpengine.handicap import fixed_handicap_points

SYMBOL = {EMPTY: ".", BLACK: "X", WHITE: "O"}
STAR = "+"
COLOR = {symbol: color for color, symbol in SYMBOL.items()} | {STAR: EMPTY}


def format_diagram(board: Board, marks: Collection[int] = ()) -> str:
    """Draw a board with its coordinates, top line first, without an empty line.

    X is Black, O White, + an empty star point.  The points in ``marks`` stand in parentheses; two
    of them side by side share one, as in "(X(O)".
    """
    size = board.size
    stars = _star_points(size)
    header = "   " + " ".join(COLUMNS[:size])
    rows = [header]
    for line in range(size, 0, -1):
        row = f"{line:2}"
        closing = " "
        for column in range(1, size + 1):
            point = point_at(column, line)
            symbol = SYMBOL[board.color_at(point)]
            if point in stars and symbol == ".":
                symbol = STAR
            row += ("(" if point in marks else closing) + symbol
            closing = ")" if point in marks else " "
        rows.append(f"{row}{closing}{line}")
    return "\n".join([*rows, header])


def parse_diagram(text: str) -> tuple[int, list[tuple[int, int]]]:
    """Read a diagram, with or without coordinates; return the size and its (color, point) stones.

    Blanks, empty lines and parentheses do not matter.  The stones come A1 first.  Raises ValueError
    if a symbol is unknown or the points make no square.
    """
    rows = [_symbols(line) for line in text.splitlines()]
    rows = [row for row in reversed(rows) if row]
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"expected {MIN_SIZE}..{MAX_SIZE} lines of points, got '{size}'")
    stones = []
    for line, row in enumerate(rows, start=1):
        if len(row) != size:
            raise ValueError(f"expected {size} points in line {line}, got '{row}'")
        for column, symbol in enumerate(row, start=1):
            if symbol not in COLOR:
                known = " ".join(COLOR)
                raise ValueError(f"expected one of {known} in line {line}, got '{symbol}'")
            if COLOR[symbol] != EMPTY:
                stones.append((COLOR[symbol], point_at(column, line)))
    return size, stones


def _star_points(size: int) -> list[int]:
    for n in (9, 4):
        with suppress(ValueError):  # sizes differ in how many they have
            return fixed_handicap_points(size, n)
    return []


def _symbols(line: str) -> str:
    """The points of one line of text; '' for an empty line or a row of column letters."""
    words = line.replace("(", " ").replace(")", " ").split()
    if words[:2] == ["A", "B"]:
        return ""
    if words and words[0].isdigit():
        words = words[1:]
    if words and words[-1].isdigit():
        words = words[:-1]
    return "".join(words)
