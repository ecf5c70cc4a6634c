"""Play games on the workers of a Dask cluster, as many at once as these have threads.

Engines are started where the games are played: every machine needs them, under the same commands.
A game whose worker dies is played again by another one.
"""

import itertools
from collections.abc import Generator, Iterable

from gtpengine.match.game import GameJob, GameRecord, playing
from gtpengine.match.jobs import Job, Playing, Result

PATIENCE = 30  # seconds for the scheduler to answer, and for a first worker


class ClusterFailure(Exception):
    """There is no cluster to play on, in one line."""


def play_on_cluster(jobs: Iterable[GameJob], address: str) -> Generator[GameRecord, None, None]:
    """Play the games of a match as ``run_on_cluster`` does."""
    return run_on_cluster(playing, jobs, address)


def run_on_cluster(
    playing: Playing[Job, Result], jobs: Iterable[Job], address: str
) -> Generator[Result, None, None]:
    """Play the games; results come in the order games end.

    Jobs are taken when a worker is free.  Closing the iterator gives up running games.  Raises
    ClusterFailure if there is no ``distributed`` or no cluster at ``address``, and RuntimeError if
    a game has killed too many workers, or raised.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ClusterFailure("a cluster needs Dask: pip install 'gtpengine[cluster]'") from None

    def no_cluster(error: Exception) -> ClusterFailure:
        return ClusterFailure(
            f"no cluster with workers at '{address}': {' '.join(str(error).split())}"
        )

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise no_cluster(error) from None
    waiting = iter(jobs)
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise no_cluster(error) from None
        running = as_completed(loop=client.loop)
        numbers = {}
        n_slots = sum(client.nthreads().values())
        try:
            while True:
                for job in itertools.islice(waiting, n_slots - running.count()):
                    future = client.submit(_play, playing, job, pure=False)
                    numbers[future] = job.number
                    running.add(future)
                if running.is_empty():
                    return
                future = next(running)
                number = numbers.pop(future)
                try:
                    result = future.result()
                except Exception as error:
                    raise RuntimeError(f"game {number} failed: {error}") from error
                # Workers come and go; with none left, games wait for the next one.
                n_slots = max(1, sum(client.nthreads().values()))
                yield result
        finally:
            client.cancel(list(numbers), force=True)


def _play(playing: Playing[Job, Result], job: Job) -> Result:
    with playing() as play:
        return play(job)
