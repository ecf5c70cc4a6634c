"""What the results of games say: win rate, Elo difference, when a match may stop.

A draw counts half a point.  Elo is the logistic scale: +400 means ten points to one.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gtpengine.match.game import GameRecord

Z95 = 1.959964  # two-sided 95 % of the normal distribution
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of two games with the same opening, as a share
EMPTY_CLASS = 1e-3  # stands for zero pairs of one score, so that logarithms exist


@dataclass
class Score:
    """Results of one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points per game, 0..1; one half if there is no game yet."""
        return self.points / self.games if self.games else 0.5

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


def score_of(name: str, records: Iterable[GameRecord]) -> Score:
    """Results of the engine ``name`` in these games, which must all be its own."""
    score = Score()
    for record in records:
        score.wins += record.winner == name
        score.draws += record.winner is None
        score.losses += record.winner not in (name, None)
    return score


def between(a: str, b: str, records: Iterable[GameRecord]) -> list[GameRecord]:
    """The games of two engines against each other."""
    return [record for record in records if {record.black, record.white} == {a, b}]


def wilson(points: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Interval of a rate, 0..1; (0, 1) without games.

    Draws make it a little too wide, never too narrow.
    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    if games == 0:
        return 0.0, 1.0
    rate, weight = points / games, z * z / games
    center = (rate + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(rate * (1 - rate) / games + weight / (4 * games))
    return max(center - half, 0.0), min(center + half, 1.0)


def elo_of(rate: float) -> float:
    """Elo difference of an expected score 0..1; infinite at the ends."""
    if rate <= 0 or rate >= 1:
        return math.copysign(math.inf, rate - 0.5)
    return 400 * math.log10(rate / (1 - rate))


def rate_of(elo: float) -> float:
    """Expected score, 0..1, of an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def pair_scores(name: str, records: Iterable[GameRecord]) -> list[float]:
    """Scores, 0..1, of the finished pairs (games 2k and 2k + 1) of the engine ``name``."""
    games: dict[int, list[GameRecord]] = {}
    for record in records:
        games.setdefault(record.number // 2, []).append(record)
    return [score_of(name, pair).rate for pair in games.values() if len(pair) == 2]


@dataclass(frozen=True)
class Sprt:
    """Sequential probability ratio test of "at most elo0 stronger" against "at least elo1".

    The unit is the pair of games from one opening, so that what the two games share does not
    count twice.  Source: Van den Bergh, The Generalized Sequential Probability Ratio Test for
    chess engine testing (maximum likelihood under the constraint of the mean).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # chance to accept elo1 although elo0 is true
    beta: float = 0.05  # chance to accept elo0 although elo1 is true

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """Read ``ELO0,ELO1`` or ``ELO0,ELO1,ALPHA,BETA``."""
        try:
            numbers = [float(word) for word in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise ValueError(f"expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, got '{text}'")
        test = cls(*numbers)
        if not test.elo0 < test.elo1:
            raise ValueError(f"expected ELO0 below ELO1, got '{text}'")
        if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
            raise ValueError(f"expected ALPHA and BETA between 0 and 0.5, got '{text}'")
        return test

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which elo0 and elo1 are accepted."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def log_likelihood_ratio(self, scores: Sequence[float]) -> float:
        """Of elo1 against elo0, given the scores of pairs; 0 without any."""
        if not scores:
            return 0.0
        counts = [scores.count(value) or EMPTY_CLASS for value in PAIR_SCORES]
        shares = [count / sum(counts) for count in counts]
        mean0, mean1 = rate_of(self.elo0), rate_of(self.elo1)
        tilt0, tilt1 = _tilt(shares, mean0), _tilt(shares, mean1)
        return len(scores) * sum(
            share * math.log((1 + tilt0 * (value - mean0)) / (1 + tilt1 * (value - mean1)))
            for share, value in zip(shares, PAIR_SCORES, strict=True)
        )

    def verdict(self, scores: Sequence[float]) -> str:
        """Which of ``elo0`` and ``elo1`` is accepted; empty while neither is."""
        ratio = self.log_likelihood_ratio(scores)
        low, high = self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else ""


def _tilt(shares: Sequence[float], mean: float) -> float:
    """The t for which share / (1 + t (value - mean)) are shares with this mean.

    They are the most likely ones under that mean.  The sum below falls with t, so halving
    the interval in which all shares stay positive finds its zero.
    """
    low, high = -1 / (PAIR_SCORES[-1] - mean), 1 / (mean - PAIR_SCORES[0])
    for _ in range(100):
        middle = (low + high) / 2
        slope = sum(
            share * (value - mean) / (1 + middle * (value - mean))
            for share, value in zip(shares, PAIR_SCORES, strict=True)
        )
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def n_copies(records: Iterable[GameRecord]) -> int:
    """Games that repeat another game of the same two sides move for move.

    They say nothing new: two engines without chance need a new opening for each pair.
    """
    games = [
        (record.black, record.white, tuple((move.color, move.vertex) for move in record.moves))
        for record in records
    ]
    return len(games) - len(set(games))
