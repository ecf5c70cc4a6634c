"""Measure the engine: speed, latency, memory, and the signature of its search.

Usage: bench.py [--only TEXT] [--seconds S] [--json FILE] [--compare FILE]

Rates and starts are given twice: by the clock on the wall, and by processor time, which says more
on a machine that has other work.  Searches with one and two threads take turns, so that a changing
load meets both.  The signature is one number for all moves and visits of fixed searches: it changes
when, and only when, the search behaves differently.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from operator import truediv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.benchmark import (
    copy_often,
    judge_often,
    play_often,
    random_game,
    replay_often,
)
from gtpengine.core.board import Board
from gtpengine.core.evaluator import PlayoutEvaluator
from gtpengine.core.features import PLANES, SCALARS
from gtpengine.core.network import NetworkEvaluator
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.network import LoadedNetwork, shipped_network
from gtpengine.parameters import NetworkParameters
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings

ROOT = Path(__file__).resolve().parent.parent
ENGINE = [sys.executable, "-m", "gtpengine"]
SIZES = (9, 19)
CURVE = (9, 11, 13, 15, 17, 19, 25)  # sizes for what a larger board costs
SEED = 1
ROUNDS = 3  # each search and each start is measured so often; the median counts
PAIRS = 9  # so often a network is measured by itself and in a search, in turn

SIGNATURE_VISITS = 2000
SIGNATURE_GAMES = (  # size and moves, Black first
    (5, "C3 C4"),
    (9, ""),
    (9, "E5 E3 D3 E4 D4 F5 E6 C3 C2 B3 G3 F2"),
    (9, "G4 C6 F6 D4 C5 D5 C4 C3 D6 E6 C7 B6 D7 E7 B7 F5 B5 G6"),
    (13, "D4 K10 K4 D10 G3 C6 F4 C3 C4 D3 E3 E2 F2 D2"),
    (19, "Q16 D4 Q4 D16 C14 F17 R10 O3 P3 O4 O5 N5 O6 K3"),
)


class Row(NamedTuple):
    """One figure."""

    name: str
    value: float
    unit: str

    @property
    def text(self) -> str:
        """The value with three or more digits that count."""
        if not self.unit:
            return f"{self.value:.0f}"
        return f"{self.value:,.{max(0, 3 - len(f'{abs(self.value):.0f}'))}f}"


class Spent(NamedTuple):
    """Seconds on the wall and of the processor."""

    wall: float
    cpu: float


def spent_by(run: Callable[[], object]) -> Spent:
    """The time that a call takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def repeat(run: Callable[[int], object], seconds: float) -> tuple[int, Spent]:
    """Call ``run(n)`` with an ``n`` that takes about ``seconds``; return ``n`` and the time."""
    n, spent = 1, spent_by(partial(run, 1))
    while spent.wall < seconds / 20:
        n *= 4
        spent = spent_by(partial(run, n))
    n = max(1, round(n * seconds / spent.wall))
    return n, spent_by(partial(run, n))


def per_second(name: str, what: str, n: float, spent: Spent) -> Iterator[Row]:
    """Two rows for a rate."""
    yield Row(name, n / spent.wall, f"{what}/s")
    yield Row(f"{name}, by CPU time", n / spent.cpu, f"{what}/s")


# --- the core ----------------------------------------------------------------------------------


def core_rows(seconds: float) -> Iterator[Row]:
    """Nanoseconds of processor time for the smallest steps, and playouts in a second."""
    for size in SIZES:
        board, at = Board(size), f"{size}x{size}"
        n, spent = repeat(partial(copy_often, board), seconds)
        yield Row(f"copy {at}", spent.cpu / n * 1e9, "ns")
        middle = Board(size)
        moves = random_game(board, SEED)
        for i, point in enumerate(moves[: size * size // 2]):
            middle.play(WHITE if i % 2 else BLACK, point)
        n, spent = repeat(partial(judge_often, middle), seconds)
        yield Row(f"legality {at}", spent.cpu / judge_often(middle, n)[0] * 1e9, "ns")
        cost = []
        for taking_back in (False, True):
            replay = partial(replay_often, board, moves, taking_back=taking_back)
            n, spent = repeat(replay, seconds)
            cost.append(spent.cpu / n / len(moves) * 1e9)
        yield Row(f"put {at}", cost[0], "ns")
        yield Row(f"undo {at}", cost[1] - cost[0], "ns")


def playouts_in(seconds: float, size: int) -> Iterator[tuple[str, int, Spent]]:
    """Play from the empty board, uniformly random and with the policy: (kind, games, time)."""
    evaluator = player(1).search.evaluator
    assert isinstance(evaluator, PlayoutEvaluator)
    for kind, policy in (("light", None), ("tactical", evaluator)):
        play = partial(play_often, Board(size), seed=SEED, evaluator=policy)
        yield kind, *repeat(play, seconds)


def playout_rows(seconds: float) -> Iterator[Row]:
    """Playouts in a second."""
    for size in SIZES:
        for kind, n, spent in playouts_in(seconds, size):
            yield from per_second(f"{kind} playouts {size}x{size}", "games", n, spent)


# --- the search --------------------------------------------------------------------------------


def player(n_threads: int, visits: int | None = None) -> Player:
    """A player with playouts that draws no luck from outside."""
    return Player(PlayerSettings(threads=n_threads, seed=SEED, visits=visits, evaluator="playout"))


def search_for(seconds: float, size: int, n_threads: int) -> tuple[int, int, Spent]:
    """Search the empty board; return visits, nodes and time."""
    search, game = player(n_threads).search, Game(size)
    search.set_position(game.history, BLACK, komi=game.komi, superko=game.rules.ko)
    search.begin()
    threads = [threading.Thread(target=search.work, args=(i,)) for i in range(n_threads)]

    def work() -> None:
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        search.stop()
        for thread in threads:
            thread.join()

    spent = spent_by(work)
    return search.visits, search.n_nodes, spent


def search_rows(seconds: float) -> Iterator[Row]:
    """Games and nodes in a second, with one and two threads."""
    for size in SIZES:
        found: dict[int, list[tuple[int, int, Spent]]] = {1: [], 2: []}
        for _ in range(ROUNDS):
            for n_threads, runs in found.items():
                runs.append(search_for(seconds, size, n_threads))
        for n_threads, runs in found.items():
            visits, nodes, spent = sorted(runs, key=lambda run: run[0] / run[2].wall)[ROUNDS // 2]
            name = f"search {size}x{size}, {n_threads} thread{'s'[: n_threads - 1]}"
            yield from per_second(name, "games", visits, spent)
            yield Row(f"{name}, nodes", nodes / spent.wall, "nodes/s")
        for basis in ("wall", "cpu"):
            rates = [
                statistics.median(visits / getattr(spent, basis) for visits, _, spent in runs)
                for runs in found.values()
            ]
            # By processor time: what two threads would do on two processors of their own.
            ratio = rates[1] / rates[0] * (2 if basis == "cpu" else 1)
            name = f"search {size}x{size}, 2 threads over 1"
            yield Row(name if basis == "wall" else f"{name}, by CPU time", ratio, "x")


def curve_rows(seconds: float) -> Iterator[Row]:
    """What a larger board costs: games a second on processors of their own, by CPU time."""
    for size in CURVE:
        for kind, n, spent in playouts_in(seconds, size):
            yield Row(f"curve {size}x{size}, {kind} playouts", n / spent.cpu, "games/s")
        for n_threads in (1, 2):
            visits, _, spent = search_for(seconds, size, n_threads)
            name = f"curve {size}x{size}, search, {n_threads} thread{'s'[: n_threads - 1]}"
            yield Row(name, n_threads * visits / spent.cpu, "games/s")


def network_rows(seconds: float) -> Iterator[Row]:
    """Evaluations in a second: the bare network, and a search with it, one thread."""
    for size in SIZES:
        network = shipped_network(size)
        assert network is not None
        run, n_batch = LoadedNetwork(network).run, NetworkParameters().batch_size
        planes = np.ones((n_batch, PLANES, size, size), dtype=np.float32)
        scalars = np.zeros((n_batch, SCALARS), dtype=np.float32)
        bare = partial(ask_often, run, planes, scalars)
        bare_rates, rates = [], []
        for _ in range(PAIRS):
            n, spent = repeat(bare, seconds / 2)
            bare_rates.append(n * n_batch / spent.cpu)
            rates.append(evaluations_in_search(size, seconds / 2))
        for name, found in (("bare", bare_rates), ("search with", rates)):
            rate = statistics.median(found)
            yield Row(f"{name} network, {size}x{size}, by CPU time", rate, "evaluations/s")
        ratio = statistics.median(map(truediv, rates, bare_rates))  # neighbours in time
        yield Row(f"search over bare network, {size}x{size}", ratio, "x")


def ask_often(run: Callable[..., Any], planes: Any, scalars: Any, n: int) -> None:
    """Let a network evaluate a batch ``n`` times."""
    for _ in range(n):
        run(planes, scalars)


def evaluations_in_search(size: int, seconds: float) -> float:
    """Positions that the network evaluates per second of processor time, from an empty board."""
    search, game = Player(PlayerSettings(threads=1, seed=SEED)).search_for(size), Game(size)
    evaluator = search.evaluator
    assert isinstance(evaluator, NetworkEvaluator)
    search.set_position(game.history, BLACK, komi=game.komi, superko=game.rules.ko)
    search.begin()
    threading.Timer(seconds, search.stop).start()
    spent = spent_by(partial(search.work, 0))
    return evaluator.n_evaluated / spent.cpu


def signature_of(size: int, moves: str, visits: int) -> str:
    """Visits of every move and the main line after a fixed search, as text."""
    game = Game(size)
    for i, vertex in enumerate(moves.split()):
        game.play(WHITE if i % 2 else BLACK, parse_vertex(vertex, size))
    chooser = player(1, visits)
    chooser.move(game, game.to_play, may_resign=False)
    search = chooser.search
    counts = sorted((format_vertex(c.point), c.visits) for c in search.choices() if c.visits)
    line = [format_vertex(point) for point in search.variation()]
    return f"{size} {counts} {line} {search.n_nodes}"


def signature(visits: int = SIGNATURE_VISITS) -> int:
    """One number for the behaviour of the search with one thread."""
    found = [signature_of(size, moves, visits) for size, moves in SIGNATURE_GAMES]
    return zlib.crc32("\n".join(found).encode())


def signature_rows(seconds: float) -> Iterator[Row]:
    """The signature."""
    yield Row("signature", signature(), "")


# --- the program -------------------------------------------------------------------------------


class Engine:
    """The engine as a client sees it."""

    def __init__(self, *options: str) -> None:
        self.popen = subprocess.Popen(
            [*ENGINE, "--seed", str(SEED), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *args: object) -> None:
        if self.popen.poll() is None:
            self.ask("quit")
        self.popen.wait(10)

    def send(self, text: str) -> None:
        """Write lines."""
        assert self.popen.stdin is not None
        self.popen.stdin.write(f"{text}\n".encode())
        self.popen.stdin.flush()

    def receive(self) -> str:
        """The next answer; SystemExit unless it is a success."""
        assert self.popen.stdout is not None
        lines = []
        while (line := self.popen.stdout.readline()) not in (b"\n", b""):
            lines.append(line)
        answer = b"".join(lines).decode().strip()
        if not answer.startswith("="):
            sys.exit(f"bench: the engine answered '{answer}'")
        return answer[1:].strip()

    def ask(self, text: str) -> str:
        """Send a command and wait for its answer."""
        self.send(text)
        return self.receive()

    def memory(self) -> float | None:
        """MiB in use now; None where the system does not say."""
        try:
            status = Path(f"/proc/{self.popen.pid}/status").read_text(encoding="ascii")
        except OSError:
            return None
        kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        return int(kib) / 1024


def children_cpu() -> float:
    """Seconds of processor time of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def program_rows(seconds: float) -> Iterator[Row]:
    """Start, `play`, interrupt and memory, over GTP."""
    starts = []
    before = children_cpu()
    for _ in range(2 * ROUNDS):
        began = time.perf_counter()
        with Engine() as engine:
            engine.ask("name")
            starts.append(time.perf_counter() - began)
    yield Row("start to first answer", statistics.median(starts) * 1000, "ms")
    cpu = (children_cpu() - before) / len(starts)
    yield Row("start and end of the program, by CPU time", cpu * 1000, "ms")
    yield from play_rows()
    with Engine() as engine:
        engine.ask("name")
        after_start = engine.memory()
        engine.ask("boardsize 19")
        engine.ask("genmove b")
        after_search = engine.memory()
        delays = []
        for _ in range(ROUNDS):
            engine.send("genmove b")
            time.sleep(0.5)
            began = time.perf_counter()
            engine.send("# interrupt")
            engine.receive()
            delays.append(time.perf_counter() - began)
        yield Row("interrupt to answer of genmove", statistics.median(delays) * 1000, "ms")
        for words, what in (("10", ""), ("0 movesOwnership true minmoves 400", ", long lines")):
            delays.clear()
            for _ in range(ROUNDS):
                engine.send(f"kata-analyze {words}")
                time.sleep(0.5)
                began = time.perf_counter()
                engine.send("name")
                engine.receive()  # the analysis
                engine.receive()
                delays.append(time.perf_counter() - began)
            delay = statistics.median(delays) * 1000
            yield Row(f"input to answer while analysing{what}", delay, "ms")
    if after_start is not None and after_search is not None:
        yield Row("memory after start", after_start, "MiB")
        yield Row("memory after a move on 19x19", after_search, "MiB")


def play_rows() -> Iterator[Row]:
    """Milliseconds for 300 `play` commands, all sent at once and one by one."""
    game = Game(19)
    for point in random_game(Board(19), SEED):
        if len(game.moves) < 300 and not game.legality(game.to_play, point):
            game.play(game.to_play, point)
    lines = [f"play {'?bw'[color]} {format_vertex(point)}" for color, point in game.moves]
    at_once, one_by_one = [], []
    with Engine() as engine:
        for _ in range(ROUNDS):
            engine.ask("boardsize 19")
            began = time.perf_counter()
            engine.send("\n".join(lines))
            for _ in lines:
                engine.receive()
            at_once.append(time.perf_counter() - began)
            engine.ask("clear_board")
            began = time.perf_counter()
            for line in lines:
                engine.ask(line)
            one_by_one.append(time.perf_counter() - began)
    yield Row(f"play, {len(lines)} moves at once", statistics.median(at_once) * 1000, "ms")
    yield Row(f"play, {len(lines)} moves one by one", statistics.median(one_by_one) * 1000, "ms")


# --- the report --------------------------------------------------------------------------------

GROUPS: dict[str, Callable[[float], Iterator[Row]]] = {
    "core": core_rows,
    "playouts": playout_rows,
    "search": search_rows,
    "curve": curve_rows,
    "network": network_rows,
    "program": program_rows,
    "signature": signature_rows,
}


def load() -> str:
    """What else the machine does."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--only", choices=list(GROUPS), action="append", help="group of rows; may be repeated")
    add("--seconds", type=float, default=1.0, help="for each measurement of a rate (default 1)")
    add("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    add("--compare", type=Path, metavar="FILE", help="show the ratio to the figures in FILE")
    args = parser.parse_args()
    before: dict[str, Any] = {}
    if args.compare is not None:
        before = json.loads(args.compare.read_text(encoding="utf-8"))["rows"]
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors, "
        f"load {load()} at the start",
        flush=True,
    )
    found: dict[str, float] = {}
    for group in args.only or GROUPS:
        for row in GROUPS[group](args.seconds):
            found[row.name] = row.value
            line = f"{row.name:45} {row.text:>15} {row.unit}"
            if row.name in before and row.name == "signature":
                line += "same" if row.value == before[row.name] else f"was {before[row.name]:.0f}"
            elif before.get(row.name):
                line = f"{line:70} {row.value / before[row.name]:6.2f} x before"
            print(line.rstrip(), flush=True)
    print(f"load {load()} at the end")
    if args.json is not None:
        args.json.write_text(json.dumps({"rows": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
