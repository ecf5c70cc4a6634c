"""Death that has to be played out in a ko: bent four in the corner, where areas are counted.

Where territory is counted such a chain is dead as it stands.  Where areas are counted the captor
must win the ko.  He first removes every threat of the owner that he can, which costs him nothing.
What he cannot remove is a threat inside a seki that costs the owner nothing, as in a double ko.
"""

from __future__ import annotations

from gtpengine.arenas import Arena, Chain
from gtpengine.core.types import EMPTY
from gtpengine.local import ArenaReader


def hangs_on_ko(reader: ArenaReader, chain: Chain) -> bool:
    """Whether a dead chain would live if its owner had a threat for every ko."""
    return reader.is_lost(chain, owner_first=True, owner_retakes=True) is False


def has_free_threat(reader: ArenaReader, in_seki: list[Chain], color: int) -> bool:
    """Whether ``color`` can make a lasting threat in an arena whose chains ``in_seki`` share it.

    It is a move after which the opponent must answer, or lose a chain, and after the answer
    ``color`` still has its own.
    """
    arena = reader.arena
    own = [chain for chain in in_seki if arena.board.color_at(chain[0]) == color]
    others = [chain for chain in in_seki if arena.board.color_at(chain[0]) != color]
    for point in sorted(arena.points):
        if arena.board.legality(color, point):
            continue
        board = arena.board.copy()
        board.play(color, point)
        after = ArenaReader(Arena(board, arena.points), reader.walls, reader.budget)
        left = [chain for chain in others if board.color_at(chain[0]) != EMPTY]
        kept = [chain for chain in own if len(chain) > 1]  # single stones come and go in a ko
        if any(after.is_lost(chain, owner_first=False) for chain in left) and all(
            after.is_lost(chain, owner_first=False) is False for chain in kept
        ):
            return True
    return False
