"""The 16 images of a position: 8 symmetries of the square, with colors as they are or swapped.

What is worked out for one chosen image and carried back is the same for all of them by
construction, even where the working out uses random games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from gtpengine.coords import point_in_row
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, WHITE


@dataclass(frozen=True)
class Image:
    """One image of a position: its stones alone, without ko, prisoners or history."""

    size: int
    colors: bytes  # of all points, row by row from the top: what ``board_of`` reads
    origin: Mapping[int, int]  # point of the image -> point of the position

    def points_back(self, points: Iterable[int]) -> frozenset[int]:
        """The points in the position of points of the image."""
        return frozenset(self.origin[point] for point in points)


def canonical_image(board: Board) -> Image:
    """The image that all 16 images of a position share."""
    size = board.size
    points = np.array(
        [[point_in_row(row, column, size) for column in range(size)] for row in range(size)]
    )
    colors = np.array([[board.color_at(int(point)) for point in row] for row in points], np.uint8)
    swapped = np.where(colors == EMPTY, colors, BLACK + WHITE - colors)
    chosen, turn = min(
        (_turned(grid, turn).tobytes(), turn) for grid in (colors, swapped) for turn in range(8)
    )
    origin = {
        point_in_row(row, column, size): int(point)
        for (row, column), point in np.ndenumerate(_turned(points, turn))
    }
    return Image(size, chosen, origin)


def board_of(size: int, colors: bytes) -> Board:
    """A board with the stones of an image."""
    board = Board(size)
    for index, color in enumerate(colors):
        if color != EMPTY:
            board.play(color, point_in_row(*divmod(index, size), size))
    return board


def _turned(grid: np.ndarray, turn: int) -> np.ndarray:
    """One of the 8 symmetric images of a square array."""
    return np.rot90(grid.T if turn >= 4 else grid, turn % 4)
