# Documented in prior.pyx.
from gtpengine.core.board import Board
from gtpengine.core.types import NO_POINT

def candidate_moves(
    board: Board, color: int, last: int = NO_POINT, last_but_one: int = NO_POINT
) -> dict[int, tuple[float, float]]: ...
