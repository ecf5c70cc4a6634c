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

    games: int = 800  # half of them begun by each player
    seed: int = 1
    dead: float = 0.0  # a chain is dead if its owner's share of it is less ...
    dead_if_unsettled: float = -0.6  # ... or, where reading says that the first move decides, less
    doubtful: float = 0.6  # share, either way, below which a guess may be wrong
    sure: float = 0.9  # share from which on a point counts as somebody's for certain
    territory: int = 8  # points of sure territory, dead stones included, that make chains strong


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

    def is_dead(self, chain: Chain, is_unsettled: bool) -> bool:
        """Whether a chain had better be taken for dead."""
        limits = self.limits
        return self.share(chain) < (limits.dead_if_unsettled if is_unsettled else limits.dead)

    def points_in_doubt(self, chain: Chain) -> float:
        """How many points of a chain the games leave open."""
        return len(chain) * (1 - abs(self.share(chain)))

    def is_doubtful(self, chain: Chain) -> bool:
        """Whether the games often disagree about a chain."""
        return abs(self.share(chain)) < self.limits.doubtful

    def is_clear(self, chain: Chain) -> bool:
        """Whether the games hardly ever disagree about a chain."""
        return abs(self.share(chain)) >= self.limits.sure

    def strong_chains(self) -> frozenset[int]:
        """Stones of chains that surely hold enough territory for two eyes.

        None is in atari, and they are connected through territory.
        """
        strong: set[int] = set()
        for color in (BLACK, WHITE):
            own = self._owned(color)
            for part in components(own):
                stones = {point for point in part if self.board.color_at(point) == color}
                if len(part) - len(stones) >= self.limits.territory:
                    strong |= stones
        return frozenset(strong)

    def _owned(self, color: int) -> set[int]:
        """Points that are surely of ``color``, without its chains in atari."""
        sign = 1 if color == BLACK else -1
        board = self.board
        own = {
            point
            for point, black in self.black.items()
            if board.color_at(point) != color and sign * black >= self.limits.sure
        }
        for chain in chains_of(board, board.stones(color)):
            if self.share(chain) >= self.limits.sure and board.n_liberties(chain[0]) >= 2:
                own.update(chain)
        return own
