# Documented in pattern.pyx.
from gtpengine.core.board import Board

def pattern_suits(board: Board, color: int, point: int) -> bool: ...
