"""What GoGui asks for, in the formats that it reads; and the settings, which it edits."""

import re
import sys
import time

import pytest

from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.findings import Choice
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.gtp import graphics
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.graphics import best_moves
from gtpengine.gtp.parameter_commands import PARAMETERS
from gtpengine.gtp.session import Session
from gtpengine.player import Player
from gtpengine.report import Candidate, Snapshot
from gtpengine.settings import PlayerSettings

TYPES = """
    none string hstring pstring hpstring plist eplist pspairs gfx param
    var varb varw varc varp varpo bwboard cboard dboard sboard
"""
VERTEX = r"(?:[A-HJ-Z][1-9]\d?)"


class Client:
    """A small engine, asked line by line."""

    def __init__(self, size: int = 9) -> None:
        self.player = Player(PlayerSettings(visits=100, threads=1, seed=1, memory=64))
        self.session = Session(Game(size), self.player)
        owners = owners_of(self.session)
        self.engine = Engine(owners, "gtpengine", "1", on_stop=self.player.stop)

    def ask(self, line: str) -> str:
        """The text of a successful answer."""
        answer = self.engine.answer(line.encode()).decode()
        assert answer.startswith("= "), answer
        return answer[2:-2]

    def refusal(self, line: str) -> str:
        answer = self.engine.answer(line.encode()).decode()
        assert answer.startswith("? "), answer
        return answer[2:-2]

    def board(self, line: str) -> list[list[str]]:
        """The tokens of a board, rows from the top."""
        first, *rows = self.ask(line).split("\n")
        assert first == ""
        size = self.session.game.size
        tokens = [row.split(" ") for row in rows]
        assert [len(row) for row in tokens] == [size] * size
        return tokens


def test_menu() -> None:
    client = Client()
    labels = set()
    known = client.engine.command_names()
    for line in client.ask("gogui-analyze_commands").split("\n"):
        kind, label, command = line.split("/")
        assert kind in TYPES.split()
        assert label not in labels
        assert command.split()[0] in known
        labels.add(label)
        if kind == "none":
            continue
        words = command.replace("%c", "b").replace("%m", "w")
        client.ask(words)


def test_any_words_for_the_version() -> None:
    assert Client().ask("gogui-version 1.6.0 or so") == ""


@pytest.mark.parametrize("size", [2, 9, 19])
def test_boards(size: int) -> None:
    client = Client(size)
    owners = [float(token) for row in client.board("gtpengine-ownership") for token in row]
    assert all(-1 <= owner <= 1 for owner in owners)
    for line, most in (("gtpengine-win_rates", 100), ("gtpengine-visits", 10_000)):
        tokens = [token for row in client.board(line) for token in row if token != '""']
        assert tokens
        assert all(0 <= int(token) <= most for token in tokens)


def test_ownership_is_blacks_whoever_is_to_move() -> None:
    client = Client(5)
    client.ask("gogui-setup b A5 b B5 b C5 b A4 b B4 b C4 w E1")
    for color in "bw":
        client.ask(f"gogui-setup_player {color}")
        assert float(client.board("gtpengine-ownership")[0][0]) > 0


def test_drawing_commands() -> None:
    client = Client()
    best, *others = client.ask("gtpengine-best_moves").split("\n")
    assert re.fullmatch(f"COLOR green {VERTEX}", best)
    assert re.fullmatch(rf"LABEL( {VERTEX} \d+){{1,10}}", others[-2])
    assert re.fullmatch(
        r"TEXT \d+ visits, win rate \d+ %, lead [+-]\d+\.\d for (Black|White)", others[-1]
    )
    line = client.ask("gtpengine-main_line w")
    assert re.fullmatch(rf"({VERTEX}|pass)( ({VERTEX}|pass))*", line)


def test_pictures_are_of_the_position_as_it_stands() -> None:
    client = Client()
    client.ask("genmove b")
    client.ask("play w A1")
    taken = client.ask("list_stones b") + " A1"
    rows = client.board("gtpengine-visits")
    for vertex in taken.split():
        row, column = 9 - int(vertex[1:]), "ABCDEFGHJ".index(vertex[0])
        assert rows[row][column] == '""'


def test_points_that_ko_forbids() -> None:
    client = Client()
    assert client.ask("gtpengine-ko_points b") == ""
    client.ask("gogui-setup b D5 b C4 b D3 w E5 w F4 w E3 w D4")
    client.ask("play b E4")  # takes D4
    assert client.ask("gtpengine-ko_points w") == "D4"
    assert client.ask("gtpengine-ko_points b") == ""
    client.ask("clear_board")
    client.ask("boardsize 3")
    client.ask("gogui-play_sequence b B3 w B1 b C2 w B2 b C1 w C3")
    assert client.ask("gtpengine-ko_points b") == "C2"  # positional superko


def test_score_in_detail() -> None:
    client = Client(5)
    client.ask("gogui-setup b C1 b C2 b C3 b C4 b C5 w D1 w D2 w D3 w D4 w D5 b E2")
    client.ask("komi 0.5")
    text = client.ask("gtpengine-score").split("\n")
    assert text == [
        "Rules: chinese-ogs",
        "Black: 10 points and 5 stones, 15 in all",
        "White: 5 points and 5 stones and 0.5 for playing second, 10.5 in all",
        "Dead: E2",
        "Score: B+4.5",
    ]
    client.ask("kata-set-rules japanese")
    text = client.ask("gtpengine-score").split("\n")
    assert text[1:3] == [
        "Black: 10 points and 0 prisoners, 10 in all",
        "White: 5 points and 1 prisoners and 0.5 for playing second, 6.5 in all",
    ]
    assert text[-1] == f"Score: {client.ask('final_score')}" == "Score: B+3.5"


def test_after_a_cleanup_every_stone_is_alive_until_it_is_taken_back() -> None:
    client = Client(5)
    client.ask("gogui-setup b C1 b C2 b C3 b C4 b C5 w D1 w D2 w D3 w D4 w D5 b E2")
    client.ask("gogui-play_sequence b pass w pass")
    assert client.ask("final_status_list dead") == "E2"
    score = client.ask("final_score")
    client.ask("kgs-genmove_cleanup b")
    client.ask("gogui-play_sequence b pass w pass")
    assert client.ask("final_status_list dead") == ""
    assert client.ask("gtpengine-score").endswith(f"Score: {client.ask('final_score')}")
    assert client.ask("final_score") != score
    client.ask("gg-undo 3")
    assert client.ask("final_status_list dead") == "E2"
    client.ask("gg-undo 2")
    client.ask("gogui-play_sequence b pass w pass")
    assert client.ask("final_status_list dead") == "E2"
    assert client.ask("final_score") == score


def test_statistics_are_those_of_the_last_search() -> None:
    client = Client()
    assert client.ask("gtpengine-statistics").startswith("Visits: 0\n")
    client.ask("genmove b")
    assert client.ask("gtpengine-statistics").startswith("Visits: 100\nNodes: ")


def test_the_main_line_begins_with_the_move_that_was_played() -> None:
    client, surprises = Client(), 0
    client.player.settings.visits = 500
    client.player.settings.evaluator = "playout"
    client.player.settings.seed = 2
    client.player.settings.resign = None
    for color in "bw" * 20:
        move = client.ask(f"genmove {color}")
        line = client.ask("gtpengine-statistics").split("Main line: ")[1]
        assert line.split()[0] == move
        surprises += format_vertex(client.player.search.choices()[0].point) != move
    assert surprises  # not always the most visited one


def test_what_is_good_is_measured_by_the_most_visited_move() -> None:
    visits = {"E5": 200, "D4": 600, "C3": 150, "F6": 149}  # the surest move comes first
    candidates = [
        Candidate(Choice(parse_vertex(vertex, 9), n, 0.5, 0.0, 0.1, 0.3, 10.0), 0.4, [], [])
        for vertex, n in visits.items()
    ]
    drawn = list(best_moves(Snapshot(BLACK, 1100, 0.5, 0.0, 10.0, candidates)))
    assert drawn[:2] == ["COLOR green E5", "COLOR yellow D4 C3"]


def test_live_graphics(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphics, "LIVE_INTERVAL", 0.05)
    client = Client()
    client.player.settings.visits = None
    client.player.settings.time_per_move = 0.8
    client.ask("genmove b")
    assert capsys.readouterr().err == ""
    client.ask("gtpengine-param live_gfx 1")
    client.ask("genmove w")
    told = capsys.readouterr().err
    *drawings, last = told.split("\n\n")
    assert len(drawings) >= 2
    for drawing in drawings:
        head, line, text = drawing.split("\n")
        assert head == "gogui-gfx:"
        assert re.fullmatch(rf"VAR w {VERTEX}( [bw] ({VERTEX}|pass))*", line)
        assert text.startswith("TEXT ")
    assert last == "gogui-gfx: CLEAR\n"
    client.ask("gtpengine-param visits 1")
    client.ask("genmove b")
    assert capsys.readouterr().err == ""  # too short to show anything
    assert sys.stdout is not None


@pytest.mark.parametrize("stderr", ["closed", "gone"])
def test_no_drawing_costs_a_move(stderr: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(graphics, "LIVE_INTERVAL", 0.0)
    client = Client()
    client.ask("gtpengine-param live_gfx 1")
    if stderr == "closed":
        monkeypatch.setattr(sys, "stderr", None)
    else:
        monkeypatch.setattr(sys.stderr, "write", fail)
    assert re.fullmatch(VERTEX, client.ask("genmove b"))


# Settings


def test_list_and_lines_that_set_it_again() -> None:
    client = Client()
    lines = client.ask("gtpengine-param").split("\n")
    assert len(lines) == len(PARAMETERS)
    for line in lines:
        found = re.fullmatch(r"\[(string|bool|list(?:/[a-z]+)+)\] ([a-z_]+) (\S+)", line)
        assert found
        assert client.ask(f"gtpengine-param {found[2]}") == found[3]
        assert client.ask(f"gtpengine-param {found[2]} {found[3]}") == ""
    assert client.ask("gtpengine-param").split("\n") == lines
    assert client.ask("kata-list-params").split() == list(PARAMETERS)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("time_per_move 0.25", 0.25),
        ("visits 1000000", 1000000),
        ("visits none", None),
        ("threads 3", 3),
        ("level easy", "easy"),
        ("resign never", None),
        ("resign 0.05", 0.05),
        ("resign 0", 0),
        ("ponder 1", True),
        ("ponder false", False),
        ("cleanup true", True),
        ("scoring proven", "proven"),
        ("memory 64", 64),
        ("seed 9223372036854775807", 2**63 - 1),
        ("seed none", None),
    ],
)
def test_values(words: str, value: object) -> None:
    client = Client()
    name, text = words.split()
    for command in ("gtpengine-param", "kata-set-param"):
        assert client.ask(f"{command} {words}") == ""
        assert getattr(client.player.settings, name) == value
    shown = client.ask(f"kata-get-param {name}")
    assert shown == {"true": "1", "false": "0"}.get(text, text)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("speed", "parameter must be time_per_move, visits, "),
        ("visits 0", "visits, if not none, must be 1..2147483647, got '0'"),
        ("visits many", "visits, if not none, must be 1..2147483647, got 'many'"),
        ("time_per_move 0", "time_per_move must be 0.01..1e+06, got '0'"),
        ("threads 0", "threads must be 1..256, got '0'"),
        ("threads none", "threads must be 1..256, got 'none'"),
        ("level best", "level must be easy, normal or hard, got 'best'"),
        ("resign 2", "resign, if not never, must be 0..1, got '2'"),
        ("ponder yes", "ponder must be 0, 1, false or true, got 'yes'"),
        ("level easy now", "the line must end here, got 'now'"),
    ],
)
def test_refusals_change_nothing(words: str, error: str) -> None:
    client = Client()
    before = client.ask("gtpengine-param")
    assert client.refusal(f"gtpengine-param {words}").startswith(f"syntax error: {error}")
    assert client.ask("gtpengine-param") == before


def test_memory_that_the_system_lacks_is_refused() -> None:
    client = Client()
    answer = client.engine.answer(b"gtpengine-param memory 1048576").decode()
    if answer.startswith("?"):  # some systems promise anything
        assert answer == "? memory must be what the system has, got '1048576'\n\n"
        assert client.ask("gtpengine-param memory") == "64"
        client.player.settings.memory = 1048576  # as if memory had become scarce
        answer = client.refusal("genmove b")
        assert answer == "cannot think: memory must be what the system has, got '1048576'"


def test_changes_hold_from_the_next_move_on() -> None:
    client = Client()
    client.player.settings.evaluator = "playout"  # one visit after the other
    client.ask("genmove b")
    assert client.player.search.n_threads == 1
    client.ask("gtpengine-param threads 2")
    client.ask("gtpengine-param visits 300")
    client.ask("genmove w")
    assert client.player.search.n_threads == 2
    assert client.player.search.visits == pytest.approx(300, abs=5)
    client.ask("gtpengine-param ponder 1")
    client.ask("genmove b")
    visits = client.player.search.visits
    time.sleep(0.2)
    assert client.player.search.visits > visits
    client.ask("gtpengine-param ponder 0")
    visits = client.player.search.visits
    time.sleep(0.1)
    assert client.player.search.visits == visits
    assert client.session.game.to_play == WHITE != BLACK


def test_settings_of_the_session() -> None:
    client = Client(3)
    client.ask("gtpengine-param lenient 1")
    assert client.session.lenient
    client.ask("gogui-play_sequence b B3 w B1 b C2 w B2 b C1 w C3 b C2")
