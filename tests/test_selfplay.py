"""What is learned from a game of self-play: targets, noise, results seen from the side to move."""

import dataclasses
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

import selfplay_games
from gtpengine.core.types import BLACK
from gtpengine.game import Game
from label_games import AREA, TERRITORY
from label_writer import LabelledGame, point_of, write_label_file
from labels import Labels
from positions import play_all
from selfplay_games import SelfplayGame, SelfplayJob, outcome, play_game
from test_network import make_search

SIZE = 5
JOB = SelfplayJob(1, 1, SIZE, None, visits=40, cheap_visits=12, fair_komi=10)

WALLS = "B C1, W D1, B C2, W D2, B C3, W D3, B C4, W D4, B C5, W D5, B A1, W pass, B pass, W pass"


def game_of(rules: str, moves: str, komi: float = 0) -> Game:
    game = Game(SIZE, {"area": AREA, "territory": TERRITORY}[rules], komi)
    play_all(game, moves)
    return game


@pytest.fixture(scope="module")
def games() -> list[LabelledGame]:
    return [play_game(dataclasses.replace(JOB, number=n)) for n in range(60)]


def test_the_outcome_by_area_and_by_territory() -> None:
    """Black has three columns of five, White two; Black has wasted a move at A1."""
    owner = np.tile([1, 1, 1, -1, -1], (5, 1)).ravel()
    score, found = outcome(game_of("area", WALLS, 2.5))
    assert score == 15 - 10 - 2.5
    assert np.array_equal(found, owner)
    score, found = outcome(game_of("territory", WALLS, 2.5))
    assert score == 9 - 5 - 2.5
    assert np.array_equal(found, owner)


def test_dead_stones_are_alive_by_area_and_prisoners_by_territory() -> None:
    moves = WALLS.replace("W pass, B pass, W pass", "W A4, B pass, W pass")
    score, owner = outcome(game_of("area", moves))
    assert score == 6 - 11  # the stone makes the region it stands in nobody's
    assert owner.reshape(5, 5)[1, 0] == -1
    score, owner = outcome(game_of("territory", moves))
    assert score == 9 + 1 - 5
    assert owner.reshape(5, 5)[1, 0] == 1


def test_every_position_is_labelled_with_the_end_seen_by_its_own_side(
    games: list[LabelledGame],
) -> None:
    for done in games:
        game = Game(SIZE, TERRITORY if done.territory else AREA, done.komi)
        for move in done.moves:
            game.play(game.to_play, point_of(move, SIZE))
        score, owner = outcome(game)
        assert len(done.labels) == len(done.moves)
        for k, label in enumerate(done.labels):
            sign = 1 if game.moves[k].color == BLACK else -1
            assert label.lead == sign * score
            assert label.win_rate == (1 if sign * score > 0 else 0 if score else 0.5)
            assert np.array_equal(label.owner, sign * owner)
        if not done.territory:
            assert game.is_over or len(game.moves) == 3 * SIZE * SIZE
    assert 0 < sum(done.territory for done in games) < 30
    results = [done.labels[0].win_rate for done in games]
    assert 0 in results
    assert 1 in results


def test_a_quarter_of_the_moves_are_targets_with_all_visits_of_their_own(
    games: list[LabelledGame],
) -> None:
    targets = [is_target for done in games for is_target in done.targets or []]
    assert np.mean(targets) == pytest.approx(selfplay_games.TARGET_SHARE, abs=0.04)
    for done in games:
        assert done.targets is not None
        for move, label, is_target in zip(done.moves, done.labels, done.targets, strict=True):
            assert label.policy[move] > 0
            if is_target:
                assert label.policy.sum() == JOB.visits - 1  # the first visit is the root's own


def test_a_job_is_the_same_game_everywhere_and_another_one_is_another(
    games: list[LabelledGame],
) -> None:
    again = play_game(dataclasses.replace(JOB, number=3))
    assert again.moves == games[3].moves
    assert again.komi == games[3].komi
    assert len({tuple(done.moves) for done in games}) == len(games)
    assert len({done.komi for done in games}) > 5


def test_targets_alone_are_read_from_a_file(games: list[LabelledGame], tmp_path: Path) -> None:
    write_label_file(tmp_path / "a.npz", games[:20])
    plain = [dataclasses.replace(done, targets=None) for done in games[20:40]]
    write_label_file(tmp_path / "b.npz", plain)
    labels = Labels([tmp_path / "a.npz", tmp_path / "b.npz"])
    read = np.zeros(len(labels.moves), bool)
    read[labels.training] = read[labels.validation] = True
    wanted = [t for done in games[:20] for t in done.targets or []]
    wanted += [True for done in plain for _ in done.moves]
    assert read.tolist() == wanted
    first = int(np.flatnonzero(read)[0])
    label = games[0].labels[first]
    batch = labels.batch(np.array([first]), np.zeros(1, np.uint8))
    assert batch.policy[0] == pytest.approx(label.policy / label.policy.sum(), abs=0.02)
    assert batch.owner[0].ravel() == pytest.approx(label.owner)
    assert batch.lead[0] == label.lead


def test_a_file_is_whole_or_not_there(
    games: list[LabelledGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(file: BinaryIO, **arrays: object) -> None:
        file.write(b"PK")
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez_compressed", broken)
    with pytest.raises(OSError, match="no space left"):
        write_label_file(tmp_path / "a.npz", games[:10])
    assert not list(tmp_path.glob("*.npz"))


def test_noise_is_a_quarter_of_the_priors_of_thorough_searches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selfplay_games, "make_search", lambda network, seed: make_search(seed))
    current = SelfplayGame(dataclasses.replace(JOB, network=Path("toy")))
    own = {choice.point: choice.prior for choice in current._look(12)}
    mixed = {choice.point: choice.prior for choice in current._look_well()}
    assert mixed.keys() == own.keys()
    noise = np.array([(mixed[p] - 0.75 * own[p]) / 0.25 for p in own])
    assert noise.min() > -1e-6
    assert noise.sum() == pytest.approx(1, abs=1e-4)
    assert noise.max() > 2 / len(noise)
    current._search.forget()
    after = {choice.point: choice.prior for choice in current._look(12)}
    assert after == pytest.approx(own, rel=1e-3)
