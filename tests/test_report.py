"""What a search tells of itself: bounds, snapshots, the lines that bridges read."""

import logging
import re
import threading
import time

import pytest

from gtpengine.core.findings import Choice
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.player import Player
from gtpengine.report import lower_bound, ranked, summary, take_snapshot
from gtpengine.settings import PlayerSettings
from positions import play_all

# What gtp2ogs looks for on stderr, first in one line, then in another.
MOVE_LINE = re.compile(
    r"([A-Z]\d+|pass) -> +(\d+) \(V: +(\d+.\d\d)%\) (\(LCB: +(\d+.\d\d)%\) )?"
    r"\(N: +(\d+.\d\d)%\) PV:(( ([A-Z][0-9]+|pass)+)+)$"
)
TOTAL_LINE = re.compile(r"(\d+) visits, (\d+) nodes, (\d+) playouts, (\d+) n/s")


def quick(**settings: object) -> Player:
    chosen = {"visits": 300, "threads": 1, "seed": 1, "memory": 64, **settings}
    return Player(PlayerSettings(**chosen))  # type: ignore[arg-type]


class Witness:
    """An observer who remembers."""

    def __init__(self) -> None:
        self.n_looks = 0
        self.visits = 0
        self.moves: list[int] = []

    def look(self, search: Search) -> None:
        self.n_looks += 1
        self.visits = search.visits

    def finish(self, search: Search, move: int) -> None:
        self.visits = search.visits
        self.moves.append(move)


def bound(visits: int, rate: float, deviation: float) -> float:
    return lower_bound(Choice(PASS, visits, rate, 0.0, 0.1, deviation, 10.0))


def test_lower_bound_rises_with_the_visits_and_is_a_rate() -> None:
    bounds = [bound(n, 0.6, 0.49) for n in (0, 1, 2, 10, 100, 10_000)]
    assert bounds == sorted(bounds)
    assert bounds[0] == 0
    assert bounds[-1] == pytest.approx(0.59, abs=0.001)
    assert bound(2, 1.0, 0.0) < 0.6  # two wins prove little


# Points, visits and win rates, most visited first; single results deviate by 0.3.
@pytest.mark.parametrize(
    ("moves", "first"),
    [
        ([(30, 1000, 0.50), (31, 900, 0.58)], 31),  # it was about to overtake
        ([(30, 1000, 0.50), (31, 300, 0.52)], 30),  # that may be luck
        ([(30, 1000, 0.50), (31, 100, 0.90)], 30),  # too few visits to know
        ([(30, 1000, 0.02), (31, 900, 0.06)], 31),  # lost games, too, have better moves
        ([(PASS, 1000, 0.50), (31, 900, 0.90)], PASS),
        ([(30, 1000, 0.50), (PASS, 900, 0.90)], 30),
        ([(30, 0, 0.50), (31, 0, 0.50)], 30),
    ],
)
def test_the_surest_move_is_played(moves: list[tuple[int, int, float]], first: int) -> None:
    choices = [Choice(point, n, rate, 0.0, 0.1, 0.3, 10.0) for point, n, rate in moves]
    found = ranked(choices)
    assert found[0].point == first
    assert sorted(found) == sorted(choices)


def test_nothing_to_rank() -> None:
    assert ranked([]) == []


def test_snapshot() -> None:
    game = Game(9)
    search = quick().examine(game, WHITE, 500)
    shot = take_snapshot(search, game, WHITE)
    assert (shot.color, shot.visits) == (WHITE, 500)
    assert all(c.choice.visits for c in shot.candidates)
    assert all(c.line[0] == c.choice.point for c in shot.candidates)
    assert all(len(c.line) == len(c.line_visits) for c in shot.candidates)
    assert 0 < shot.win_rate < 1
    assert len(take_snapshot(search, game, WHITE, least=1000).candidates) == 82
    assert len(take_snapshot(search, game, WHITE, most=2).candidates) == 2


def test_snapshot_lists_no_move_that_superko_forbids() -> None:
    game = Game(3)
    play_all(game, "B B3, W B1, B C2, W B2, B C1, W C3")
    shot = take_snapshot(quick().examine(game, BLACK, 300), game, BLACK, least=100)
    assert all(not game.legality(BLACK, c.choice.point) for c in shot.candidates)


def test_examining_again_adds_to_what_is_known() -> None:
    player, game = quick(), Game(9)
    assert player.examine(game, BLACK, 50).visits == 50
    assert player.examine(game, BLACK, 50).visits == 100


def test_analysis_knows_no_limit_but_stop() -> None:
    player, game, witness = quick(visits=10, level="easy"), Game(9), Witness()
    threading.Timer(0.4, player.stop).start()
    started = time.monotonic()
    player.analyze(game, WHITE, witness)
    assert 0.35 < time.monotonic() - started < 2
    assert witness.visits > 200  # of playouts, which is what the easy level has
    assert witness.n_looks > 3
    assert not game.moves


def test_a_move_is_seen_before_it_is_played() -> None:
    player, witness = quick(), Witness()
    assert player.move(Game(9), BLACK, observer=witness) in witness.moves
    assert witness.visits == 300


def test_a_pass_without_thought_gives_something_to_see() -> None:
    game = Game(5)
    play_all(game, "B C3, W A1, B B2, W E1, B D2, W A5, B B4, W E5, B D4, W pass")
    witness = Witness()
    assert quick().move(game, BLACK, observer=witness) == PASS
    assert witness.moves == [PASS]
    assert witness.visits >= 100


def test_a_pass_to_be_avoided_is_avoided() -> None:
    game = Game(5)
    play_all(game, "B C3, W A1, B B2, W E1, B D2, W A5, B B4, W E5, B D4, W pass")
    assert quick().move(game, BLACK, avoid=[(BLACK, PASS, 1)], may_resign=False) != PASS


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_bridges_can_read_the_log(level: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    player, game = quick(level=level), Game(9)
    player.move(game, BLACK)
    *moves, total = [record.getMessage() for record in caplog.records]
    assert len(moves) == 3
    assert all(MOVE_LINE.search(f"INFO: {line}") for line in moves)
    assert TOTAL_LINE.match(total)
    assert not re.search("MAIN:|DISCUSSION:|MALKOVICH:", caplog.text)


def test_summary_of_extremes() -> None:
    game = Game(2, komi=-50)
    search = quick().examine(game, BLACK, 30)
    *moves, total = summary(search, 0, 0)
    assert all(MOVE_LINE.search(line) for line in moves)
    assert TOTAL_LINE.match(total)
