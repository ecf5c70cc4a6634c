"""The command table: a method becomes a GTP command by a decorator, and in no other way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import clean_lines, format_header

Write = Callable[[bytes], None]
_MARK = "gtp_mark"


class Stream:
    """An answer that is written piece by piece, as analysis commands give it.

    Public attributes:
        wanted_end: threading.Event; set as soon as the client wants the answer to end.

    Any thread may write; what comes after ``close`` is dropped.
    """

    def __init__(self, number: int | None, write: Write, wanted_end: threading.Event) -> None:
        self.wanted_end = wanted_end
        self._number = number
        self._write = write
        self._lock = threading.Lock()
        self._is_closed = False
        self.is_open = False

    def open(self) -> None:
        """Write the header; until then the handler may still raise GtpError."""
        with self._lock:
            if not self.is_open and not self._is_closed:
                self.is_open = True
                self._write(format_header(self._number))

    def line(self, text: str) -> None:
        """Write one line, after the header; a line feed inside it becomes a blank."""
        self.open()
        cleaned = clean_lines("\n" + text.replace("\n", " "))[1:]
        with self._lock:
            if cleaned and not self._is_closed:
                self._write(f"{cleaned}\n".encode("utf-8", "surrogateescape"))

    def close(self) -> None:
        """Write the empty line that ends an open answer.  The engine does this, not a handler."""
        with self._lock:
            if self.is_open and not self._is_closed:
                self._write(b"\n")
            self._is_closed = True


Handler = Callable[[Arguments], str | None]
StreamHandler = Callable[[Arguments, Stream], None]
Method = TypeVar("Method", bound=Callable[..., object])


@dataclass(frozen=True)
class Mark:
    """What a decorator says of a method."""

    name: str
    streams: bool = False
    ends_on_input: bool = False


@dataclass(frozen=True)
class Entry:
    """One command of the table."""

    mark: Mark
    handler: Callable[..., str | None]


def command(name: str) -> Callable[[Method], Method]:
    """Mark a method ``(args) -> str | None`` as the handler of the GTP command ``name``."""
    return _marked(Mark(name))


def stream_command(name: str, ends_on_input: bool) -> Callable[[Method], Method]:
    """Mark a method ``(args, stream) -> None`` that writes its answer piece by piece.

    With ``ends_on_input`` any line that arrives, an empty one too, sets ``stream.wanted_end``;
    without, only "# interrupt", quit and the end of the input do.  The handler then returns soon.
    """
    return _marked(Mark(name, streams=True, ends_on_input=ends_on_input))


def _marked(mark: Mark) -> Callable[[Method], Method]:
    def attach(method: Method) -> Method:
        setattr(method, _MARK, mark)
        return method

    return attach


def table_of(owners: Iterable[object]) -> dict[str, Entry]:
    """The marked methods of all owners, keyed by GTP command name.

    Raises ValueError if two methods claim one name.
    """
    table: dict[str, Entry] = {}
    for owner in owners:
        for attribute in dir(type(owner)):
            mark = getattr(getattr(type(owner), attribute), _MARK, None)
            if not isinstance(mark, Mark):
                continue
            if mark.name in table:
                raise ValueError(f"one handler a command expected, got two for '{mark.name}'")
            table[mark.name] = Entry(mark, getattr(owner, attribute))
    return table
