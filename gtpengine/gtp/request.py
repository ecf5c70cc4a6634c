"""What the words behind an analysis command ask for."""

from __future__ import annotations

from dataclasses import dataclass, field

from gtpengine.core.types import PASS
from gtpengine.game import Game
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import GtpError

_MOST = 10**9  # of moves or depth
_LONGEST = 1e12  # centiseconds

KEYS = ("interval", "minmoves", "maxmoves", "avoid", "allow")
# Keys of KataGo's commands with true or false behind them, and the field that each sets.
EXTRAS = {
    "rootInfo": "root_info",
    "ownership": "ownership",
    "ownershipStdev": "ownership_deviation",
    "movesOwnership": "moves_ownership",
    "movesOwnershipStdev": "moves_ownership_deviation",
    "pvVisits": "line_visits",
    "pvEdgeVisits": "line_edge_visits",
    "noResultValue": "no_result",
}


@dataclass
class Request:
    """An analysis that was asked for; a field of EXTRAS is true if its key was given as true.

    ``interval``: seconds from one line to the next; None: no lines by the clock.
    ``least``, ``most``: moves in a line.  ``avoid``: as Player.move takes it.
    """

    color: int
    interval: float | None = None
    least: int = 0
    most: int | None = None
    avoid: list[tuple[int, int, int]] = field(default_factory=list)
    root_info: bool = False
    ownership: bool = False
    ownership_deviation: bool = False
    moves_ownership: bool = False
    moves_ownership_deviation: bool = False
    line_visits: bool = False
    line_edge_visits: bool = False
    no_result: bool = False

    @property
    def detailed(self) -> bool:
        """Whether it takes what Search.begin counts only if asked to."""
        return self.ownership_deviation or self.moves_ownership or self.moves_ownership_deviation


def read_request(args: Arguments, game: Game, with_extras: bool) -> Request:
    """Take all words: [COLOR] [INTERVAL] [KEY VALUE]..., in this order.

    ``with_extras`` admits the keys of EXTRAS.  Raises GtpError for any other word, and if a color
    has both moves to avoid and moves that alone are allowed, or the latter twice.
    """
    request = Request(args.color() if args.has_color() else game.to_play)
    if args.has_number():
        request.interval = _interval(args)
    keys = (*KEYS, *EXTRAS) if with_extras else KEYS
    restricted: dict[int, str] = {}
    while args:
        key = args.choice(keys, "key")
        if key == "interval":
            request.interval = _interval(args)
        elif key == "minmoves":
            request.least = args.integer(0, _MOST, key)
        elif key == "maxmoves":
            request.most = args.integer(1, _MOST, key)
        elif key in EXTRAS:
            setattr(request, EXTRAS[key], args.boolean(key))
        else:
            color, points = args.color(), args.vertices(game.size)
            depth = args.integer(1, _MOST, "depth")
            if color in restricted and "allow" in (key, restricted[color]):
                raise GtpError("syntax error: allow must be given once and without avoid")
            restricted[color] = key
            if key == "allow":
                points = [p for p in [PASS, *game.board.points()] if p not in points]
            request.avoid += [(color, point, depth) for point in points]
    return request


def _interval(args: Arguments) -> float:
    return args.number("interval", 0, _LONGEST) / 100
