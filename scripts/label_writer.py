"""Label files, written: labelled games in, a numpy archive out, whole or not at all.

docs/network.md describes the archive; labels.py reads it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gtpengine.coords import point_in_row, row_column
from gtpengine.core.types import PASS

GAMES_OF_A_FILE = 10  # or more: readers hold the last of every ten back

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Label:
    """What is to be learned from one position, all for the side to move."""

    policy: Floats
    """(size * size + 1,), weights of the moves, not all 0; the pass last"""
    win_rate: float
    """0..1"""
    lead: float
    """points, komi included"""
    owner: Floats
    """(size * size,), +1 the side to move, -1 the opponent"""


@dataclass
class LabelledGame:
    """A game from the empty board on, Black first; move k was played from the position of label k.

    ``komi`` is in points for White; ``territory`` means territory scoring with simple ko, else area
    scoring with positional superko.
    """

    size: int
    komi: float
    territory: bool
    moves: list[int] = field(default_factory=list)
    """as in the files: row * size + column, size * size a pass"""
    labels: list[Label] = field(default_factory=list)
    targets: list[bool] | None = None
    """which of the positions are to be learned from; None: all"""


def index_of(point: int, size: int) -> int:
    """A point or PASS as label files number them."""
    if point == PASS:
        return size * size
    row, column = row_column(point, size)
    return row * size + column


def point_of(index: int, size: int) -> int:
    """The inverse of ``index_of``."""
    return PASS if index == size * size else point_in_row(*divmod(index, size), size)


def write_label_file(path: Path, games: Sequence[LabelledGame]) -> None:
    """Write games of one board size.  The file appears when it is complete, and not before."""
    (size,) = {game.size for game in games}
    labels = [label for game in games for label in game.labels]
    policy = np.array([label.policy for label in labels], np.float32)
    policy /= policy.sum(axis=1, keepdims=True)
    owner = np.array([label.owner for label in labels], np.float32)
    win_rate = np.array([label.win_rate for label in labels])
    marked = {}
    if any(game.targets is not None for game in games):
        targets = [game.targets or [True] * len(game.moves) for game in games]
        marked["target"] = np.array([is_target for some in targets for is_target in some], bool)
    draft = path.with_suffix(".new")
    with draft.open("wb") as file:
        np.savez_compressed(
            file,
            size=np.int32(size),
            game_length=np.array([len(game.moves) for game in games], np.int32),
            moves=np.array([move for game in games for move in game.moves], np.int16),
            komi=np.array([game.komi for game in games], np.float32),
            territory=np.array([game.territory for game in games], bool),
            policy_sqrt=np.round(255 * np.sqrt(policy)).astype(np.uint8),
            winrate=np.round(65535 * win_rate).astype(np.uint16),
            lead=np.array([label.lead for label in labels], np.float16),
            ownership7=np.round(7 * owner).astype(np.int8),
            **marked,
        )
    os.replace(draft, path)
