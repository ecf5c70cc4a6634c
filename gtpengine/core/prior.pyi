# Documented in prior.pyx.
import numpy as np
import numpy.typing as npt

from gtpengine.core.board import Board
from gtpengine.core.spatial import Patterns
from gtpengine.core.types import NO_POINT

class Prior:
    def __init__(self, patterns: Patterns, weights: npt.NDArray[np.int16]) -> None: ...
    @property
    def patterns(self) -> Patterns: ...
    def candidates(
        self, board: Board, color: int, last: int = NO_POINT, last_but_one: int = NO_POINT
    ) -> dict[int, float]: ...
