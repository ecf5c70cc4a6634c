"""What a user may choose about how a player plays, and within what bounds."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from gtpengine.evaluators import Kind

Level = Literal["easy", "normal", "hard"]
LEVEL_VISITS: dict[str, int | None] = {"easy": 100, "normal": 1500, "hard": None}


def available_threads() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


BOUNDS: dict[str, tuple[float, float]] = {
    "time_per_move": (0.01, 1e6),  # seconds
    "visits": (1, 2**31 - 1),
    "threads": (1, 256),
    "resign": (0, 1),
    "memory": (8, 1 << 20),  # MiB
    "seed": (0, 2**63 - 1),
}
"""What the numbers among the settings may be."""


def check_memory(mebibytes: int) -> None:
    """Raise ValueError unless the system promises so much; nothing of it is touched."""
    try:
        np.empty(mebibytes << 20, dtype=np.uint8)
    except MemoryError:
        raise ValueError(f"memory must be what the system has, got '{mebibytes}'") from None


@dataclass
class PlayerSettings:
    """What a user may choose; every change counts from the next move on."""

    time_per_move: float = 3.0
    """Seconds for a move when no clock runs."""
    visits: int | None = None
    """Visits of the root at which a move is decided, at the latest."""
    threads: int = field(default_factory=available_threads)
    level: Level = "hard"
    resign: float | None = 0.1
    """Win rate, 0..1, below which the game is given up; None: never."""
    cleanup: bool = False
    """Take dead stones off before passing, for servers that count every stone as alive."""
    scoring: Literal["estimated", "proven"] = "estimated"
    """Which stones come off at the end: those that look dead, or only those proven dead."""
    ponder: bool = False
    memory: int = 512
    """MiB for the search tree."""
    seed: int | None = None
    """None: a new one for each search object."""
    evaluator: Kind = "auto"
    """What the search evaluates with; auto: a network if there is one for the board."""
    model: Path | None = None
    """File of a network to take instead of those that came with the package."""

    @property
    def proven_only(self) -> bool:
        """Whether only stones proven dead come off at the end."""
        return self.scoring == "proven"
