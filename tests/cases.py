"""Cases kept as data: a folder of SGF files, and an index.json of questions with their answers.

The position of a case is the main line of its ``file`` (none: an empty board), all of it or its
first ``move`` moves, and then the commands in ``before``.  Stones set up in the file are played,
white and black in turn, unless the file has HA: then they are a handicap.
"""

import json
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from sgfmill import sgf

from gtpengine.coords import format_vertex, parse_vertex, point_at
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.handicap import fixed_handicap_points
from gtpengine.rules import Rules

DATA = Path(__file__).parent / "data/cases"
COLOR = {"b": BLACK, "w": WHITE}


@dataclass(frozen=True)
class Case:
    """One question about one position."""

    folder: Path
    id: str
    kind: str
    file: str | None
    move: int | None
    size: int
    rules: str
    komi: float
    command: str  # GTP
    expect: str
    source: str
    why: str
    before: tuple[str, ...] = ()  # GTP
    compare: str = "equal"


def read_cases(name: str) -> list[Case]:
    """The cases of one folder of tests/data/cases."""
    folder = DATA / name
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return [Case(folder, **entry) for entry in index["cases"]]


def position(case: Case) -> Game:
    """The game in which the question is asked."""
    game = Game(case.size, Rules.from_name(case.rules), case.komi)
    if case.file:
        replay(game, (case.folder / case.file).read_bytes(), case.move)
    for command in case.before:
        perform(game, command)
    return game


def replay(game: Game, text: bytes, n_moves: int | None) -> None:
    """Play the main line of an SGF file."""
    record = sgf.Sgf_game.from_bytes(text)
    assert record.get_size() == game.size
    moves = []
    for node in record.get_main_sequence():
        black, white, _ = node.get_setup_stones()
        if node.has_property("HA"):
            game.place_handicap(to_point(stone) for stone in black)
        else:
            for pair in zip_longest(sorted(white), sorted(black)):
                for color, stone in zip((WHITE, BLACK), pair, strict=True):
                    if stone is not None:
                        game.play(color, to_point(stone))
        color, move = node.get_move()
        if color is not None:
            moves.append((COLOR[color], to_point(move)))
    for color, point in moves[:n_moves]:
        game.play(color, point)


def to_point(move: tuple[int, int] | None) -> int:
    """From line and column as sgfmill counts them: from 0, A1 is (0, 0)."""
    return PASS if move is None else point_at(move[1] + 1, move[0] + 1)


def perform(game: Game, command: str) -> str:
    """Do what a GTP command about stones asks; ValueError if it must be refused."""
    name, *words = command.split()
    if name == "play":
        game.play(COLOR[words[0][0].lower()], parse_vertex(words[1], game.size))
        return ""
    if name == "undo":
        game.undo()
        return ""
    if name == "fixed_handicap":
        points = fixed_handicap_points(game.size, int(words[0]))
    elif name == "set_free_handicap":
        points = [parse_vertex(word, game.size) for word in words]
    else:
        raise AssertionError(f"no command of this reader: {command}")
    game.place_handicap(points)
    return " ".join(format_vertex(point) for point in points)
