"""What random games say about a position: who will own each point, and which chains are strong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gtpengine.arenas import Chain, chains_of, components
from gtpengine.coords import row_column
from gtpengine.core.board import Board
from gtpengine.core.playout import run_playouts
from gtpengine.core.types import BLACK, WHITE


@dataclass(frozen=True)
class Limits:
    """Constants of the estimate; shares are means over random games, -1..1."""

    games: int = 400  # half of them begun by each player
    seed: int = 1
    dead: float = -0.2  # a chain is dead if its owner's share of it is less
    sure: float = 0.9  # share from which on a point counts as somebody's for certain
    territory: int = 8  # sure points, apart from stones, that make chains strong


class Estimate:
    """Random games from a position, half of them begun by each player."""

    def __init__(self, board: Board, limits: Limits = Limits()) -> None:
        self.board = board
        self.limits = limits
        half = limits.games // 2
        black_first, white_first = (
            run_playouts(board, color, half, limits.seed, True)[2] for color in (BLACK, WHITE)
        )
        mean = (black_first + white_first) / 2
        self.black = {p: float(mean[row_column(p, board.size)]) for p in board.points()}

    def share(self, chain: Chain) -> float:
        """How much of a chain's points its owner gets, -1..1."""
        sign = 1 if self.board.color_at(chain[0]) == BLACK else -1
        return sign * float(np.mean([self.black[point] for point in chain]))

    def is_dead(self, chain: Chain) -> bool:
        """Whether a chain had better be taken for dead."""
        return self.share(chain) < self.limits.dead

    def is_clear(self, chain: Chain) -> bool:
        """Whether the games hardly ever disagree about a chain."""
        return abs(self.share(chain)) >= self.limits.sure

    def strong_chains(self) -> frozenset[int]:
        """Stones of chains that surely hold enough territory for two eyes."""
        strong: set[int] = set()
        chain_at = {p: c for c in chains_of(self.board, self.board.points()) for p in c}
        for color in (BLACK, WHITE):
            sign = 1 if color == BLACK else -1
            sure = {
                point
                for point, black in self.black.items()
                if sign * black >= self.limits.sure
                and (
                    self.board.color_at(point) != color
                    or self.share(chain_at[point]) >= self.limits.sure
                )
            }
            for part in components(sure):
                stones = {point for point in part if self.board.color_at(point) == color}
                if len(part) - len(stones) >= self.limits.territory:
                    strong |= {other for point in stones for other in chain_at[point]}
        return frozenset(strong)
