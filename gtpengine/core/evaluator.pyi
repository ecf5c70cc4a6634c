# Documented in evaluator.pyx.
from gtpengine.core.prior import Prior

class Evaluator:
    def __init__(
        self,
        *,
        batch_size: int = 1,
        score_weight: float = 0,
        repeats: bool = True,
        asks_superko: bool = False,
    ) -> None: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def score_weight(self) -> float: ...
    @property
    def repeats(self) -> bool: ...
    @property
    def asks_superko(self) -> bool: ...

class PlayoutEvaluator(Evaluator):
    def __init__(
        self,
        *,
        prior: Prior,
        capture: int,
        nakade: int,
        pattern: int,
        self_atari: int,
        score_weight: float,
        prior_scale: float,
    ) -> None: ...
    @property
    def prior_scale(self) -> float: ...
    @property
    def prior(self) -> Prior: ...
