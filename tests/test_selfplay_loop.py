"""The loop of self-play: one folder, killed and stopped at any moment, and it goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("tqdm")

from gtpengine.match.game import GameRecord
from gtpengine.match.records import to_json
from gtpengine.network import LoadedNetwork
from labels import Labels, label_files
from selfplay import main, parse_arguments
from selfplay_loop import Loop, n_targets
from toy_labels import contents

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "selfplay.py"
WORDS = ["--size", "5", "--komi", "20", "--games", "20", "--visits", "16", "--cheap-visits", "6"]


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a run may be; workers and other children find the modules of this tree."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'scripts'}")
    return tmp_path / "run"


def loop(out: Path, *words: str) -> "closing[Loop]":
    return closing(Loop(parse_arguments(["--out", str(out), *WORDS, *words]), []))


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'scripts'}")
        distributed = pytest.importorskip("distributed")
        with distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=":0"
        ) as started:
            yield started.scheduler_address


def test_games_are_the_same_on_processes_on_a_cluster_and_after_a_stop(
    out: Path, cluster: str
) -> None:
    with loop(out) as here:
        here.play(1)
    files = contents(out / "games" / "0001")
    assert list(files) == ["0000.npz", "0001.npz"]
    assert [len(file["game_length"]) for file in files.values()] == [10, 10]
    with loop(out.with_name("cluster"), "--cluster", cluster) as there:
        there.play(1)
    assert contents(out.with_name("cluster") / "games" / "0001") == files
    (out / "games" / "0001" / "0000.npz").unlink()
    kept = (out / "games" / "0001" / "0001.npz").stat().st_mtime_ns
    with loop(out) as again:
        again.play(1)
    assert contents(out / "games" / "0001") == files
    assert (out / "games" / "0001" / "0001.npz").stat().st_mtime_ns == kept


def test_a_folder_belongs_to_one_run_at_a_time(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with loop(out):
        assert main(["--out", str(out), *WORDS]) == 2
    assert f"selfplay.py: '{out}' is in use by another run" in capsys.readouterr().err


def test_there_must_be_something_to_start_from(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(out), *WORDS, "--start", str(out / "none.pt")]) == 2
    assert "expected a checkpoint of train.py, got '" in capsys.readouterr().err
    (out / "games" / "0001").mkdir()
    assert main(["--out", str(out), *WORDS, "--start", str(out / "none.pt")]) == 2
    assert f"expected a new folder for --start, got '{out}'" in capsys.readouterr().err


def test_a_program_that_fails_is_named_with_its_last_words(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--out", str(out), *WORDS, "--games", "10", "--training=--no-such-option"]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "selfplay.py: train.py ended with status " in said


def test_a_match_goes_on_under_the_same_options_and_begins_anew_under_others(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = GameRecord(0, "new", "best", "", "", result="B+1", winner="new")

    def no_match(self: Loop, script: str | None, *words: object) -> None:
        folder = Path(str(words[-1]))
        folder.mkdir(exist_ok=True)
        with (folder / "games.jsonl").open("a") as file:
            if file.tell() == 0:
                file.write('{"type": "match"}\n')
            file.write(json.dumps(to_json(record)) + "\n")

    monkeypatch.setattr(Loop, "_call", no_match)
    for words, n_games in (([], 1), (["--processes", "2"], 2), (["--visits", "9"], 1)):
        with loop(out, *words) as run:
            assert run.match(1).games == n_games


@pytest.mark.slow
def test_two_generations_through_kills_and_stops(out: Path) -> None:
    for module in ("torch", "onnx", "onnxruntime", "matplotlib"):
        pytest.importorskip(module)
    training = "--blocks 1 --channels 8 --batch 32 --threads 1 --ema 2000"
    words = [sys.executable, str(SCRIPT), "--out", str(out), *WORDS, "--training", training]
    words += ["--generations", "2", "--gate-games", "4", "--gate", "0", "--reuse", "6"]

    def run_until(reached: Callable[[], bool], number: int) -> int:
        """Start the run, send it a signal when it has got somewhere, wait for its end."""
        child = subprocess.Popen(words, env=os.environ)
        while child.poll() is None and not reached():
            time.sleep(0.02)
        child.send_signal(number)
        return child.wait()

    games, gates = out / "games", out / "gates"
    assert run_until((games / "0001" / "0000.npz").exists, signal.SIGTERM) == 130
    assert run_until((games / "0001" / "0001.npz").exists, signal.SIGKILL) == -signal.SIGKILL
    while main(["--out", str(out), *WORDS, "--generations", "0"]) != 0:
        time.sleep(0.2)  # its training goes on, and holds the folder
    assert run_until((out / "networks" / "0001.onnx").exists, signal.SIGTERM) == 130
    assert run_until((gates / "0001" / "games.jsonl").exists, signal.SIGKILL) == -signal.SIGKILL
    while main(["--out", str(out), *WORDS, "--generations", "0"]) != 0:
        time.sleep(0.2)
    assert run_until((games / "0002").exists, signal.SIGTERM) == 130
    assert subprocess.run(words, check=False).returncode == 0

    records = [json.loads(path.read_text()) for path in sorted((out / "generations").iterdir())]
    assert [record["generation"] for record in records] == [1, 2]
    assert [record["player"] for record in records] == [None, 1]  # a gate of 0 lets all pass
    assert records[-1]["best"] == 2
    seen = 0
    for record in records:
        generation = record["generation"]
        folder = games / f"{generation:04d}"
        assert sorted(path.name for path in folder.iterdir()) == ["0000.npz", "0001.npz"]
        assert record["targets"] == n_targets(folder)
        assert len(Labels(label_files([folder])).training)
        seen += 6 * record["targets"]
        assert seen <= record["seen"] < seen + 32 * generation
        network = LoadedNetwork(out / "networks" / f"{generation:04d}.onnx")
        assert network.about["positions"] == record["seen"]
        assert sum(record["match"].values()) == 4
        seen = record["seen"]
    assert len((out / "STATUS.txt").read_text().splitlines()) == 2
    before = (out / "log.txt").read_text()
    assert subprocess.run(words, check=False).returncode == 0  # nothing is left to do
    assert (out / "log.txt").read_text() == before
