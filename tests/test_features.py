"""Network input: the encoder against a slow twin, under symmetries, colors swapped, in bulk."""

import random

import numpy as np
import numpy.typing as npt
import pytest

from gtpengine.coords import parse_vertex, row_column
from gtpengine.core.board import Board
from gtpengine.core.features import (
    PLANES,
    SCALARS,
    SYMMETRIES,
    encode_history,
    encode_recordings,
    symmetry_tables,
)
from gtpengine.core.history import History
from gtpengine.core.ladder import is_caught
from gtpengine.core.life import unconditional
from gtpengine.core.types import BLACK, EMPTY, PASS, WHITE
from gtpengine.game import Game
from gtpengine.rules import PRESETS
from positions import board_of, play_all, rules_of

Floats = npt.NDArray[np.float32]
SIZES = (2, 3, 5, 9, 19, 25)
KO_RULES = ("simple", "positional", "situational")


def random_history(size: int, seed: int, n_moves: int, ko: str = "positional") -> History:
    """A game of random legal moves, with passes, Black first."""
    rng, history = random.Random(seed), History(Board(size))
    for _ in range(n_moves):
        color = history.to_play
        points = [p for p in history.board.points() if not history.legality(color, p, ko)]
        history.play(color, rng.choice(points) if points and rng.random() < 0.97 else PASS, ko)
    return history


def twin(history: History, to_play: int, komi: float, territory: bool, ko: str) -> Floats:
    """The planes as their description says, point by point."""
    board, size = history.board, history.board.size
    planes = np.zeros((PLANES, size, size), dtype=np.float32)
    moves = [point for _, point in history.moves()][::-1][:5]
    settled = [set().union(*unconditional(board, color)) for color in (to_play, 3 - to_play)]
    for point in board.points():
        at = row_column(point, size)
        color = board.color_at(point)
        planes[0][at] = 1
        for side in range(2):
            planes[18 + side][at] = point in settled[side]
        for i, move in enumerate(moves):
            planes[10 + i][at] = move == point
        if color == EMPTY:
            reason = history.legality(to_play, point, ko)
            planes[9][at] = reason in ("ko", "superko")
            continue
        side = int(color != to_play)
        planes[1 + side][at] = 1
        n_liberties = board.n_liberties(point)
        for n in (1, 2, 3):
            planes[2 + 3 * side + n][at] = n_liberties == n
        planes[15 + side][at] = n_liberties <= 2 and is_caught(board, point)
        if side == 1 and n_liberties == 2:
            for liberty in board.liberties(point):
                after = board.copy()
                if not after.legality(to_play, liberty):
                    after.play(to_play, liberty)
                    if after.n_liberties(point) == 1 and is_caught(after, point):
                        planes[17][row_column(liberty, size)] = 1
    return planes


def turned(picture: Floats, symmetry: int) -> Floats:
    """The last two axes turned as the symmetry's bits say."""
    picture = picture[..., ::-1, :] if symmetry & 1 else picture
    picture = picture[..., ::-1] if symmetry & 2 else picture
    return picture.swapaxes(-1, -2) if symmetry & 4 else picture


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize("size", SIZES)
def test_planes_are_those_of_the_twin(size: int, ko: str) -> None:
    for seed in range(3):
        history = random_history(size, seed, random.Random(seed).randrange(3 * size * size), ko)
        for color in (BLACK, WHITE):
            planes, _ = encode_history(history, color, komi=7, superko=ko)
            expected = twin(history, color, 7, False, ko)
            wrong = {p for p in range(PLANES) if not np.array_equal(planes[p], expected[p])}
            assert not wrong, f"planes {wrong}\n{history.board}"


@pytest.mark.parametrize("size", SIZES)
def test_symmetries_turn_the_pictures(size: int) -> None:
    history = random_history(size, 7, size * size)
    plain, scalars = encode_history(history, WHITE, komi=6.5)
    tables = symmetry_tables(size)
    for symmetry in range(SYMMETRIES):
        planes, same = encode_history(history, WHITE, komi=6.5, symmetry=symmetry)
        assert np.array_equal(planes, turned(plain, symmetry))
        assert np.array_equal(same, scalars)
        picked = plain.reshape(PLANES, -1)[:, tables[symmetry, :-1]]
        assert np.array_equal(planes.reshape(PLANES, -1), picked)
        assert tables[symmetry, -1] == size * size


@pytest.mark.parametrize("size", SIZES)
def test_swapped_colors_look_the_same(size: int) -> None:
    black = random_history(size, 3, size * size)
    white = History(Board(size), WHITE)
    for color, point in black.moves():
        white.play(3 - color, point, "positional")
    for color in (BLACK, WHITE):
        mine = encode_history(black, color, komi=5.5, superko="positional")
        theirs = encode_history(white, 3 - color, komi=-5.5, superko="positional")
        assert np.array_equal(mine[0], theirs[0])
        assert np.array_equal(mine[1], theirs[1])


def test_the_position_is_as_it_was() -> None:
    history = random_history(9, 1, 60)
    before = history.board.facts()
    encode_history(history, BLACK, komi=7)
    assert history.board.facts() == before
    history.board.check()


def test_a_wider_picture_has_the_board_at_the_top_left() -> None:
    history = random_history(5, 2, 20)
    narrow, _ = encode_history(history, BLACK, komi=7, symmetry=6)
    wide, _ = encode_history(history, BLACK, komi=7, symmetry=6, width=9)
    assert np.array_equal(wide[:, :5, :5], narrow)
    assert wide.sum() == narrow.sum()


def test_superko_shows() -> None:
    game = Game(3, rules_of("positional"))
    play_all(game, "B B3, W B1, B C2, W B2, B C1, W C3")
    at = row_column(parse_vertex("C2", 3), 3)
    for ko, banned in (("simple", 0), ("positional", 1), ("situational", 0)):
        planes, _ = encode_history(game.history, BLACK, komi=0, superko=ko)
        assert planes[9][at] == banned


# Komi for the side to move, area of the board, wave: see features.pyx.
WAVES = [
    (7, 81, 0), (7.5, 81, 0.5), (6.5, 81, -0.5), (8, 81, 0), (8.5, 81, -0.5), (5.5, 81, 0.5),
    (-7, 81, 0), (-7.5, 81, -0.5), (-6.5, 81, 0.5), (0, 64, 0), (0.5, 64, 0.5), (7.25, 81, 0.25),
]  # fmt: skip


@pytest.mark.parametrize(("komi", "area", "wave"), WAVES)
def test_scalars_of_area_scoring(komi: float, area: int, wave: float) -> None:
    history = History(Board(int(area**0.5)))
    _, scalars = encode_history(history, WHITE, komi=komi)
    assert scalars.tolist() == pytest.approx([komi / 20, wave, 0, 0, 0])
    _, scalars = encode_history(history, BLACK, komi=-komi)
    assert scalars.tolist() == pytest.approx([komi / 20, wave, 0, 0, 0])


def test_scalars_of_territory_scoring_count_the_stones_played() -> None:
    game = Game(9, PRESETS["japanese"])
    play_all(game, "B D4, W pass, B E5, W pass")
    _, scalars = encode_history(game.history, BLACK, komi=6.5, territory=True)
    assert scalars.tolist() == pytest.approx([-(6.5 + 2) / 20, 0, 1, 1, 0])
    play_all(game, "B pass")
    _, scalars = encode_history(game.history, WHITE, komi=200, territory=True)
    assert scalars.tolist() == [3, 0, 1, 1, 1]


def recorded(history: History, size: int) -> list[int]:
    """The moves as label files hold them."""
    moves = []
    for _, point in history.moves():
        row, column = row_column(point, size) if point != PASS else (size, 0)
        moves.append(row * size + column)
    return moves


@pytest.mark.parametrize("size", [3, 9, 19])
def test_recordings_are_encoded_like_histories(size: int) -> None:
    games = [random_history(size, seed, 2 * size * size // (seed + 1)) for seed in range(3)]
    moves = [recorded(history, size) for history in games]
    first = np.cumsum([0] + [len(game) for game in moves])[:-1]
    rng = random.Random(5)
    picks = [(g, rng.randrange(len(moves[g]) + 1)) for g in (0, 1, 2) for _ in range(12)]
    turns = np.array([i % SYMMETRIES for i in range(len(picks))], dtype=np.uint8)
    komi = np.array([6.5, 7, -3], dtype=np.float32)
    territory = np.array([0, 1, 0], dtype=np.uint8)
    which = np.array([g for g, _ in picks])
    planes = np.full((len(picks), PLANES, size, size), 9, dtype=np.float32)
    scalars = np.full((len(picks), SCALARS), 9, dtype=np.float32)
    encode_recordings(
        size, np.concatenate(moves).astype(np.int16), first[which].astype(np.int64),
        np.array([k for _, k in picks], dtype=np.int64), komi[which], territory[which], turns,
        planes, scalars,
    )  # fmt: skip
    for i, (g, k) in enumerate(picks):
        history = History(Board(size))
        for color, point in games[g].moves()[:k]:
            history.play(color, point)
        expected = encode_history(
            history, history.to_play, komi=float(komi[g]), territory=bool(territory[g]),
            superko="simple" if territory[g] else "positional", symmetry=int(turns[i]),
        )  # fmt: skip
        assert np.array_equal(planes[i], expected[0])
        assert np.array_equal(scalars[i], expected[1])


def encode_one(moves: list[int], n_moves: int, size: int = 3, n_planes: int = PLANES) -> None:
    encode_recordings(
        size, np.array(moves, dtype=np.int16), np.zeros(1, np.int64),
        np.array([n_moves], dtype=np.int64), np.zeros(1, np.float32), np.zeros(1, np.uint8),
        np.zeros(1, np.uint8), np.empty((1, n_planes, 3, 3), np.float32),
        np.empty((1, SCALARS), np.float32),
    )  # fmt: skip


@pytest.mark.parametrize("moves", [[4, 4], [10], [-1]], ids=["occupied", "too far", "negative"])
def test_an_illegal_recording_is_refused(moves: list[int]) -> None:
    with pytest.raises(ValueError, match="position 0: its game has an illegal move"):
        encode_one(moves, len(moves))


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="position 0: expected moves within the array"):
        encode_one([4], 2)
    with pytest.raises(ValueError, match="expected arrays of one length"):
        encode_one([4], 1, n_planes=PLANES - 1)
    with pytest.raises(ValueError, match="expected arrays of one length"):
        encode_one([4], 1, size=4)
    with pytest.raises(ValueError, match=r"symmetry 0\.\.7 and width from 9, got '8', '9'"):
        encode_history(History(Board(9)), BLACK, komi=0, symmetry=8)


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . ."""


def test_a_ladder_shows() -> None:
    history = History(board_of(LADDER))
    planes, _ = encode_history(history, BLACK, komi=7)
    assert planes[16][row_column(parse_vertex("C3", 9), 9)] == 1
    assert planes[17][row_column(parse_vertex("C2", 9), 9)] == planes[17].sum() == 1
    assert planes[15].sum() == 0
    planes, _ = encode_history(history, WHITE, komi=7)
    assert planes[15][row_column(parse_vertex("C3", 9), 9)] == 1
    assert planes[16:18].sum() == 0
