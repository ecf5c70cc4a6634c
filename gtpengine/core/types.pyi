# What each means stands in types.pxd.
from typing import Final

EMPTY: Final[int] = 0
BLACK: Final[int] = 1
WHITE: Final[int] = 2
WALL: Final[int] = 3

MIN_SIZE: Final[int] = 2
MAX_SIZE: Final[int] = 25
STRIDE: Final[int] = 27
MAX_POINTS: Final[int] = 729
PASS: Final[int] = 0
NO_POINT: Final[int] = -1
