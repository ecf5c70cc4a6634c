"""Dead, seki or alive: the status of every chain of a position as it stands.

In this order: unconditional life and death; life that the regions of a chain give it; reading of
small arenas; and, unless only what is certain counts, reading between walls that random games show
to be strong, and what the games say of the rest.  Neither the player to move nor a ko ban matters;
all 16 images of a position get the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from gtpengine.arenas import NEIGHBORS, Arena, Chain, arenas_between, chains_of, quiet_arena
from gtpengine.core.board import Board
from gtpengine.core.life import unconditional
from gtpengine.core.reading import Reader
from gtpengine.core.types import BLACK, WALL, WHITE
from gtpengine.estimate import Estimate
from gtpengine.local import Fate, read_arena
from gtpengine.symmetry import canonical_image

SMALL = 6  # an arena with so few empty points is read to the end whatever random games say
MOST_EMPTY = 10  # a larger one than this is not read
MOST_NODES = 30_000  # for one question
MOST_QUIET_NODES = 3_000  # for life from the regions of a chain
MOST_QUIET_REGION = 8  # points


@dataclass(frozen=True)
class Verdict:
    """Points of the stones that are dead and that live in seki; all others are alive."""

    dead: frozenset[int]
    seki: frozenset[int]


def judge(board: Board, proven_only: bool = False) -> Verdict:
    """Decide the status of every chain; ``proven_only`` counts as alive what is not certain."""
    image = canonical_image(board)
    judgement = Judgement(image.board)
    judgement.prove(MOST_EMPTY if proven_only else SMALL)
    if not proven_only:
        judgement.estimate()
    judgement.reconcile()
    dead, seki = judgement.points(Fate.DEAD), judgement.points(Fate.SEKI)
    return Verdict(image.points_back(dead), image.points_back(seki))


class Judgement:
    """What is known about the chains of a board; ``fates`` lacks those that are not decided."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.chains = chains_of(board, board.points())
        self.fates: dict[Chain, Fate] = {}
        self.closed: frozenset[int] = frozenset()  # regions where only one color can live

    def points(self, *fates: Fate) -> frozenset[int]:
        """Points of the chains of some fates."""
        return frozenset(p for chain, fate in self.fates.items() if fate in fates for p in chain)

    def prove(self, most_empty: int) -> None:
        """Decide what is certain; arenas of up to ``most_empty`` empty points are read."""
        self._apply_unconditional()
        self._find_quiet_life()
        for _ in range(2):  # what lives is a wall for what else is there
            walls = self.points(Fate.LIVING)
            for arena in arenas_between(self.board, walls, self.closed):
                if arena.n_empty <= most_empty:
                    self._read(arena, walls)

    def estimate(self) -> None:
        """Decide the rest with the help of random games."""
        if all(chain in self.fates for chain in self.chains):
            return
        estimate = Estimate(self.board)
        walls = (self.points(Fate.LIVING) | estimate.strong_chains()) - self.points(Fate.DEAD)
        for arena in arenas_between(self.board, walls, self.closed):
            if arena.n_empty <= SMALL or (
                arena.n_empty <= MOST_EMPTY and not all(map(estimate.is_clear, arena.chains))
            ):
                self._read(arena, walls)
        for chain in self.chains:
            if chain not in self.fates:
                is_dead = chain[0] not in walls and estimate.is_dead(chain)
                self.fates[chain] = Fate.DEAD if is_dead else Fate.LIVING

    def reconcile(self) -> None:
        """Take back what makes no sense beside the fates of the neighbors.

        A seki takes two sides; and nobody dies where only the own color lives around.
        """
        dead = self.points(Fate.DEAD)
        alive = set(self.points(*Fate)) - dead
        for chain in self.chains:
            if self.fates.get(chain) not in (Fate.DEAD, Fate.SEKI):
                continue
            color = self.board.color_at(chain[0])
            region = list(chain)
            seen = set(chain)
            rivals = False
            for point in region:
                for beside in (point + step for step in NEIGHBORS):
                    if beside in alive and self.board.color_at(beside) != color:
                        rivals = True
                    elif (
                        beside not in seen
                        and beside not in alive
                        and self.board.color_at(beside) != WALL
                    ):
                        seen.add(beside)
                        region.append(beside)
            if not rivals:
                self.fates[chain] = Fate.LIVING

    def _apply_unconditional(self) -> None:
        for color in (BLACK, WHITE):
            alive, territory = unconditional(self.board, color)
            self.closed |= territory
            for chain in self.chains:
                if chain[0] in alive:
                    self.fates[chain] = Fate.LIVING
                elif chain[0] in territory:
                    self.fates[chain] = Fate.DEAD

    def _find_quiet_life(self) -> None:
        for chain in self.chains:
            if chain not in self.fates:
                quiet = quiet_arena(self.board, chain, MOST_QUIET_REGION)
                reader = Reader(self.board, quiet, self.points(Fate.LIVING), MOST_QUIET_NODES)
                if quiet and reader.is_living(chain[0], owner_first=False):
                    self.fates[chain] = Fate.LIVING

    def _read(self, arena: Arena, walls: frozenset[int]) -> None:
        if all(chain in self.fates for chain in arena.chains):
            return
        for chain, fate in read_arena(arena, walls, MOST_NODES).items():
            if chain not in self.fates and fate != Fate.UNKNOWN:
                self.fates[chain] = fate
