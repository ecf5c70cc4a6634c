# Documented in ladder.pyx.
from gtpengine.core.board import Board

def is_caught(board: Board, point: int) -> bool: ...
