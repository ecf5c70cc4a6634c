"""label.py with a toy teacher, a real process over pipes: what it writes, and what goes wrong."""

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tqdm")

import label
import teacher
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK
from gtpengine.game import Game
from gtpengine.rules import PRESETS
from label_games import TERRITORY_SHARE, SampledGame, draw_komi, read_game, tempered
from label_writer import point_of
from labels import Labels
from toy_labels import contents

SIZE = 5
ROOT = Path(__file__).parents[1]
TOY = shlex.join([sys.executable, str(Path(__file__).with_name("toy_teacher.py"))])
SGF = "(;SZ[5]KM[3.5]RU[{rules}];B[cc];W[bb];B[];W[]{more})"


@pytest.fixture(autouse=True)
def paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy teacher, a process of its own, finds the modules of this tree."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'scripts'}")


def run(out: Path, *words: object, games: bool = True) -> int:
    sampled = ["--size", SIZE, "--games", 25, "--per-file", 10] if games else []
    return label.main([str(w) for w in ["--teacher", TOY, "--out", out, *sampled, *words]])


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sampled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'scripts'}")
        assert run(out) == 0
    return out


def test_sampled_games_are_labelled_by_whoever_is_to_move(sampled: Path) -> None:
    paths = sorted(sampled.glob("*.npz"))
    assert [path.name for path in paths] == [f"labels-5x5-000{n}.npz" for n in range(3)]
    labels = Labels(paths)
    n_games = len(np.unique(labels.first))
    assert n_games == 25
    assert 0 < len(np.unique(labels.first[labels.territory == 1])) < n_games / 2
    for first in np.unique(labels.first):
        (positions,) = np.nonzero(labels.first == first)
        rules = PRESETS["japanese" if labels.territory[first] else "chinese-ogs"]
        game = Game(SIZE, rules, float(labels.komi[first]))
        for i in positions:
            sign = 1 if game.to_play == BLACK else -1
            owner = sign * area_owner(game.board).ravel()
            assert np.array_equal(labels.owner7[i], 7 * owner)
            assert labels.lead[i] == pytest.approx(owner.sum() - sign * game.komi, abs=0.01)
            assert (labels.win_rate[i] > 0.5) == (labels.lead[i] > 0)
            legal = {
                p for p in range(SIZE * SIZE) if not game.legality(game.to_play, point_of(p, SIZE))
            }
            assert set(np.flatnonzero(labels.policy_sqrt[i])) == legal | {SIZE * SIZE}
            game.play(game.to_play, point_of(int(labels.moves[i]), SIZE))  # raises if illegal


def test_a_run_that_lost_its_teacher_goes_on_and_ends_alike(
    sampled: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    n_first = len(contents(sampled)["labels-5x5-0000.npz"]["moves"])
    monkeypatch.setenv("TOY_TEACHER", f"die {n_first + 20}")
    assert run(tmp_path, "--at-once", 1) == 1
    said = capsys.readouterr().err
    assert "label.py: teacher ended with status 3, saying 'out of memory'" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "labels-5x5-0000.npz",
        "labels.json",
    ]
    monkeypatch.delenv("TOY_TEACHER")
    assert run(tmp_path) == 0
    assert "1 of 3 files are there" in capsys.readouterr().out
    assert contents(tmp_path) == contents(sampled)
    monkeypatch.setenv("TOY_TEACHER", "die 0")
    assert run(tmp_path) == 0  # everything is there: nobody is asked


@pytest.mark.parametrize(
    ("spoiled", "message"),
    [
        ("error", "teacher answers an error: '"),
        ("text", "teacher: expected a JSON object, got 'no JSON'"),
        ("policy", "teacher: expected 26 numbers -1..1 as policy, got '[1.0]'"),
        ("win rate", "teacher: expected a number 0..1 as winrate, got '1.5'"),
        ("lead", "teacher: expected scoreLead as points, got 'None'"),
        ("owner", "teacher: expected 25 numbers -1..1 as ownership, got 'None'"),
        ("name", "teacher: expected the id of a question, got 'nobody'"),
    ],
)
def test_a_teacher_without_sense_ends_the_run_in_one_line(
    spoiled: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TOY_TEACHER", spoiled)
    assert run(tmp_path) == 1
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "label.py" in line]
    assert line.startswith(f"label.py: {message}")
    assert not list(tmp_path.glob("*.npz"))


def test_a_teacher_that_hangs_or_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(teacher, "PATIENCE", 0.2)
    assert label.main(["--teacher", "sleep 20", "--out", str(tmp_path / "a")]) == 1
    assert "label.py: teacher: no answer for 0.2 seconds" in capsys.readouterr().err
    assert label.main(["--teacher", "no-such-program", "--out", str(tmp_path / "b")]) == 1
    assert "label.py: teacher 'no-such-program' does not start" in capsys.readouterr().err


def test_labels_made_otherwise_are_not_mixed(
    sampled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(sampled)
    assert run(sampled, "--komi", 12) == 2
    assert "holds labels made otherwise: expected games" in capsys.readouterr().err
    assert contents(sampled) == before


def test_recorded_games_keep_their_moves_komi_and_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = {
        "area": SGF.format(rules="chinese", more=";B[dd]"),  # nothing counts after two passes
        "territory": SGF.format(rules="japanese", more=""),
        "handicap": "(;SZ[5]HA[2]AB[bb][dd];W[cc])",
        "turns": "(;SZ[5];B[cc];B[bb])",
        "komi": "(;SZ[5]KM[3.75];B[cc])",
        "empty": "(;SZ[5])",
        "broken": "(;SZ[5];B[cc",
        "small": "(;SZ[4];B[bb])",
    }
    games = tmp_path / "games" / "deep"
    games.mkdir(parents=True)
    for name, text in records.items():
        (games / f"{name}.sgf").write_text(text)
    out = tmp_path / "out"
    assert run(out, "--sgf", tmp_path / "games", "--visits", 7, games=False) == 0
    said = capsys.readouterr().err
    for name in ("handicap", "turns", "komi", "empty", "broken"):
        assert f"left out {games / name}.sgf: " in said
    files = contents(out)
    assert list(files) == ["labels-4x4-0000.npz", "labels-5x5-0000.npz"]
    made = files["labels-5x5-0000.npz"]
    assert made["game_length"] == [4, 4]
    assert made["territory"] == [False, True]
    assert made["komi"] == [3.5, 3.5]
    assert made["moves"] == [12, 6, 25, 25] * 2
    # From two visits on, the policy is where the visits went: the toy looks at A1 alone.
    assert [np.flatnonzero(policy).tolist() for policy in made["policy_sqrt"]] == [[20]] * 8


def test_the_policy_is_sharpened_and_flattened() -> None:
    policy = np.array([0.64, 0.32, 0.04, 0], np.float32)
    assert np.array_equal(tempered(policy, 1), policy)
    assert tempered(policy, 0.5) == pytest.approx(np.array([256, 64, 1, 0]) / 321, rel=1e-5)
    assert tempered(policy, 2) == pytest.approx(
        np.array([4, 8**0.5, 1, 0]) / (5 + 8**0.5), rel=1e-5
    )


def test_komi_and_rules_vary() -> None:
    import random

    rng = random.Random(1)
    komis = [draw_komi(rng, 7) for _ in range(2000)]
    assert all(2 * komi % 1 == 0 for komi in komis)
    assert np.mean(komis) == pytest.approx(7, abs=0.5)
    assert 0.02 < np.mean([abs(komi - 7) > 6 for komi in komis]) < 0.12
    rules = [next(SampledGame(5, 1, n, 7).play()).rules.scoring for n in range(500)]
    assert rules.count("territory") / 500 == pytest.approx(TERRITORY_SHARE, abs=0.06)


def test_an_unplayable_record_says_why(tmp_path: Path) -> None:
    path = tmp_path / "ko.sgf"
    # White takes the ko back at once: forbidden everywhere, so no record at all.
    path.write_text("(;SZ[4];B[bb];W[cb];B[ac];W[dc];B[bd];W[cd];B[cc];W[bc];B[cc])")
    with pytest.raises(ValueError, match="move 9 is illegal"):
        read_game(path)
