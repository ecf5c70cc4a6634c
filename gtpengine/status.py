"""Dead, seki or alive: the status of every chain of a position as it stands.

In this order: unconditional life and death; life that the regions of a chain give it; reading of
small arenas; and, unless only what is certain counts, reading between walls that random games show
to be strong, and what the games say of the rest.  Neither the player to move nor a ko ban matters;
all 16 images of a position get the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gtpengine import fights
from gtpengine.arenas import (
    NEIGHBORS,
    Arena,
    Chain,
    arenas_between,
    chains_of,
    ko_partners,
    quiet_arena,
    without,
)
from gtpengine.core.board import Board
from gtpengine.core.life import unconditional
from gtpengine.core.types import BLACK, EMPTY, WALL, WHITE
from gtpengine.estimate import Estimate
from gtpengine.kofights import Seki, Stake, hangs_on_ko, loss
from gtpengine.local import ArenaReader, Fate, NodeBudget, neighbors
from gtpengine.races import decided_races
from gtpengine.symmetry import board_of, canonical_image


@dataclass(frozen=True)
class Limits:
    """How much is read."""

    small: int = 6  # an arena with so few empty points is read whatever random games say
    most_empty: int = 14  # a larger one than this is not read
    nodes: int = 100_000  # for one question
    nodes_per_point: int = 1_500  # for a whole position, times its points
    quiet_nodes: int = 1_000  # for life from the regions of one chain
    quiet_region: int = 8  # points


@dataclass(frozen=True)
class Verdict:
    """Points of the stones that are dead and that live in seki; all others are alive."""

    dead: frozenset[int]
    seki: frozenset[int]


def judge(board: Board, proven_only: bool = False, counts_area: bool = False) -> Verdict:
    """Decide the status of every chain; ``proven_only`` counts as alive what is not certain.

    ``counts_area`` says that a ko must be played out to take stones off.
    """
    image = canonical_image(board)
    verdict = _verdict(image.size, image.colors, proven_only, counts_area)
    return Verdict(image.points_back(verdict.dead), image.points_back(verdict.seki))


@lru_cache(maxsize=64)
def _verdict(size: int, colors: bytes, proven_only: bool, counts_area: bool) -> Verdict:
    judgement = Judgement(board_of(size, colors))
    judgement.prove()
    judgement.read(proven_only)
    if not proven_only:
        judgement.estimate()
    judgement.reconcile()
    if counts_area:
        judgement.allow_threats()
    return Verdict(judgement.points(Fate.DEAD), judgement.points(Fate.SEKI))


class Judgement:
    """What is known about the chains of a board; ``fates`` lacks those that are not decided."""

    def __init__(self, board: Board, limits: Limits = Limits()) -> None:
        self.board = board
        self.limits = limits
        self.chains = chains_of(board, board.points())
        self.fates: dict[Chain, Fate] = {}
        self.readers: dict[Chain, ArenaReader] = {}  # by chain whose fate was read
        self.closed: frozenset[int] = frozenset()  # regions where only one color can live
        self.budget = NodeBudget(limits.nodes_per_point * len(board.points()), limits.nodes)

    def points(self, *fates: Fate) -> frozenset[int]:
        """Points of the chains of some fates."""
        return frozenset(p for chain, fate in self.fates.items() if fate in fates for p in chain)

    @property
    def undecided(self) -> list[Chain]:
        """Chains without a fate yet, the largest first."""
        return [chain for chain in self.chains if chain not in self.fates]

    def prove(self) -> None:
        """Decide what regions alone tell.

        Sources: Benson 1976, Life in the Game of Go; for life where both players move in turn,
        Mueller 1997, Playing it safe.
        """
        if len({self.board.color_at(chain[0]) for chain in self.chains}) == 1:
            self.fates = dict.fromkeys(self.chains, Fate.LIVING)  # nobody else is there
        for color in (BLACK, WHITE):
            alive, territory = unconditional(self.board, color)
            self.closed |= territory
            for chain in self.chains:
                if chain[0] in alive:
                    self.fates[chain] = Fate.LIVING
                elif chain[0] in territory:
                    self.fates[chain] = Fate.DEAD
        budget = NodeBudget(self.budget.left, self.limits.quiet_nodes)
        for chain in self.undecided:
            quiet = quiet_arena(self.board, chain, self.limits.quiet_region)
            if quiet:
                reader = ArenaReader(Arena(self.board, quiet), self.points(Fate.LIVING), budget)
                if reader.lives(chain, owner_first=False):
                    self.fates[chain] = Fate.LIVING

    def read(self, to_the_end: bool) -> None:
        """Read small arenas, ``to_the_end`` also those that random games might decide."""
        most_empty = self.limits.most_empty if to_the_end else self.limits.small
        for _ in range(2):  # what lives is a wall for what else is there
            walls = self.points(Fate.LIVING)
            for arena in arenas_between(self.board, walls, self.closed):
                if arena.n_empty <= most_empty:
                    self._read_arena(arena, walls)
            self._count_races(self.points(Fate.LIVING))
        self._settle_kos()

    def _count_races(self, walls: frozenset[int]) -> None:
        """Decide the races of which counting tells the end; reading may know one of the chains."""
        chains = self.undecided + self._with_fate(Fate.SEKI)
        for fates in decided_races(self.board, chains, walls):
            self.fates.update(fates)

    def _settle_kos(self) -> None:
        """Let a stone in a ko, where the first move decides, share the fate of what it protects."""
        for chain in self._with_fate(Fate.UNSETTLED):
            for partner in ko_partners(self.board, chain)[:1]:
                self.fates[chain] = self.fates.get(partner, Fate.UNSETTLED)

    def estimate(self) -> None:
        """Decide the rest with the help of random games."""
        if not self.undecided and not self._with_fate(Fate.UNSETTLED):
            return
        estimate = Estimate(self.board)
        walls = (self.points(Fate.LIVING) | estimate.strong_chains()) - self.points(Fate.DEAD)
        self._count_races(walls)
        walls -= self.points(Fate.DEAD, Fate.SEKI, Fate.UNSETTLED)
        for arena in arenas_between(self.board, walls, self.closed):
            if arena.n_empty <= self.limits.small or (
                arena.n_empty <= self.limits.most_empty
                and not all(map(estimate.is_clear, arena.chains))
            ):
                self._read_arena(arena, walls, estimate)
        self._settle_kos()
        self._search(estimate)
        guesses = self.undecided + self._with_fate(Fate.UNSETTLED)
        for chain in guesses:
            is_unsettled = chain in self.fates
            is_dead = chain[0] not in walls and estimate.is_dead(chain, is_unsettled)
            self.fates[chain] = Fate.DEAD if is_dead else Fate.LIVING
        self._guess_again([chain for chain in guesses if estimate.is_doubtful(chain)])

    def _guess_again(self, guesses: list[Chain]) -> None:
        """Judge once more, without the dead stones, what lives by a guess that counted on them."""
        dead = self.points(Fate.DEAD)
        doubtful = [chain for chain in guesses if chain[0] not in dead]
        if not dead or not doubtful:
            return
        again = Judgement(without(self.board, dead), self.limits)
        again.budget = self.budget
        again.prove()
        again.read(False)
        lost, estimate = again.points(Fate.DEAD), Estimate(again.board)
        for chain in doubtful:
            if chain[0] in lost or estimate.is_dead(chain, is_unsettled=True):
                self.fates[chain] = Fate.DEAD

    def _search(self, estimate: Estimate) -> None:
        """Let searches decide fights of which neither reading nor random games tell the end."""
        limits = fights.Limits()
        lost = frozenset(p for c in self.undecided if estimate.share(c) < 0 for p in c)
        parties = fights.open_parties(estimate, self.undecided, limits)
        for _ in range(min(limits.searches, len(parties))):
            dead = self.points(Fate.DEAD) | (lost - self.points(Fate.LIVING))
            scores = {party: fights.scores(self.board, party, dead) for party in parties}
            party = max(parties, key=lambda party: abs(scores[party][0] - scores[party][1]))
            alive, without = scores[party]
            if abs(alive - without) < limits.stake:
                break
            parties.remove(party)
            survives = fights.outcome(self.board, party, (alive + without) / 2, limits)
            if survives is not None:
                fate = Fate.LIVING if survives else Fate.DEAD
                self.fates.update(dict.fromkeys(party.chains, fate))

    def _read_arena(
        self, arena: Arena, walls: frozenset[int], estimate: Estimate | None = None
    ) -> None:
        reader = ArenaReader(arena, walls, self.budget)
        chains = [chain for chain in arena.chains if chain not in self.fates]
        look_dead: set[Chain] = set()
        if estimate is not None:  # nodes may run out: first what decides most
            chains.sort(key=estimate.points_in_doubt, reverse=True)
            look_dead = {chain for chain in chains if estimate.share(chain) < 0}
        for chain, fate in reader.fates(chains, look_dead).items():
            self.fates[chain] = fate
            self.readers[chain] = reader

    def reconcile(self) -> None:
        """Take back what makes no sense beside the fates of the neighbors.

        Nobody dies where the own color alone lives around, and a seki takes two.
        """
        dead = self.points(Fate.DEAD)
        for fate, rival_fates in (
            (Fate.DEAD, (Fate.LIVING, Fate.SEKI, Fate.UNSETTLED)),
            (Fate.SEKI, (Fate.SEKI, Fate.UNSETTLED)),
        ):
            rivals = self.points(*rival_fates)
            for chain in self._with_fate(fate):
                if not self._meets(chain, rivals, dead):
                    self.fates[chain] = Fate.LIVING

    def allow_threats(self) -> None:
        """Play out, where areas are counted, the kos on which dead chains hang."""
        for chain in self._with_fate(Fate.DEAD):
            reader = self.readers.get(chain)
            if reader and self.fates[chain] == Fate.DEAD and hangs_on_ko(reader, chain):
                self._play_ko(chain, reader)

    def _play_ko(self, chain: Chain, reader: ArenaReader) -> None:
        """Let chains live that die in a ko, if their owner has a threat that is worth it."""
        color = self.board.color_at(chain[0])
        saved = [c for c in reader.arena.chains if self.board.color_at(c[0]) == color]
        captors = neighbors(reader.arena, chain)
        stake = Stake(
            loss(reader.arena, saved), loss(reader.arena, captors), hangs_on_ko(reader, chain, 1)
        )
        least, seki = min(
            ((seki.least_gain(stake), seki) for seki in self._sekis_beside(reader, color)),
            key=lambda found: found[0],
            default=(stake.chains, None),
        )
        if seki is None or least == stake.chains:
            return
        if least == 0:
            self.fates.update(dict.fromkeys((*saved, *captors), Fate.SEKI))
            return
        if stake.by_answer(seki.whole) >= stake.by_taking(seki.whole):
            lost, living = (*captors, *seki.own), (*saved, *seki.others)
        else:
            lost, living = (*saved, *seki.others), (*captors, *seki.own)
        self.fates.update(dict.fromkeys(lost, Fate.DEAD))
        self.fates.update(dict.fromkeys(living, Fate.LIVING))

    def _sekis_beside(self, reader: ArenaReader, color: int) -> list[Seki]:
        """The sekis in other arenas than that of ``reader``, as ``color`` sees them."""
        walls, in_seki = self.points(Fate.LIVING), self.points(Fate.SEKI)
        return [
            Seki(
                ArenaReader(arena, walls, self.budget),
                [chain for chain in arena.chains if chain[0] in in_seki],
                color,
            )
            for arena in arenas_between(self.board, walls, self.closed)
            if arena.points & in_seki and not arena.points & reader.arena.points
        ]

    def _with_fate(self, fate: Fate) -> list[Chain]:
        return [chain for chain in self.chains if self.fates.get(chain) == fate]

    def _meets(self, chain: Chain, stones: frozenset[int], dead: frozenset[int]) -> bool:
        """Whether a chain meets opponents in ``stones``, once ``dead`` stones are off."""
        board, color = self.board, self.board.color_at(chain[0])
        region, seen = list(chain), set(chain)
        for point in region:
            for beside in (point + step for step in NEIGHBORS):
                if beside in seen or board.color_at(beside) == WALL:
                    continue
                seen.add(beside)
                if beside in stones and board.color_at(beside) != color:
                    return True
                if board.color_at(beside) == EMPTY or beside in dead:
                    region.append(beside)
        return False
