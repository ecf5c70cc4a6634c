"""The words behind a command name, taken one by one as what they should be.

Every word that is missing, unreadable or out of range fails the command with one wording:
"syntax error: WHAT must be EXPECTED, got 'WORD'".  Words in excess fail it likewise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from gtpengine.coords import COLUMNS, parse_vertex
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.gtp.protocol import GtpError

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_INTEGER = re.compile(r"[+-]?\d{1,19}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


class Arguments:
    """The words of one command.  Each method takes the next word or raises GtpError.

    A handler takes all its words, then calls ``done``, and only then changes anything.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._next = 0

    def __len__(self) -> int:
        """The number of words not yet taken."""
        return len(self._words) - self._next

    def word(self, what: str, expected: str = "given") -> str:
        """Any word; ``what`` names it in the error, here and below."""
        if not self:
            raise GtpError(f"syntax error: {what} must be {expected}, got nothing")
        self._next += 1
        return self._words[self._next - 1]

    def peek(self) -> str:
        """The next word, not taken; there must be one."""
        return self._words[self._next]

    def rest(self) -> list[str]:
        """All words that are left."""
        words = self._words[self._next :]
        self._next = len(self._words)
        return words

    def done(self) -> None:
        """Fail if a word is left."""
        if self:
            raise GtpError(f"syntax error: the line must end here, got '{self._words[self._next]}'")

    def color(self, what: str = "color") -> int:
        """BLACK or WHITE, from b, black, w or white in any case."""
        expected = "black or white"
        word = self.word(what, expected)
        color = _COLORS.get(word.lower())
        if color is None:
            raise _unexpected(what, expected, word)
        return color

    def vertex(self, size: int) -> int:
        """A point of the board, or PASS."""
        expected = f"A1..{COLUMNS[size - 1]}{size} or pass"
        word = self.word("vertex", expected)
        try:
            return parse_vertex(word, size)
        except ValueError:
            raise _unexpected("vertex", expected, word) from None

    def point(self, size: int) -> int:
        """A point of the board."""
        point = self.vertex(size)
        if point == PASS:
            raise _unexpected("vertex", f"A1..{COLUMNS[size - 1]}{size}", "pass")
        return point

    def vertices(self, size: int) -> list[int]:
        """Points of the board or PASS, with commas between them in one word."""
        word = self.word("vertices")
        inner = Arguments(word.split(","))
        return [inner.vertex(size) for _ in range(len(inner))]

    def integer(self, low: int, high: int, what: str) -> int:
        """A whole number in low..high, both included."""
        expected = f"{low}..{high}"
        word = self.word(what, expected)
        if not _INTEGER.fullmatch(word) or not low <= int(word) <= high:
            raise _unexpected(what, expected, word)
        return int(word)

    def number(self, what: str, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number in low..high; neither "nan" nor "inf" is one."""
        expected = f"{low:g}..{high:g}" if low > -math.inf or high < math.inf else "a number"
        word = self.word(what, expected)
        value = float(word) if _NUMBER.fullmatch(word) else math.nan
        if not math.isfinite(value) or not low <= value <= high:
            raise _unexpected(what, expected, word)
        return value

    def has_number(self) -> bool:
        """Whether the next word, if there is one, reads like a number."""
        return bool(self) and _NUMBER.fullmatch(self.peek()) is not None

    def has_color(self) -> bool:
        """Whether the next word, if there is one, is a color."""
        return bool(self) and self.peek().lower() in _COLORS

    def boolean(self, what: str) -> bool:
        """True or False, from true or false."""
        return self.choice(("true", "false"), what) == "true"

    def choice(self, choices: Sequence[str], what: str) -> str:
        """One of the words ``choices``; GTP words are case-sensitive."""
        expected = f"{', '.join(choices[:-1])} or {choices[-1]}"
        word = self.word(what, expected)
        if word not in choices:
            raise _unexpected(what, expected, word)
        return word


def _unexpected(what: str, expected: str, word: str) -> GtpError:
    return GtpError(f"syntax error: {what} must be {expected}, got '{word}'")
