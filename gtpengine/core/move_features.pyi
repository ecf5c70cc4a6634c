# Documented in move_features.pyx.
from typing import Final

import numpy as np
import numpy.typing as npt

from gtpengine.core.spatial import Patterns

N_FIXED: Final[int]

class Recordings:
    def __init__(
        self,
        size: int,
        moves: npt.NDArray[np.int16],
        first: npt.NDArray[np.int64],
        n_moves: npt.NDArray[np.int64],
    ) -> None: ...
    def surroundings(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]: ...
    def describe(
        self, patterns: Patterns
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16], npt.NDArray[np.int32]]: ...
