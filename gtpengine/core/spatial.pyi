# Documented in spatial.pyx.
from typing import Final

import numpy as np
import numpy.typing as npt

from gtpengine.core.board import Board

LEVELS: Final[int]

class Patterns:
    def __init__(self, packed: npt.NDArray[np.uint8], levels: npt.NDArray[np.uint8]) -> None: ...
    @property
    def n(self) -> int: ...
    def at(self, board: Board, color: int, point: int) -> list[int]: ...
