"""Labelled positions for training: games held as moves, encoded batch by batch.

The files are numpy archives with the arrays size, game_length, moves, komi, territory,
policy_sqrt, winrate, lead, ownership7 and perhaps target; docs/network.md says what each holds.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import numpy.typing as npt

from gtpengine.core.features import (
    PLANES,
    SCALARS,
    SYMMETRIES,
    encode_recordings,
    symmetry_tables,
)

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

HELD_BACK = 10  # every tenth game of each file is for validation, the last of ten


@dataclass
class Batch:
    """Positions and what a network ought to say of them, all for the side to move."""

    planes: Floats
    """(n, PLANES, size, size)"""
    scalars: Floats
    """(n, SCALARS)"""
    policy: Floats
    """(n, size * size + 1), probabilities"""
    win_rate: Floats
    """(n,), 0..1"""
    lead: Floats
    """(n,), points, komi included"""
    owner: Floats
    """(n, size, size), +1 for the side to move, -1 for the opponent"""


def label_files(sources: Iterable[Path]) -> list[Path]:
    """The .npz files among and in ``sources``, sorted within each folder."""
    found = []
    for source in sources:
        found += sorted(source.glob("*.npz")) if source.is_dir() else [source]
    return found


class Labels:
    """All positions of some label files of one board size, in training and validation parts
    that share no game.

    ``training`` and ``validation`` are the indices of their positions, of those that are targets.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
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
            raise ValueError(f"expected labels of one board size, got '{sorted(sizes)}'")
        self.size = sizes.pop()
        joined = {name: np.concatenate(arrays) for name, arrays in parts.items()}
        length = joined["game_length"].astype(np.int64)
        first = np.cumsum(length) - length
        self.moves = joined["moves"].astype(np.int16)
        self.first: Integers = np.repeat(first, length)
        self.n_moves: Integers = np.arange(len(self.moves), dtype=np.int64) - self.first
        self.komi = np.repeat(joined["komi"].astype(np.float32), length)
        self.territory = np.repeat(joined["territory"].astype(np.uint8), length)
        self.policy_sqrt = joined["policy_sqrt"]
        self.win_rate = joined["winrate"].astype(np.float32) / 65535
        self.lead = joined["lead"].astype(np.float32)
        self.owner7 = joined["ownership7"]
        self.tables = symmetry_tables(self.size)
        is_held_back = np.repeat(np.concatenate(held_back), length)
        self.training: Integers = np.flatnonzero(joined["target"] & ~is_held_back)
        self.validation: Integers = np.flatnonzero(joined["target"] & is_held_back)

    def batch(self, index: Integers, symmetry: npt.NDArray[np.uint8]) -> Batch:
        """Encode the positions at ``index``, each turned by its symmetry."""
        n, size = len(index), self.size
        planes = np.empty((n, PLANES, size, size), dtype=np.float32)
        scalars = np.empty((n, SCALARS), dtype=np.float32)
        encode_recordings(
            size, self.moves, self.first[index], self.n_moves[index], self.komi[index],
            self.territory[index], symmetry, planes, scalars,
        )  # fmt: skip
        table = self.tables[symmetry]
        policy = np.take_along_axis(self.policy_sqrt[index], table, 1).astype(np.float32) ** 2
        policy /= policy.sum(axis=1, keepdims=True)
        owner = np.take_along_axis(self.owner7[index], table[:, :-1], 1).astype(np.float32) / 7
        return Batch(
            planes, scalars, policy, self.win_rate[index], self.lead[index],
            owner.reshape(n, size, size),
        )  # fmt: skip

    def fixed_batches(self, index: Integers, batch_size: int) -> Iterator[Batch]:
        """The positions in order, unturned."""
        for start in range(0, len(index), batch_size):
            part = index[start : start + batch_size]
            yield self.batch(part, np.zeros(len(part), dtype=np.uint8))

    def training_batches(self, batch_size: int, seed: int, start: int) -> Iterator[Batch]:
        """Batches for ever, shuffled anew in every epoch, randomly turned.

        ``start`` is the number of positions seen before: the order goes on where it stopped.
        """
        n = len(self.training)
        per_epoch = n // batch_size
        if per_epoch == 0:
            raise ValueError(f"expected at least {batch_size} positions for training, got '{n}'")
        step = start // batch_size
        while True:
            epoch, within = divmod(step, per_epoch)
            order = np.random.default_rng((seed, epoch)).permutation(self.training)
            for k in range(within, per_epoch):
                index = order[k * batch_size : (k + 1) * batch_size]
                turns = np.random.default_rng((seed, epoch, k)).integers(
                    SYMMETRIES, size=batch_size, dtype=np.uint8
                )
                yield self.batch(index, turns)
                step += 1


def evenly(index: Integers, n: int) -> Integers:
    """``n`` of the positions, or all, as far from each other as can be."""
    return index[:: max(1, len(index) // n)][:n]


def labels_by_size(sources: Iterable[Path]) -> list[Labels]:
    """The labels of each board size among the files, smallest board first."""
    by_size: dict[int, list[Path]] = {}
    for path in label_files(sources):
        with np.load(path, allow_pickle=False) as archive:
            by_size.setdefault(int(archive["size"]), []).append(path)
    if not by_size:
        raise ValueError("expected label files, got none")
    return [Labels(paths) for _, paths in sorted(by_size.items())]


def mixed_batches(
    groups: Sequence[Labels], batch_size: int, seed: int, start: int
) -> Iterator[Batch]:
    """Batches for training, each of one board size, in turn so that all get their share.

    ``start`` is the number of positions seen before, of all sizes together.
    """
    shares = np.array([len(labels.training) for labels in groups], dtype=float)
    shares /= shares.sum()
    n_batches = np.zeros(len(groups))

    def next_group() -> int:
        chosen = int(np.argmax(shares * (n_batches.sum() + 1) - n_batches))
        n_batches[chosen] += 1
        return chosen

    for _ in range(start // batch_size):
        next_group()
    streams = [
        labels.training_batches(batch_size, seed, int(n) * batch_size)
        for labels, n in zip(groups, n_batches, strict=True)
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
