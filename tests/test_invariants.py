"""Random games: board and history against the slow twin, after every move and every undo.

Points are chosen at random among all legal ones, eye filling included, so captures, suicides, kos
and repetitions abound.  A fifth of the moves are of the player who moved last, a few are passes.
"""

import random
from collections.abc import Iterator

import pytest

from gtpengine.core.board import Board
from gtpengine.core.history import History
from gtpengine.core.types import BLACK, PASS, WHITE
from reference_board import ReferenceBoard

RULES = [
    (ko, suicide) for ko in ("simple", "positional", "situational") for suicide in (False, True)
]


def candidates(rng: random.Random, history: History) -> Iterator[tuple[int, int]]:
    """Random moves without end, many of them illegal."""
    points = history.board.points()
    while True:
        color = history.to_play if rng.random() < 0.8 else BLACK + WHITE - history.to_play
        yield color, PASS if rng.random() < 0.01 else rng.choice(points)


def expect_equal(board: Board, twin: ReferenceBoard) -> None:
    """The board is consistent in itself and says what the twin says."""
    board.check()
    facts = board.facts()._asdict()
    del facts["hash"]
    assert facts == twin.facts()


def expect_equal_legality(history: History, twin: ReferenceBoard) -> None:
    """Every point, for both colors, is legal or illegal for the same reason."""
    for color in (BLACK, WHITE):
        for point in history.board.points():
            ours = history.legality(color, point, twin.ko_rule, twin.suicide)
            assert ours == twin.legality(color, point), (color, point, str(history.board))


def play_with_twin(
    size: int, ko: str, suicide: bool, seed: int, moves: int, opening: int, every: int
) -> None:
    """A game of ``opening`` unchecked tries and ``moves`` checked ones, and all of it taken back.

    After every ``every``th try all points are judged; the point that is tried always is.
    """
    rng = random.Random(f"{size} {ko} {suicide} {seed}")
    history, twin = History(Board(size)), ReferenceBoard(size, ko, suicide)
    shadow = Board(size)  # the same game by Board.play, which records nothing
    hashes = {}  # by position
    tries = candidates(rng, history)
    for n in range(opening + moves):
        checked = n >= opening
        if checked:
            expect_equal(history.board, twin)
            hashes[twin.position] = history.board.hash
            if n % every == 0:
                expect_equal_legality(history, twin)
        color, point = next(tries)
        reason = history.legality(color, point, ko, suicide)
        assert reason == twin.legality(color, point)
        if reason:
            continue
        if checked:
            before = history.board.facts()
            history.play(color, point, ko, suicide)
            history.undo()
            history.board.check()
            assert history.board.facts() == before
        captured = history.play(color, point, ko, suicide)
        assert captured == twin.play(color, point) == shadow.play(color, point, suicide)
        assert history.to_play == twin.to_play
        if checked:
            assert shadow.facts() == history.board.facts()
            assert hashes.setdefault(twin.position, shadow.hash) == shadow.hash
    shadow.check()
    assert len(set(hashes.values())) == len(hashes)

    assert history.moves() == [(entry.mover, entry.point) for entry in twin.entries[1:]]
    while len(history):
        history.undo()
        twin.undo()
        assert history.to_play == twin.to_play
        if twin.position in hashes:
            assert history.board.hash == hashes[twin.position]
            expect_equal(history.board, twin)
    assert history.board.facts() == Board(size).facts()
    history.board.check()


N_GAMES = {2: 40, 3: 20, 4: 8, 5: 3, 6: 2, 7: 1, 8: 1, 9: 1}  # under each of the rules


@pytest.mark.parametrize(("ko", "suicide"), RULES)
@pytest.mark.parametrize("size", N_GAMES)
def test_small_boards(size, ko, suicide):
    for seed in range(N_GAMES[size]):
        play_with_twin(size, ko, suicide, seed, moves=30 + 2 * size * size, opening=0, every=5)


@pytest.mark.parametrize("size", range(10, 26))
def test_large_boards(size):
    ko, suicide = RULES[size % len(RULES)]
    play_with_twin(size, ko, suicide, 0, moves=40, opening=size * size, every=40)


@pytest.mark.slow
@pytest.mark.parametrize(("ko", "suicide"), RULES)
@pytest.mark.parametrize("size", N_GAMES)
def test_small_boards_thousands(size, ko, suicide):
    for seed in range(15 * N_GAMES[size]):
        moves = 30 + 3 * size * size
        play_with_twin(size, ko, suicide, 1000 + seed, moves=moves, opening=0, every=1)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, 3])
@pytest.mark.parametrize("size", range(10, 26))
def test_large_boards_to_the_end(size, turn):
    ko, suicide = RULES[(size + turn) % len(RULES)]
    play_with_twin(size, ko, suicide, 1, moves=2 * size * size, opening=0, every=size)
