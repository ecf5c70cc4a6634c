# Documented in score.pyx.
import numpy as np
import numpy.typing as npt

from gtpengine.core.board import Board

def area_owner(board: Board) -> npt.NDArray[np.int8]: ...
