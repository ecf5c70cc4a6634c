# Documented in life.pyx.
from gtpengine.core.board import Board

def unconditional(board: Board, color: int) -> tuple[frozenset[int], frozenset[int]]: ...
