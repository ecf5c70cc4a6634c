"""The session: order, framing, stopping and leaving, shown with commands that know no Go."""

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gtpengine.gtp.engine import Engine
from gtpengine.gtp.table import table_of
from toy_engine import Toy

FOREVER = 20.0  # seconds; a test that waits so long fails
TOY = str(Path(__file__).with_name("toy_engine.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}


class Client:
    """The other end of a session that runs in this process."""

    def __init__(self, blocking: bool = True) -> None:
        self.toy = Toy()
        self.engine = Engine([self.toy], "toy", "1.0", on_stop=self.toy.stop)
        engine_in, self._to_engine = os.pipe()
        self._from_engine, engine_out = os.pipe()
        os.set_blocking(engine_in, blocking)
        os.set_blocking(engine_out, blocking)
        self._fds = [engine_in, self._to_engine, self._from_engine, engine_out]
        self.status: queue.Queue[int] = queue.Queue()
        self._buffer = b""
        run = threading.Thread(
            target=lambda: self.status.put(self.engine.run(engine_in, engine_out)), daemon=True
        )
        run.start()

    def send(self, data: bytes) -> None:
        os.write(self._to_engine, data)

    def read(self, end: bytes = b"\n\n") -> bytes:
        """Everything up to and with the first ``end``."""
        deadline = time.monotonic() + FOREVER
        while end not in self._buffer:
            ready, _, _ = select.select([self._from_engine], [], [], deadline - time.monotonic())
            assert ready, f"no {end!r} in {self._buffer!r}"
            self._buffer += os.read(self._from_engine, 1 << 16)
        found, end, self._buffer = self._buffer.partition(end)
        return found + end

    def is_silent(self, seconds: float = 0.1) -> bool:
        return not self._buffer and not select.select([self._from_engine], [], [], seconds)[0]

    def end_input(self) -> None:
        os.close(self._to_engine)
        self._fds.remove(self._to_engine)

    def close(self) -> None:
        for fd in self._fds:
            os.close(fd)


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    with contextlib.suppress(OSError):
        client.send(b"\nquit\n")
    client.status.get(timeout=FOREVER)
    client.close()


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


def ended(client: Client) -> int:
    """Wait for the exit status, and leave it for the fixture."""
    status = client.status.get(timeout=FOREVER)
    client.status.put(status)
    return status


# One line at a time, without a session


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"protocol_version", b"= 2\n\n"),
        (b"name", b"= toy\n\n"),
        (b"3 version", b"=3 1.0\n\n"),
        (b"known_command echo", b"= true\n\n"),
        (b"known_command ech", b"= false\n\n"),
        (b"known_command", b"= false\n\n"),
        (b"known_command name and more", b"= true\n\n"),
        (b"gogui-interrupt", b"= \n\n"),
        (b"5 ech x", b"?5 unknown command\n\n"),
        (b"ECHO x", b"? unknown command\n\n"),
        (b"echoes x", b"? unknown command\n\n"),
        (b"name x", b"? syntax error: the line must end here, got 'x'\n\n"),
        (b"quit now", b"? syntax error: the line must end here, got 'now'\n\n"),
        (b"echo", b"= \n\n"),
        (b"lines a =b ?c", b"= a\n =b\n ?c\n\n"),
        (b"refuse", b"? cannot score\n\n"),
        (b"4 crash", b"?4 internal error\n\n"),
        (b"watch 0", b"=\n\n"),
        (b"4 watch 0", b"=4\n\n"),
        (b"watch x", b"? syntax error: seconds must be 0..1000, got 'x'\n\n"),
        (b"6 think 0", b"=6\ninfo 1\nplay D4\n\n"),
        (b"break", b"=\n =info\n\n"),
        (b"", b""),
        (b"# echo", b""),
        (b"12", b""),
        (b"quit", b"= \n\n"),
    ],
)
def test_answer(line: bytes, answer: bytes):
    toy = Toy()
    assert Engine([toy], "toy", "1.0", on_stop=toy.stop).answer(line) == answer


def test_list_is_the_table():
    engine = Engine([Toy()], "toy", "1.0")
    names = engine.answer(b"list_commands").decode()[2:].split()
    assert names[0] == "protocol_version"
    assert names[1:] == sorted(names[1:])
    assert {"echo", "watch", "quit", "gogui-interrupt", "list_commands"} < set(names)
    assert set(names) == set(table_of([engine, Toy()]))


def test_one_handler_a_name():
    with pytest.raises(ValueError, match="got two for"):
        Engine([Toy(), Toy()], "toy", "1.0")


def test_details_and_tracebacks_go_to_the_log(caplog: pytest.LogCaptureFixture):
    engine = Engine([Toy()], "toy", "1.0")
    engine.answer(b"refuse")
    assert "refuse: the detail is for the log" in caplog.text
    engine.answer(b"crash")
    assert "ZeroDivisionError: deliberate" in caplog.text


# A session


def test_order_and_framing(client: Client):
    client.send(b"1 echo a\r\n\r\n\n  \n# comment\n2echo b # c\n3 nothing\n4\n")
    client.send(b"5 crash\n6 echo \xff\n")
    answers = b"=1 a\n\n=2 b\n\n?3 unknown command\n\n?5 internal error\n\n=6 \xff\n\n"
    assert client.read(b"=6 \xff\n\n") == answers
    assert client.is_silent()


def test_a_line_in_pieces(client: Client):
    for piece in (b"ec", b"ho a", b"b\nec", b"ho c\n"):
        client.send(piece)
        time.sleep(0.01)
    assert client.read() == b"= ab\n\n"
    assert client.read() == b"= c\n\n"


def test_hundreds_of_commands_at_once(client: Client):
    client.send(b"".join(b"%d echo %d\n" % (i, i) for i in range(900)))
    for i in range(900):
        assert client.read() == b"=%d %d\n\n" % (i, i)


def test_a_line_of_a_megabyte(client: Client):
    threading.Thread(target=client.send, args=(b"echo " + b"y" * 2**20 + b"\n",)).start()
    assert client.read() == b"= " + b"y" * 2**20 + b"\n\n"


def test_a_slow_pipe_gets_everything(client: Client):
    client.send(b"big 1000000\necho x\n")
    time.sleep(0.1)
    assert client.read() == b"= " + b"x" * 10**6 + b"\n\n"
    assert client.read() == b"= x\n\n"


def test_pipes_that_do_not_block():
    client = Client(blocking=False)
    client.send(b"big 1000000\n")
    time.sleep(0.1)
    assert client.read() == b"= " + b"x" * 10**6 + b"\n\n"
    client.send(b"quit\n")
    assert client.read() == b"= \n\n"
    assert ended(client) == 0
    client.close()


def test_one_write_an_answer(client: Client, monkeypatch: pytest.MonkeyPatch):
    written: list[bytes] = []
    write = os.write

    def spy(fd: int, data: bytes) -> int:
        if threading.current_thread().name == "gtp-worker":
            written.append(bytes(data))
        return write(fd, data)

    monkeypatch.setattr(os, "write", spy)
    client.send(b"1 lines a b c\n2 nothing\n3 echo\n")
    client.read(b"=3 \n\n")
    assert written == [b"=1 a\nb\nc\n\n", b"?2 unknown command\n\n", b"=3 \n\n"]


def test_input_does_not_cut_a_search_short(client: Client):
    client.send(b"search 0.3\n\n# comment\nname\n")
    assert client.read() == b"= finished\n\n"
    assert client.read() == b"= toy\n\n"


def test_interrupt_ends_the_running_command(client: Client):
    client.send(b"search 20\n")
    time.sleep(0.2)
    with within(0.5):
        client.send(b"# interrupt\n")
        assert client.read() == b"= stopped\n\n"
    assert client.is_silent()


def test_interrupt_that_comes_before_the_search_has_begun(client: Client):
    with within(0.5):
        client.send(b"search 20\n# interrupt\n")
        assert client.read() == b"= stopped\n\n"


def test_interrupt_when_idle_does_not_cancel_the_next_command(client: Client):
    client.send(b"# interrupt\n")
    time.sleep(0.05)
    client.send(b"search 0.2\n")
    assert client.read() == b"= finished\n\n"
    assert client.toy.n_stops == 0
    client.send(b"# interrupt\nsearch 0.2\n")
    assert client.read() == b"= finished\n\n"


def test_interrupt_ends_a_stream_that_input_does_not_end(client: Client):
    client.send(b"think 20\nname\n")
    time.sleep(0.2)
    client.send(b"# interrupt\n")
    assert client.read() == b"=\ninfo 1\nplay D4\n\n"
    assert client.read() == b"= toy\n\n"


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"# x\n", b"# interrupt\n", b"12\n", b" \t\n"])
def test_analysis_ends_on_a_line_without_a_command(client: Client, line: bytes):
    client.send(b"watch 0.01\n")
    assert client.read(b"info 2\n") == b"=\ninfo 1\ninfo 2\n"
    with within(0.5):
        client.send(line)
        while (answer := client.read(b"\n")) != b"\n":
            assert answer.startswith(b"info ")
    assert client.is_silent()


def test_analysis_ends_on_the_next_command(client: Client):
    client.send(b"7 watch 20\n")
    assert client.read(b"\n") == b"=7\n"
    with within(0.5):
        client.send(b"8 protocol_version\n")
        assert client.read(b"2\n\n") == b"\n=8 2\n\n"
    assert client.is_silent()


def test_analysis_ends_at_once_if_input_waits(client: Client):
    client.send(b"watch 20\nwatch 20\nname\n")
    assert client.read(b"toy\n\n") == b"=\n\n=\n\n= toy\n\n"


def test_analysis_stops_the_search(client: Client):
    client.send(b"analyze\n")
    client.read(b"=\n")
    client.send(b"\n")
    client.read(b"\n")
    assert client.toy.n_stops > 0


def test_quit(client: Client):
    client.send(b"name\n9 quit\nname\n")
    with within(0.5):
        assert client.read(b"=9 \n\n") == b"= toy\n\n=9 \n\n"
        assert ended(client) == 0
    assert client.is_silent()


def test_quit_stops_a_search(client: Client):
    client.send(b"search 20\n")
    time.sleep(0.1)
    with within(0.5):
        client.send(b"quit\n")
        assert client.read() == b"= stopped\n\n"
        assert client.read() == b"= \n\n"
        assert ended(client) == 0


def test_refused_quit_stops_nothing(client: Client):
    client.send(b"search 0.3\nquit now\n")
    assert client.read() == b"= finished\n\n"
    assert client.read().startswith(b"? ")


def test_end_of_input_leaves_no_command_unanswered(client: Client):
    client.send(b"1 echo a\n2 search 20\n3 echo b\n4 watch 20\n5 echo c")
    client.end_input()
    with within(0.5):
        expected = b"=1 a\n\n=2 stopped\n\n=3 b\n\n=4\n\n=5 c\n\n"
        assert client.read(b"=5 c\n\n") == expected
        assert ended(client) == 0


# A process


class Process:
    """The toy engine as a program of its own."""

    def __init__(self) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, TOY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        assert self.ask("name") == "= toy\n\n"

    def send(self, text: str) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.write(f"{text}\n".encode())
        self.popen.stdin.flush()

    def ask(self, text: str) -> str:
        assert self.popen.stdout is not None
        self.send(text)
        answer = b""
        while not answer.endswith(b"\n\n"):
            line = self.popen.stdout.readline()
            assert line, f"the engine ended in {answer!r}"
            answer += line
        return answer.decode()

    def leave(self, seconds: float = 0.5) -> tuple[int, str, str]:
        """Exit status, rest of stdout, stderr; the process must end in time."""
        try:
            status = self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            raise
        out, err = (
            b"" if pipe is None or pipe.closed else pipe.read()
            for pipe in (self.popen.stdout, self.popen.stderr)
        )
        return status, out.decode(), err.decode()


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    yield process
    if process.popen.poll() is None:
        process.popen.kill()
        process.popen.wait()
    for pipe in (process.popen.stdin, process.popen.stdout, process.popen.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def test_stdout_carries_answers_only(process: Process):
    assert process.ask("1 noise") == "=1 done\n\n"
    assert process.ask("2 crash") == "?2 internal error\n\n"
    process.send("quit")
    status, out, err = process.leave()
    assert (status, out) == (0, "= \n\n")
    for text in ("printed", "written to fd 1", "from a child", "ZeroDivisionError: deliberate"):
        assert text in err


def test_exit_at_the_end_of_input(process: Process):
    assert process.popen.stdin is not None
    process.send("search 20")
    process.popen.stdin.close()
    assert process.leave() == (0, "= stopped\n\n", "")


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("", signal.SIGTERM),
        ("search 20", signal.SIGTERM),
        ("stubborn 20", signal.SIGTERM),
        ("watch 20", signal.SIGTERM),
        ("big 10000000", signal.SIGTERM),
        ("", signal.SIGINT),
        ("stubborn 20", signal.SIGINT),
    ],
)
def test_exit_on_a_signal(process: Process, line: str, number: int):
    process.send(line)
    time.sleep(0.1)
    process.popen.send_signal(number)
    status, _, err = process.leave()
    assert (status, err) == (0, "")


def test_exit_on_a_signal_that_another_thread_has_taken(process: Process):
    process.send("signal")
    status, _, err = process.leave(FOREVER)
    assert (status, err) == (0, "")


@pytest.mark.parametrize("line", ["", "search 20", "stubborn 20", "watch 0.01"])
def test_exit_when_stdout_is_closed(process: Process, line: str):
    assert process.popen.stdout is not None
    process.send(line)
    time.sleep(0.1)
    process.popen.stdout.close()
    status, _, err = process.leave()
    assert (status, err) == (0, "")


@pytest.mark.parametrize("closing", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_descriptors_at_the_start(closing: str):
    done = subprocess.run(
        f'"{sys.executable}" "{TOY}" {closing}',
        shell=True,
        input=b"noise\n",
        capture_output=True,
        env=ENVIRONMENT,
    )
    assert done.stdout == (b"" if ">&-" in closing.split() else b"= done\n\n")
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0
