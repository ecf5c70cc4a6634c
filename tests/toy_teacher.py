"""A teacher that knows only the area score: what the tests of label.py talk to, as a program.

Speaks KataGo's JSON analysis protocol and answers out of order.  TOY_TEACHER in the environment
spoils it: "die 40" after so many answers, or one of the words in SPOILED.
"""

import json
import os
import sys
import threading
import time
from typing import Any

import numpy as np

from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.rules import Rules
from label_writer import index_of

SPOILED: dict[str, Any] = {
    "error": {"error": "Illegal move", "field": "moves"},
    "policy": {"policy": [1.0]},
    "win rate": {"rootInfo": {"winrate": 1.5, "scoreLead": 0}},
    "lead": {"rootInfo": {"winrate": 0.5, "scoreLead": None}},
    "owner": {"ownership": None},
    "name": {"id": "nobody"},
}


def answer(query: dict[str, Any]) -> dict[str, Any]:
    """By visits: the first legal point has all; at first sight: every legal move alike."""
    assert query["includePolicy"]
    assert query["includeOwnership"]
    assert query["overrideSettings"] == {"reportAnalysisWinratesAs": "SIDETOMOVE"}
    assert query["boardXSize"] == query["boardYSize"]
    size = query["boardXSize"]
    game = Game(size, Rules.from_json(json.dumps(query["rules"])), query["komi"])
    for color, vertex in query["moves"]:
        game.play({"B": BLACK, "W": WHITE}[color], parse_vertex(vertex, size))
    policy = -np.ones(size * size + 1)
    legal = game.legal_points(game.to_play)
    policy[[index_of(point, size) for point in legal]] = 1
    policy[-1] = 1
    policy[policy > 0] /= policy[policy > 0].sum()
    sign = 1 if game.to_play == BLACK else -1
    owner = sign * area_owner(game.board).astype(float).ravel()
    lead = owner.sum() - sign * game.komi
    best = format_vertex(legal[0]) if legal else "pass"
    return {
        "id": query["id"],
        "policy": policy.tolist(),
        "ownership": owner.tolist(),
        "rootInfo": {"winrate": 1 / (1 + np.exp(-lead / 5)), "scoreLead": lead},
        "moveInfos": [{"move": best, "visits": query["maxVisits"]}],
    }


def main() -> int:
    spoil, _, count = os.environ.get("TOY_TEACHER", "").partition(" ")
    spoil = os.environ.get("TOY_TEACHER", "") if spoil != "die" else spoil
    turn = threading.Lock()
    print(json.dumps({"warning": "toy"}), flush=True)

    def reply(number: int, query: dict[str, Any]) -> None:
        time.sleep(0.002 * (number % 3))
        text = json.dumps({**answer(query), **SPOILED.get(spoil, {})})
        with turn:
            print("no JSON" if spoil == "text" else text, flush=True)

    for number, line in enumerate(sys.stdin):
        if spoil == "die" and number >= int(count):
            print("out of memory\n", file=sys.stderr)
            return 3
        threading.Thread(target=reply, args=(number, json.loads(line))).start()
    return 0


if __name__ == "__main__":
    sys.exit(main())
