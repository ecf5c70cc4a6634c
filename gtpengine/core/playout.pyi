# Documented in playout.pyx.
import numpy as np
import numpy.typing as npt

from gtpengine.core.board import Board

def run_playouts(
    board: Board, to_play: int, n: int, seed: int, tactical: bool = True
) -> tuple[float, float, npt.NDArray[np.float32]]: ...
def count_random_playouts(board: Board, to_play: int, n: int, seed: int) -> int: ...
def vital_point_of(board: Board, point: int) -> int: ...
