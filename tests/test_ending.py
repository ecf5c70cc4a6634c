"""How the program ends: promptly, silently and with status 0, whatever it is doing.

The clients wait 0.5 s at least before they kill an engine.  On a machine with nothing else to do
it needs less than half of that; on a busy one it gets three tries.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

LIMIT = 0.5  # seconds
TRIES = 3
FOREVER = 20.0
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
PROGRAM = [sys.executable, "-m", "gtpengine", "--threads", "2", "--seed", "1"]

# What the program is told, and how many lines it writes before it is busy with the last command.
STATES = {
    "waiting": ("name", 2),
    "searching": ("genmove b", 0),
    "searching with analysis": ("kata-genmove_analyze b 5", 2),
    "analysing": ("kata-analyze 5 ownership true", 3),
    "analysing at length": ("kata-analyze 0 minmoves 400 movesOwnership true", 1),
    "pondering": ("gtpengine-param visits 10\ngtpengine-param ponder 1\ngenmove b", 6),
    "scoring": ("loadsgf game.sgf\nfinal_score", 2),
    "loading": ("loadsgf long.sgf", 0),
}
ENDS = ["quit", "end of input", "SIGTERM", "SIGINT", "closed stdout"]
QUICK = [
    *(("searching", end) for end in ENDS),
    *(("analysing", end) for end in ENDS),
    *((state, "SIGTERM") for state in STATES if state not in ("searching", "analysing")),
]
OTHERS = [(state, end) for state in STATES for end in ENDS if (state, end) not in QUICK]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a game to score, and a record of 10,000 moves."""
    path = tmp_path_factory.mktemp("games")
    points = [f"{column}{row}" for column in "acegikmoqs" for row in "acegikmoqs"]
    moves = "".join(f";{'BW'[n % 2]}[{point}]" for n, point in enumerate(points))
    (path / "game.sgf").write_text(f"(;SZ[19]KM[7]{moves})")
    (path / "long.sgf").write_text(f"(;SZ[19]KM[7]{';B[];W[]' * 5_000})")
    return path


@contextmanager
def started(folder: Path, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        cwd=folder,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def send(process: "subprocess.Popen[bytes]", text: str) -> None:
    assert process.stdin
    process.stdin.write(f"{text}\n".encode())
    process.stdin.flush()


def read(pipe: IO[bytes]) -> None:
    """Take all there is, like a client that waits for the end."""
    threading.Thread(target=pipe.read, daemon=True).start()


def check_end(folder: Path, state: str, end: str) -> float:
    """Bring the program into a state, end it, look at what it leaves; return the seconds."""
    text, n_lines = STATES[state]
    with started(folder, "--time-per-move", "1000") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        send(process, f"boardsize 19\n{text}")
        for _ in range(2 + n_lines):
            assert process.stdout.readline()
        time.sleep(0.01 if state in ("loading", "scoring") else 0.2)
        begun = time.monotonic()
        if end.startswith("SIG"):
            process.send_signal(getattr(signal, end))
        elif end == "closed stdout":
            process.stdout.close()
        else:
            process.stdin.write(b"quit\n" if end == "quit" else b"")
            process.stdin.close()
        if end != "closed stdout":
            read(process.stdout)
        status = process.wait(FOREVER)
        seconds = time.monotonic() - begun
        assert (status, process.stderr.read()) == (0, b"")
    return seconds


def check_promptness(folder: Path, state: str, end: str) -> None:
    taken: list[float] = []
    while len(taken) < TRIES and not any(seconds < LIMIT for seconds in taken):
        taken.append(check_end(folder, state, end))
    print(f"{state}, {end}: {min(taken):.3f} s")
    assert min(taken) < LIMIT


@pytest.mark.parametrize(("state", "end"), QUICK)
def test_end(folder: Path, state: str, end: str) -> None:
    check_promptness(folder, state, end)


@pytest.mark.slow
@pytest.mark.parametrize(("state", "end"), OTHERS)
def test_more_ends(folder: Path, state: str, end: str) -> None:
    check_promptness(folder, state, end)


def test_a_client_that_does_not_read_stderr(folder: Path) -> None:
    """Every failure is a message; once the pipe is full, messages are lost and nothing else is."""
    with started(folder) as process:
        assert process.stdin
        assert process.stdout
        answers = []
        reader = threading.Thread(
            target=lambda: answers.extend(process.stdout.read().split(b"\n\n"))  # type: ignore[union-attr]
        )
        reader.start()
        send(process, "boardsize 99\n" * 3_000 + "name\nquit")
        reader.join(FOREVER)
        assert answers == [b"? unacceptable size"] * 3_000 + [b"= gtpengine", b"= ", b""]
        assert process.wait(FOREVER) == 0
