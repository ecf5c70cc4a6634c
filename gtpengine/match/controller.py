"""Drive GTP engines: one process each, commands with a time limit, every failure told apart.

Engines run in a session of their own, so that an interrupt at the terminal reaches the match
runner alone, and so that a wrapper script dies together with the engine it has started.
"""

import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

from gtpengine.match.faults import EngineFailure

START_TIMEOUT = 120.0  # seconds for the first answer: a network may have to be loaded
QUIT_TIMEOUT = 3.0  # seconds from quit to the end of the process, then it is killed
STDERR_LINES = 12  # kept to explain a crash
QUOTED_LENGTH = 300  # characters of an engine's output that an explanation repeats


@dataclass(frozen=True)
class EngineSpec:
    """How to start an engine, and what it is called in the match."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The answer to one command."""

    ok: bool  # "=", not "?"
    text: str  # payload without the status character; lines joined by newlines
    seconds: float  # from writing the command to having read the whole answer


def quoted(text: str) -> str:
    """Text of an engine, shortened and on one line."""
    shown = text if len(text) <= QUOTED_LENGTH else text[:QUOTED_LENGTH] + "..."
    return repr(shown)


class Engine:
    """One running engine process.

    Public attributes:
      spec        EngineSpec
      commands    the names it lists
      transcript  lines sent and received since the last begin_game, for the explanation of faults

    Every method that talks to the engine raises EngineFailure of kind "crash" or "hang"; the
    process is dead afterwards.
    """

    def __init__(self, spec: EngineSpec, start_timeout: float = START_TIMEOUT) -> None:
        self.spec = spec
        self.transcript: list[str] = []
        self._stray: list[str] = []
        self._lines: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=STDERR_LINES)
        self._is_busy = False
        self._is_killed = False
        try:
            self._process = subprocess.Popen(
                spec.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineFailure(spec.name, "crash", f"cannot be started: {error}") from None
        self._readers = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        try:
            self.commands = frozenset(self.demand("list_commands", start_timeout).split())
        except BaseException:
            self.kill()
            raise

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def begin_game(self) -> None:
        """Begin a new transcript."""
        self.transcript = []

    def take_stray(self) -> list[str]:
        """The lines that belonged to no answer since this was last called."""
        self._collect_stray()
        stray, self._stray = self._stray, []
        return stray

    def send(self, command: str, timeout: float) -> Answer:
        """Send a command and wait at most ``timeout`` seconds for its answer."""
        self._collect_stray()
        self.transcript.append(command)
        self._is_busy = True
        start = time.monotonic()
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(command.encode() + b"\n")
            stdin.flush()
        except OSError:
            raise self._crash(f"gone before '{command}'") from None
        lines: list[str] = []
        while True:
            try:
                wait = max(start + timeout - time.monotonic(), 0.0)
                arrival, raw = self._lines.get(timeout=wait)
            except queue.Empty:
                raise self._hang(command, timeout) from None
            if arrival - start > timeout:
                raise self._hang(command, timeout)
            if not raw:
                raise self._crash(f"gone while answering '{command}'")
            line = raw.decode(errors="replace").rstrip("\r\n")
            if lines and not line:
                break
            if lines or line.startswith(("=", "?")):
                lines.append(line)
            else:
                self._stray.append(line)
        self._is_busy = False
        seconds = arrival - start
        self.transcript.extend([f"# {seconds:.3f} s", *("# " + line for line in lines)])
        text = "\n".join([lines[0][1:].lstrip("0123456789"), *lines[1:]]).strip()
        return Answer(lines[0][0] == "=", text, seconds)

    def demand(self, command: str, timeout: float) -> str:
        """Send a command that has to succeed; EngineFailure "refusal" if the answer is ``?``."""
        answer = self.send(command, timeout)
        if not answer.ok:
            text = f"'{command}' was answered by {quoted('? ' + answer.text)}"
            raise EngineFailure(self.spec.name, "refusal", text)
        return answer.text

    def close(self) -> None:
        """End the process: by ``quit`` if it waits for a command, else by force."""
        stdin = self._process.stdin
        assert stdin is not None
        if self.is_alive and not self._is_busy:
            with suppress(OSError):
                stdin.write(b"quit\n")
                stdin.flush()
            with suppress(OSError):
                stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_TIMEOUT)
        self.kill()

    def kill(self) -> None:
        """End the process, and whatever it has started, by force."""
        if self._is_killed:
            return
        self._is_killed = True
        process = self._process
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        for stream, reader in zip((process.stdout, process.stderr), self._readers, strict=True):
            assert stream is not None
            reader.join(1.0)
            if not reader.is_alive():  # else somebody else holds the pipe: a close would wait too
                stream.close()

    def _collect_stray(self) -> None:
        """Whatever has arrived although no command was open belongs to no answer."""
        for _ in range(self._lines.qsize()):  # not until empty: it may be a flood
            _, raw = self._lines.get_nowait()
            if not raw:
                self._lines.put((time.monotonic(), b""))  # the end is for the next send
                return
            self._stray.append(raw.decode(errors="replace").rstrip("\r\n"))

    def _hang(self, command: str, timeout: float) -> EngineFailure:
        self.kill()
        text = f"no answer to '{command}' within {timeout:.1f} s; killed"
        self.transcript.append("# " + text)
        return EngineFailure(self.spec.name, "hang", text)

    def _crash(self, when: str) -> EngineFailure:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            how = "closed its output but goes on running"
        else:
            how = f"exit status {status}" if status >= 0 else f"killed by signal {-status}"
        self.kill()
        text = f"{when}: {how}"
        if self._errors:
            text += "; last on stderr: " + " | ".join(self._errors)
        self.transcript.append("# " + text)
        return EngineFailure(self.spec.name, "crash", text)

    def _read_answers(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with suppress(OSError, ValueError):  # ValueError: closed by kill
            for raw in stdout:
                self._lines.put((time.monotonic(), raw))
        self._lines.put((time.monotonic(), b""))

    def _read_errors(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with suppress(OSError, ValueError):
            for raw in stderr:
                self._errors.append(raw.decode(errors="replace").strip()[:QUOTED_LENGTH])


class Bench:
    """The engines of one worker: started when first asked for, kept from game to game."""

    def __init__(self) -> None:
        self._engines: dict[EngineSpec, Engine] = {}

    def engine(self, spec: EngineSpec) -> Engine:
        """A running engine of this description; EngineFailure if it cannot be started."""
        engine = self._engines.pop(spec, None)
        if engine is not None and not engine.is_alive:
            engine.kill()
            engine = None
        if engine is None:
            engine = Engine(spec)
        self._engines[spec] = engine
        return engine

    def close(self) -> None:
        while self._engines:
            _, engine = self._engines.popitem()
            engine.close()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
