# Documented in reading.pyx.
from collections.abc import Collection

from gtpengine.core.board import Board
from gtpengine.core.types import NO_POINT

EVERY_KO: int

class Reader:
    def __init__(self, board: Board, arena: Collection[int], safe: Collection[int]) -> None: ...
    @property
    def nodes(self) -> int: ...
    def is_captured(
        self,
        stone: int,
        owner_first: bool,
        most_nodes: int,
        guard: int = NO_POINT,
        owner_retakes: int = 0,
    ) -> bool | None: ...
    def is_living(self, stone: int, owner_first: bool, most_nodes: int) -> bool | None: ...
