"""The referee's own board: which moves are legal, and how many points a position is worth.

Points are pairs (row, column) from 0, row 0 at the bottom; a pass is None.  Colors are "b" and
"w".  Both as in sgfmill.
"""

import re
from dataclasses import dataclass
from typing import Literal

from sgfmill import boards, common

Color = Literal["b", "w"]
Point = tuple[int, int]
Ko = Literal["simple", "positional", "situational"]

OPPONENT: dict[Color, Color] = {"b": "w", "w": "b"}
COLOR_NAME: dict[Color, str] = {"b": "Black", "w": "White"}
MIN_SIZE, MAX_SIZE = 2, 25


@dataclass(frozen=True)
class Rules:
    """What the referee must know of a rule set."""

    kgs_name: str  # nearest word of kgs-rules
    ko: Ko
    suicide: bool


# The presets that the GTP extensions of KataGo document, and the ko rules they give them.
RULES: dict[str, Rules] = {
    "chinese-ogs": Rules("chinese", "positional", suicide=False),
    "chinese-kgs": Rules("chinese", "positional", suicide=False),
    "chinese": Rules("chinese", "simple", suicide=False),
    "aga": Rules("aga", "situational", suicide=False),
    "new-zealand": Rules("new_zealand", "situational", suicide=True),
    "tromp-taylor": Rules("chinese", "positional", suicide=True),
    "japanese": Rules("japanese", "simple", suicide=False),
    "korean": Rules("japanese", "simple", suicide=False),
}

Stones = tuple[tuple[Color, Point], ...]


class IllegalMove(ValueError):
    """A move that the rules forbid; the text is the reason."""


class RefereeBoard:
    """A position and all positions before it.

    Written for certainty, not for speed: every move copies the board.
    """

    def __init__(self, size: int, rules: Rules) -> None:
        self.size = size
        self.rules = rules
        self._board = boards.Board(size)
        self._stones: list[Stones] = [()]  # after every move and pass
        self._seen: set[tuple[Stones, Color | None]] = {self._key((), "b")}

    def play(self, color: Color, point: Point | None) -> int:
        """Play a stone or a pass; return the number of opposing stones captured.

        Raises IllegalMove if the point is occupied, suicide or banned by the ko rule; the
        position is unchanged then.
        """
        if point is None:
            self._add(self._stones[-1], color)
            return 0
        if self._board.get(*point) is not None:
            raise IllegalMove("occupied")
        after = self._board.copy()
        after.play(*point, color)
        stones: Stones = tuple(after.list_occupied_points())
        if after.get(*point) is None and not self.rules.suicide:
            raise IllegalMove("suicide")
        if self.rules.ko == "simple":
            if len(self._stones) > 1 and stones == self._stones[-2]:
                raise IllegalMove("ko")
        elif self._key(stones, OPPONENT[color]) in self._seen:
            raise IllegalMove("superko")
        n_before, n_after = (
            sum(stone_color != color for stone_color, _ in position)
            for position in (self._stones[-1], stones)
        )
        self._board = after
        self._add(stones, color)
        return n_before - n_after

    def is_eye(self, color: Color, point: Point) -> bool:
        """Whether all neighbours of an empty point are stones of this color."""
        return all(self._board.get(*near) == color for near in self._neighbours(point))

    def n_liberties(self, point: Point) -> int:
        """Liberties of the chain on this point, which must hold a stone."""
        color = self._board.get(*point)
        chain, liberties, todo = {point}, set(), [point]
        while todo:
            for near in self._neighbours(todo.pop()):
                if self._board.get(*near) is None:
                    liberties.add(near)
                elif self._board.get(*near) == color and near not in chain:
                    chain.add(near)
                    todo.append(near)
        return len(liberties)

    def area_score(self) -> int:
        """Points, Black minus White, without komi, every stone taken as alive.

        Source: rule 9 of Tromp's rules of Go (area scoring).
        """
        return int(self._board.area_score())

    def stones(self) -> Stones:
        return self._stones[-1]

    def _neighbours(self, point: Point) -> list[Point]:
        row, column = point
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def _key(self, stones: Stones, to_play: Color) -> tuple[Stones, Color | None]:
        return stones, to_play if self.rules.ko == "situational" else None

    def _add(self, stones: Stones, color: Color) -> None:
        self._stones.append(stones)
        self._seen.add(self._key(stones, OPPONENT[color]))


def parse_vertex(text: str, size: int) -> Point | None:
    """Point of a GTP vertex, None for a pass; ValueError if it is neither."""
    try:
        point: Point | None = common.move_from_vertex(text, size)
    except ValueError:
        raise ValueError(f"expected a vertex on {size}x{size}, got '{text}'") from None
    return point


def format_vertex(point: Point | None) -> str:
    """GTP vertex, "pass" for None."""
    return str(common.format_vertex(point))


def parse_score(text: str) -> float:
    """Points, Black minus White, of the answer to final_score; ValueError if it is no score."""
    if match := re.fullmatch(r"([BW])\+(\d+(?:\.\d*)?)", text.strip(), re.IGNORECASE):
        points = float(match[2])
        return points if match[1].upper() == "B" else -points
    if re.fullmatch(r"0(?:\.0*)?|draw|jigo", text.strip(), re.IGNORECASE):
        return 0.0
    raise ValueError(f"expected a score such as B+3.5, got '{text}'")


def format_score(points: float) -> str:
    """``B+3.5``, ``W+11.0`` or ``0``."""
    if points == 0:
        return "0"
    return f"{'B' if points > 0 else 'W'}+{abs(points):.1f}"
