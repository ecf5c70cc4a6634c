"""The 16 images of a position: 8 symmetries of the square, with colors as they are or swapped.

What is worked out for one chosen image and carried back is the same for all of them by
construction, even where the working out uses random games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from gtpengine.coords import point_at, point_in_row
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, WHITE


@dataclass(frozen=True)
class Image:
    """One image of a position: its stones alone, without ko, prisoners or history."""

    board: Board
    origin: Mapping[int, int]  # point of the image -> point of the position
    is_swapped: bool  # Black of the image is White of the position

    def color_back(self, color: int) -> int:
        """The color in the position of what has ``color`` (EMPTY, BLACK, WHITE) in the image."""
        return BLACK + WHITE - color if self.is_swapped and color != EMPTY else color

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
    best: tuple[bytes, int, bool] | None = None
    for is_swapped, grid in enumerate((colors, swapped)):
        for turn in range(8):
            key = (_turned(grid, turn).tobytes(), turn, bool(is_swapped))
            best = key if best is None else min(best, key)
    assert best is not None
    _, turn, is_swapped = best
    image = Board(size)
    origin: dict[int, int] = {}
    chosen = _turned(swapped if is_swapped else colors, turn)
    for (row, column), point in np.ndenumerate(_turned(points, turn)):
        here = point_at(column + 1, size - row)
        origin[here] = int(point)
        if chosen[row, column] != EMPTY:
            image.play(int(chosen[row, column]), here)
    return Image(image, origin, is_swapped)


def _turned(grid: np.ndarray, turn: int) -> np.ndarray:
    """One of the 8 symmetric images of a square array."""
    return np.rot90(grid.T if turn >= 4 else grid, turn % 4)
