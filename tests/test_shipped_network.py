"""The networks that come with the package: taken on their boards, and sound in what they say."""

import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest

from gtpengine.coords import parse_vertex, point_in_row, row_column
from gtpengine.core.features import encode_history
from gtpengine.core.network import NetworkEvaluator
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.session import Session
from gtpengine.network import LoadedNetwork, shipped_network
from gtpengine.player import Player
from gtpengine.rules import Rules
from gtpengine.settings import Level, PlayerSettings
from positions import game_of

# Nothing is left to play: Black has the left side, White the right, with two dead black stones.
FINISHED = """
    . X . X O . . . .
    X X X X O O . X .
    . . . X O . . . .
    X . . X O . O . .
    . . X X O . O X .
    . . X O O . O . .
    . X X O . . . . .
    . X O O . . O . .
    . X O . . . . . ."""


def searched(game: Game, visits: int = 100) -> Player:
    player = Player(PlayerSettings(visits=visits, threads=1, seed=1))
    player.examine(game, game.to_play, visits)
    return player


@pytest.mark.parametrize("size", range(2, 26))
def test_each_is_taken_on_its_boards_and_playouts_on_others(size: int) -> None:
    player = Player(PlayerSettings(visits=3, threads=1, seed=1))
    assert player.move(Game(size), BLACK) >= PASS
    assert isinstance(player.search.evaluator, NetworkEvaluator) == (size >= 7)


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_beginners_do_not_meet_it_unless_they_ask_for_it(level: Level) -> None:
    settings = PlayerSettings(visits=10, threads=1, seed=1, level=level)
    assert Player(settings).network(9) is None
    settings.evaluator = "network"
    assert Player(settings).network(9) is not None


@pytest.mark.parametrize(
    ("size", "sizes"), [(9, (7, 9)), (13, (10, 13)), (15, (14, 16)), (19, (17, 19)), (21, (20, 25))]
)
def test_its_file_says_what_it_is(size: int, sizes: tuple[int, int]) -> None:
    path = shipped_network(size)
    assert path is not None
    network = LoadedNetwork(path)
    assert network.sizes == sizes
    assert network.about["positions"] > 1_000_000
    assert path.stat().st_size < 2_000_000


CORNER = "C3 C4 D3 D4"  # or one of its images
OPENINGS = {9: f"{CORNER} E3 E4 E5", 13: CORNER, 15: CORNER, 19: CORNER, 21: CORNER}


@pytest.mark.parametrize("size", OPENINGS)
def test_an_empty_board_is_opened_well_and_komi_decides_who_is_ahead(size: int) -> None:
    game = Game(size, komi=7.0)
    player = searched(game)
    first = player.search.choices()[0].point
    rows = sorted(min(index, size - 1 - index) for index in row_column(first, size))
    nearest = {parse_vertex(word, size) for word in OPENINGS[size].split()}
    assert point_in_row(size - 1 - rows[0], rows[1], size) in nearest
    assert 0.3 < player.search.win_rate < 0.7  # 7 is the fair value
    assert searched(Game(size, komi=-10.5)).search.win_rate > 0.7
    assert searched(Game(size, komi=24.5)).search.win_rate < 0.3


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_the_points_of_a_finished_game_have_the_owners_that_they_have(rules: str) -> None:
    game = game_of(FINISHED, "B", Rules.from_name(rules))
    ownership = searched(game).search.ownership()
    assert np.all(ownership[:, :3][:5] > 0.6)
    assert np.all(ownership[:6, 4:] < -0.6)  # the two black stones among it are dead


def test_openvino_says_the_same_within_its_precision_and_leaves_integers_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openvino")
    shipped = shipped_network(9)
    assert shipped is not None
    model = onnx.load(str(shipped))
    properties = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, properties | {"gtpengine.about": "{}"})
    path = tmp_path / "floats.onnx"  # so it seems
    onnx.save(model, str(path))
    planes, scalars = (a[None] for a in encode_history(Game(9).history, BLACK, komi=7.0))
    fast, integers = LoadedNetwork(path), LoadedNetwork(shipped)
    monkeypatch.setitem(sys.modules, "openvino", None)
    exact = LoadedNetwork(path)
    same = zip(integers.run(planes, scalars), exact.run(planes, scalars), strict=True)
    assert all(np.array_equal(one, other) for one, other in same)
    answers = [network.run(planes, scalars) for network in (fast, exact)]
    for one, other in zip(*answers, strict=True):
        assert one.shape == other.shape
        assert one.dtype == np.float32
        assert np.allclose(one, other, rtol=0.05, atol=0.3)
    with ThreadPoolExecutor(4) as pool:  # several searches at once
        for policy, *_ in pool.map(lambda _: fast.run(planes, scalars), range(20)):
            assert np.allclose(policy, answers[0][0], atol=1e-3)


def test_without_onnxruntime_there_are_playouts_and_one_line_on_stderr(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    player = Player(PlayerSettings(visits=20, threads=1, seed=1))
    with caplog.at_level(logging.WARNING):
        for color in (BLACK, WHITE):
            assert player.move(Game(9), color) > PASS
    assert not isinstance(player.search.evaluator, NetworkEvaluator)
    assert caplog.text.count("onnxruntime") == 2  # one line: what is missing, and how to get it
    assert len(caplog.records) == 1
    with pytest.raises(ValueError, match="needs onnxruntime: pip install onnxruntime"):
        Player(PlayerSettings(evaluator="network")).network(9)


def test_it_is_loaded_before_a_clock_runs() -> None:
    session = Session(Game(5), Player(PlayerSettings(threads=1)))
    engine = Engine(owners_of(session), "gtpengine", "1")
    assert engine.answer(b"boardsize 9") == b"= \n\n"
    assert isinstance(session.player.search.evaluator, NetworkEvaluator)
    assert engine.answer(b"boardsize 5") == b"= \n\n"
    assert not isinstance(session.player.search.evaluator, NetworkEvaluator)
