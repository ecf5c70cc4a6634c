"""The session: bytes from stdin to commands, answers to stdout, and a prompt, clean end.

Three threads share the work.  The reader takes lines as they come, so that a line can end an
analysis or a search; the worker runs the commands strictly in order; the calling thread waits for
a signal or for stdout to be closed, so that it can act while the worker computes.
"""

from __future__ import annotations

import logging
import os
import queue
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gtpengine.gtp.protocol import Command, is_interrupt, parse_line

Write = Callable[[bytes], None]
log = logging.getLogger(__name__)

GRACE = 0.2  # seconds that a running command gets to end after a signal
STOP_INTERVAL = 0.01  # seconds between two calls of on_stop
_CHUNK = 1 << 16  # bytes asked of stdin at once


def claim_stdout() -> int:
    """Keep stdout for the protocol: return a private copy of fd 1, then point fd 1 at stderr.

    From then on a print of any library lands in stderr.  Raises OSError if stdout is closed.
    """
    os.fstat(1)
    try:
        os.fstat(2)
    except OSError:  # stderr is closed
        null = os.open(os.devnull, os.O_WRONLY)
        if null != 2:
            os.dup2(null, 2)
    private = os.dup(1)
    os.dup2(2, 1)
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.stdout = sys.stderr  # unbuffered, so that a print is seen when it happens
    return private


class Turn:
    """The command that the worker is busy with."""

    def __init__(self, number: int, ends_on_input: bool) -> None:
        self.number = number  # of its line, counted from 1
        self.ends_on_input = ends_on_input
        self.wanted_end = threading.Event()


class Loop:
    """One session on two file descriptors.

    ``answer(command, write, wanted_end)`` runs a command and returns whether the session goes on.
    ``ends_on_input(command)`` says whether any later line ends that command.
    ``on_stop`` asks a running search for its best move so far.  It must return at once and be
    harmless when nothing runs: it is called again and again until the command has ended, for a
    call that comes before the search has started would be lost; and once more at the very end.
    """

    def __init__(
        self,
        answer: Callable[[Command, Write, threading.Event], bool],
        ends_on_input: Callable[[Command], bool],
        on_stop: Callable[[], None],
    ) -> None:
        self._answer = answer
        self._ends_on_input = ends_on_input
        self._on_stop = on_stop
        self._lines: queue.SimpleQueue[tuple[int, bytes | None]] = queue.SimpleQueue()
        # The condition guards what follows; it is notified when the turn may have to end.
        self._changed = threading.Condition()
        self._turn: Turn | None = None
        self._newest = 0  # number of the last line read
        self._interrupted = 0  # number of the last "# interrupt": it ends older turns
        self._is_leaving = False  # quit, the end of the input or a signal has come
        self._is_aborted = False  # no further command is to start
        self._status = 1  # until the worker has ended as it should

    def run(self, stdin_fd: int, stdout_fd: int) -> int:
        """Serve until quit, the end of the input, SIGTERM, SIGINT or a closed stdout.

        Returns the exit status.  Does not return if a command ignores the end of the session: the
        process then ends here, because its threads cannot be ended in another way.
        """
        wake_read, wake_write = os.pipe()
        worker = threading.Thread(
            target=self._work, args=(stdout_fd, wake_write), name="gtp-worker", daemon=True
        )
        with _signals_written_to(wake_write):
            worker.start()
            for target, args in ((self._read, (stdin_fd,)), (self._nudge, ())):
                threading.Thread(target=target, args=args, daemon=True).start()
            _wait_for_end(wake_read, stdout_fd)
            with self._changed:
                self._is_aborted = self._is_leaving = True
                self._reconsider()
            self._lines.put((0, None))
            self._on_stop()  # ends pondering, too
            worker.join(GRACE)
            if worker.is_alive():
                os._exit(0)  # nothing is left to flush, and the log may be what it waits for
            with self._changed:
                self._changed.notify_all()
        os.close(wake_read)
        os.close(wake_write)
        return self._status

    def _read(self, fd: int) -> None:
        for raw in _lines_of(fd):
            with self._changed:
                self._newest += 1
                if raw is None or _is_quit(raw):
                    self._is_leaving = True
                elif is_interrupt(raw):
                    self._interrupted = self._newest
                self._lines.put((self._newest, raw))
                self._reconsider()
                if self._is_leaving:  # what comes behind quit is nobody's business
                    return

    def _reconsider(self) -> None:
        # The caller holds the condition.
        turn = self._turn
        if turn is not None and (
            self._is_leaving
            or turn.number < self._interrupted
            or (turn.ends_on_input and turn.number < self._newest)
        ):
            turn.wanted_end.set()
            self._changed.notify_all()

    def _nudge(self) -> None:
        while True:
            with self._changed:
                while self._turn is None or not self._turn.wanted_end.is_set():
                    if self._is_aborted and self._turn is None:
                        return
                    self._changed.wait()
                # Under the condition, so that it can never reach the next command.
                try:
                    self._on_stop()
                except Exception:
                    log.exception("the search cannot be stopped")
                    return
                self._changed.wait(STOP_INTERVAL)

    def _work(self, stdout_fd: int, wake_fd: int) -> None:
        is_closed = False

        def write(data: bytes) -> None:
            nonlocal is_closed
            is_closed = is_closed or not _write_all(stdout_fd, data)

        try:
            goes_on = True
            while goes_on and not is_closed and not self._is_aborted:
                number, raw = self._lines.get()
                goes_on = raw is not None
                if raw is not None and (command := parse_line(raw)) is not None:
                    with self._changed:
                        self._turn = Turn(number, self._ends_on_input(command))
                        wanted_end = self._turn.wanted_end
                        self._reconsider()
                    goes_on = self._answer(command, write, wanted_end)
                    with self._changed:
                        self._turn = None
            self._status = 0
        finally:
            os.write(wake_fd, b"\0")


def _lines_of(fd: int) -> Iterator[bytes | None]:
    # The lines as they come, without their line feed; at the end of the input None.
    parts: list[bytes] = []
    while chunk := _read_some(fd):
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            yield b"".join([*parts, line])
            parts = []
        parts.append(rest)
    if any(parts):
        yield b"".join(parts)
    yield None


def _is_quit(raw: bytes) -> bool:
    if b"quit" not in raw:
        return False
    command = parse_line(raw)
    return command is not None and command.name == "quit" and not command.words


def _read_some(fd: int) -> bytes:
    while True:
        try:
            return os.read(fd, _CHUNK)
        except BlockingIOError:
            select.select([fd], [], [])
        except OSError as error:
            log.info("stdin cannot be read: %s", error)
            return b""


def _write_all(fd: int, data: bytes) -> bool:
    # One write, and more only if the pipe took a part; False if nobody reads any more.
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(fd, left) :]
        except BlockingIOError:
            select.select([], [fd], [])
        except OSError as error:
            log.info("stdout cannot be written: %s", error)
            return False
    return True


@contextmanager
def _signals_written_to(fd: int) -> Iterator[None]:
    # Only the main thread may set handlers; a session elsewhere does without.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def note(number: int, frame: object) -> None:
        """Only there to replace what a signal does by itself."""

    # Python runs handlers in the main thread, which sleeps on while another thread has taken the
    # signal: only the byte that is written at once, by whichever thread, wakes it up.
    os.set_blocking(fd, False)
    old_fd = signal.set_wakeup_fd(fd, warn_on_full_buffer=False)
    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(old_fd)


def _wait_for_end(wake_fd: int, stdout_fd: int) -> None:
    # A byte comes from a signal or from the worker; a reader of stdout that goes away is POLLERR.
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(wake_fd, select.POLLIN)
        poll.register(stdout_fd, 0)
        poll.poll()
    else:
        os.read(wake_fd, 1)
