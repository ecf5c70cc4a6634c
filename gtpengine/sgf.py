"""Game records: SGF in and out, over sgfmill.

Of a file only the main line of its first game is read: the first variation everywhere.  Names in
capitals are properties of SGF FF[4] (Hollosi, SGF File Format FF[4]).
"""

import codecs
import logging
import re
from contextlib import suppress
from os import PathLike
from pathlib import Path

import numpy as np
from sgfmill import sgf, sgf_properties

from gtpengine.coords import column_of, format_vertex, line_of, point_at
from gtpengine.core.types import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, PASS, WHITE
from gtpengine.game import Game, IllegalMove, Move
from gtpengine.rules import DEFAULT, DEFAULT_KOMI, PRESETS, Rules

log = logging.getLogger(__name__)

_COLORS = {"B": BLACK, "W": WHITE}
_NAMES = {BLACK: "B", WHITE: "W"}
_SETUP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_TWO_BYTES = {  # charsets of East Asia that use ASCII as second bytes, and what really is written
    "big5": "big5hkscs",
    "big5hkscs": "big5hkscs",
    "cp932": "cp932",
    "cp949": "cp949",
    "cp950": "big5hkscs",
    "gb18030": "gb18030",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "johab": "johab",
    "shift_jis": "cp932",
}


def load(
    path: str | PathLike[str],
    stop_before_move: int | None = None,
    rules: Rules = DEFAULT,
    komi: float = DEFAULT_KOMI,
) -> Game:
    """Read a file as ``read_sgf`` does; OSError if there is no such file."""
    return read_sgf(Path(path).read_bytes(), stop_before_move, rules, komi)


def read_sgf(
    data: str | bytes,
    stop_before_move: int | None = None,
    rules: Rules = DEFAULT,
    komi: float = DEFAULT_KOMI,
) -> Game:
    """Read the main line of a record, up to just before move ``stop_before_move`` (1 the first).

    ``rules`` and ``komi`` hold where the record says nothing that can be understood; that is
    logged.  A record is what was played somewhere: a move that only superko forbids is accepted.
    Raises ValueError, in one line, for what is no record of a Go game on a square board of a size
    we know, for an illegal move, and for stones set up after a move.
    """
    if stop_before_move is not None and stop_before_move < 1:
        raise ValueError(f"expected a move number from 1 on, got '{stop_before_move}'")
    record = _parse(data.encode() if isinstance(data, str) else data)
    nodes = list(record.main_sequence_iter())
    root = nodes[0]
    game = Game(record.get_size(), _rules_of(root, rules), _komi_of(root, komi))
    begin = next((i for i, node in enumerate(nodes) if _move_of(node)), len(nodes))
    _set_up(game, nodes[: begin + 1])
    number = 1
    for node in nodes[begin:]:
        if number == stop_before_move:
            break
        if number > 1 and node.has_setup_stones():
            raise ValueError(f"stones are set up after move {number - 1}")
        move = _move_of(node)
        if move:
            try:
                game.play(*move, lenient=True)
            except IllegalMove as error:
                raise ValueError(f"move {number} is illegal: {error}") from None
            number += 1
    return game


def _parse(data: bytes) -> sgf.Sgf_game:
    try:
        # Nothing but ASCII is looked at, so no charset, named or wrongly named, stands in the way.
        record = sgf.Sgf_game.from_bytes(
            _without_foreign_escapes(data), override_encoding="latin-1"
        )
    except ValueError as error:
        raise ValueError(f"cannot read SGF: {error}") from None
    root = record.get_root()
    if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
        raise ValueError(f"expected a game of Go, GM[1], got GM[{_text(root, 'GM')}]")
    if not MIN_SIZE <= record.get_size() <= MAX_SIZE:
        raise ValueError(f"expected a size {MIN_SIZE}..{MAX_SIZE}, got '{record.get_size()}'")
    return record


def _without_foreign_escapes(data: bytes) -> bytes:
    """The record in UTF-8 if its charset has characters whose second byte is a backslash or "]".

    Where it is not what it says it is, nothing changes.
    """
    named = re.search(rb"CA\s*\[\s*([\w.-]{1,40})\s*\]", data)
    try:
        data.decode()
    except UnicodeDecodeError:
        with suppress(LookupError, UnicodeDecodeError):
            charset = codecs.lookup(named.group(1).decode()).name if named else ""
            return data.decode(_TWO_BYTES[charset]).encode()
    return data


def _text(node: sgf.Node, name: str) -> str:
    """The raw values of a property, on one line."""
    values = b"][".join(node.get_raw_list(name)).decode("latin-1")
    return " ".join(values.split())


def _rules_of(root: sgf.Node, default: Rules) -> Rules:
    if not root.has_property("RU"):
        return default
    try:
        return Rules.parse(root.get("RU"))
    except ValueError:
        log.warning("unknown rules RU[%s], taken as %s", _text(root, "RU"), default.name)
        return default


def _komi_of(root: sgf.Node, default: float) -> float:
    try:
        komi = float(root.get("KM"))
    except (KeyError, ValueError):
        said = f"broken KM[{_text(root, 'KM')}]" if root.has_property("KM") else "no komi, KM"
        log.warning("%s, taken as %g", said, default)
        return default
    return komi


def _handicap_of(root: sgf.Node) -> int:
    try:
        return int(root.get("HA"))
    except KeyError:
        return 0
    except ValueError:
        log.warning("broken HA[%s], taken as no handicap", _text(root, "HA"))
        return 0


def _move_of(node: sgf.Node) -> Move | None:
    """The move of a node; ValueError if it is broken, or there are several."""
    names = [name for name in _COLORS if node.has_property(name)]
    if not names:
        return None
    if len(names) > 1 or len(node.get_raw_list(names[0])) > 1:
        raise ValueError("expected one move in a node, got several")
    (name,) = names
    try:
        place = sgf_properties.interpret_go_point(node.get_raw(name), node.get_size())
    except ValueError:
        raise ValueError(f"expected a point or pass, got {name}[{_text(node, name)}]") from None
    return Move(_COLORS[name], PASS if place is None else _point(*place))


def _point(row: int, column: int) -> int:
    """The point of sgfmill's row and column, both from 0, A1 being (0, 0)."""
    return point_at(column + 1, row + 1)


def _place(point: int) -> tuple[int, int] | None:
    """sgfmill's row and column of a point; None is its pass."""
    return None if point == PASS else (line_of(point) - 1, column_of(point) - 1)


def _set_up(game: Game, nodes: list[sgf.Node]) -> None:
    """Bring the game to its first position: handicap or set-up stones, and who plays first.

    ``nodes`` are those up to the first move; without PL its color plays first.
    """
    stones: dict[int, int] = {}
    to_play: int | None = None
    for node in nodes:
        named: set[int] = set()
        for name, color in _SETUP.items():
            for point in _points_of(node, name):
                if point in named:
                    raise ValueError(f"{format_vertex(point)} is set up twice in a node")
                named.add(point)
                stones[point] = color
        if node.has_property("PL"):
            to_play = _COLORS.get(_text(node, "PL").upper()[:1])
            if to_play is None:
                raise ValueError(f"expected PL[B] or PL[W], got PL[{_text(node, 'PL')}]")
    black = [point for point, color in stones.items() if color == BLACK]
    white = [point for point, color in stones.items() if color == WHITE]
    if len(black) >= 2 and not white and len(black) == _handicap_of(nodes[0]):
        game.place_handicap(black)
    elif black or white:
        game.setup([(BLACK, point) for point in black] + [(WHITE, point) for point in white])
    first = _move_of(nodes[-1])
    if to_play is None and first:
        to_play = first.color
    if to_play is not None:
        game.set_to_play(to_play)


def _points_of(node: sgf.Node, name: str) -> list[int]:
    if not node.has_property(name):
        return []
    try:
        return sorted(_point(*place) for place in node.get(name))
    except ValueError:
        raise ValueError(f"expected points of the board, got {name}[{_text(node, name)}]") from None


def format_sgf(game: Game, result: str | None = None) -> str:
    """The game as SGF, without an empty line and without a newline at the end.

    ``result`` becomes RE ("B+3.5", "W+R", "0").  Reading the text and formatting again gives the
    same text, but for RE.
    """
    record = sgf.Sgf_game(game.size)
    root = record.get_root()
    root.set_raw("KM", np.format_float_positional(game.komi, trim="-").encode())
    root.set("RU", game.rules.name if game.rules.name in PRESETS else game.rules.to_json())
    if result is not None:
        root.set("RE", " ".join(result.split()))
    moves = game.moves
    first = game.first_board
    black, white = first.stones(BLACK), first.stones(WHITE)
    if game.handicap:
        root.set("HA", game.handicap)
    root.set_setup_stones([_place(p) for p in black], [_place(p) for p in white])
    to_play = moves[0].color if moves else game.to_play
    is_handicap = bool(game.handicap and black)
    if to_play != (WHITE if is_handicap else BLACK) or (bool(black or white) and not is_handicap):
        root.set("PL", _NAMES[to_play].lower())
    for color, point in moves:
        record.extend_main_sequence().set_move(_NAMES[color].lower(), _place(point))
    text: bytes = record.serialise()
    return text.decode().rstrip("\n")
