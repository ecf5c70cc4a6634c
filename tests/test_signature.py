"""One thread, one seed and a number of visits give one search, wherever and how often it runs."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "scripts" / "bench.py"
VISITS = 300


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench", BENCH)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench"] = module
    spec.loader.exec_module(module)
    return module


def test_same_search_in_one_process(bench):
    for size, moves in bench.SIGNATURE_GAMES:
        first = bench.signature_of(size, moves, VISITS)
        assert bench.signature_of(size, moves, VISITS) == first


def test_same_search_in_another_process(bench):
    asked = f"import runpy; print(runpy.run_path({str(BENCH)!r})['signature']({VISITS}))"
    done = subprocess.run(
        [sys.executable, "-c", asked],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"},
        check=True,
    )
    assert int(done.stdout) == bench.signature(VISITS)


def test_signature_sees_a_change(bench):
    assert bench.signature(VISITS) != bench.signature(VISITS + 1)


@pytest.mark.parametrize("n_threads", [2, 4])
def test_more_threads(n_threads):
    """Not repeatable, but sound: legal moves, and at most a few visits beyond the limit."""
    player = Player(PlayerSettings(threads=n_threads, visits=VISITS, seed=1, resign=None))
    game = Game(9)
    for _ in range(20):
        point = player.move(game, game.to_play)
        assert point == PASS or point in game.legal_points(game.to_play)
        assert sum(choice.visits for choice in player.search.choices()) >= VISITS // 2
        game.play(game.to_play, point)
        game.board.check()
    assert game.moves[0].color == BLACK
    assert game.moves[1].color == WHITE
