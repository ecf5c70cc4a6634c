"""Points and their notations: the one table of coordinate systems.

A point is ``line * STRIDE + column`` (both from 1) on every board size; PASS is no point.
GTP writes a column letter without I and a line number, "D4"; pictures and SGF count rows from the
top and columns from the left, both from 0.
"""

from gtpengine.core.types import MAX_SIZE, PASS, STRIDE

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
assert len(COLUMNS) == MAX_SIZE


def point_at(column: int, line: int) -> int:
    """The point in a column and line, both counted from 1, A1 being (1, 1)."""
    return line * STRIDE + column


def column_of(point: int) -> int:
    """1 for column A."""
    return point % STRIDE


def line_of(point: int) -> int:
    """1 for the lowest line."""
    return point // STRIDE


def row_column(point: int, size: int) -> tuple[int, int]:
    """Row from the top and column from the left, both from 0: indices into an array."""
    return size - line_of(point), column_of(point) - 1


def point_in_row(row: int, column: int, size: int) -> int:
    """The inverse of ``row_column``."""
    return point_at(column + 1, size - row)


def parse_vertex(text: str, size: int) -> int:
    """Read "D4" or "pass", in any case; ValueError if that is no vertex of the board."""
    word = text.upper()
    if word == "PASS":
        return PASS
    column, digits = COLUMNS.find(word[:1]) + 1, word[1:]
    if word and 1 <= column <= size and digits.isascii() and digits.isdigit() and len(digits) <= 3:
        line = int(digits)
        if 1 <= line <= size:
            return point_at(column, line)
    raise ValueError(f"expected a vertex A1..{COLUMNS[size - 1]}{size} or pass, got '{text}'")


def format_vertex(point: int) -> str:
    """ "D4", or "pass"."""
    return "pass" if point == PASS else f"{COLUMNS[column_of(point) - 1]}{line_of(point)}"
