"""The engine of a session: one command table; a line goes in, an answer comes out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable

from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.loop import Loop, Write, claim_stdout
from gtpengine.gtp.protocol import Command, GtpError, format_response, one_line, parse_line
from gtpengine.gtp.table import Stream, command, table_of

log = logging.getLogger(__name__)


def _do_nothing() -> None:
    pass


class Engine:
    """The marked methods of its owners as one table, and the commands that describe the table.

    ``on_stop`` asks a running search for its best move so far; see Loop for what it must bear.
    Knows no Go: what a command means is the business of the owners.
    """

    def __init__(
        self,
        owners: Iterable[object],
        name: str,
        version: str,
        on_stop: Callable[[], None] = _do_nothing,
    ) -> None:
        self.name = name
        self.version = version
        self._on_stop = on_stop
        self._is_over = False
        self._table = table_of([self, *owners])

    def command_names(self) -> list[str]:
        """All commands, protocol_version first: a client may look for it there."""
        return sorted(self._table, key=lambda name: (name != "protocol_version", name))

    def answer(self, line: bytes) -> bytes:
        """Run one line outside a session; return the bytes of the answer, b"" if it needs none.

        A command that would end on input ends at once.
        """
        parts: list[bytes] = []
        if (parsed := parse_line(line)) is not None:
            wanted_end = threading.Event()
            if self._ends_on_input(parsed):
                wanted_end.set()
            self._respond(parsed, parts.append, wanted_end)
        return b"".join(parts)

    def run(self, stdin_fd: int = 0, stdout_fd: int | None = None) -> int:
        """Serve a client until the session ends; return the exit status of the process.

        Without ``stdout_fd`` it claims stdout.  Whoever has called claim_stdout passes its result.
        """
        if stdout_fd is None:
            try:
                stdout_fd = claim_stdout()
            except OSError as error:
                log.info("stdout is closed: %s", error)
                return 0
        return Loop(self._respond, self._ends_on_input, self._on_stop).run(stdin_fd, stdout_fd)

    def _ends_on_input(self, parsed: Command) -> bool:
        entry = self._table.get(parsed.name)
        return entry is not None and entry.mark.ends_on_input

    def _respond(self, parsed: Command, write: Write, wanted_end: threading.Event) -> bool:
        entry = self._table.get(parsed.name)
        if entry is None:
            write(format_response(parsed.number, False, "unknown command"))
            return True
        args, stream, ok = Arguments(parsed.words), None, True
        try:
            if entry.mark.streams:
                stream = Stream(parsed.number, write, wanted_end)
                text = entry.handler(args, stream)
                stream.open()
            else:
                text = entry.handler(args)
        except GtpError as error:
            ok, text = False, error.text
            if error.detail:
                log.warning("%s: %s", parsed.name, one_line(error.detail))
        except Exception:
            log.exception("internal error in '%s'", parsed.name)
            ok, text = False, "internal error"
        if stream is not None and stream.is_open:
            stream.close()
        else:
            write(format_response(parsed.number, ok, text or ""))
        return not self._is_over

    @command("protocol_version")
    def _protocol_version(self, args: Arguments) -> str:
        """protocol_version

        2.
        """
        args.done()
        return "2"

    @command("name")
    def _name(self, args: Arguments) -> str:
        """name

        "gtpengine".
        """
        args.done()
        return self.name

    @command("version")
    def _version(self, args: Arguments) -> str:
        """version

        Of the engine, like 1.2.3.
        """
        args.done()
        return self.version

    @command("list_commands")
    def _list_commands(self, args: Arguments) -> str:
        """list_commands

        One name a line.
        """
        args.done()
        return "\n".join(self.command_names())

    @command("known_command")
    def _known_command(self, args: Arguments) -> str:
        """known_command NAME

        "true" or "false"; never fails, so a missing word is "false" and surplus words are ignored.
        """
        return "true" if args and args.word("name") in self._table else "false"

    @command("quit")
    def _quit(self, args: Arguments) -> None:
        """quit

        The session ends as soon as the answer is written.
        """
        args.done()
        self._is_over = True

    @command("gogui-interrupt")
    def _gogui_interrupt(self, args: Arguments) -> None:
        """gogui-interrupt

        Tells GoGui that the line "# interrupt" ends a running command early, with a regular answer.
        """
        args.done()
