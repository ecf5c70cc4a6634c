"""The whole pipeline on a toy: labels, training, going on, export, play.  Slow; needs PyTorch."""

import json
from pathlib import Path

import numpy as np
import pytest

from gtpengine.core.network import NetworkEvaluator
from gtpengine.core.types import BLACK, PASS
from gtpengine.game import Game
from gtpengine.network import LoadedNetwork
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings
from toy_labels import write_games, write_labels

pytestmark = pytest.mark.slow
SIZE = 5


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with labels, and a run that was stopped once and went on."""
    for name in ("torch", "onnx", "onnxruntime", "matplotlib"):
        pytest.importorskip(name)
    import train

    folder = tmp_path_factory.mktemp("toy")
    (folder / "labels").mkdir()
    write_labels(folder / "labels" / "a.npz", SIZE, n_games=300, seed=1)
    write_labels(folder / "labels" / "b.npz", 4, n_games=60, seed=2)
    words = ["--data", str(folder / "labels"), "--out", str(folder / "run"), "--blocks", "2",
             "--channels", "16", "--batch", "64", "--report", "5000", "--threads", "1",
             "--ema", "5000"]  # fmt: skip
    assert train.main([*words, "--positions", "10000"]) == 0
    assert train.main([*words, "--positions", "60000", "--cooldown", "20000"]) == 0
    return folder


def test_the_losses_fall_and_nothing_is_lost_between(run: Path) -> None:
    lines = [json.loads(line) for line in (run / "run" / "log.jsonl").read_text().splitlines()]
    seen = [line["n_seen"] for line in lines]
    assert seen == sorted(seen)
    assert seen[-1] >= 60_000
    assert 10_000 <= seen[2] < 16_000  # the second call went on from the first
    for size in ("4x4", "5x5"):
        first, last = lines[0]["validation"][size], lines[-1]["validation"][size]
        assert last["policy_excess"] < 0.7 * first["policy_excess"]
        assert last["policy"] > last["policy_excess"] > 0
        assert last["owner_error"] < first["owner_error"]
        assert last["lead_error"] < first["lead_error"]
    assert (run / "run" / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert "positions seen: 6" in (run / "run" / "STATUS.txt").read_text()


def test_a_report_that_a_killed_run_owes_is_made_up(run: Path) -> None:
    import train

    log = run / "run" / "log.jsonl"
    before = log.read_text().splitlines()
    later = json.dumps({**json.loads(before[-1]), "n_seen": 70_000})  # after the checkpoint
    log.write_text("\n".join([*before[:-1], later, before[-1][:40]]))
    assert train.main(["--data", str(run / "labels"), "--out", str(run / "run"),
                       "--positions", "60000", "--threads", "1"]) == 0  # fmt: skip
    after = log.read_text().splitlines()
    assert after[:-1] == before[:-1]
    old, new = json.loads(before[-1]), json.loads(after[-1])
    assert new["n_seen"] == old["n_seen"]
    assert new["validation"] == {
        size: pytest.approx(values, rel=1e-3) for size, values in old["validation"].items()
    }


def test_the_exported_network_plays(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import evaluate
    import export
    import quantize

    path = run / "toy.onnx"
    assert export.main([str(run / "run" / "checkpoint.pt"), str(path), "--sizes", "4", "6"]) == 0
    network = LoadedNetwork(path)
    assert network.sizes == (4, 6)
    assert network.about["positions"] >= 60_000
    assert evaluate.main([str(path), "--data", str(run / "labels")]) == 0
    report = capsys.readouterr().out
    last = json.loads((run / "run" / "log.jsonl").read_text().splitlines()[-1])
    for size, part in zip(("4x4", "5x5"), report.split("policy_excess")[1:], strict=True):
        stated = float(part.split()[0])
        assert stated == pytest.approx(last["validation"][size]["policy_excess"], abs=0.01)
    small = run / "small.onnx"
    words = [str(path), str(small), "--data", str(run / "labels"), "--positions", "100"]
    assert quantize.main(words) == 0
    assert small.stat().st_size < path.stat().st_size
    assert LoadedNetwork(small).about == network.about | {"weights": "int8"}
    assert "mean changes of policy 0.0" in capsys.readouterr().out
    player = Player(PlayerSettings(visits=60, threads=1, seed=1, model=small))
    for size in (4, 5, 6):
        game = Game(size)
        while not game.is_over and len(game.moves) < 3 * size * size:
            point = player.move(game, game.to_play, may_resign=False)
            assert point >= PASS
            game.play(game.to_play, point)
        assert isinstance(player.search.evaluator, NetworkEvaluator)
        assert game.board.stones(BLACK)


def test_recorded_games_are_learned_from_beside_labels(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import evaluate
    import export
    import train

    games = write_games(tmp_path / "games.npz", SIZE, n_games=100, seed=3)
    data = ["--data", str(run / "labels" / "a.npz"), str(games)]
    words = [*data, "--out", str(tmp_path), "--blocks", "2", "--channels", "16", "--batch", "64",
             "--threads", "1", "--ema", "2000"]  # fmt: skip
    assert train.main([*words, "--positions", "8000"]) == 0
    (line,) = map(json.loads, (tmp_path / "log.jsonl").read_text().splitlines())
    assert set(line["validation"]) == {"5x5", "5x5 games"}
    recorded = line["validation"]["5x5 games"]
    assert recorded["policy"] == pytest.approx(recorded["policy_excess"])
    assert 0 < recorded["lead_error"] < 20
    assert "owner_error" not in recorded
    path = tmp_path / "toy.onnx"
    assert export.main([str(tmp_path / "checkpoint.pt"), str(path)]) == 0
    assert evaluate.main([str(path), *data]) == 0
    of_labels, of_games = capsys.readouterr().out.split("5x5 games")[-2:]
    assert "owner_error" in of_labels
    assert "owner_error" not in of_games
    assert float(of_games.split("policy ")[1].split()[0]) == pytest.approx(
        recorded["policy"], abs=0.01
    )


def test_what_nobody_told_teaches_nothing(run: Path, tmp_path: Path) -> None:
    import torch

    import export
    from labels import RecordedGames
    from losses import Targets, Weights, loss_parts, total_loss

    network, _ = export.load(run / "run" / "checkpoint.pt")
    games = RecordedGames([write_games(tmp_path / "games.npz", SIZE, n_games=100, seed=3)])
    index = np.flatnonzero(np.isnan(games.lead))[:50]  # resigned
    batch = games.batch(index, np.zeros(50, np.uint8))
    output = network(torch.from_numpy(batch.planes), torch.from_numpy(batch.scalars))
    for part in (output.policy, output.value, output.lead, output.spread, output.owner):
        part.retain_grad()
    told = map(torch.from_numpy, (batch.policy, batch.win_rate, batch.lead, batch.owner))
    total_loss(loss_parts(output, Targets(*told)), Weights()).backward()
    for part in (output.lead, output.spread, output.owner):
        assert part.grad is None or not part.grad.any()
    assert output.policy.grad.isfinite().all()
    assert output.policy.grad.any()
    assert output.value.grad.any()


def test_statistics_need_positions(run: Path) -> None:
    import export
    from labels import labels_by_size

    network, _ = export.load(run / "run" / "checkpoint.pt")
    groups = labels_by_size([run / "labels" / "b.npz"])
    groups[0].training = groups[0].training[:0]
    with pytest.raises(ValueError, match="expected positions to train on, got none of 4x4"):
        export.recalibrate(network, groups, export.BATCH)


def test_statistics_are_those_of_the_board_size_that_is_asked_for(run: Path) -> None:
    """Taken on one batch of it, the network answers as it did in training, when a batch was all."""
    import torch

    import export
    from labels import evenly, labels_by_size

    network, _ = export.load(run / "run" / "checkpoint.pt")
    groups = labels_by_size([run / "labels" / "b.npz"])
    batch = next(groups[0].fixed_batches(evenly(groups[0].training, export.BATCH), export.BATCH))
    inputs = torch.from_numpy(batch.planes), torch.from_numpy(batch.scalars)
    with torch.no_grad():
        before = network(*inputs).value
        export.recalibrate(network, groups, export.BATCH)
        after = network(*inputs).value
        network.train()
        wanted = network(*inputs).value
    assert torch.allclose(after, wanted, atol=0.02)
    assert not torch.allclose(before, wanted, atol=0.1)
    words = [str(run / "run" / "checkpoint.pt"), str(run / "4.onnx"), "--sizes", "4", "4"]
    assert export.main([*words, "--data", str(run / "labels" / "b.npz")]) == 0
    answer = LoadedNetwork(run / "4.onnx").run(batch.planes, batch.scalars)
    assert np.allclose(answer[1], torch.softmax(wanted, 1), atol=0.05)
