# Documented in network.pyx.
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gtpengine.core.evaluator import Evaluator

class NetworkEvaluator(Evaluator):
    def __init__(
        self,
        run: Callable[
            [npt.NDArray[np.float32], npt.NDArray[np.float32]], Sequence[npt.NDArray[np.float32]]
        ],
        *,
        batch_size: int,
        score_weight: float,
        cache_memory: int,
    ) -> None: ...
    @property
    def n_evaluated(self) -> int: ...
    @property
    def n_cached(self) -> int: ...
