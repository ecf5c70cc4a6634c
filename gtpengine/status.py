"""Dead, seki or alive: the status of every chain of a position as it stands.

First what is proven (unconditional life), then an estimate from random games with a fixed seed.
Neither the player to move nor a ko ban matters; all 16 images of a position get the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gtpengine.coords import row_column
from gtpengine.core.board import Board
from gtpengine.core.life import unconditional
from gtpengine.core.playout import run_playouts
from gtpengine.core.types import BLACK, WHITE
from gtpengine.symmetry import canonical_image


@dataclass(frozen=True)
class Limits:
    """Constants of the estimate."""

    games: int = 400  # random games, half of them begun by each player
    seed: int = 1
    dead: float = -0.3  # a chain is dead if its owner's mean share of its points, -1..1, is less


@dataclass(frozen=True)
class Verdict:
    """Points of the stones that are dead and that live in seki; all others are alive."""

    dead: frozenset[int]
    seki: frozenset[int]


def judge(board: Board, proven_only: bool = False, limits: Limits = Limits()) -> Verdict:
    """Decide the status of every chain; ``proven_only`` counts as alive what is not certain."""
    image = canonical_image(board)
    verdict = _judge(image.board, proven_only, limits)
    return Verdict(image.points_back(verdict.dead), image.points_back(verdict.seki))


def _judge(board: Board, proven_only: bool, limits: Limits) -> Verdict:
    alive: set[int] = set()
    dead: set[int] = set()
    for color in (BLACK, WHITE):
        safe, territory = unconditional(board, color)
        alive |= safe
        dead |= territory & set(board.stones(BLACK + WHITE - color))
    undecided = set(board.stones(BLACK)) | set(board.stones(WHITE))
    undecided -= alive | dead
    if undecided and not proven_only:
        owner = _ownership(board, limits)
        while undecided:
            chain = board.chain(min(undecided))
            undecided.difference_update(chain)
            sign = 1 if board.color_at(chain[0]) == BLACK else -1
            share = sign * np.mean([owner[row_column(point, board.size)] for point in chain])
            if share < limits.dead:
                dead.update(chain)
    return Verdict(frozenset(dead), frozenset())


def _ownership(board: Board, limits: Limits) -> np.ndarray:
    """Mean owner of each point at the end of random games: +1 Black, -1 White; row 0 on top."""
    half = limits.games // 2
    black_first, white_first = (
        run_playouts(board, color, half, limits.seed, True)[2] for color in (BLACK, WHITE)
    )
    return (black_first + white_first) / 2
