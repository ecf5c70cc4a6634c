"""GTP text: a raw line becomes a Command, an answer becomes bytes.  No Go and no I/O here.

Source: Gunnar Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002),
sections 2.2 to 2.6 and 3.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MAX_ID = 2**31 - 1

# Everything below the blank but HT, and DEL: what GTP tells the engine to drop from its input.
_DROPPED = bytes(code for code in [*range(32), 127] if code != ord("\t"))
_UNPRINTABLE = dict.fromkeys([*range(32), 127])
_LONGEST_ERROR = 200
_ID = re.compile(r"\d{1,10}", re.ASCII)


class GtpError(Exception):
    """A command fails: ``text`` goes to the client behind "? ", ``detail`` to the log only."""

    def __init__(self, text: str, detail: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.detail = detail


@contextmanager
def failing_as(text: str, tell: bool = False) -> Iterator[None]:
    """Let a GtpError, ValueError or OSError of the block fail the command with ``text``.

    What happened goes to the log; with ``tell`` it goes to the client too, behind ``text``.
    """
    try:
        yield
    except (GtpError, ValueError, OSError) as error:
        happened = error.text if isinstance(error, GtpError) else str(error)
        raise GtpError(f"{text}: {happened}" if tell else text, happened) from error


@dataclass(frozen=True)
class Command:
    """One command line: its id if it has one, its name, the words behind the name."""

    number: int | None
    name: str
    words: tuple[str, ...]


def parse_line(raw: bytes) -> Command | None:
    """Split one line as the client sent it; None for a line without a command.

    Bytes that are not UTF-8 survive as surrogates, so that a file name reaches the file system
    as it came.  A line that holds only an id has no command.  A number above MAX_ID is no id.
    """
    kept = raw.translate(None, _DROPPED).partition(b"#")[0]
    text = kept.decode("utf-8", "surrogateescape").replace("\t", " ").lstrip(" ")
    number = None
    if (digits := _ID.match(text)) and int(digits[0]) <= MAX_ID:
        after = text[digits.end() :]
        if not after[:1].isdecimal():
            number, text = int(digits[0]), after
    words = [word for word in text.split(" ") if word]
    return Command(number, words[0], tuple(words[1:])) if words else None


def is_interrupt(raw: bytes) -> bool:
    """Whether this is the comment by which GoGui asks for an early end of the running command."""
    return raw.startswith(b"#") and raw[1:].split() == [b"interrupt"]


def format_response(number: int | None, ok: bool, text: str) -> bytes:
    """One whole answer.  An error is made one short line; the lines of a success are kept."""
    lines = clean_lines(text) if ok else one_line(text)
    return f"{'=' if ok else '?'}{_digits(number)} {lines}\n\n".encode("utf-8", "surrogateescape")


def format_header(number: int | None) -> bytes:
    """The first line of an answer that is written piece by piece."""
    return f"={_digits(number)}\n".encode()


def clean_lines(text: str) -> str:
    """The text as it may stand inside an answer.

    No control characters, no trailing blanks, no line that a client takes for the end of an
    answer (an empty one becomes a blank) or for the start of the next one (= and ? move right).
    The first line may be empty, for it stands behind the status character.
    """
    first, *others = text.rstrip().replace("\t", " ").split("\n")
    cleaned = [first.translate(_UNPRINTABLE).rstrip(" ")]
    for line in others:
        line = line.translate(_UNPRINTABLE).rstrip(" ") or " "
        cleaned.append(f" {line}" if line[0] in "=?" else line)
    return "\n".join(cleaned)


def one_line(text: str) -> str:
    """The text as one printable ASCII line of bounded length, for errors and the log."""
    line = " ".join(text[: 2 * _LONGEST_ERROR].split()).translate(_UNPRINTABLE)
    line = line.encode("ascii", "backslashreplace").decode()
    return line if len(line) <= _LONGEST_ERROR else line[: _LONGEST_ERROR - 3] + "..."


def _digits(number: int | None) -> str:
    return "" if number is None else str(number)
