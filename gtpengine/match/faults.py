"""What an engine can do wrong, and the record of it."""

from dataclasses import dataclass
from typing import Literal

FaultKind = Literal["illegal", "garbage", "crash", "hang", "refusal", "time", "late", "score"]

MEANING: dict[FaultKind, str] = {
    "illegal": "played a move that the rules of the match forbid; the game is lost",
    "garbage": "wrote what is no GTP answer; as an answer to genmove it loses the game",
    "crash": "ended or closed its output; the game is lost",
    "hang": "did not answer in time and was killed; the game is lost",
    "refusal": "answered '?' to a command it must obey or has listed",
    "time": "used up its clock; the game is lost",
    "late": "took longer for a move than --move-limit; the game goes on",
    "score": "named another score for the finished game than the one that counts",
}


@dataclass(frozen=True)
class Fault:
    """One fault of one engine in one game."""

    engine: str
    kind: FaultKind
    text: str
    move: int  # moves on the board when it happened, those of the opening included
    lost: bool  # whether it lost the game


class EngineFailure(Exception):
    """An engine failed so that its game cannot go on."""

    def __init__(self, engine: str, kind: FaultKind, text: str) -> None:
        super().__init__(f"{engine}: {kind}: {text}")
        self.engine, self.kind, self.text = engine, kind, text
