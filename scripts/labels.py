"""What positions of labelled and of recorded games have to teach, and in which turn.

Both kinds of files are numpy archives; docs/network.md says what they hold.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import numpy.typing as npt

from batches import HELD_BACK, Batch, Floats, Integers, Positions

GAMES_KOMI = 6.5  # of recorded games, which are counted by territory


def label_files(sources: Iterable[Path]) -> list[Path]:
    """The .npz files among and in ``sources``, sorted within each folder."""
    found = []
    for source in sources:
        found += sorted(source.glob("*.npz")) if source.is_dir() else [source]
    return found


def joined_arrays(
    paths: Sequence[Path],
) -> tuple[int, dict[str, npt.NDArray[Any]], npt.NDArray[np.bool_]]:
    """The board size of some files, their arrays one after the other, which games are held back."""
    if not paths:
        raise ValueError("expected label files, got none")
    parts: dict[str, list[npt.NDArray[Any]]] = {}
    sizes = set()
    held_back = []
    for path in paths:
        with np.load(path, allow_pickle=False) as archive:
            sizes.add(int(archive["size"]))
            for name in archive.files:
                if name != "size":
                    parts.setdefault(name, []).append(archive[name])
            if "target" not in archive.files:
                parts.setdefault("target", []).append(np.ones(len(archive["moves"]), bool))
        n_games = len(parts["game_length"][-1])
        held_back.append(np.arange(n_games) % HELD_BACK == HELD_BACK - 1)
    if len(sizes) != 1:
        raise ValueError(f"expected files of one board size, got '{sorted(sizes)}'")
    joined = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    return sizes.pop(), joined, np.concatenate(held_back)


class Labels(Positions):
    """Positions that a teacher has judged."""

    def __init__(self, paths: Sequence[Path]) -> None:
        size, arrays, held_back = joined_arrays(paths)
        super().__init__(
            size,
            arrays["moves"].astype(np.int16),
            arrays["game_length"].astype(np.int64),
            arrays["komi"].astype(np.float32),
            arrays["territory"].astype(np.uint8),
            held_back,
            arrays["target"],
        )
        self.policy_sqrt = arrays["policy_sqrt"]
        self.win_rate = arrays["winrate"].astype(np.float32) / 65535
        self.lead = arrays["lead"].astype(np.float32)
        self.owner7 = arrays["ownership7"]

    def told(self, index: Integers, table: Integers) -> tuple[Floats, Floats, Floats, Floats]:
        """What the teacher told."""
        policy = np.take_along_axis(self.policy_sqrt[index], table, 1).astype(np.float32) ** 2
        policy /= policy.sum(axis=1, keepdims=True)
        owner = np.take_along_axis(self.owner7[index], table[:, :-1], 1).astype(np.float32) / 7
        return (
            policy, self.win_rate[index], self.lead[index],
            owner.reshape(len(index), self.size, self.size),
        )  # fmt: skip


class RecordedGames(Positions):
    """Positions of games without a teacher: they tell the move that was played and who won.

    The lead is known where the game was counted; nobody says who owned a point.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        size, arrays, held_back = joined_arrays(paths)
        length = arrays["game_length"].astype(np.int64)
        n_games = len(length)
        super().__init__(
            size, arrays["moves"].astype(np.int16), length,
            np.full(n_games, GAMES_KOMI, np.float32), np.ones(n_games, np.uint8),
            held_back, arrays["target"],
        )  # fmt: skip
        winner, margin = arrays["winner"], arrays["margin"].astype(np.float32)
        lead = np.where(margin > 0, margin * winner, np.nan).astype(np.float32)
        self.winner = np.repeat(winner, length)
        self.lead = np.repeat(lead, length)

    @property
    def name(self) -> str:
        return super().name + " games"

    def told(self, index: Integers, table: Integers) -> tuple[Floats, Floats, Floats, Floats]:
        """The move, the result, and the margin if there is one."""
        sign = np.where(self.n_moves[index] % 2 == 0, 1, -1)
        win_rate = ((1 + sign * self.winner[index]) / 2).astype(np.float32)
        owner = np.full((len(index), self.size, self.size), np.nan, np.float32)
        policy = (table == self.moves[index, None]).astype(np.float32)
        return policy, win_rate, (sign * self.lead[index]).astype(np.float32), owner


def evenly(index: Integers, n: int) -> Integers:
    """``n`` of the positions, or all, as far from each other as can be."""
    return index[:: max(1, len(index) // n)][:n]


def positions_by_size(sources: Iterable[Path]) -> list[Positions]:
    """The positions of each board size among the files, smallest board first; those of a teacher
    before those of recorded games."""
    groups: dict[tuple[int, bool], list[Path]] = {}
    for path in label_files(sources):
        with np.load(path, allow_pickle=False) as archive:
            groups.setdefault((int(archive["size"]), "winner" in archive.files), []).append(path)
    if not groups:
        raise ValueError("expected label files, got none")
    return [
        RecordedGames(paths) if is_games else Labels(paths)
        for (_, is_games), paths in sorted(groups.items())
    ]


def labels_by_size(sources: Iterable[Path]) -> list[Labels]:
    """The labels of each board size among the files, smallest board first."""
    found = [group for group in positions_by_size(sources) if isinstance(group, Labels)]
    if not found:
        raise ValueError("expected label files, got recorded games only")
    return found


def batch_shares(groups: Sequence[Positions]) -> npt.NDArray[np.float64]:
    """The share of each group in the batches: by its positions, but recorded games, which are
    cheap and many, get as much as the labels of their board size."""
    labelled = {group.size: len(group.training) for group in groups if isinstance(group, Labels)}
    weights = np.array(
        [labelled.get(group.size, len(group.training)) for group in groups], dtype=float
    )
    return weights / weights.sum()


def mixed_batches(
    groups: Sequence[Positions], batch_size: int, seed: int, start: int
) -> Iterator[Batch]:
    """Batches for training, each of one group, in turn so that all get their share.

    ``start`` is the number of positions seen before, of all groups together.
    """
    shares = batch_shares(groups)
    n_batches = np.zeros(len(groups))

    def next_group() -> int:
        chosen = int(np.argmax(shares * (n_batches.sum() + 1) - n_batches))
        n_batches[chosen] += 1
        return chosen

    for _ in range(start // batch_size):
        next_group()
    streams = [
        group.training_batches(batch_size, seed, int(n) * batch_size)
        for group, n in zip(groups, n_batches, strict=True)
    ]
    while True:
        yield next(streams[next_group()])


def prefetched(batches: Iterator[Batch], n_ahead: int = 4) -> Iterator[Batch]:
    """The same batches, made by a thread while the caller works on earlier ones."""
    queue: Queue[Batch | BaseException | None] = Queue(n_ahead)

    def fill() -> None:
        try:
            for batch in batches:
                queue.put(batch)
            queue.put(None)
        except BaseException as error:
            queue.put(error)

    threading.Thread(target=fill, daemon=True).start()
    while (item := queue.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        yield item
