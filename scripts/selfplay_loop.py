"""The generations of self-play, as files: what is there is done, what is not there comes next."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from files import write_text
from gtpengine.match.cluster import run_on_cluster
from gtpengine.match.records import from_json
from gtpengine.match.statistics import Score, score_of, wilson
from gtpengine.match.workers import run_all
from gtpengine.network import LoadedNetwork
from label_writer import GAMES_OF_A_FILE, LabelledGame, write_label_file
from selfplay_games import SelfplayJob, playing

SCRIPTS = Path(__file__).parent
NEW, BEST = "new", "best"  # names in the match


class Failure(Exception):
    """A program that takes part has failed, in one line."""


class Loop:
    """The folder of a run, held by one process at a time; to be closed.

    ``training`` are more words for train.py.  Raises ValueError if the folder is in use, or is no
    place to start from a checkpoint.
    """

    def __init__(self, args: argparse.Namespace, training: Sequence[str]) -> None:
        self.args, self.training = args, training
        self.out = args.out.resolve()
        for name in ("games", "networks", "training", "gates", "generations"):
            (self.out / name).mkdir(parents=True, exist_ok=True)
        # Children hold the lock, too: a killed run is not over before its training is.
        self._lock = (self.out / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise ValueError(f"'{self.out}' is in use by another run") from None

    def close(self) -> None:
        """Let others have the folder."""
        self._lock.close()

    # --- what is there ---------------------------------------------------------------------------

    def network(self, generation: int) -> Path:
        """The file of a generation's network; 0 is the one that the run started from."""
        return self.out / "networks" / f"{generation:04d}.onnx"

    def records(self) -> list[dict[str, Any]]:
        """What came of each finished generation."""
        paths = sorted((self.out / "generations").glob("*.json"))
        return [json.loads(path.read_text(encoding="utf-8")) for path in paths]

    def best(self) -> int | None:
        """The generation whose network plays; None: the search with playouts."""
        records = self.records()
        if records:
            return records[-1]["best"]  # type: ignore[no-any-return]
        return 0 if self.network(0).exists() else None

    def _path_of(self, generation: int | None) -> Path | None:
        return None if generation is None else self.network(generation)

    # --- what is to do ---------------------------------------------------------------------------

    def run(self) -> None:
        """Do what is left of the generations."""
        self.start()
        while (generation := len(self.records()) + 1) <= self.args.generations:
            self.play(generation)
            if not self.network(generation).exists():
                self.train(generation)
            score = self.match(generation)
            self.note(generation, score)

    def start(self) -> None:
        """Take over the checkpoint to start from, once."""
        checkpoint = self.args.start
        if checkpoint is None or self.network(0).exists():
            return
        if any((self.out / "games").iterdir()):
            raise ValueError(f"expected a new folder for --start, got '{self.out}'")
        if not checkpoint.is_file():
            raise ValueError(f"expected a checkpoint of train.py, got '{checkpoint}'")
        shutil.copy(checkpoint, self.out / "training" / "checkpoint.pt")
        self._export(0)

    def play(self, generation: int) -> None:
        """Play the games of a generation that are not there yet."""
        args, folder = self.args, self.out / "games" / f"{generation:04d}"
        folder.mkdir(exist_ok=True)
        files = [folder / f"{k:04d}.npz" for k in range(args.games // GAMES_OF_A_FILE)]
        network = self._path_of(self.best())
        jobs = [
            SelfplayJob(
                number=generation * 1_000_000 + k * GAMES_OF_A_FILE + i,
                seed=args.seed,
                size=args.size,
                network=network,
                visits=args.visits,
                cheap_visits=args.cheap_visits,
                fair_komi=args.komi,
            )
            for k, path in enumerate(files)
            if not path.exists()
            for i in range(GAMES_OF_A_FILE)
        ]
        if not jobs:
            return
        begun: dict[int, dict[int, LabelledGame]] = {}
        progress = tqdm(total=len(jobs), desc=f"games of generation {generation}", unit="game")
        with progress, closing(self._played(jobs)) as games:
            for number, game in games:
                k = number % 1_000_000 // GAMES_OF_A_FILE
                begun.setdefault(k, {})[number] = game
                if len(begun[k]) == GAMES_OF_A_FILE:
                    write_label_file(files[k], [game for _, game in sorted(begun.pop(k).items())])
                progress.update()

    def _played(self, jobs: Sequence[SelfplayJob]) -> Iterator[tuple[int, LabelledGame]]:
        if self.args.cluster is not None:
            return run_on_cluster(playing, jobs, self.args.cluster)
        return run_all(playing, jobs, self.args.processes)

    def train(self, generation: int) -> None:
        """Go on training, with the games of the window, and write the network."""
        first = max(1, generation - self.args.window + 1)
        folders = [self.out / "games" / f"{g:04d}" for g in range(first, generation + 1)]
        before = self.network(generation - 1)
        seen = LoadedNetwork(before).about["positions"] if before.exists() else 0
        wanted = seen + self.args.reuse * n_targets(folders[-1])
        self._call(
            "train.py", "--data", *folders, "--out", self.out / "training",
            "--positions", wanted, *self.training,
        )  # fmt: skip
        self._export(generation, wanted)

    def _export(self, generation: int, wanted: float = 0) -> None:
        """Write the network of the checkpoint; Failure if it has not seen ``wanted`` positions."""
        draft = self.out / "training" / "exported.onnx"
        size = self.args.size
        self._call(
            "export.py", self.out / "training" / "checkpoint.pt", draft, "--sizes", size, size
        )
        seen = LoadedNetwork(draft).about["positions"]
        if seen < wanted:
            raise Failure(f"training ended early: expected {wanted:,.0f} positions, got '{seen:,}'")
        os.replace(draft, self.network(generation))

    def match(self, generation: int) -> Score:
        """Let the new network play against the best; the new one's results."""
        args, folder = self.args, self.out / "gates" / f"{generation:04d}"
        best = self._path_of(self.best())
        evaluator = ["--evaluator", "playout"] if best is None else ["--model", str(best)]
        common = [sys.executable, "-m", "gtpengine", "--visits", str(args.visits),
                  "--threads", "1", "--memory", "64"]  # fmt: skip
        engines = {NEW: ["--model", str(self.network(generation))], BEST: evaluator}
        words = [f"{name}={shlex.join([*common, *more])}" for name, more in engines.items()]
        what = ["--engine", words[0], "--engine", words[1], "--size", args.size,
                "--komi", args.komi, "--seed", args.seed + generation]  # fmt: skip
        where = ["--cluster", args.cluster] if args.cluster else ["--parallel", args.processes]
        # A match begun under other options does not count.
        begun, text = folder.with_suffix(".json"), json.dumps(what) + "\n"
        if folder.exists() and begun.read_text(encoding="utf-8") != text:
            shutil.rmtree(folder)
        write_text(begun, text)
        self._call(None, "match", *what, *where, "--games", args.gate_games, "--out", folder)
        lines = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
        return score_of(NEW, [from_json(json.loads(line)) for line in lines[1:]])

    def note(self, generation: int, score: Score) -> None:
        """Write down what came of a generation: with that it is over."""
        player = self.best()
        log = (self.out / "training" / "log.jsonl").read_text(encoding="utf-8").splitlines()
        record = {
            "generation": generation,
            "player": player,
            "best": generation if score.rate >= self.args.gate else player,
            "targets": n_targets(self.out / "games" / f"{generation:04d}"),
            "seen": LoadedNetwork(self.network(generation)).about["positions"],
            "validation": json.loads(log[-1])["validation"][str(self.args.size)],
            "match": {"won": score.wins, "drawn": score.draws, "lost": score.losses},
            "interval": wilson(score.points, score.games),
            "ended": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "settings": {k: str(v) for k, v in vars(self.args).items() if v is not None},
        }
        write_text(
            self.out / "generations" / f"{generation:04d}.json", json.dumps(record, indent=1) + "\n"
        )
        write_text(self.out / "STATUS.txt", status(self.records()))
        print(status([record]), end="", flush=True)

    def _call(self, script: str | None, *words: object) -> None:
        """Run a script, or gtpengine itself; its output goes to the log.  Failure if it fails."""
        start = [SCRIPTS / script] if script else ["-m", "gtpengine"]
        command = [sys.executable, *map(str, [*start, *words])]
        name = script or f"gtpengine {words[0]}"
        path = self.out / "log.txt"
        with path.open("a", encoding="utf-8") as log:
            log.write(f"$ {shlex.join(command)}\n")
            log.flush()
            child = subprocess.Popen(
                command, stdout=log, stderr=log, pass_fds=(self._lock.fileno(),)
            )
            try:
                result = child.wait()
            except BaseException:
                child.terminate()
                child.wait()
                raise
        if result:
            last = path.read_text(encoding="utf-8").splitlines()[-1]
            raise Failure(f"{name} ended with status {result}, saying '{last}'")


def n_targets(folder: Path) -> int:
    """Positions in the label files of a folder that are to be learned from."""
    total = 0
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=False) as archive:
            total += int(archive["target"].sum())
    return total


def status(records: Sequence[dict[str, Any]]) -> str:
    """A line for each generation."""
    lines = []
    for record in records:
        low, high = record["interval"]
        match, validation = record["match"], record["validation"]
        player = "playouts" if record["player"] is None else f"network {record['player']}"
        verdict = "better" if record["best"] == record["generation"] else "not better"
        lines.append(
            f"{record['ended']} generation {record['generation']}: {record['targets']:,} targets by"
            f" {player}, {record['seen']:,} positions seen, policy {validation['policy']:.3f}"
            f" (excess {validation['policy_excess']:.3f}), value error"
            f" {validation['value_error']:.3f}, lead error {validation['lead_error']:.2f}; match"
            f" {match['won']} won, {match['drawn']} drawn, {match['lost']} lost"
            f" [{100 * low:.0f}, {100 * high:.0f}] %: {verdict}\n"
        )
    return "".join(lines)
