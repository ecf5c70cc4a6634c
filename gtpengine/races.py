"""Capturing races between two chains without eyes, decided by counting their liberties.

Source: Mueller 1999, Race to Capture: Analyzing Semeai in Go, for races without eyes.  What is
counted must be all there is: no liberty can become an eye, lead to more, or to a friend.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from gtpengine.arenas import NEIGHBORS, Chain
from gtpengine.core.board import Board
from gtpengine.core.types import EMPTY, WALL
from gtpengine.local import Fate


def decided_races(
    board: Board, chains: Sequence[Chain], safe: frozenset[int]
) -> Iterator[dict[Chain, Fate]]:
    """The fates of those two of ``chains`` that race with each other alone, pair by pair.

    ``safe`` are the stones that are never taken, those of ``chains`` not counted.
    """
    beside = {chain: {point + step for point in chain for step in NEIGHBORS} for chain in chains}
    for first, second in combinations(chains, 2):
        if board.color_at(first[0]) == board.color_at(second[0]) or beside[first].isdisjoint(
            second
        ):
            continue
        walls = safe - {*first, *second}
        own, other = (set(board.liberties(chain[0])) for chain in (first, second))
        if (
            _is_plain(board, first, second, own, walls)
            and _is_plain(board, second, first, other, walls)
            and _is_neutral(board, own & other, {*first, *second})
        ):
            n_both = len(own & other)
            yield _fates(first, second, len(own) - len(other), n_both)


def _fates(first: Chain, second: Chain, lead: int, n_both: int) -> dict[Chain, Fate]:
    """What becomes of two chains that share ``n_both`` liberties; the first has ``lead`` more."""
    ahead, behind = (first, second) if lead >= 0 else (second, first)
    if abs(lead) >= max(1, n_both):
        return {ahead: Fate.LIVING, behind: Fate.DEAD}  # even if it begins
    if abs(lead) < n_both - 1:
        return {ahead: Fate.SEKI, behind: Fate.SEKI}  # who fills the last shared one but one dies
    return {ahead: Fate.UNSETTLED, behind: Fate.UNSETTLED}


def _is_plain(
    board: Board, chain: Chain, rival: Chain, liberties: Set[int], walls: frozenset[int]
) -> bool:
    """Whether a chain has these liberties, never more and no eye, and can take its rival alone.

    Walls of the rival's color must stand around it: if it is taken, the rival is joined to them.
    """
    color = board.color_at(chain[0])
    own, others = {*chain, *liberties}, walls.union(rival)
    has_wall = False
    for point in own:
        enemies = 0
        for beside in (point + step for step in NEIGHBORS):
            found = board.color_at(beside)
            if beside in own or found == WALL:
                continue
            if found in (EMPTY, color) or beside not in others:
                return False
            enemies += 1
            has_wall = has_wall or beside in walls
        if point in liberties and not enemies:
            return False  # it may become an eye
    return has_wall


def _is_neutral(board: Board, shared: Set[int], racers: Set[int]) -> bool:
    """Whether nobody but the two chains touches what they share."""
    return all(
        board.color_at(point + step) in (EMPTY, WALL) or point + step in racers
        for point in shared
        for step in NEIGHBORS
    )
