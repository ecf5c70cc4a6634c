"""The status of the chains of one arena, by reading.

A chain is dead if it is lost although its owner moves first, living if it gets two eyes although
the opponent moves first, and in seki if it can be neither taken nor made to live.  What depends on
who moves first is unsettled.
"""

from __future__ import annotations

from collections.abc import Set
from enum import Enum

from gtpengine.arenas import NEIGHBORS, Arena, Chain
from gtpengine.core.reading import Reader
from gtpengine.core.types import BLACK, NO_POINT, WHITE


class Fate(Enum):
    """What reading says about a chain."""

    LIVING = "living"
    DEAD = "dead"
    SEKI = "seki"
    UNSETTLED = "unsettled"
    UNKNOWN = "unknown"


def read_arena(arena: Arena, walls: Set[int], most_nodes: int) -> dict[Chain, Fate]:
    """The fate of every chain of an arena; ``most_nodes`` bounds each of up to four questions."""
    reader = Reader(arena.board, arena.points, walls, most_nodes)
    return {chain: _fate(reader, arena, chain) for chain in arena.chains}


def _fate(reader: Reader, arena: Arena, chain: Chain) -> Fate:
    stone, guard = chain[0], _guard(arena, chain)
    lives = reader.is_living(stone, owner_first=False)
    if lives:
        return Fate.LIVING
    is_lost = reader.is_captured(stone, owner_first=True, guard=guard)
    if is_lost:
        return Fate.DEAD
    if lives is None or is_lost is None:
        return Fate.UNKNOWN
    can_be_lost = reader.is_captured(stone, owner_first=False, guard=guard)
    can_live = reader.is_living(stone, owner_first=True)
    if can_be_lost is None or can_live is None:
        return Fate.UNKNOWN
    return Fate.UNSETTLED if can_be_lost or can_live else Fate.SEKI


def _guard(arena: Arena, chain: Chain) -> int:
    """A stone of the captors that may not fall in return for the chain, or NO_POINT.

    It is the largest neighbor that can be taken, if such neighbors weigh more than the chain.
    """
    captor = BLACK + WHITE - arena.board.color_at(chain[0])
    beside = {point + step for point in chain for step in NEIGHBORS}
    captors = [
        other
        for other in arena.chains
        if arena.board.color_at(other[0]) == captor and not beside.isdisjoint(other)
    ]
    return captors[0][0] if sum(map(len, captors)) > len(chain) else NO_POINT
