"""A teacher: a program that speaks KataGo's JSON analysis protocol, over pipes.

Source: Wu, KataGo's Parallel Analysis Engine (docs/Analysis_Engine.md of KataGo).
"""

from __future__ import annotations

import json
import math
import queue
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.types import BLACK
from gtpengine.game import Game
from label_writer import Label, index_of

PATIENCE = 300.0  # seconds without any answer after which the teacher counts as hung
SLACK = 1e-3  # by which shares and owners may leave their bounds, for rounding


class TeacherFailure(Exception):
    """The teacher died, refused a position or answered nonsense, in one line."""


class Teacher:
    """The process.  Positions go in with ``ask``; labels come out, in any order, with ``answer``.

    With one visit a label's policy is what the teacher thinks at first sight; with more it is the
    share of the visits.  To be closed.
    """

    def __init__(self, command: Sequence[str], visits: int) -> None:
        self._visits = visits
        self._asked: dict[str, Game] = {}
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._warnings: set[str] = set()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True
            )
        except OSError as error:
            self._log.close()
            raise TeacherFailure(f"teacher '{command[0]}' does not start: {error}") from None
        # A thread of its own, so that neither side ever waits for the other to empty its pipe.
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._log.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def ask(self, name: str, game: Game) -> None:
        """Ask about the position that ``game`` stands at; it must not change until the answer."""
        self._asked[name] = game
        colors = {BLACK: "B"}
        query = {
            "id": name,
            "moves": [[colors.get(c, "W"), format_vertex(point)] for c, point in game.moves],
            "rules": json.loads(game.rules.to_json()),
            "komi": game.komi,
            "boardXSize": game.size,
            "boardYSize": game.size,
            "maxVisits": self._visits,
            "includePolicy": True,
            "includeOwnership": True,
            "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"},
        }
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(query) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._death() from None

    def answer(self) -> tuple[str, Label]:
        """(name, label) of a position that was asked about; waits for it."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise TeacherFailure(f"teacher: no answer for {PATIENCE:g} seconds") from None
            if line is None:
                raise self._death()
            try:
                answer = json.loads(line)
            except ValueError:
                answer = None
            if not isinstance(answer, dict):
                raise TeacherFailure(f"teacher: expected a JSON object, got '{_short(line)}'")
            if "error" in answer:
                raise TeacherFailure(f"teacher answers an error: '{_short(line)}'")
            if "warning" in answer:
                self._warn(str(answer["warning"]))
                continue
            name = answer.get("id")
            if name not in self._asked:
                raise TeacherFailure(f"teacher: expected the id of a question, got '{name}'")
            return name, self._label(answer, self._asked.pop(name))

    def _warn(self, text: str) -> None:
        if text not in self._warnings:
            self._warnings.add(text)
            print(f"teacher warns: {_short(text)}", flush=True)

    def _death(self) -> TeacherFailure:
        try:
            status: int | None = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return TeacherFailure("teacher closed its output")
        self._log.seek(0)
        said = self._log.read().decode(errors="replace").split("\n")
        last = next((line for line in reversed(said) if line.strip()), "nothing")
        return TeacherFailure(f"teacher ended with status {status}, saying '{_short(last)}'")

    def _label(self, answer: dict[str, Any], game: Game) -> Label:
        n = game.size * game.size
        owner = _numbers(answer, "ownership", n, -1)
        root = answer.get("rootInfo")
        if not isinstance(root, dict):
            raise TeacherFailure(f"teacher: expected rootInfo, got '{_short(str(root))}'")
        win_rate = float(_numbers(root, "winrate", None, 0)[0])
        lead = root.get("scoreLead")
        if not isinstance(lead, int | float) or not math.isfinite(lead):
            raise TeacherFailure(f"teacher: expected scoreLead as points, got '{lead}'")
        # -1 stands for an illegal move.
        policy = np.maximum(_numbers(answer, "policy", n + 1, -1), 0)
        if self._visits > 1:
            policy = _shares(answer, game)
        if not policy.sum() > 0:
            raise TeacherFailure("teacher: expected a policy, got '0 everywhere'")
        legal = np.zeros(n + 1, bool)
        legal[[index_of(point, game.size) for point in game.legal_points(game.to_play)]] = True
        legal[n] = True
        if policy[~legal].any():
            wrong = np.flatnonzero(~legal & (policy > 0))
            raise TeacherFailure(
                f"teacher plays where the rules forbid it: index '{wrong[0]}' after"
                f" {len(game.moves)} moves"
            )
        return Label(policy, win_rate, float(lead), owner)


def _numbers(answer: dict[str, Any], key: str, n: int | None, least: float) -> Any:
    """``n`` numbers (None: a single one) from ``least`` to 1, as float32."""
    value = answer.get(key)
    try:
        array = np.array([value] if n is None else value, np.float32)
    except (TypeError, ValueError):
        array = np.zeros(0, np.float32)
    is_good = array.shape == (n or 1,) and (array >= least - SLACK).all()
    if not is_good or not (array <= 1 + SLACK).all():
        wanted = "a number" if n is None else f"{n} numbers"
        raise TeacherFailure(
            f"teacher: expected {wanted} {least:g}..1 as {key}, got '{_short(str(value))}'"
        )
    return array.clip(least, 1)


def _shares(answer: dict[str, Any], game: Game) -> Any:
    """Visits of each move at the root, in the order of a policy."""
    visits = np.zeros(game.size * game.size + 1, np.float32)
    try:
        for info in answer["moveInfos"]:
            visits[index_of(parse_vertex(info["move"], game.size), game.size)] = info["visits"]
    except (KeyError, TypeError, ValueError):
        raise TeacherFailure(
            f"teacher: expected moveInfos with visits, got '{_short(str(answer.get('moveInfos')))}'"
        ) from None
    return visits


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 150 else words[:147] + "..."
