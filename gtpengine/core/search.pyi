# Documented in search.pyx.
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gtpengine.core.evaluator import Evaluator
from gtpengine.core.history import History

class Choice(NamedTuple):
    point: int
    visits: int
    win_rate: float
    lead: float
    prior: float
    deviation: float
    lead_deviation: float

class Search:
    def __init__(
        self,
        evaluator: Evaluator,
        *,
        memory: int,
        n_threads: int,
        seed: int,
        exploration: float,
        amaf_bias: float,
        prior_visits: float,
        prior_shift: float,
        expand_at: int,
        width: float,
        widening: float,
        exploration_growth: float = 0,
        exploration_base: float = 1,
        first_play: float = -1,
    ) -> None: ...
    @property
    def evaluator(self) -> Evaluator: ...
    @property
    def n_threads(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def win_rate(self) -> float: ...
    @property
    def lead(self) -> float: ...
    @property
    def lead_deviation(self) -> float: ...
    @property
    def is_stopping(self) -> bool: ...
    def set_position(
        self,
        history: History,
        to_play: int,
        *,
        komi: float,
        territory: bool = False,
        all_alive: bool = False,
        superko: Literal["simple", "positional", "situational"] = "simple",
        avoid: Sequence[tuple[int, int, int]] = (),
    ) -> int: ...
    def forget(self) -> None: ...
    def set_priors(self, priors: Mapping[int, float]) -> None: ...
    def begin(self, most_visits: int | None = None, detailed: bool = False) -> None: ...
    def stop(self) -> None: ...
    def work(self, thread: int) -> None: ...
    def leaders(self) -> tuple[int, int, bool]: ...
    def choices(self) -> list[Choice]: ...
    def variation(self, first: int | None = None, most: int = 30) -> list[int]: ...
    def variation_visits(self, first: int | None = None, most: int = 30) -> list[int]: ...
    def ownership(self) -> npt.NDArray[np.float32]: ...
    def ownership_by_move(
        self, move: int | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
