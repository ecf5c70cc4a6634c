"""Positions to learn from: games held as moves, encoded batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    """Positions and what a network ought to say of them, all for the side to move.

    What nobody told of a position is NaN.
    """

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


class Positions:
    """All positions of some games of one board size, in training and validation parts that share
    no game.

    ``training`` and ``validation`` are the indices of their positions, of those that are targets.
    """

    def __init__(
        self,
        size: int,
        moves: npt.NDArray[np.int16],
        length: Integers,
        komi: Floats,
        territory: npt.NDArray[np.uint8],
        is_held_back: npt.NDArray[np.bool_],
        target: npt.NDArray[np.bool_],
    ) -> None:
        """``moves`` and ``target`` are by position, the others by game."""
        self.size = size
        self.moves = moves
        self.first: Integers = np.repeat(np.cumsum(length) - length, length)
        self.n_moves: Integers = np.arange(len(moves), dtype=np.int64) - self.first
        self.komi = np.repeat(komi, length)
        self.territory = np.repeat(territory, length)
        self.tables = symmetry_tables(size)
        held_back = np.repeat(is_held_back, length)
        self.training: Integers = np.flatnonzero(target & ~held_back)
        self.validation: Integers = np.flatnonzero(target & held_back)

    @property
    def name(self) -> str:
        """What reports call them."""
        return f"{self.size}x{self.size}"

    def told(self, index: Integers, table: Integers) -> tuple[Floats, Floats, Floats, Floats]:
        """Policy, win rate, lead and owner, as in a Batch, of the positions at ``index``.

        ``table`` is (n, size * size + 1): the point of the record that each turned point shows.
        """
        raise NotImplementedError

    def batch(self, index: Integers, symmetry: npt.NDArray[np.uint8]) -> Batch:
        """Encode the positions at ``index``, each turned by its symmetry."""
        n, size = len(index), self.size
        planes = np.empty((n, PLANES, size, size), dtype=np.float32)
        scalars = np.empty((n, SCALARS), dtype=np.float32)
        encode_recordings(
            size, self.moves, self.first[index], self.n_moves[index], self.komi[index],
            self.territory[index], symmetry, planes, scalars,
        )  # fmt: skip
        return Batch(planes, scalars, *self.told(index, self.tables[symmetry]))

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
