"""Short openings to start games from: random and seeded, or the beginnings of SGF files."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sgfmill import sgf, sgf_moves

from gtpengine.match.referee import (
    OPPONENT,
    RULES,
    Color,
    IllegalMove,
    Point,
    RefereeBoard,
    Rules,
    Stones,
    format_vertex,
)

ATTEMPTS = 200  # draws in vain before openings may repeat


@dataclass(frozen=True)
class Opening:
    """Moves that both engines are told to play before the game begins."""

    name: str
    moves: tuple[tuple[Color, str], ...]  # color and vertex
    to_play: Color


def default_n_moves(size: int) -> int:
    """Random moves that leave a game open and yet give enough different ones."""
    return 2 if size < 9 else 4


def random_openings(size: int, n_moves: int, seed: int) -> Iterator[Opening]:
    """Openings without end, the same ones for the same arguments.

    Stones lie on line 2 or higher (below 9x9) or on line 3 or higher, capture nothing and are
    not in atari.  No position comes twice, mirrored or turned, until ``ATTEMPTS`` draws in a
    row have shown nothing new.
    """
    edge = 1 if size < 9 else 2
    lines = range(edge, size - edge) or range(size)
    points = [(row, column) for row in lines for column in lines]
    seen: set[Stones] = set()
    draw = vain = 0
    while True:
        opening, board = _random_opening(points, size, n_moves, seed, draw)
        draw += 1
        position = min(_turned(board.stones(), size))
        if position not in seen:
            vain = 0
        elif vain < ATTEMPTS:
            vain += 1
            continue
        seen.add(position)
        yield opening


def _random_opening(
    points: list[Point], size: int, n_moves: int, seed: int, draw: int
) -> tuple[Opening, RefereeBoard]:
    rng = random.Random(f"{seed} {size} {n_moves} {draw}")
    board = RefereeBoard(size, RULES["chinese-ogs"])
    moves: list[tuple[Color, str]] = []
    color: Color = "b"
    for point in rng.sample(points, len(points)):
        if len(moves) == n_moves:
            break
        if not _is_quiet(board, color, point):
            continue
        board.play(color, point)
        moves.append((color, format_vertex(point)))
        color = OPPONENT[color]
    name = f"random {n_moves}, seed {seed}, draw {draw}"
    return Opening(name, tuple(moves), color), board


def _is_quiet(board: RefereeBoard, color: Color, point: Point) -> bool:
    """Whether a stone can lie here with no chain captured or put in atari by it."""
    trial = RefereeBoard(board.size, board.rules)
    for other_color, other in board.stones():
        trial.play(other_color, other)
    try:
        captured = trial.play(color, point)
    except IllegalMove:
        return False
    return captured == 0 and all(trial.n_liberties(stone) > 1 for _, stone in trial.stones())


def _turned(stones: Stones, size: int) -> list[Stones]:
    """The eight mirrored and turned forms of a position."""
    forms = []
    for flip in (False, True):
        for turns in range(4):
            turned = []
            for color, (row, column) in stones:
                place = (column, row) if flip else (row, column)
                for _ in range(turns):
                    place = (place[1], size - 1 - place[0])
                turned.append((color, place))
            forms.append(tuple(sorted(turned)))
    return forms


def sgf_openings(path: Path, size: int, rules: Rules, n_moves: int | None) -> list[Opening]:
    """The main lines of an SGF file, or of all ``*.sgf`` in a folder by name.

    At most ``n_moves`` moves of each; set-up stones come first and do not count.  Raises
    ValueError if a file is no SGF, has another board size, or plays what ``rules`` forbid.
    """
    files = sorted(path.glob("*.sgf")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"expected SGF files, got none in '{path}'")
    openings = []
    for file in files:
        try:
            openings.append(_sgf_opening(file, size, rules, n_moves))
        except (OSError, ValueError) as error:
            raise ValueError(f"opening '{file}': {error}") from None
    return openings


def _sgf_opening(file: Path, size: int, rules: Rules, n_moves: int | None) -> Opening:
    game = sgf.Sgf_game.from_bytes(file.read_bytes())
    if game.get_size() != size:
        raise ValueError(f"expected board size {size}, got '{game.get_size()}'")
    setup, line = sgf_moves.get_setup_and_moves(game)
    moves: list[tuple[Color, Point | None]] = list(setup.list_occupied_points())
    moves += line[:n_moves]
    board = RefereeBoard(size, rules)
    for color, point in moves:
        try:
            board.play(color, point)
        except IllegalMove as error:
            raise ValueError(f"{color} {format_vertex(point)} is not legal: {error}") from None
    root = game.get_root()
    to_play: Color = root.get("PL") if root.has_property("PL") else "b"
    if line[:n_moves]:
        to_play = OPPONENT[line[:n_moves][-1][0]]
    elif moves and not root.has_property("PL") and all(color == "b" for color, _ in moves):
        to_play = "w"  # handicap stones
    return Opening(file.name, tuple((c, format_vertex(p)) for c, p in moves), to_play)
