"""One game of a network against itself, and what is to be learned from it.

A share of the moves, the targets, is searched thoroughly and with noise at the root; the others are
searched little, so that games, and with them results, are cheap.  Source of this playout cap
randomization and of most constants: Wu 2019, Accelerating Self-Play Learning in Go, section 3.1 and
appendix; the noise: Silver et al. 2017, Mastering the game of Go without human knowledge.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from gtpengine.core.findings import Choice
from gtpengine.core.score import area_owner
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, WHITE
from gtpengine.evaluators import search_with_network, search_with_playouts
from gtpengine.game import Game
from gtpengine.network import LoadedNetwork
from gtpengine.parameters import NetworkParameters, SearchParameters
from gtpengine.scoring import final_status, score_of
from label_games import AREA, TERRITORY, TERRITORY_SHARE, draw_komi
from label_writer import Floats, Label, LabelledGame, index_of

TARGET_SHARE = 0.25  # of the moves
NOISE = 0.25  # share of the noise in the priors of the root
NOISE_TOTAL = 10.83  # sum of the parameters of its Dirichlet distribution: 0.03 each on 19x19
OPENING_MOVES = 0.04  # mean number of moves from the priors alone at the start, for each point
FIRST_TEMPERATURE, LAST_TEMPERATURE = 0.8, 0.2  # of the choice by visits; halves every `size` moves
LONGEST = 3  # moves a point
MEMORY = 32 << 20  # bytes of the tree


@dataclass(frozen=True)
class SelfplayJob:
    """A game to be played; one job gives the same game everywhere, on processors of one kind.

    Without a ``network`` the search evaluates by playouts, and there is no noise.
    """

    number: int
    seed: int
    size: int
    network: Path | None
    visits: int
    """of a thorough search"""
    cheap_visits: int
    """of the others"""
    fair_komi: float


@lru_cache(maxsize=1)
def _load(path: Path) -> LoadedNetwork:
    return LoadedNetwork(path)


def make_search(network: Path | None, seed: int) -> Search:
    """A search on one thread with the constants of play."""
    if network is None:
        return search_with_playouts(SearchParameters(), memory=MEMORY, n_threads=1, seed=seed)
    return search_with_network(
        _load(network), NetworkParameters(), memory=MEMORY, n_threads=1, seed=seed
    )


class SelfplayGame:
    """A game in progress; ``game`` is where it stands."""

    def __init__(self, job: SelfplayJob) -> None:
        self.job = job
        self._random = random.Random(f"{job.seed} {job.number}")
        self._noise = np.random.default_rng((job.seed, job.number))
        self._search = make_search(job.network, self._random.getrandbits(63))
        rules = TERRITORY if self._random.random() < TERRITORY_SHARE else AREA
        self.game = Game(job.size, rules, draw_komi(self._random, job.fair_komi))
        mean = OPENING_MOVES * job.size * job.size
        self._n_opening_moves = round(self._random.expovariate(1 / mean))
        self._policies: list[Floats] = []
        self._targets: list[bool] = []

    def move(self) -> None:
        """Search, note where the visits went, and play."""
        n_moves, size = len(self.game.moves), self.job.size
        is_opening = n_moves < self._n_opening_moves
        is_target = not is_opening and self._random.random() < TARGET_SHARE
        if is_opening:
            choices = self._look(1)
            weights = np.array([choice.prior for choice in choices])
            temperature = 1.0
        else:
            choices = self._look_well() if is_target else self._look(self.job.cheap_visits)
            weights = np.array([choice.visits for choice in choices], float)
            temperature = max(LAST_TEMPERATURE, FIRST_TEMPERATURE * 0.5 ** (n_moves / size))
        policy = np.zeros(size * size + 1, np.float32)
        policy[[index_of(choice.point, size) for choice in choices]] = weights
        self._policies.append(policy)
        self._targets.append(is_target)
        sharpened = (weights / weights.max()) ** (1 / temperature)
        (choice,) = self._random.choices(choices, sharpened.tolist())
        self.game.play(self.game.to_play, choice.point)

    def _look_well(self) -> list[Choice]:
        """A search from nothing, with noise: all of its visits are its own."""
        self._search.forget()
        choices = self._look(1)
        if self.job.network is not None:
            noise = self._noise.dirichlet(np.full(len(choices), NOISE_TOTAL / len(choices)))
            self._search.set_priors(
                {
                    choice.point: (1 - NOISE) * choice.prior + NOISE * more
                    for choice, more in zip(choices, noise, strict=True)
                }
            )
        return self._look(self.job.visits)

    def _look(self, visits: int) -> list[Choice]:
        """The legal moves once the root has so many visits, those of earlier searches included."""
        game, search = self.game, self._search
        is_area = game.rules.scoring == "area"
        search.set_position(
            game.history,
            game.to_play,
            komi=game.komi,
            territory=not is_area,
            all_alive=is_area,  # dead stones have to be taken off, so that the score is exact
            superko=game.rules.ko,
        )
        search.begin(visits)
        search.work(0)
        return [c for c in search.choices() if not game.legality(game.to_play, c.point)]

    def finish(self) -> LabelledGame:
        """The game as it stands, every position labelled with how it ended."""
        game, size = self.game, self.job.size
        score, owner = outcome(game)
        done = LabelledGame(size, game.komi, game.rules.scoring == "territory")
        done.moves = [index_of(point, size) for _, point in game.moves]
        done.targets = self._targets
        for (color, _), policy in zip(game.moves, self._policies, strict=True):
            sign = 1 if color == BLACK else -1
            win_rate = (1 + np.sign(sign * score)) / 2
            done.labels.append(Label(policy, float(win_rate), sign * score, sign * owner))
        return done


def outcome(game: Game) -> tuple[float, Floats]:
    """(points, owner of each point) at the end of a game: Black minus White, komi included.

    By area every stone on the board is alive; by territory dead stones are told by reading.
    """
    if game.rules.scoring == "area":
        owner = area_owner(game.board).ravel().astype(np.float32)
        return float(owner.sum()) - game.komi, owner
    status = final_status(game)
    owner = np.zeros(game.size * game.size, np.float32)
    for point, color in status.owner.items():
        owner[index_of(point, game.size)] = {BLACK: 1, WHITE: -1}.get(color, 0)
    return score_of(game, status), owner


def play_game(job: SelfplayJob) -> LabelledGame:
    """Play to two passes, or until it is too long."""
    current = SelfplayGame(job)
    while not current.game.is_over and len(current.game.moves) < LONGEST * job.size * job.size:
        current.move()
    return current.finish()


@contextmanager
def playing() -> Iterator[Callable[[SelfplayJob], tuple[int, LabelledGame]]]:
    """What a worker opens: from jobs to (number, game)."""
    yield lambda job: (job.number, play_game(job))
