"""Many games in one process: nothing that a game takes stays taken.

GTPENGINE_SOAK is the number of games (default 40).
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

N_GAMES = int(os.environ.get("GTPENGINE_SOAK", "40"))
WARM_UP = 10  # games
GROWTH = 8.0  # MiB of resident memory that may come after the warm-up, for whatever Python keeps
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}

FIRST_SIZES = [19, 13, 9, 5, 2, 25, 7, 11, 3, 19]  # all that takes memory comes in the warm-up
SIZES = [2, 3, 4, 5, 5, 6, 7, 7, 7, 8, 9, 9, 9, 9, 9, 10, 11, 13, 13, 19]
RULES = ["chinese-ogs", "japanese", "tromp-taylor", "aga", "new-zealand", "korean"]
CLOCKS = [
    *("kgs-time_settings none", "time_settings 60 0 0", "time_settings 0 5 5"),
    *("kgs-time_settings byoyomi 3 1 3", "kata-time_settings fischer 5 0.1"),
]
HANDICAPS = [
    "",
    "",
    "",
    "place_free_handicap 2",
    "set_free_handicap A1 B2",
    "place_free_handicap 3",
]
FORMS = ["genmove {}", "genmove {}", "kata-genmove_analyze {} 1 ownership true", "reg_genmove {}"]
BETWEEN = [
    "lz-analyze 1",
    "kata-analyze {} 1 ownership true",
    "final_score",
    "gtpengine-best_moves",
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc"),
]


@dataclass(frozen=True)
class Usage:
    """What the process holds while it waits."""

    memory: float  # MiB, resident
    n_threads: int
    n_files: int


class Engine:
    """The program, asked line by line; every failure is an error."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.n_commands = 0

    def send(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def read(self) -> str:
        """The text of the next answer; of several lines the last."""
        assert self._process.stdout
        lines = []
        while (raw := self._process.stdout.readline()) != b"\n":
            assert raw, lines
            lines.append(raw.decode().rstrip("\n"))
        assert lines[0].startswith("="), lines
        self.n_commands += 1
        return lines[-1].removeprefix("= ").removeprefix("play ")

    def ask(self, line: str) -> str:
        self.send(line)
        return self.read()

    def usage(self) -> Usage:
        folder = Path(f"/proc/{self._process.pid}")
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        memory = int(status["VmRSS"].split()[0]) / 1024
        return Usage(memory, int(status["Threads"]), len(list((folder / "fd").iterdir())))

    def usage_at_rest(self, idle: Usage) -> Usage:
        """The same, once threads that have ended are gone, which takes a moment."""
        deadline = time.monotonic() + 2
        while (now := self.usage()).n_threads > idle.n_threads and time.monotonic() < deadline:
            time.sleep(0.01)
        return now


@contextmanager
def running() -> Iterator[Engine]:
    words = ["--visits", "12", "--threads", "2", "--seed", "1", "--memory", "64", "--lenient"]
    with subprocess.Popen(
        [sys.executable, "-m", "gtpengine", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
    ) as process:
        engine = Engine(process)
        engine.ask("name")
        yield engine
        assert process.stdin
        process.stdin.close()
        assert process.wait(20) == 0


def play_game(engine: Engine, rng: random.Random, size: int) -> None:
    """A game to two passes, a resignation, or more moves than most games have."""
    lines = [f"boardsize {size}", "clear_board", f"komi {rng.choice([0, 0.5, 6.5, 7])}"]
    lines += [f"kata-set-rules {rng.choice(RULES)}", rng.choice(CLOCKS)]
    handicap = rng.choice(HANDICAPS) if size > 2 else ""
    for line in (*lines, handicap):
        if line:
            engine.ask(line)
    color, n_passes, n_moves = ("w" if handicap else "b"), 0, 0
    while n_passes < 2 and n_moves < 2 * size * size:
        if rng.random() < 0.03:
            engine.send(rng.choice(BETWEEN).format(color))
            engine.send("name")
            engine.read()
            assert engine.read() == "gtpengine"
        if rng.random() < 0.02 and n_moves >= 4:
            engine.ask(rng.choice(["gg-undo 2", "undo"]))
            engine.ask(f"time_left {color} {rng.randrange(20)} 0")
        form = rng.choice(FORMS)
        move = engine.ask(form.format(color))
        if move == "resign":
            break
        if form.startswith("reg"):
            engine.ask(f"play {color} {move}")
        n_moves += 1
        n_passes = n_passes + 1 if move == "pass" else 0
        color = "w" if color == "b" else "b"
    for line in ("final_score", "final_status_list dead", "printsgf", "kgs-game_over", "cputime"):
        engine.ask(line)


def test_games_leave_nothing_behind() -> None:
    rng = random.Random(1)
    with running() as engine:
        idle, most = engine.usage(), 0.0
        for number in range(N_GAMES):
            sizes = [FIRST_SIZES[number]] if number < len(FIRST_SIZES) else SIZES
            play_game(engine, rng, rng.choice(sizes))
            now = engine.usage_at_rest(idle)
            assert (now.n_threads, now.n_files) == (idle.n_threads, idle.n_files)
            if number < WARM_UP:
                before = now
            most = max(most, now.memory)
        print(f"{N_GAMES} games, {engine.n_commands} commands; after {WARM_UP} games {before}")
        print(f"at the end {now}, at most {most:.1f} MiB")
        assert most < before.memory + GROWTH
