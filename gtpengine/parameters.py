"""The constants of search, playouts and networks: one place, with units, chosen by matches."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchParameters:
    """Constants of the search with playouts.

    How often, in 1000, a playout looks for a kind of local move: ``capture`` (takes and rescues at
    the last move), ``nakade``, ``pattern`` (3x3); ``self_atari``: lets one of several stones by.
    """

    exploration: float = 0.3  # weight of the prior term in selection
    amaf_bias: float = 0.0005  # 1 / games; larger: own visits take over from AMAF sooner
    prior_visits: float = 10.0  # games that the guess at a new move stands for
    prior_scale: float = 0.035  # what a doubling of the prior adds to that guess
    prior_shift: float = 0.8  # share of the parent's mean result in that guess
    width: float = 10.0  # moves of a node looked at from the first visit on, best prior first ...
    widening: float = 0.9  # ... and for each square root of a visit
    expand_at: int = 4  # visits at which a node gets children
    score_weight: float = 0.03  # share of the score in a result
    capture: int = 900
    nakade: int = 500
    pattern: int = 900
    self_atari: int = 50


@dataclass(frozen=True)
class NetworkParameters:
    """Constants of the search with a network."""

    exploration: float = 0.6  # weight of the prior term in selection
    exploration_growth: float = 0.45  # how it grows: times the logarithm of 1 + visits / base
    exploration_base: float = 500.0  # visits
    first_play: float = 0.15  # what a move without visits is worth less, per root of prior visited
    score_weight: float = 0.05  # share of the score in a result
    batch_size: int = 8  # positions that a thread gives the network at once
    cache_memory: int = 32  # MiB of evaluations that are kept
