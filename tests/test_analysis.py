"""Analysis commands: their bytes, their arguments, and how they end."""

import json
import os
import queue
import re
import select
import threading
import time
from collections.abc import Iterator

import pytest

from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.gtp.analysis import Reporter
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.protocol import GtpError
from gtpengine.gtp.request import EXTRAS, Request, read_request
from gtpengine.gtp.session import Session
from gtpengine.gtp.table import Stream
from gtpengine.player import Player
from gtpengine.report import Snapshot
from gtpengine.settings import PlayerSettings
from positions import points_of

VERTEX = r"(?:[A-HJ-Z][1-9]\d?|pass)"
RATE = r"(?:0|1)\.\d{6}"
POINTS = r"-?\d+\.\d{4}"
PV = rf"pv( {VERTEX})+"
LEELA_ENTRY = re.compile(
    rf"info move ({VERTEX}) visits (\d+) winrate (\d+) prior (\d+) lcb (\d+) order (\d+) ({PV})"
)
KATAGO_ENTRY = re.compile(
    rf"info move ({VERTEX}) visits (\d+) winrate ({RATE}) scoreMean ({POINTS}) "
    rf"scoreStdev (\d+\.\d{{4}}) scoreLead ({POINTS}) prior ({RATE}) lcb ({RATE}) "
    rf"order (\d+) ({PV})"
)
FORMS = ("lz-genmove_analyze", "kata-genmove_analyze", "kata-search_analyze")

POSITIONS = {
    "empty": [],
    "smallest": ["boardsize 2"],
    "large": ["boardsize 19", "play b D4"],
    "after two passes": ["play b pass", "play w pass"],
    "handicap": ["set_free_handicap C3 G7"],
    "hopeless": ["komi -300"],
    "territory": ["kata-set-rules japanese"],
}


class Client:
    """A small engine, asked line by line."""

    def __init__(self, **settings: object) -> None:
        chosen = {"visits": 60, "threads": 1, "seed": 1, "memory": 16, **settings}
        player = Player(PlayerSettings(**chosen))  # type: ignore[arg-type]
        self.session = Session(Game(9), player)
        self.engine = Engine(owners_of(self.session), "gtpengine", "1", on_stop=player.stop)

    def ask(self, line: str) -> str:
        """The answer without its end."""
        answer = self.engine.answer(line.encode()).decode()
        assert answer.endswith("\n\n")
        return answer[:-2]

    def lines(self, line: str) -> list[str]:
        """The lines of a streamed answer, behind the header."""
        header, *lines = self.ask(line).split("\n")
        assert header == "="
        return lines


def entries(line: str) -> list[str]:
    """The entries of a line, each beginning with "info"."""
    assert line.startswith("info move ")
    assert "  " not in line
    assert line == line.strip()
    return ["info" + part for part in (" " + line).split(" info")[1:]]


# The bytes


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
@pytest.mark.parametrize("form", FORMS)
def test_every_entry_parses_and_the_move_is_played(form: str, position: list[str]) -> None:
    client = Client()
    for line in position:
        assert client.ask(line) == "= "
    game = client.session.game
    n_moves, color = len(game.moves), game.to_play
    *info, play = client.lines(form)
    assert len(info) == 1
    pattern = LEELA_ENTRY if form.startswith("lz") else KATAGO_ENTRY
    for order, entry in enumerate(entries(info[0])):
        found = pattern.fullmatch(entry)
        assert found, entry
        *_, place, line, _ = found.groups()
        assert int(place) == order
        assert line.split()[1] == found[1]
        if pattern is LEELA_ENTRY:
            assert all(int(found[i]) <= 10_000 for i in (3, 4, 5))
        else:
            assert all(float(found[i]) <= 1 for i in (3, 7, 8))
            assert found[4] == found[6]
    assert re.fullmatch(f"play ({VERTEX}|resign)", play)
    if form == "kata-search_analyze":
        assert len(game.moves) == n_moves
    else:
        assert len(game.moves) == n_moves + 1
        assert game.moves[-1].color == color


def test_ids_are_in_the_header() -> None:
    assert Client().ask("17 lz-genmove_analyze").startswith("=17\ninfo move ")
    assert Client().ask("17 lz-analyze 1") == "=17"


def test_numbers_are_those_of_the_player_to_move() -> None:
    client = Client(visits=300)
    client.ask("komi 60")
    seen = {}
    for color in "bw":
        found = KATAGO_ENTRY.match(client.lines(f"kata-search_analyze {color}")[0])
        assert found
        seen[color] = found
    assert float(seen["b"][3]) < 0.3 < 0.7 < float(seen["w"][3])
    assert float(seen["b"][6]) < -30 < 30 < float(seen["w"][6])
    assert client.session.game.to_play == BLACK


def test_interval_gives_lines_in_between() -> None:
    client = Client(visits=None, time_per_move=0.4)
    started = time.monotonic()
    *info, play = client.lines("lz-genmove_analyze b 5")
    assert 3 <= len(info) <= 10
    assert all(LEELA_ENTRY.match(line) for line in info)
    assert play.startswith("play ")
    assert time.monotonic() - started < 2


def test_numbers_of_moves() -> None:
    client = Client()
    assert len(entries(client.lines("kata-search_analyze minmoves 70")[0])) >= 70
    assert len(entries(client.lines("lz-genmove_analyze maxmoves 3")[0])) == 3
    assert len(entries(client.lines("lz-genmove_analyze minmoves 9 maxmoves 1")[0])) == 1


def test_resignation_and_a_pass() -> None:
    client = Client(visits=20)
    client.ask("komi -300")
    client.ask("boardsize 5")
    client.session.player.settings.resign = 0.9
    moves = []
    for _ in range(10):
        client.ask("play b C3") if not moves else client.ask("play b pass")
        moves.append(client.lines("lz-genmove_analyze w")[-1])
        if moves[-1] == "play resign":
            break
    assert moves[-1] == "play resign"
    n_moves = len(client.session.game.moves)
    assert n_moves == len(client.ask("move_history").split("\n"))


def test_extras_come_on_request_only() -> None:
    client = Client()
    plain = client.lines("kata-search_analyze b maxmoves 2")[0]
    refused = " ".join(f"{key} false" for key in EXTRAS)
    for line in (plain, client.lines(f"kata-search_analyze b maxmoves 2 {refused}")[0]):
        assert not any(key in line for key in EXTRAS)
        assert not re.search("nan|inf ", line)


def test_extras() -> None:
    client = Client(visits=200)
    wanted = " ".join(f"{key} true" for key in EXTRAS)
    line = client.lines(f"kata-search_analyze w maxmoves 2 {wanted}")[0]
    *rows, ownership, deviation = re.split(r" (?:ownership|ownershipStdev) ", line)
    owners = [float(word) for word in ownership.split(" ")]
    assert len(owners) == 81
    assert all(-1 <= owner <= 1 for owner in owners)
    assert len(deviation.split(" ")) == 81
    (moves,) = rows
    assert re.search(
        rf" rootInfo visits \d+ winrate {RATE} scoreMean .* scoreLead {POINTS}$", moves
    )
    for entry in entries(moves):
        assert "noResultValue 0.0 pv " in entry
        found = re.search(
            rf"pv((?: {VERTEX})+) pvVisits((?: \d+)+) pvEdgeVisits((?: \d+)+) "
            r"movesOwnership((?: -?\d\.\d{3})+) movesOwnershipStdev((?: \d\.\d{3})+)",
            entry,
        )
        assert found
        line_, visits, edges, mean, spread = (group.split() for group in found.groups())
        assert len(line_) == len(visits)
        assert visits == edges
        assert len(mean) == len(spread) == 81


def test_owners_by_move_are_those_of_leaves_though_nothing_is_left_to_search() -> None:
    client = Client()
    client.lines("kata-search_analyze b")
    wanted = "maxmoves 1 ownership true ownershipStdev true movesOwnership true"
    for command in (f"kata-search_analyze b {wanted}", f"kata-genmove_analyze w {wanted}"):
        line = client.lines(command)[0]
        for part in re.split(" (?:ownership|ownershipStdev|movesOwnership) ", line)[1:]:
            assert any(float(word) for word in part.split())


def test_the_smallest_search_is_no_larger_for_details() -> None:
    client = Client(visits=1)
    (entry,) = entries(client.lines("kata-search_analyze b maxmoves 1 rootInfo true")[0])
    assert " rootInfo visits 1 " in entry
    assert " rootInfo visits 1 " in client.lines("kata-search_analyze b rootInfo true")[0]


@pytest.mark.parametrize("komi", ["1e39", "-1e300"])
def test_no_komi_is_too_much(komi: str) -> None:
    client = Client()
    client.ask(f"komi {komi}")
    for command in ("kata-search_analyze b", "cgos-genmove_analyze b", "gtpengine-best_moves"):
        answer = client.ask(command)
        assert answer.startswith("=")
        assert "nan" not in answer
        assert "inf " not in answer


def test_ownership_begins_at_the_top_left_and_is_the_movers() -> None:
    client = Client()
    client.ask("boardsize 3")
    client.ask("gogui-setup w A3 w B3 w A2 w B2 b C1")
    line = client.lines("kata-search_analyze w ownership true")[0]
    owners = [float(word) for word in line.split(" ownership ")[1].split(" ")]
    assert owners[0] > 0.5
    flipped = client.lines("kata-search_analyze b ownership true")[0]
    assert float(flipped.split(" ownership ")[1].split(" ")[0]) < -0.5


def test_cgos() -> None:
    client = Client()
    told, play = client.lines("cgos-genmove_analyze b")
    assert " " not in re.sub(r'"pv":"[^"]*"', "", told)
    data = json.loads(told)
    assert list(data) == ["winrate", "score", "visits", "moves", "ownership"]
    assert 0 <= data["winrate"] <= 1
    assert data["visits"] == 60
    assert re.fullmatch("[A-Za-z0-9+/]{81}", data["ownership"])
    best = data["moves"][0]
    assert list(best) == ["move", "winrate", "score", "prior", "visits", "pv"]
    assert re.fullmatch(rf"({VERTEX}( {VERTEX})*)?", best["pv"])
    assert play == f"play {best['move']}"
    assert client.session.game.to_play == WHITE


def test_the_clock_runs_for_a_move_and_not_for_a_look() -> None:
    client = Client(visits=None)
    client.ask("time_settings 10 0 0")
    clocks = client.session.game.clocks
    client.lines("kata-search_analyze b")
    assert clocks[BLACK].main_left == 10
    for form, color in (("lz", BLACK), ("kata", WHITE)):
        client.lines(f"{form}-genmove_analyze")
        assert 5 < clocks[color].main_left < 10


# Arguments


def request_of(words: str, extras: bool = True):
    return read_request(Arguments(words.split()), Game(9), extras)


@pytest.mark.parametrize(
    ("words", "color", "interval"),
    [
        ("", BLACK, None),
        ("w", WHITE, None),
        ("White 50", WHITE, 0.5),
        ("10", BLACK, 0.1),
        ("B 0", BLACK, 0),
        ("b 2147483647", BLACK, 21474836.47),
        ("12.5", BLACK, 0.125),
        ("interval 30", BLACK, 0.3),
        ("w interval 1e2", WHITE, 1),
        ("w 5 interval 7", WHITE, 0.07),
    ],
)
def test_color_and_interval(words: str, color: int, interval: float | None) -> None:
    request = request_of(words)
    assert (request.color, request.interval) == (color, interval)


def test_keys() -> None:
    request = request_of("b 1 minmoves 3 maxmoves 5 rootInfo true pvVisits false")
    assert (request.least, request.most, request.root_info) == (3, 5, True)
    assert not request.line_visits
    assert not request.detailed
    assert request_of("movesOwnership true").detailed


def test_moves_to_avoid() -> None:
    request = request_of("10 avoid b D4,q5,pass 30 avoid w D4 1".replace("q5", "g5"))
    d4, g5 = points_of("D4 G5", 9)
    assert request.avoid == [(BLACK, d4, 30), (BLACK, g5, 30), (BLACK, PASS, 30), (WHITE, d4, 1)]
    allowed = request_of("allow w D4,G5 2").avoid
    assert len(allowed) == 82 - 2
    assert {(color, depth) for color, _, depth in allowed} == {(WHITE, 2)}
    assert not {point for _, point, _ in allowed} & {d4, g5}
    assert request_of("allow w D4 1 avoid b D4 1").avoid


@pytest.mark.parametrize(
    "words",
    [
        "green",
        "5 b",
        "-1",
        "nan",
        "b inf",
        "b 5 6",
        "interval",
        "interval x",
        "minmoves -1",
        "maxmoves 0",
        "maxmoves x",
        "avoid",
        "avoid b",
        "avoid b D4",
        "avoid b D4 0",
        "avoid b D4, 3",
        "avoid b D10 3",
        "avoid x D4 3",
        "allow b D4 1 allow b E5 1",
        "allow b D4 1 avoid b E5 1",
        "avoid b D4 1 allow b E5 1",
        "ownership",
        "ownership 1",
        "rootinfo true",
        "what true",
    ],
)
def test_bad_words_are_a_normal_failure(words: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: "):
        request_of(words)
    assert Client().ask(f"kata-analyze {words}").startswith("? syntax error: ")


def test_the_keys_of_katago_are_not_those_of_leela() -> None:
    with pytest.raises(GtpError, match="key must be interval, minmoves, maxmoves, avoid or allow"):
        request_of("ownership true", extras=False)


def test_a_generated_move_obeys() -> None:
    client = Client()
    allowed = ["D4", "E5", "pass"]
    played = client.lines("lz-genmove_analyze b allow b D4,E5,pass 1")[-1]
    assert played.removeprefix("play ") in allowed
    info, played = client.lines("kata-genmove_analyze w avoid w D4,E5 10 allow b D4 1")
    assert played.removeprefix("play ") not in allowed
    assert {entry.split()[2] for entry in entries(info)}.isdisjoint(allowed[:2])


def test_nothing_allowed_is_a_pass_with_an_entry() -> None:
    client = Client()
    client.ask("play b D4")
    info, played = client.lines("lz-genmove_analyze w allow w D4 3")
    assert LEELA_ENTRY.fullmatch(info)
    assert played == "play pass"


# A session


class Wire:
    """A session with a client at the other end of its pipes."""

    def __init__(self) -> None:
        player = Player(PlayerSettings(threads=2, memory=64, time_per_move=60))
        session = Session(Game(9), player)
        engine = Engine(owners_of(session), "gtpengine", "1", on_stop=player.stop)
        engine_in, self._to_engine = os.pipe()
        self._from_engine, engine_out = os.pipe()
        self._fds = [engine_in, self._to_engine, self._from_engine, engine_out]
        self._buffer = b""
        self.status: queue.Queue[int] = queue.Queue()
        threading.Thread(
            target=lambda: self.status.put(engine.run(engine_in, engine_out)), daemon=True
        ).start()

    def send(self, text: str) -> None:
        os.write(self._to_engine, text.encode())

    def read(self, end: str) -> str:
        """Everything up to and with the first ``end``."""
        deadline = time.monotonic() + 20
        while end.encode() not in self._buffer:
            ready, _, _ = select.select([self._from_engine], [], [], deadline - time.monotonic())
            assert ready, f"no {end!r} in {self._buffer!r}"
            self._buffer += os.read(self._from_engine, 1 << 16)
        found, _, self._buffer = self._buffer.partition(end.encode())
        return found.decode() + end

    def is_silent(self, seconds: float = 0.1) -> bool:
        return not self._buffer and not select.select([self._from_engine], [], [], seconds)[0]

    def close(self) -> None:
        self.send("\nquit\n")
        assert self.status.get(timeout=20) == 0
        for fd in self._fds:
            os.close(fd)


@pytest.fixture
def wire() -> Iterator[Wire]:
    wire = Wire()
    yield wire
    wire.close()


@pytest.mark.parametrize("form", ["lz-analyze", "kata-analyze"])
@pytest.mark.parametrize("line", ["\n", "# x\n", "name\n"])
def test_analysis_ends_on_any_line(wire: Wire, form: str, line: str) -> None:
    wire.send(f"3 {form} b 1\n")
    assert wire.read("\n") == "=3\n"
    assert wire.read("\n").startswith("info move ")
    started = time.monotonic()
    wire.send(line)
    while (rest := wire.read("\n")) != "\n":
        assert rest.startswith("info move ")
    assert time.monotonic() - started < 0.5
    if line == "name\n":
        assert wire.read("\n\n") == "= gtpengine\n\n"
    assert wire.is_silent()


def test_a_long_line_is_given_up_when_input_comes() -> None:
    """With movesOwnership on 25 lines a line takes longer than a client should wait."""
    client, written = Client(), []
    stream = Stream(None, written.append, threading.Event())

    def parts(shot: Snapshot, request: Request, search: Search) -> Iterator[str]:
        yield "info"
        stream.wanted_end.set()
        yield "move"
        pytest.fail("more parts are made than needed")

    search = client.session.player.examine(client.session.game, BLACK)
    Reporter(client.session, Request(BLACK, interval=0), stream, parts).look(search)
    assert written == []


def test_analysis_without_interval_is_silent(wire: Wire) -> None:
    wire.send("lz-analyze\n")
    assert wire.read("\n") == "=\n"
    assert wire.is_silent(0.3)
    wire.send("kata-analyze 2147483647\n")
    assert wire.read("\n") == "\n"
    assert wire.read("\n") == "=\n"
    assert wire.is_silent(0.2)


def test_analysis_that_nobody_waits_for(wire: Wire) -> None:
    wire.send("lz-analyze 1\nkata-analyze w 0\nstop\nname\n")
    assert wire.read("gtpengine\n\n") == "=\n\n=\n\n= \n\n= gtpengine\n\n"


def test_interval_of_nothing_gives_many_lines(wire: Wire) -> None:
    wire.send("kata-analyze 0\n")
    for _ in range(5):
        wire.read("\n")


def test_input_does_not_cut_a_move_short_but_an_interrupt_does(wire: Wire) -> None:
    wire.send("kata-genmove_analyze b 5\nname\n")
    wire.read("info move")
    wire.send("\n")
    time.sleep(0.2)
    started = time.monotonic()
    wire.send("# interrupt\n")
    answer = wire.read("\n\n")
    assert time.monotonic() - started < 0.5
    assert re.search(rf"\ninfo move [^\n]*\nplay {VERTEX}\n\n$", answer)
    assert wire.read("\n\n") == "= gtpengine\n\n"


def test_an_interrupt_that_waits_already(wire: Wire) -> None:
    wire.send("lz-genmove_analyze b\n# interrupt\n")
    answer = wire.read("\n\n")
    assert re.fullmatch(rf"=\ninfo move [^\n]*\nplay {VERTEX}\n\n", answer)
    assert not answer.endswith("pass\n\n")
