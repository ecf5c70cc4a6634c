"""The folder of a match: one JSON-lines file, one SGF a game, GTP transcripts of faults.

games.jsonl          first line what is played ("type": "match"), then one line a game
sgf/0007.sgf         game 7
faults/0007-NAME.gtp what an engine with a fault was sent in game 7, its answers as comments
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from sgfmill import sgf

from gtpengine.match.faults import Fault
from gtpengine.match.game import GameRecord, GameSettings, Move
from gtpengine.match.referee import parse_vertex

Header = Mapping[str, Any]


def to_json(record: GameRecord) -> dict[str, Any]:
    """A line of games.jsonl; transcripts are not part of it."""
    fields = asdict(record)
    del fields["transcripts"]
    fields["moves"] = [[move.color, move.vertex, move.seconds] for move in record.moves]
    return {"type": "game", **fields}


def from_json(fields: Mapping[str, Any]) -> GameRecord:
    """The game of a line of games.jsonl."""
    known = dict(fields)
    if known.pop("type", None) != "game":
        raise ValueError(f"expected a game, got '{json.dumps(fields)[:80]}'")
    known["moves"] = [Move(*move) for move in known["moves"]]
    known["faults"] = [Fault(**fault) for fault in known["faults"]]
    return GameRecord(**known)


def format_sgf(record: GameRecord, settings: GameSettings) -> bytes:
    """The game as SGF: moves with the seconds they took, faults as comments."""
    game = sgf.Sgf_game(settings.size)
    root = game.get_root()
    root.set("PB", record.black)
    root.set("PW", record.white)
    root.set("KM", settings.komi)
    root.set("RU", settings.rules)
    root.set("RE", record.result)
    root.set("DT", record.started[:10])
    root.set("GN", f"game {record.number}")
    if settings.time is not None:
        root.set("TM", settings.time.main)
    root.add_comment_text(f"opening: {record.opening}")
    scores = ", ".join(f"{name} {score}" for name, score in record.scores.items())
    ended = f"ended by {record.ended}"
    root.add_comment_text(f"{ended}, scored by {record.scored_by}: {scores}" if scores else ended)
    for move in record.moves:
        node = game.extend_main_sequence()
        node.set_move(move.color, parse_vertex(move.vertex, settings.size))
        if move.seconds is not None:
            node.add_comment_text(f"{move.seconds:.2f} s")
    last = game.get_last_node()
    for fault in record.faults:
        last.add_comment_text(f"{fault.engine}: {fault.kind} after move {fault.move}: {fault.text}")
    serialised: bytes = game.serialise()
    return serialised


def _hold(path: Path) -> TextIO:
    """Open a file that no other process may hold meanwhile, where the system can see to that."""
    file = path.open("a", encoding="utf-8")
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise ValueError(
                f"expected a folder that no match is being played into, got '{path.parent}'"
            ) from None
        except OSError:  # a file system without locks
            pass
    return file


class MatchFolder:
    """Where a match is kept, or nowhere if there is no path."""

    def __init__(self, path: Path | None, header: Header, settings: GameSettings) -> None:
        """Open the folder; go on with the match in it, or begin one.

        Raises ValueError if it holds a match with another header, or one that is being played.
        """
        self.path = path
        self.settings = settings
        self.records: list[GameRecord] = []
        if path is None:
            return
        for folder in (path, path / "sgf"):
            folder.mkdir(parents=True, exist_ok=True)
        self._file = path / "games.jsonl"
        self._held = _hold(self._file)
        lines = self._whole_lines()
        if not lines:
            self._append({"type": "match", **header})
            return
        kept = json.loads(lines[0])
        asked = json.loads(json.dumps({"type": "match", **header}))
        for key, value in asked.items():
            if kept.get(key) != value:
                raise ValueError(
                    f"'{path}' holds another match: expected {key} {json.dumps(kept.get(key))}, "
                    f"got '{json.dumps(value)}'"
                )
        self.records = [from_json(json.loads(line)) for line in lines[1:]]

    def add(self, record: GameRecord) -> None:
        """Keep a finished game.  The line in games.jsonl comes last: it says that all is there."""
        self.records.append(record)
        if self.path is None:
            return
        sgf_file = self.path / "sgf" / f"{record.number:04d}.sgf"
        sgf_file.write_bytes(format_sgf(record, self.settings))
        for name, transcript in record.transcripts.items():
            faults = self.path / "faults"
            faults.mkdir(exist_ok=True)
            (faults / f"{record.number:04d}-{name}.gtp").write_text(transcript, encoding="utf-8")
        self._append(to_json(record))

    def _append(self, fields: Mapping[str, Any]) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")

    def _whole_lines(self) -> list[str]:
        """The lines of the file; a last one without its end, from a killed run, is cut off."""
        if not self._file.exists():
            return []
        text = self._file.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self._file.write_text(whole, encoding="utf-8")
        return whole.splitlines()
