"""Golden transcripts of every command and every client, and failures that must change nothing.

tests/data/core.gtp explains the format.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gtpengine import __version__
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.protocol import parse_line
from gtpengine.gtp.session import Session
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings

TRANSCRIPTS = sorted((Path(__file__).parent / "data").glob("*.gtp"))


@dataclass
class Step:
    """One line to send and the answer to it, in full or as a pattern."""

    place: str
    line: str
    answer: list[str]
    pattern: str


def steps_of(path: Path) -> Iterator[Step]:
    step = None
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if text.startswith("->") and step:
            step.answer.append(text[2:].removeprefix(" "))
        elif text.startswith("~>") and step:
            step.pattern = text[2:].removeprefix(" ")
        elif not text.startswith(";"):
            if step:
                yield step
            step = Step(f"{path.name}:{number}", text, [], "")
    if step:
        yield step


class Client:
    """A small, fast, repeatable engine, and someone to talk to it."""

    def __init__(self, lenient: bool = False) -> None:
        settings = PlayerSettings(visits=20, threads=1, seed=1, memory=16)
        self.session = Session(Game(), Player(settings), lenient=lenient)
        player = self.session.player
        self.engine = Engine(owners_of(self.session), "gtpengine", __version__, on_stop=player.stop)

    def ask(self, line: str) -> str:
        """The answer without its end."""
        answer = self.engine.answer(line.encode()).decode()
        assert answer.endswith("\n\n")
        return answer[:-2]

    def everything(self) -> dict[str, object]:
        """All that a failing command could spoil."""
        shown = ("showboard", "printsgf", "get_komi", "kata-get-rules", "move_history")
        game = self.session.game
        return {
            "answers": [self.ask(line) for line in shown],
            "captures": [self.ask(f"captures {color}") for color in "bw"],
            "legal": [self.ask(f"all_legal {color}") for color in "bw"],
            "clocks": [vars(game.clocks[color]).copy() for color in (BLACK, WHITE)],
            "time": game.time_settings,
            "facts": game.board.facts(),
        }


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path):
    client = Client(lenient="; options: lenient\n" in path.read_text(encoding="utf-8"))
    for step in steps_of(path):
        raw = step.line.replace("{tmp}", str(tmp_path)).encode()
        answer = client.engine.answer(raw).decode()
        if step.pattern:
            found = re.fullmatch(f"{step.pattern}\n\n", answer, re.DOTALL)
            assert found, f"{step.place}: {step.line}\n{answer}expected {step.pattern}"
            continue
        expected = ""
        if parse_line(raw):
            first, *others = step.answer or ["="]
            first += " " if re.fullmatch(r"[=?]\d*", first) else ""
            expected = "\n".join([first, *others, "", ""])
        assert answer == expected, f"{step.place}: {step.line}"


def test_every_command_occurs_in_a_transcript():
    lines = (step.line.encode() for path in TRANSCRIPTS for step in steps_of(path))
    used = {command.name for command in map(parse_line, lines) if command}
    listed = Client().engine.command_names()
    assert listed[0] == "protocol_version"
    assert set(listed) - used == set()


# Lines that fail, in the position below.  A command with no words to misread, and none that the
# position forbids, fails by a word too many.
FAILING = """
protocol_version 2
name it
version 1
list_commands all
quit now
boardsize
boardsize 0
boardsize 1
boardsize 26
boardsize -9
boardsize 9.5
boardsize nine
boardsize 13 9
boardsize 99999999999999999999
clear_board now
komi
komi inf
komi -inf
komi 1e999
komi 1,5
komi six
komi 6.5 7
get_komi b
play
play b
play b D4 now
play D4 b
play green D4
play b I5
play b K1
play b A0
play b A10
play b D
play b 4D
play b resign
play b C3
play w C3
play b A1
genmove
genmove green
genmove b w
reg_genmove
reg_genmove b 1
kgs-genmove_cleanup
kgs-genmove_cleanup b w
lz-analyze green
lz-analyze b 5 6
lz-analyze b 5 rootInfo true
lz-analyze avoid b D4,I5 3
lz-analyze allow b D4 3 avoid b D5 3
lz-genmove_analyze b -5
lz-genmove_analyze b minmoves
kata-analyze 10 ownership
kata-analyze interval
kata-genmove_analyze b maxmoves 0
kata-genmove_analyze b what true
kata-search_analyze b allow w D4
cgos-genmove_analyze
cgos-genmove_analyze b 50
stop now
undo 2
gg-undo -1
gg-undo x
gg-undo 99
gg-undo 1 1
loadsgf
loadsgf nowhere/none.sgf
loadsgf .
loadsgf none.sgf x
loadsgf none.sgf 1 1
loadsgf {tmp}/broken.sgf
loadsgf {tmp}/illegal.sgf
loadsgf {tmp}/chess.sgf
loadsgf {tmp}/large.sgf
loadsgf {tmp}/empty.sgf
printsgf nowhere/none.sgf
printsgf a b
showboard now
final_score now
estimate_score now
final_status_list
final_status_list living
final_status_list dead alive
is_legal
is_legal b
is_legal b I5
is_legal b C3 w
all_legal
all_legal green
all_legal b w
list_stones
list_stones x
list_stones b w
captures
captures x
captures b w
move_history 3
cputime now
time_settings
time_settings 1 2
time_settings 1 2 x
time_settings inf 0 0
time_settings 1 2 3 4
time_left
time_left b
time_left b x 0
time_left b 1 x
time_left b 1 0 0
kgs-time_settings
kgs-time_settings hourglass 3
kgs-time_settings byoyomi 1 2
kgs-time_settings byoyomi 1 2 3 4
kata-time_settings
kata-time_settings hourglass 3
kata-time_settings fischer 1
kata-list_time_settings now
kgs-rules
kgs-rules ing
kata-set-rules
kata-set-rules ing
kata-set-rules {"ko":"LAX"}
kata-set-rules {"scoring":"AREA","ko":
kata-set-rules japanese now
kata-get-rules now
kata-set-rule
kata-set-rule ko
kata-set-rule ko LAX
kata-set-rule color red
kata-set-rule ko SIMPLE now
fixed_handicap
fixed_handicap 2
fixed_handicap 10
fixed_handicap two
place_free_handicap
place_free_handicap 2
place_free_handicap 1
place_free_handicap 82
set_free_handicap
set_free_handicap A1
set_free_handicap A1 A1
set_free_handicap A1 pass
set_free_handicap A1 C9 Z9
set_free_handicap A1 C9
gogui-interrupt now
gogui-analyze_commands now
gtpengine-best_moves b
gtpengine-win_rates b
gtpengine-visits b
gtpengine-main_line
gtpengine-main_line green
gtpengine-ownership b
gtpengine-statistics all
gtpengine-ko_points
gtpengine-ko_points b w
gtpengine-score b
gtpengine-param speed
gtpengine-param visits 0
gtpengine-param visits 10 20
kata-list-params all
kata-get-param
kata-get-param visits 10
kata-set-param visits
kata-set-param level best
gogui-play_sequence b
gogui-play_sequence b A9 w
gogui-play_sequence b A9 w J9 b C3
gogui-play_sequence b A9 w A9
gogui-play_sequence b A9 w I9
gogui-setup b
gogui-setup b A9
gogui-setup b pass
gogui-setup b A9 w A9
gogui-setup_player
gogui-setup_player green
gogui-setup_player b
gogui-setup_player b w
unknown
genmov b
genmove_ b
GENMOVE b
"""

# What never fails: answers are promised for any words.
NEVER_FAIL = {"known_command", "kgs-game_over", "gogui-version"}

# In these positions the lines above fail: A1 is suicide, and C3 is taken.
POSITIONS = {
    "moves": "play b C3,play w A2,play b pass,play w B1",
    "handicap": "set_free_handicap C3 G7,play w A2,play w B1",
    "set up": "gogui-setup b C3 w A2 w B1,play w J1",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with records that cannot be loaded."""
    monkeypatch.chdir(tmp_path)
    files = {
        "broken": "(;SZ[9];B[cc",
        "illegal": "(;SZ[9];B[cc];W[cc])",
        "chess": "(;GM[2]SZ[8];B[e2e4])",
        "large": "(;SZ[52];B[cc])",
        "empty": "",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    return tmp_path


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
@pytest.mark.parametrize("lenient", [False, True])
def test_failure_changes_nothing(position: str, lenient: bool, folder: Path):
    client = Client(lenient)
    for line in ["boardsize 9", "komi 5.5", "time_settings 300 30 5", *position.split(",")]:
        assert client.ask(line) == "= "
    before = client.everything()
    for line in FAILING.strip().splitlines():
        answer = client.ask(line.replace("{tmp}", str(folder)))
        assert answer.startswith("? "), line
        assert "\n" not in answer, line
        assert answer != "? internal error", line
        assert client.everything() == before, line
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"{name}.sgf" for name in ("broken", "illegal", "chess", "large", "empty")
    )


def test_every_command_is_made_to_fail():
    tried = {line.split()[0] for line in FAILING.split("\n") if line}
    assert set(Client().engine.command_names()) - tried == NEVER_FAIL


def test_undo_fails_on_an_empty_history():
    client = Client()
    before = client.everything()
    for line in ("undo", "gg-undo", "gg-undo 2"):
        assert client.ask(line) == "? cannot undo"
        assert client.everything() == before


def test_words_of_a_megabyte():
    client = Client()
    before = client.everything()
    for name in client.engine.command_names():
        if name in NEVER_FAIL:
            continue
        answer = client.ask(f"{name} " + "x" * 2**20)
        assert answer.startswith("? "), name
        assert len(answer) < 300, name
    assert client.everything() == before


def test_not_a_number_as_komi_is_a_warning(caplog: pytest.LogCaptureFixture):
    client = Client()
    assert client.ask("komi 5.5") == "= "
    assert client.ask("komi NaN") == "= "
    assert client.ask("get_komi") == "= 5.5"
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_the_reason_of_a_refusal_is_logged(caplog: pytest.LogCaptureFixture):
    client = Client()
    for line in ("play b D4", "play w D4", "boardsize 99", "loadsgf nowhere/none.sgf"):
        client.ask(line)
    assert "play: D4 is not playable: occupied" in caplog.text
    assert "size must be 2..25, got '99'" in caplog.text
    assert "none.sgf" in caplog.text


def test_own_time_is_spent():
    client = Client()
    for line in ("boardsize 5", "time_settings 100 0 0", "play w C3"):
        client.ask(line)
    clocks = client.session.game.clocks
    client.ask("reg_genmove b")
    assert (clocks[BLACK].main_left, clocks[WHITE].main_left) == (100, 100)
    client.ask("genmove b")
    assert 0 < 100 - clocks[BLACK].main_left < 10
    assert clocks[WHITE].main_left == 100
    client.ask("time_left b 50 0")
    client.ask("clear_board")
    assert client.session.game.clocks[BLACK].main_left == 100


def test_resigning_leaves_the_board(monkeypatch: pytest.MonkeyPatch):
    client = Client()
    client.session.player.settings.resign = 1.0
    for line in ("boardsize 5", "gogui-play_sequence b A1 w B1 b A2 w B2 b A3 w B3"):
        client.ask(line)
    answers, before = [], client.everything()["answers"]
    while "= resign" not in answers:
        answers.append(client.ask("genmove b"))
        assert len(answers) < 9
        if answers[-1] != "= resign":
            client.ask("play w pass")
            before = client.everything()["answers"]
    assert client.everything()["answers"] == before
    assert client.ask("genmove w") != "? internal error"


# The same over pipes

PROGRAM = [sys.executable, "-m", "gtpengine", "--threads", "1", "--seed", "1"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}


def test_bytes_of_a_process():
    lines = [
        b"1 protocol_version\r\n",
        b"\r\n # comment\n",
        b"2boardsize 9\t\n",
        b"3\n",
        b"4 play b D4 # here\n",
        b"5 play w D4\n",
        b"6 pl\x07ay w E5\n",
        b"7 list_stones w\n",
        b"8 \xff\xfe\n",
        b"9 play w " + b"x" * 2**20 + b"\n",
        b"10 komi 6.5\n",
        b"11 final_status_list dead\n",
        b"12 time_settings 0 5 1\n",
        b"13 quit\n",
        b"14 name\n",
    ]
    done = subprocess.run(PROGRAM, input=b"".join(lines), capture_output=True, env=ENVIRONMENT)
    answers = done.stdout.split(b"\n\n")
    assert answers[7].startswith(b"?9 syntax error: vertex must be A1..J9 or pass, got 'xxx")
    del answers[7]
    assert answers == [
        b"=1 2",
        b"=2 ",
        b"=4 ",
        b"?5 illegal move",
        b"=6 ",
        b"=7 E5",
        b"?8 unknown command",
        b"=10 ",
        b"=11 ",
        b"=12 ",
        b"=13 ",
        b"",
    ]
    assert done.returncode == 0
