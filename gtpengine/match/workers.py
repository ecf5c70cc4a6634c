"""Play many games, several at once, each worker in a process of its own.

A worker is told one game at a time, so a match can stop after any game, and the game of a worker
that died can be given to another one.
"""

import itertools
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, cast

from gtpengine.match.game import GameJob, GameRecord, playing
from gtpengine.match.jobs import Job, Numbered, Playing, Result

JOIN_TIMEOUT = 15.0  # seconds for a worker to let its engines go
DEATHS = 2  # workers that one game may cost


@dataclass
class Worker:
    """A process that plays games, as its owner sees it."""

    process: SpawnProcess
    pipe: Connection
    job: Numbered | None = None  # what it is playing

    @classmethod
    def start(cls, context: SpawnContext, playing: Playing[Any, Any]) -> "Worker":
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there, playing), daemon=True)
        process.start()
        there.close()
        return cls(process, here)

    def give(self, job: Numbered) -> None:
        self.job = job
        with suppress(BrokenPipeError):  # dead: found out when its pipe is read
            self.pipe.send(job)

    def stop(self) -> None:
        """End an idle worker in peace, one that is playing by a signal."""
        self.pipe.close()
        if self.job is not None:
            self.process.terminate()

    def join(self) -> None:
        self.process.join(JOIN_TIMEOUT)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def play_all(jobs: Iterable[GameJob], n_workers: int) -> Generator[GameRecord, None, None]:
    """Play the games of a match as ``run_all`` does."""
    return run_all(playing, jobs, n_workers)


def run_all(
    playing: Playing[Job, Result], jobs: Iterable[Job], n_workers: int
) -> Generator[Result, None, None]:
    """Play the games, at most ``n_workers`` at once; results come in the order games end.

    Jobs are taken when a worker is free.  Closing the iterator ends running games without a
    result.  Raises RuntimeError if a game has cost ``DEATHS`` workers, or a worker raised.
    """
    context = multiprocessing.get_context("spawn")
    waiting = iter(jobs)
    n_deaths: dict[int, int] = {}
    workers: list[Worker] = []
    try:
        for job in itertools.islice(waiting, n_workers):
            workers.append(Worker.start(context, playing))
            workers[-1].give(job)
        while busy := {worker.pipe: worker for worker in workers if worker.job is not None}:
            for pipe in wait(list(busy)):
                worker = busy[cast(Connection, pipe)]
                assert worker.job is not None
                try:
                    is_played, answer = worker.pipe.recv()
                except (EOFError, ConnectionResetError):
                    lost = worker.job
                    n_deaths[lost.number] = n_deaths.get(lost.number, 0) + 1
                    if n_deaths[lost.number] == DEATHS:
                        raise RuntimeError(f"game {lost.number}: two workers died") from None
                    workers.remove(worker)
                    worker.join()
                    workers.append(Worker.start(context, playing))
                    workers[-1].give(lost)
                    continue
                if not is_played:
                    raise RuntimeError(f"game {worker.job.number} failed:\n{answer}")
                worker.job = None
                if (next_job := next(waiting, None)) is not None:
                    worker.give(next_job)
                yield answer
    finally:
        for worker in workers:
            worker.stop()
        for worker in workers:
            worker.join()


def _work(pipe: Connection, playing: Playing[Any, Any]) -> None:
    """Play what comes through the pipe until it is closed or SIGTERM comes."""
    signal.signal(signal.SIGINT, lambda *_: None)  # the owner decides; engines get the default
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with playing() as play, suppress(EOFError, ConnectionResetError, BrokenPipeError):
        while True:
            job = pipe.recv()
            try:
                answer = True, play(job)
            except Exception:
                answer = False, traceback.format_exc()  # raised again, by the owner
            pipe.send(answer)
