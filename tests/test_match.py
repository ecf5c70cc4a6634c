"""The match runner: against engines that misbehave in every known way, and GNU Go."""

import argparse
import dataclasses
import io
import itertools
import json
import logging
import math
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from distributed import LocalCluster
from sgfmill import sgf

from gtpengine.match import add_arguments, main
from gtpengine.match.cluster import play_on_cluster
from gtpengine.match.controller import Bench, Engine, EngineSpec
from gtpengine.match.faults import EngineFailure
from gtpengine.match.game import GameJob, GameRecord, GameSettings, Timeouts, play_game
from gtpengine.match.openings import Opening, random_openings, sgf_openings
from gtpengine.match.records import MatchFolder, from_json, to_json
from gtpengine.match.referee import (
    RULES,
    IllegalMove,
    RefereeBoard,
    format_score,
    parse_score,
    parse_vertex,
)
from gtpengine.match.report import report
from gtpengine.match.schedule import match_ups, schedule
from gtpengine.match.statistics import Score, Sprt, elo_of, n_copies, rate_of, wilson
from gtpengine.match.timing import RefereeClock, TimeControl
from gtpengine.match.workers import play_all

GNUGO = shutil.which("gnugo", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")

# Plays the first legal point that is no eye of its own.  Arguments: what it does wrong.
FAKE_ENGINE = """
import os, sys, time
from sgfmill import boards, common

tricks = dict(argument.split(":") for argument in sys.argv[1:])
at = int(tricks.get("at", 2))  # the genmove of a game at which the trick is played
trick = tricks.get("trick", "")
board, seen, n_moves = boards.Board(9), set(), 0


def try_move(color, point):
    after = board.copy()
    try:
        after.play(*point, color)
    except ValueError:
        return None
    key = str(after.board)
    return None if after.get(*point) is None or key in seen else (after, key)


def near(point):
    row, column = point
    places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in places if 0 <= r < board.side and 0 <= c < board.side]


def genmove(color):
    global board
    for point in board.board_points:
        if all(board.get(*p) == color for p in near(point)):
            continue
        if (found := try_move(color, point)):
            board = found[0]
            seen.add(found[1])
            return common.format_vertex(point)
    return "pass"


def answer(words):
    global board, seen, n_moves
    name = words[0]
    if name == "list_commands":
        names = ["boardsize", "clear_board", "komi", "play", "genmove", "name", "version"]
        names += ["time_settings", "time_left", "kgs-rules"]
        return "\\n".join(names + ["final_score"] * (trick != "no_score"))
    if name == "name":
        return "fake"
    if name == "boardsize":
        board = boards.Board(int(words[1]))
        if trick == "small" and board.side > 5:
            raise ValueError("unacceptable size")
    if name == "clear_board":
        board, seen, n_moves = boards.Board(board.side), set(), 0
    if name == "kgs-rules" and trick == "rules":
        raise ValueError("what rules?")
    if name == "play":
        if trick == "refuse_play":
            raise ValueError("illegal move")
        if words[2].lower() != "pass":
            board.play(*common.move_from_vertex(words[2], board.side), words[1])
            seen.add(str(board.board))
    if name == "final_score":
        if trick == "score":
            return tricks["says"]
        score = board.area_score() - 7
        return "0" if not score else ("B" if score > 0 else "W") + "+" + str(float(abs(score)))
    if name == "genmove":
        n_moves += 1
        if trick and n_moves == at:
            if trick == "crash":
                print("about to fall", file=sys.stderr, flush=True)
                os._exit(7)
            if trick == "signal":
                os.kill(os.getpid(), 9)
            if trick == "hang":
                if "mark" in tricks:
                    open(tricks["mark"], "w").close()
                time.sleep(600)
            while trick == "flood":
                print("=", end="  ")
                print("more and more")
            if trick == "refusal":
                raise ValueError("no idea")
            if trick == "garbage":
                return "hello world"
            if trick == "illegal":
                return "J9" if board.side < 9 else board.list_occupied_points() and (
                    common.format_vertex(board.list_occupied_points()[0][1]))
            if trick == "occupied":
                return common.format_vertex(board.list_occupied_points()[0][1])
            if trick == "chatter":
                print("thinking hard")
            if trick == "slow":
                time.sleep(float(tricks["for"]))
            if trick == "resign":
                return "resign"
        if trick == "pass":
            return "PASS"
        return genmove(words[1])
    return ""


for line in sys.stdin:
    words = line.split()
    try:
        text = "= " + answer(words)
    except ValueError as error:
        text = "? " + str(error)
    print(text + "\\n", flush=True)
    if words[0] == "quit" and trick != "stays":
        break
if trick == "stays":
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("engines") / "fake.py"
    path.write_text(FAKE_ENGINE)
    return path


@pytest.fixture
def fake(script):
    """A function: name and tricks in, EngineSpec out."""

    def make(name="good", **tricks):
        words = (f"{key.rstrip('_')}:{value}" for key, value in tricks.items())
        return EngineSpec(name, (sys.executable, str(script), *words))

    return make


@pytest.fixture
def bench():
    with Bench() as bench:
        yield bench


def job(black, white, number=0, moves=(), to_play="b", **settings):
    common = {"size": 5, "max_moves": 60, "timeouts": Timeouts(5.0, 5.0, 5.0)}
    return GameJob(
        number,
        black,
        white,
        Opening("none", moves, to_play),
        GameSettings(**{**common, **settings}),
    )


def kinds(record):
    return [(fault.engine, fault.kind, fault.lost) for fault in record.faults]


# --- the referee's board


def play_all_moves(board, text):
    for move in text.split(", "):
        color, vertex = move.split()
        board.play(color.lower(), parse_vertex(vertex, board.size))


REFUSED = {
    "occupied": (3, "chinese", "B B2", "W B2", "occupied"),
    "suicide": (3, "chinese", "B A2, W pass, B B1", "W A1", "suicide"),
    "suicide of one stone repeats the position": (
        3, "tromp-taylor", "B A2, W pass, B B1", "W A1", "superko"),
    "simple ko": (4, "chinese", "B A2, W B1, B B3, W C2, B B2", "W A1", ""),
    "ko": (4, "chinese", "B A2, W D2, B B1, W C1, B B3, W C3, B C2, W B2", "B C2", "ko"),
    "ko under superko": (
        4, "chinese-ogs", "B A2, W D2, B B1, W C1, B B3, W C3, B C2, W B2", "B C2", "superko"),
    "positional superko": (
        3, "chinese-ogs", "B B3, W B1, B C2, W B2, B C1, W C3", "B C2", "superko"),
    "not situational": (3, "aga", "B B3, W B1, B C2, W B2, B C1, W C3", "B C2", ""),
    "both superkos": (2, "aga", "B A2, W B2, B A1, W B1, B A2, W A1", "B A2", "superko"),
    "not simple ko": (2, "chinese", "B A2, W B2, B A1, W B1, B A2, W A1", "B A2", ""),
    "capture is no suicide": (3, "chinese", "B A1, W A2, B C3", "W B1", ""),
}  # fmt: skip


@pytest.mark.parametrize(
    ("size", "rules", "before", "move", "reason"), REFUSED.values(), ids=REFUSED
)
def test_referee_refuses(size, rules, before, move, reason):
    board = RefereeBoard(size, RULES[rules])
    play_all_moves(board, before)
    stones = board.stones()
    if not reason:
        play_all_moves(board, move)
        return
    with pytest.raises(IllegalMove) as info:
        play_all_moves(board, move)
    assert str(info.value) == reason
    assert board.stones() == stones


def test_referee_counts():
    board = RefereeBoard(3, RULES["chinese"])
    assert board.area_score() == 0
    assert board.play("b", (0, 0)) == 0
    assert board.area_score() == 9
    board.play("w", (1, 0))
    assert board.n_liberties((0, 0)) == 1
    assert board.play("w", (0, 1)) == 1
    assert board.area_score() == -9


def test_scores():
    assert [parse_score(text) for text in ("B+3.5", "w+11", "0", "Draw")] == [3.5, -11, 0, 0]
    assert [format_score(points) for points in (3.5, -11, 0)] == ["B+3.5", "W+11.0", "0"]
    with pytest.raises(ValueError, match=r"expected a score such as B\+3.5, got 'B\+R'"):
        parse_score("B+R")


# --- clock


def test_absolute_clock():
    clock = RefereeClock(TimeControl.parse("10,0,0"), tolerance=0.1)
    assert clock.spend(9.5)
    assert clock.time_left == "0 0"
    assert clock.spend(0.55)  # overdrawn by less than the tolerance
    assert clock.left == 0
    assert not clock.spend(0.2)


def test_canadian_clock():
    clock = RefereeClock(TimeControl.parse("10,6,2"), tolerance=0.1)
    assert clock.available == 16
    assert clock.spend(12)  # two seconds of the first period
    assert (clock.time_left, clock.available) == ("4 1", 4)
    assert clock.spend(4)
    assert clock.time_left == "6 2"
    assert not clock.spend(6.2)


def test_overtime_only():
    clock = RefereeClock(TimeControl.parse("0,2,1"), tolerance=0)
    assert clock.time_left == "2 1"
    assert clock.spend(1.9)
    assert clock.time_left == "2 1"


@pytest.mark.parametrize("text", ["", "1,2", "1.5,0,0", "0,0,0", "0,5,0", "5,5,0", "-1,0,0"])
def test_bad_time(text):
    with pytest.raises(ValueError, match="expected"):
        TimeControl.parse(text)


# --- openings


@pytest.mark.parametrize(("size", "edge"), [(5, 1), (9, 2), (19, 2)])
def test_random_openings(size, edge):
    openings = list(itertools.islice(random_openings(size, 4, seed=3), 30))
    assert openings == list(itertools.islice(random_openings(size, 4, seed=3), 30))
    assert openings != list(itertools.islice(random_openings(size, 4, seed=4), 30))
    assert len({opening.moves for opening in openings}) == 30
    for opening in openings:
        assert [color for color, _ in opening.moves] == ["b", "w", "b", "w"]
        for _, vertex in opening.moves:
            assert all(edge <= line < size - edge for line in parse_vertex(vertex, size))


def test_openings_differ_by_more_than_a_turn():
    openings = itertools.islice(random_openings(9, 1, seed=1), 6)
    assert len({opening.moves for opening in openings}) == 6  # all there are on 5x5 points
    openings = itertools.islice(random_openings(9, 1, seed=1), 20)
    assert sum(1 for _ in openings) == 20  # then they repeat


def test_sgf_openings(tmp_path):
    (tmp_path / "b.sgf").write_text("(;SZ[9]AB[cc][gg];W[ee];B[ff])")
    (tmp_path / "a.sgf").write_text("(;SZ[9];B[cc];W[gg];B[cg])")
    a, b = sgf_openings(tmp_path, 9, RULES["chinese"], n_moves=1)
    assert (a.name, a.moves, a.to_play) == ("a.sgf", (("b", "C7"),), "w")
    assert sorted(b.moves[:2]) == [("b", "C7"), ("b", "G3")]
    assert (b.moves[2], b.to_play) == (("w", "E5"), "b")
    with pytest.raises(ValueError, match="expected board size 13, got '9'"):
        sgf_openings(tmp_path, 13, RULES["chinese"], None)
    (tmp_path / "c.sgf").write_text("(;SZ[9];B[cc];W[cc])")
    with pytest.raises(ValueError, match="w C7 is not legal: occupied"):
        sgf_openings(tmp_path, 9, RULES["chinese"], None)


# --- statistics


def test_wilson():
    assert wilson(0, 0) == (0, 1)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)  # Newcombe 1998, method 3
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_elo():
    assert elo_of(10 / 11) == pytest.approx(400)
    assert rate_of(elo_of(0.37)) == pytest.approx(0.37)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_sprt():
    test = Sprt.parse("0,50")
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert test.verdict([]) == ""
    even, better = [0.0, 0.5, 1.0, 0.5], [0.5, 1.0, 0.5, 1.0]
    assert test.log_likelihood_ratio(even) < 0 < test.log_likelihood_ratio(better)
    assert test.verdict(even * 100) == "elo0"
    assert test.verdict(better * 100) == "elo1"
    assert test.verdict([1.0] * 50) == "elo1"
    # close to the normal approximation where the two hypotheses are near each other
    mean, variance = 0.5, 0.125
    low, high = rate_of(0), rate_of(5)
    approximate = 400 * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 5).log_likelihood_ratio(even * 100) == pytest.approx(approximate, rel=0.01)


def test_sprt_errs_as_rarely_as_it_says():
    rng, test, wrong = random.Random(1), Sprt(0, 100), 0
    for _ in range(100):
        scores = []
        while not test.verdict(scores):
            scores += [(rng.random() < 0.5) / 2 + (rng.random() < 0.5) / 2 for _ in range(4)]
        wrong += test.verdict(scores) == "elo1"
    assert wrong <= 12  # 5 expected


@pytest.mark.parametrize("text", ["", "5", "5,0", "0,5,1,2", "a,b", "0,5,0.1"])
def test_bad_sprt(text):
    with pytest.raises(ValueError, match="expected"):
        Sprt.parse(text)


# --- one game


def test_good_game(fake, bench):
    record = play_game(job(fake("a"), fake("b")), bench)
    assert record.ended == "passes"
    assert record.scored_by == "engines"
    assert record.faults == []
    assert record.result == record.scores["tromp-taylor"] == record.scores["a"]
    assert record.winner == {"B": "a", "W": "b"}[record.result[0]]
    assert [move.vertex for move in record.moves[-2:]] == ["pass", "pass"]
    again = play_game(job(fake("a"), fake("b")), bench)
    assert [move.vertex for move in again.moves] == [move.vertex for move in record.moves]
    assert n_copies([record, again]) == 1


LOSING = {
    "crash": ({"trick": "crash"}, "crash", "exit status 7; last on stderr: about to fall"),
    "signal": (
        {"trick": "signal"},
        "crash",
        "gone while answering 'genmove b': killed by signal 9",
    ),
    "hang": ({"trick": "hang"}, "hang", "no answer to 'genmove b' within 0.5 s; killed"),
    "flood": ({"trick": "flood"}, "hang", "no answer to 'genmove b' within 0.5 s; killed"),
    "refusal": ({"trick": "refusal"}, "refusal", "genmove was answered by '? no idea'"),
    "garbage": ({"trick": "garbage"}, "garbage", "genmove was answered by 'hello world'"),
    "off the board": ({"trick": "illegal"}, "garbage", "genmove was answered by 'j9'"),
    "occupied": ({"trick": "occupied"}, "illegal", "is not legal: occupied"),
    "will not play": ({"trick": "refuse_play"}, "refusal", "was answered by '? illegal move'"),
    "size": ({"trick": "small"}, "refusal", "'boardsize 7' was answered by '? unacceptable size'"),
}


@pytest.mark.parametrize(("tricks", "kind", "text"), LOSING.values(), ids=LOSING)
def test_fault_loses(fake, bench, tricks, kind, text):
    timeouts = Timeouts(command=5.0, move=0.5)
    size = 7 if tricks["trick"] == "small" else 5
    game = job(fake("bad", **tricks), fake("good"), timeouts=timeouts, size=size)
    record = play_game(game, bench)
    assert kinds(record)[0] == ("bad", kind, True)
    assert not any(lost for _, _, lost in kinds(record)[1:])
    assert text in record.faults[0].text
    assert (record.result, record.winner, record.ended) == ("W+F", "good", "fault")
    assert set(record.transcripts) == {"bad"}
    swapped = dataclasses.replace(game, black=game.white, white=game.black)
    assert play_game(swapped, bench).result == "B+F"  # the engine is started again


def test_no_such_program(fake, bench):
    record = play_game(job(fake(), EngineSpec("absent", ("/no/such/program",))), bench)
    assert kinds(record) == [("absent", "crash", True)]
    assert "cannot be started" in record.faults[0].text


def test_resign(fake, bench):
    record = play_game(job(fake("a"), fake("b", trick="resign", at=3)), bench)
    assert (record.result, record.winner, record.ended) == ("B+R", "a", "resign")
    assert len(record.moves) == 5
    assert record.faults == []


def test_chatter_is_a_fault_but_does_not_lose(fake, bench):
    record = play_game(job(fake("a"), fake("b", trick="chatter")), bench)
    assert kinds(record) == [("b", "garbage", False)]
    assert record.faults[0].text == "1 lines outside any answer, the first 'thinking hard'"
    assert record.ended == "passes"


def test_refused_option_is_counted_once_a_game(fake, bench):
    record = play_game(job(fake("a", trick="rules"), fake("b")), bench)
    assert kinds(record) == [("a", "refusal", False)]
    assert record.ended == "passes"


def test_loss_on_time(fake, bench):
    slow = fake("slow", trick="slow", for_=1.4)
    record = play_game(job(fake(), slow, time=TimeControl(1, 0, 0)), bench)
    assert kinds(record) == [("slow", "time", True)]
    assert record.result == "B+T"
    sent = record.transcripts["slow"].splitlines()
    assert sent.index("time_settings 1 0 0") < sent.index("time_left w 1 0")
    assert bench.engine(slow).send("name", 1).text == "fake"  # it lives on


def test_late_answer_goes_on(fake, bench):
    slow = fake("slow", trick="slow", for_=0.3)
    record = play_game(job(fake(), slow, move_limit=0.25), bench)
    assert kinds(record) == [("slow", "late", False)]
    assert record.ended == "passes"


def test_cap_scores_as_it_stands(fake, bench):
    record = play_game(job(fake("a"), fake("b", trick="score", says="B+1.0"), max_moves=7), bench)
    assert (record.ended, len(record.moves), record.scored_by) == ("cap", 7, "tromp-taylor")
    assert record.faults == []


@pytest.mark.parametrize(
    ("tricks", "settings", "scored_by", "faults"),
    [
        ({"trick": "score", "says": "B+2.5"}, {}, "tromp-taylor", [("b", "score", False)]),
        ({"trick": "score", "says": "B+R"}, {}, "a", [("b", "garbage", False)]),
        ({"trick": "no_score"}, {}, "a", []),
        ({"trick": "score", "says": "B+1"}, {"referee": "tromp-taylor"}, "tromp-taylor", []),
    ],
    ids=["differs", "no score", "not listed", "not asked"],
)
def test_differing_scores(fake, bench, tricks, settings, scored_by, faults):
    record = play_game(job(fake("a"), fake("b", **tricks), **settings), bench)
    assert (record.ended, record.scored_by) == ("passes", scored_by)
    assert record.result == record.scores["tromp-taylor"]
    assert kinds(record) == faults


def test_referee_decides(fake, bench):
    referee = fake("referee", trick="score", says="B+1.5")
    record = play_game(job(fake("a"), fake("b", trick="pass"), referee=referee), bench)
    assert (record.result, record.scored_by, record.winner) == ("B+1.5", "referee", "a")
    assert kinds(record) == [("a", "score", False), ("b", "score", False)]
    assert record.faults[0].text.endswith("referee says B+1.5")
    broken = fake("referee", trick="refuse_play")
    record = play_game(job(fake("a"), fake("b"), referee=broken), bench)
    assert kinds(record) == [("referee", "refusal", False)]
    assert record.scored_by == "engines"


def test_engine_that_stays_after_quit_is_killed(fake, monkeypatch):
    monkeypatch.setattr("gtpengine.match.controller.QUIT_TIMEOUT", 0.3)
    engine = Engine(fake(trick="stays"))
    start = time.monotonic()
    engine.close()
    assert not engine.is_alive
    assert time.monotonic() - start < 2


def test_engine_that_never_answers(tmp_path):
    spec = EngineSpec("mute", (sys.executable, "-c", "import time; time.sleep(60)"))
    with pytest.raises(EngineFailure, match="no answer to 'list_commands'"):
        Engine(spec, start_timeout=0.3)


# --- whole matches


def test_schedule_keeps_numbers_when_it_grows():
    engines = [EngineSpec(name, ("x",)) for name in "abc"]
    pairs = match_ups(engines, gauntlet=False)
    openings = [Opening(str(n), (), "b") for n in range(9)]
    few = list(schedule(pairs, 2, iter(openings), GameSettings(), set()))
    many = list(schedule(pairs, 6, iter(openings), GameSettings(), {0, 4}))
    assert len(few) == 6
    assert len(many) == 16
    assert [j.number for j in few] == [0, 1, 2, 3, 4, 5]
    assert {j.number: j for j in many}[3] == few[3]
    for first, second in zip(few[::2], few[1::2], strict=True):
        assert (first.black, first.white) == (second.white, second.black)
        assert first.opening == second.opening
    assert len(match_ups(engines, gauntlet=True)) == 2


def test_record_survives_json(fake, bench):
    record = play_game(job(fake("bad", trick="crash"), fake()), bench)
    read = from_json(json.loads(json.dumps(to_json(record))))
    assert dataclasses.replace(record, transcripts={}) == read


def test_worker_that_dies_is_replaced(fake, tmp_path):
    """A game whose engine kills the worker that plays it, once."""
    mark = tmp_path / "done"
    kill = f"test -e {mark} || {{ touch {mark}; kill -9 $PPID; }}; exec "
    lethal = EngineSpec("lethal", ("sh", "-c", kill + shlex.join(fake().command)))
    records = list(play_all([job(fake(), lethal), job(fake("a"), fake("b"), 1)], 1))
    assert sorted(record.number for record in records) == [0, 1]
    always = EngineSpec("lethal", ("sh", "-c", "kill -9 $PPID"))
    with pytest.raises(RuntimeError, match="game 0: two workers died"):
        list(play_all([job(fake(), always)], 1))


@pytest.fixture(scope="module")
def cluster():
    """The address of a Dask scheduler with two workers on this machine."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
    ) as started:
        yield started.scheduler_address


def test_a_match_on_a_cluster(fake, cluster, tmp_path, capsys):
    words = [*engine_words(fake("one"), fake("two")), "--size", 5, "--out", tmp_path]
    assert run(*words, "--games", 6, "--cluster", cluster) == 0
    output = capsys.readouterr()
    assert "games at once: on a cluster" in output.out
    assert "one against two: 6 games" in output.out
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["number"] for line in lines[1:]) == [0, 1, 2, 3, 4, 5]
    assert len(list((tmp_path / "sgf").iterdir())) == 6


def test_a_cluster_plays_again_what_a_dead_worker_was_playing(fake, cluster, tmp_path):
    mark = tmp_path / "done"
    kill = f"test -e {mark} || {{ touch {mark}; kill -9 $PPID; }}; exec "
    lethal = EngineSpec("lethal", ("sh", "-c", kill + shlex.join(fake().command)))
    jobs = [job(fake(), lethal), *(job(fake("a"), fake("b"), number) for number in range(1, 5))]
    records = list(play_on_cluster(jobs, cluster))
    assert mark.exists()
    assert sorted(record.number for record in records) == [0, 1, 2, 3, 4]


def test_a_match_without_its_cluster_says_so(fake, monkeypatch, capsys):
    words = [*engine_words(fake("one"), fake("two")), "--size", 5, "--games", 2]
    monkeypatch.setattr("gtpengine.match.cluster.PATIENCE", 1)
    assert run(*words, "--cluster", "tcp://127.0.0.1:9") == 1
    assert "no cluster with workers at 'tcp://127.0.0.1:9'" in capsys.readouterr().err
    assert run(*words, "--cluster", "tcp://127.0.0.1:9", "--parallel", 2) == 2
    assert "expected --parallel or --cluster, got both" in capsys.readouterr().err
    with LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=logging.CRITICAL) as empty:
        assert run(*words, "--cluster", empty.scheduler_address) == 1
        assert f"no cluster with workers at '{empty.scheduler_address}'" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(*words, "--cluster", "tcp://127.0.0.1:9") == 1
    assert "a cluster needs Dask: pip install 'gtpengine[cluster]'" in capsys.readouterr().err


def run(*words):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return main(parser.parse_args([str(word) for word in words]))


def engine_words(*specs):
    return [
        word for spec in specs for word in ("--engine", f"{spec.name}={shlex.join(spec.command)}")
    ]


def test_match_goes_on(fake, tmp_path, capsys):
    words = [*engine_words(fake("one"), fake("two", trick="crash", at=4)), "--size", 5]
    words += ["--out", tmp_path, "--parallel", 2]
    assert run(*words, "--games", 2) == 0
    output = capsys.readouterr()
    assert "one against two: 2 games, 2 won, 0 drawn, 0 lost (1/1 as Black, 1/1 as White)" in (
        output.out
    )
    assert "two: crash 2, 2 games lost by it" in output.out
    assert "fault in game" in output.err
    record_file = tmp_path / "games.jsonl"
    kept = record_file.read_bytes()
    assert len(kept.splitlines()) == 3
    record_file.write_bytes(kept[:-20])  # as a killed run may leave it
    assert run(*words, "--games", 4) == 0
    lines = record_file.read_bytes().splitlines()
    assert lines[:2] == kept.splitlines()[:2]
    assert sorted(json.loads(line)["number"] for line in lines[1:]) == [0, 1, 2, 3]
    assert "4 games" in capsys.readouterr().out
    game = sgf.Sgf_game.from_bytes((tmp_path / "sgf" / "0003.sgf").read_bytes())
    assert game.get_root().get("PB") == "two"
    assert game.get_root().get("RE") == "W+F"
    assert (tmp_path / "faults" / "0003-two.gtp").read_text().startswith("boardsize 5\n")
    assert run(*words, "--games", 4, "--komi", 5) == 2
    assert "holds another match: expected komi 7.0, got '5.0'" in capsys.readouterr().err


def test_a_folder_is_held_by_one_match(fake, tmp_path, capsys):
    fcntl = pytest.importorskip("fcntl")
    words = [*engine_words(fake("one"), fake("two")), "--size", 5, "--games", 2, "--out", tmp_path]
    with (tmp_path / "games.jsonl").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert run(*words) == 2
    said = capsys.readouterr().err
    assert f"expected a folder that no match is being played into, got '{tmp_path}'" in said
    assert run(*words) == 0


def test_sprt_stops(fake, capsys):
    loser = fake("loser", trick="resign", at=1)
    words = [*engine_words(fake("winner"), loser), "--size", 5, "--games", 1000]
    assert run(*words, "--sprt", "0,200") == 0
    assert "accepted: at least +200 Elo stronger" in capsys.readouterr().out


def test_round_robin(fake, capsys):
    engines = fake("a"), fake("quits", trick="resign", at=1), fake("c")
    assert run(*engine_words(*engines), "--size", 5, "--games", 2, "--parallel", 2) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines() if line.startswith(("a ", "quits ", "c "))]
    table = {row[0]: row[1:] for row in rows if row[-1] == "%"}
    assert table["quits"][-3:] == ["0/4", "0.0", "%"]
    assert "faults: none in 6 games" in out


WRONG = {
    "one engine": (["--engine", "a=x"], "expected two or more engines"),
    "names": (["--engine", "a=x", "--engine", "a=y"], "names of their own"),
    "no command": (["--engine", "a=x", "--engine", "b"], "expected NAME=COMMAND"),
    "odd": (["--games", "3"], "expected an even number of games, got '3'"),
    "size": (["--size", "26"], "size must be 2..25, got '26'"),
    "sprt": (["--engine", "c=x", "--sprt", "0,5"], "expected two engines for --sprt"),
    "no opening": (["--openings", "/no/such/file.sgf"], "opening '/no/such/file.sgf'"),
}


@pytest.mark.parametrize(("words", "text"), WRONG.values(), ids=WRONG)
def test_wrong_arguments(words, text, capsys):
    if words[0] != "--engine" or "--sprt" in words:
        words = ["--engine", "a=x", "--engine", "b=x", *words]
    assert run(*words) == 2
    assert text in capsys.readouterr().err


def test_engine_that_cannot_play_ends_the_match_at_once(fake, capsys):
    assert run(*engine_words(fake("a"), fake("b", trick="small")), "--size", 9) == 1
    assert "b: refusal: 'boardsize 9'" in capsys.readouterr().err


def test_interrupt_keeps_the_games(fake, tmp_path):
    """A match that is told to end reports, leaves no engine behind, and can go on."""
    mark = tmp_path / "hangs"
    slow = fake("slow", trick="hang", at=3, mark=mark)
    command = [sys.executable, "-m", "gtpengine.match", *engine_words(fake("a"), slow)]
    command += ["--size", "5", "--games", "4", "--out", str(tmp_path), "--opening-moves", "3"]
    process = subprocess.Popen(
        command, cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 10
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b"a against slow: no game yet" in out
    script_name = slow.command[1]
    listed = subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True).stdout
    assert script_name not in listed


def test_live_line_on_a_terminal(monkeypatch, fake, bench):
    from gtpengine.match.progress import Progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    record = play_game(job(fake("a"), fake("b", trick="crash")), bench)
    progress = Progress(["a", "b"], 4, 0, Sprt(0, 50))
    progress.show([record])
    progress.end()
    text = sys.stderr.getvalue()
    assert "\r[#####...............] 1/4 a 1 : 0 b, 100.0 %" in text
    assert "fault in game 0: b: crash" in text


def test_report_of_nothing():
    engines = [EngineSpec("a", ("x",)), EngineSpec("b", ("y",))]
    text = report(engines, {}, match_ups(engines, False), [], None)
    assert "a against b: no game yet" in text
    assert str(Score(1, 2, 3)) == "1 won, 2 drawn, 3 lost"


def test_folder_without_path(fake):
    folder = MatchFolder(None, {}, GameSettings())
    folder.add(GameRecord(0, "a", "b", "none", "2000-01-01"))
    assert len(folder.records) == 1


# --- a real engine


@needs_gnugo
@pytest.mark.parametrize(("size", "words"), [(5, ["--time", "60,0,0"]), (9, [])])
def test_gnugo_against_itself(size, words, tmp_path, capsys):
    gnugo = f"{GNUGO} --mode gtp --level 0 --chinese-rules --positional-superko"
    words += ["--engine", f"a={gnugo}", "--engine", f"b={gnugo} --never-resign", "--size", size]
    words += ["--referee", gnugo, "--games", 2, "--parallel", 2, "--out", tmp_path]
    assert run(*words) == 0
    out = capsys.readouterr().out
    assert "faults: none in 2 games" in out
    assert "a  GNU Go 3.8" in out
    assert len(list((tmp_path / "sgf").glob("*.sgf"))) == 2
