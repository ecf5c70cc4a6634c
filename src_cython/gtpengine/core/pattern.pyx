"""3x3 patterns around an empty point: where a local answer is worth a look.

The kinds are those of Gelly et al. 2006, Modification of UCT with Patterns in Monte-Carlo Go,
section 3.2 (hane, cut, edge), with the additions that later programs found useful.
"""

from gtpengine.core.board cimport Board
from gtpengine.core.types cimport BLACK, EMPTY, WALL, WHITE, color_t

# The middle is the move.  X and O are the two colors, either way round; x is anything but X, o
# anything but O, ? anything on the board, # the wall.  "X plays" limits the pattern to that color.
_PATTERNS = (
    ("XOX ... ???", "both"),   # enclosing hane
    ("XO. ... ?.?", "both"),   # hane that does not cut
    ("XO? X.. x.?", "both"),   # turn at the head
    ("XOO ... ?.?", "X"),      # hane against a wall of two
    (".O. X.. ...", "both"),   # diagonal attachment
    ("XO? O.o ?o?", "both"),   # open cut
    ("XO? O.X ???", "both"),   # peeped cut
    ("?X? O.O ooo", "both"),   # push between
    ("OX? o.O ???", "both"),   # cut of a knight's move
    ("X.? O.? ###", "both"),   # edge: chase
    ("OX? X.O ###", "both"),   # edge: stop a cut
    ("?X? x.O ###", "both"),   # edge: stop a connection
    ("?XO x.x ###", "both"),   # edge: descend
    ("?OX X.O ###", "both"),   # edge: cut
)
_ALLOWED = {"X": "X", "O": "O", ".": ".", "#": "#", "x": "O.", "o": "X.", "?": "XO."}
# Squares of the text in the order of neighbor(): up, down, right, left, then the diagonals
# up right, down left, up left, down right.
_ORDER = (1, 7, 5, 3, 2, 6, 0, 8)


def _symmetries(text):
    """The eight rotations and reflections of a nine-letter square."""
    for _ in range(4):
        text = "".join(text[i] for i in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        yield text
        yield text[2::-1] + text[5:2:-1] + text[:5:-1]


def _shapes(text):
    """Every shape, as in Position, that a nine-letter square allows with X for Black."""
    found = [0]
    for place, square in enumerate(_ORDER):
        codes = {"X": BLACK, "O": WHITE, ".": EMPTY, "#": WALL}
        options = [codes[letter] for letter in _ALLOWED[text[square]]]
        found = [shape | code << (2 * place) for shape in found for code in options]
    return found


def _fill_table():
    """Write the table: every pattern, turned and mirrored, with the colors both ways."""
    swap = str.maketrans("XOxo", "OXox")
    for text, players in _PATTERNS:
        for square in set(_symmetries(text.replace(" ", ""))):
            for shape in _shapes(square):
                PATTERN[<int>shape] |= BLACK | WHITE if players == "both" else BLACK
            for shape in _shapes(square.translate(swap)):
                PATTERN[<int>shape] |= BLACK | WHITE if players == "both" else WHITE


_fill_table()


def pattern_suits(Board board not None, int color, int point):
    """Whether a 3x3 pattern makes the empty ``point`` worth a look for ``color``."""
    if board.color_at(point) != EMPTY:
        raise ValueError(f"point {point} is not empty")
    return suits(board.position.shape[point], <color_t>color)
