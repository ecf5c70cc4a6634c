# Documented in features.pyx.
from typing import Final

import numpy as np
import numpy.typing as npt

from gtpengine.core.history import History

PLANES: Final[int]
SCALARS: Final[int]
SYMMETRIES: Final[int]

def encode_history(
    history: History,
    to_play: int,
    *,
    komi: float,
    territory: bool = False,
    superko: str = "simple",
    symmetry: int = 0,
    width: int | None = None,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
def encode_recordings(
    size: int,
    moves: npt.NDArray[np.int16],
    first: npt.NDArray[np.int64],
    n_moves: npt.NDArray[np.int64],
    komi: npt.NDArray[np.float32],
    territory: npt.NDArray[np.uint8],
    symmetry: npt.NDArray[np.uint8],
    planes: npt.NDArray[np.float32],
    scalars: npt.NDArray[np.float32],
) -> None: ...
def symmetry_tables(size: int) -> npt.NDArray[np.int64]: ...
