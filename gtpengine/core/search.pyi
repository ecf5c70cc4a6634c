# Documented in search.pyx.
from collections.abc import Mapping, Sequence
from typing import Literal

from gtpengine.core.evaluator import Evaluator
from gtpengine.core.findings import Findings
from gtpengine.core.history import History

class Search(Findings):
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
