"""What has gone wrong between clients and engines, and which test keeps it from happening here.

RULES are what satisfies every client at once; PITFALLS name the threads in which users met them.
The tests below are those that found no place beside the code that they test.
"""

import ast
import itertools
import os
import random
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gtpengine.coords import format_vertex
from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.session import Session
from gtpengine.player import Player
from gtpengine.rules import PRESETS
from gtpengine.settings import PlayerSettings
from positions import WITH_DEAD, game_of

TESTS = Path(__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(TESTS.parent)}

# What holds, and the tests that hold it: "module: test test ..." without "test_".
RULES = {
    "an answer is one write, with a blank behind status and id": """
        engine_loop: one_write_an_answer answer order_and_framing; protocol: response""",
    "no empty line and no line like another answer inside one": """
        protocol: response; fuzz: random_commands""",
    "stdout carries nothing but answers": "engine_loop: stdout_carries_answers_only",
    "any bytes, long lines and many lines are borne, in order": """
        transcripts: bytes_of_a_process words_of_a_megabyte; fuzz: random_sessions
        engine_loop: hundreds_of_commands_at_once a_line_of_a_megabyte a_line_in_pieces""",
    "only analyze ends on input; what else computes, on # interrupt and at the end": """
        engine_loop: input_does_not_cut_a_search_short interrupt_ends_the_running_command
        analysis: input_does_not_cut_a_move_short_but_an_interrupt_does
        pitfalls: input_shortens_no_move""",
    "vertices in capitals, pass and resign in small letters; input in any case": """
        arguments: taken; analysis: every_entry_parses_and_the_move_is_played
        coords: vertex pass whatever_is_read_is_written_back""",
    "komi, rules and time settings survive whatever empties the board": """
        game: clear_keeps_rules_komi_and_time; pitfalls: what_survives_a_new_game""",
    "play takes any color at any time": """
        game: either_player_may_move_out_of_turn lenient_overlooks_superko_and_nothing_else""",
    "time commands come at any time, and keep the tree": """
        pitfalls: time_commands_keep_the_tree; clock: spend set_left""",
    "list_commands is true and complete": """
        engine_loop: list_is_the_table; transcripts: every_command_occurs_in_a_transcript
        pitfalls: what_clients_look_for_is_listed what_would_mislead_a_client_is_not_listed""",
    "the first answer comes soon, the end too": "ending: end; pitfalls: first_answer",
}
PITFALLS = {
    # framing
    "SabakiHQ/gtp#2 leela-zero#1875: an empty line in printsgf": "sgf: any_game_comes_back format",
    "leela-zero#226: text behind the end of an answer": "engine_loop: one_write_an_answer",
    "minigo#23 minigo#430 Sabaki#643: chatter on stdout": """
        engine_loop: stdout_carries_answers_only""",
    "Sabaki#497 Sabaki#922 leela-zero#2100: no = or no empty line": """
        engine_loop: answer; fuzz: random_commands""",
    "iomrascalai#36: no answer to an unknown command": "engine_loop: answer",
    "KataGo#21: clients do not wait until an engine says that it is ready": """
        transcripts: bytes_of_a_process""",
    "Sabaki#545: nobody reads stderr": "ending: a_client_that_does_not_read_stderr",
    # analysis
    "pachi#134 pachi#135: a color before the interval": "analysis: color_and_interval",
    "KataGo#216: the header comes at once": "pitfalls: header_comes_before_the_search",
    "Sabaki#946: any line ends an analysis": """
        analysis: analysis_ends_on_any_line
        engine_loop: analysis_ends_on_a_line_without_a_command""",
    "Sabaki#498: a pass in a variation": "analysis: every_entry_parses_and_the_move_is_played",
    "Sabaki#619 Sabaki#651 KataGo#159: a rate of 1 that looks like a whole number": """
        analysis: every_entry_parses_and_the_move_is_played""",
    "SabakiHQ/gtp#6: no interval, no line": "analysis: analysis_without_interval_is_silent",
    "lizzieyzy#100: stop right behind analyze": "analysis: analysis_that_nobody_waits_for",
    "KataGo#602: moves to avoid for the color not to move": "analysis: a_generated_move_obeys",
    "lizzie#455: ids on analyze": "analysis: ids_are_in_the_header",
    "pachi#142: only Sabaki shows it": "sabaki: an_analysed_game; transcripts: transcript",
    # staying in step
    "littlego#324: komi lost by clear_board": "pitfalls: what_survives_a_new_game",
    "Sabaki#194: size, komi and clear_board in any order": "pitfalls: order_of_a_new_game",
    "Sabaki#615 Sabaki#737: a komi that is refused": """
        pitfalls: any_number_is_a_komi; transcripts: not_a_number_as_komi_is_a_warning""",
    "Sabaki#294: a position played column by column": "pitfalls: positions_played_by_columns",
    "Sabaki#267 Sabaki#307: the opponent's pass is not sent": """
        pitfalls: genmove_whoever_is_to_move""",
    "KataGo#20: no undo": "pitfalls: what_clients_look_for_is_listed",
    "Sabaki#483: a new process gets moves alone": "pitfalls: moves_alone_make_a_game",
    "gtp2ogs#69 gtp2ogs#217 gtp2ogs#401: moves that the engine did not choose": """
        pitfalls: genmove_whoever_is_to_move; game: either_player_may_move_out_of_turn""",
    "KataGo#911: a client plays on after a refusal": "transcripts: failure_changes_nothing",
    # handicap
    "Sabaki#409 pachi#82 gtp2ogs#65: played handicap stones, and White resigns": """
        game: handicap_played_as_moves; pitfalls: no_early_resignation_with_handicap""",
    "gtp2ogs#70 gtp2ogs#91 gtp2ogs#96: not so many handicap stones as asked for": """
        handicap: free_handicap free_handicap_leaves_a_liberty""",
    # time
    "gtp2ogs#45 gtp2ogs#369: a negative time, or 0 0, where main time ends": "clock: set_left",
    "gtp2ogs#106 leela-zero#2105: Fischer time told as Canadian": """
        clock: fischer_lives_on_its_increment capped_fischer_wastes_nothing
        transcripts: transcript""",
    "leela-zero#691: settings told again and again": "pitfalls: time_told_again_is_no_less_time",
    "KataGo#128: byo-yomi without kgs-time_settings": "clock: overtime_is_used_almost_whole",
    "leela-zero#2296: the engine's clock drifts": "clock: set_left; transcripts: own_time_is_spent",
    "leela-zero#1776: absolute time, and lag": """
        clock: a_larger_lag_leaves_more never_loses_on_time
        clock_games: no_game_is_lost_on_time""",
    "lizzieyzy#1: nobody says that main time is over": "clock: spend",
    "KataGo#1105: time spent after the decision": "clock_games: no_game_is_lost_on_time",
    "Fuego: kgs-time_settings refused in a game": "pitfalls: time_commands_keep_the_tree",
    # the end of a game
    "minigo#94 minigo#105: no final_score": "pitfalls: what_clients_look_for_is_listed",
    "pachi#63: passed because of dead stones that are then not named": """
        pitfalls: stones_that_a_pass_counted_on_are_named_dead
        player: a_pass_that_wins_answers_a_pass""",
    "leela-zero#487 leela-zero#1069 iomrascalai#280 online-go.com#590: dead stones": """
        scoring: whole_board; scoring_cases: scoring_case
        player: dead_stones_may_stay_where_they_come_off""",
    "computer-go, March 2010: dead stones claimed after the cleanup": "transcripts: transcript",
    "iomrascalai#261: passed too early": """
        player: a_pass_that_loses_is_not_the_answer_while_points_are_left
        player: a_pass_in_the_opening_is_no_end""",
    "leela-zero#1451: no end of moves on CGOS": "pitfalls: games_with_cleanup_end",
    "gogui#28: genmove after two passes": "pitfalls: genmove_whoever_is_to_move",
    "leela-zero#343: play COLOR resign": "transcripts: failure_changes_nothing",
    # the process
    "gtp2ogs#402: quit does not end genmove": "ending: end; engine_loop: quit_stops_a_search",
    "Sabaki#369: killed, not told to quit": "ending: end",
    "gtp2ogs#398: messages that a bridge takes apart": "report: bridges_can_read_the_log",
}


def names_in(module: str) -> set[str]:
    tree = ast.parse((TESTS / f"test_{module}.py").read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {name.removeprefix("test_") for name in names if name.startswith("test_")}


@pytest.mark.parametrize("what", [*RULES, *PITFALLS])
def test_named_tests_exist(what: str) -> None:
    text = {**RULES, **PITFALLS}[what]
    modules = re.findall(r"(\w+): ([^:;]+)(?=$|;|\s\w+:)", " ".join(text.split()))
    assert modules
    assert len(modules) == text.count(":")
    for module, names in modules:
        assert set(names.split()) <= names_in(module)


class Client:
    """A small engine, asked line by line."""

    def __init__(self, size: int = 9, **settings: object) -> None:
        chosen = {"visits": 40, "threads": 1, "seed": 1, "memory": 16, **settings}
        self.player = Player(PlayerSettings(**chosen))  # type: ignore[arg-type]
        self.session = Session(Game(size), self.player)
        owners = owners_of(self.session)
        self.engine = Engine(owners, "gtpengine", "1", on_stop=self.player.stop)

    @property
    def game(self) -> Game:
        return self.session.game

    def ask(self, line: str) -> str:
        """The text of a successful answer."""
        answer = self.engine.answer(line.encode()).decode()
        assert answer.startswith("="), f"{line}: {answer}"
        return answer.partition(" ")[2].rstrip("\n")


# Commands


LISTED = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi play
    genmove undo time_settings time_left final_score final_status_list fixed_handicap
    place_free_handicap set_free_handicap loadsgf reg_genmove showboard
    kata-analyze kata-genmove_analyze lz-analyze lz-genmove_analyze stop
    kgs-time_settings kgs-rules kgs-genmove_cleanup kgs-game_over
    kata-list_time_settings kata-time_settings kata-set-rules kata-get-rules
    cgos-genmove_analyze cputime estimate_score gg-undo
    gogui-interrupt gogui-analyze_commands gogui-play_sequence gogui-setup gogui-setup_player
"""
MISLEADING = {
    "analyze genmove_analyze": "Sabaki takes their win rates for ten-thousandths, its guide not",
    "gogui-title": "GoGui shows it in place of names, file and the mark of unsaved changes",
    "gogui-sigint": "GoGui would send a signal, where # interrupt does",
    "gogui-rules_game_id": "GoGui would take us for a program that knows other games",
    "kgs-chat": "listed, it breaks kgsGtp from 3.5.20 on",
    "rectangular_boardsize": "boards are square",
}


def test_what_clients_look_for_is_listed() -> None:
    names = Client().ask("list_commands").split("\n")
    assert set(LISTED.split()) <= set(names)
    assert all(name == name.strip() for name in names)  # Sabaki compares to the letter


def test_what_would_mislead_a_client_is_not_listed() -> None:
    names = Client().ask("list_commands").split("\n")
    assert set(names).isdisjoint(" ".join(MISLEADING).split())
    assert not [name for name in names if name.startswith("gogui-rules_")]


def test_the_name_is_no_other_engines() -> None:
    """LizzieYzy tells what an engine can do from how its name begins."""
    others = "kata|leela|pachi|sai|sayuri|zen|golaxy"
    assert not re.match(others, Client().ask("name"), re.IGNORECASE)


def test_first_answer() -> None:
    """GoGui waits 15 s, then offers to kill the engine; a quarter of a second is usual."""
    words = [sys.executable, "-m", "gtpengine"]
    done = subprocess.run(words, input=b"name\n", capture_output=True, env=ENVIRONMENT, timeout=15)
    assert (done.stdout, done.stderr) == (b"= gtpengine\n\n", b"")


# Staying in step


def test_what_survives_a_new_game() -> None:
    client = Client()
    for line in ("komi 5.5", "kata-set-rules japanese", "kgs-time_settings byoyomi 300 30 5"):
        client.ask(line)
    kept = client.game.komi, client.game.rules, client.game.time_settings
    for line in (
        *("boardsize 13", "clear_board", "fixed_handicap 2", "clear_board", "gogui-setup b C3"),
        *("clear_board", "place_free_handicap 3", "genmove w", "boardsize 9", "clear_board"),
        *("set_free_handicap C3 G7", "kgs-game_over", "gogui-setup_player b"),
    ):
        client.ask(line)
        assert (client.game.komi, client.game.rules, client.game.time_settings) == kept, line
    client.ask("kata-set-rules aga")
    assert client.game.komi == 5.5


NEW_GAME = ["boardsize 9", "clear_board", "komi 3.5", "time_settings 60 10 5"]


@pytest.mark.parametrize("lines", list(itertools.permutations(NEW_GAME)), ids=" ".join)
def test_order_of_a_new_game(lines: tuple[str, ...]) -> None:
    client = Client(19)
    for line in ("play b D4", *lines):
        assert client.ask(line) == ""
    game = client.game
    settings = game.time_settings
    assert (game.size, game.komi, game.moves) == (9, 3.5, [])
    assert (settings.main, settings.period, settings.count) == (60, 10, 5)


@pytest.mark.parametrize("komi", ["0", "7", "-0.5", "3.375", "6.5000", "+7.5", "1e2", "-123.25"])
def test_any_number_is_a_komi(komi: str) -> None:
    client = Client()
    assert client.ask(f"komi {komi}") == ""
    assert client.game.komi == float(komi)


@pytest.mark.parametrize("seed", range(5))
def test_positions_played_by_columns(seed: int) -> None:
    """The stones of a position in the middle of a game, as moves in an order that nobody played."""
    rng, game = random.Random(seed), Game(9)
    for _ in range(60):
        points = game.legal_points(game.to_play)
        game.play(game.to_play, rng.choice(points))
    stones = [".bw"[game.board.color_at(point)] for point in game.board.points()]
    client = Client()
    for column, line in itertools.product(range(9), range(8, -1, -1)):
        if (color := stones[9 * line + column]) != ".":
            assert client.ask(f"play {color} {'ABCDEFGHJ'[column]}{line + 1}") == ""
    assert str(client.game.board) == str(game.board)


@pytest.mark.parametrize("moves", ["", "b D4", "b D4 w E5 b pass w pass", "w pass w D4"])
def test_genmove_whoever_is_to_move(moves: str) -> None:
    client = Client()
    client.ask(f"gogui-play_sequence {moves}")
    n_moves = len(client.game.moves)
    colors = [BLACK, BLACK, WHITE, WHITE, BLACK]
    for color in colors:
        assert re.fullmatch("[A-J][1-9]|pass", client.ask(f"genmove {'.bw'[color]}"))
    assert [move.color for move in client.game.moves[n_moves:]] == colors


def test_moves_alone_make_a_game() -> None:
    client = Client(19)
    client.ask("play B Q16")
    client.ask("play W D4")
    assert re.fullmatch(r"[A-T]1?\d", client.ask("genmove B"))


def test_no_early_resignation_with_handicap() -> None:
    client = Client(resign=0.9)
    for vertex in ("C3", "G7", "C7", "G3", "E5"):
        client.ask(f"play b {vertex}")
    for _ in range(10):
        assert client.ask("genmove w") != "resign"
        client.ask("genmove b")


# Analysis and search


def talk(text: str, end: bytes, seconds: float) -> tuple[bytes, float]:
    """Send a text to the program; what it writes up to ``end``, and the seconds that took.

    If ``end`` does not come, what it writes within so many ``seconds``.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "gtpengine", "--time-per-move", "60", "--threads", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdin
    assert process.stdout
    with process:
        begun, found = time.monotonic(), b""
        process.stdin.write(text.encode())
        process.stdin.flush()
        while end not in found and (left := begun + seconds - time.monotonic()) > 0:
            if select.select([process.stdout], [], [], left)[0]:
                found += os.read(process.stdout.fileno(), 1 << 16)
        taken = time.monotonic() - begun
        process.terminate()
    return found, taken


@pytest.mark.parametrize("form", ["lz", "kata"])
def test_header_comes_before_the_search(form: str) -> None:
    found, taken = talk(f"5 {form}-genmove_analyze b\n", b"\n", 15)
    assert found == b"=5\n"
    assert taken < 10


@pytest.mark.parametrize("line", ["genmove b", "reg_genmove b", "kgs-genmove_cleanup b"])
def test_input_shortens_no_move(line: str) -> None:
    found, _ = talk(f"{line}\nname\n\nprotocol_version\n# a comment\nstop\n", b"=", 1.5)
    assert found == b""


# Time


@pytest.mark.parametrize(
    "line",
    [
        *("time_settings 300 30 5", "kgs-time_settings byoyomi 300 30 5", "time_left b 100 0"),
        *("kata-time_settings fischer-capped 60 5 300 -1", "time_left w 10 3", "cputime"),
    ],
)
def test_time_commands_keep_the_tree(line: str) -> None:
    client = Client(visits=300)
    client.ask("genmove b")
    before = client.player.search
    _, reply, *_ = before.variation()
    client.ask(f"play w {format_vertex(reply)}")
    client.ask(line)
    client.player.settings.visits = 1
    client.ask("reg_genmove b")
    assert client.player.search is before
    assert before.visits > 1  # of the move before


def test_time_told_again_is_no_less_time() -> None:
    client = Client(19)
    budgets = []
    for _ in range(50):
        for line in ("kgs-time_settings byoyomi 300 30 5", "time_left b 200 0", "time_left w 9 0"):
            client.ask(line)
        budgets.append(client.game.clocks[BLACK].budget(19, 10))
    assert set(budgets) == {budgets[0]}


# The end of a game


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga"])
def test_stones_that_a_pass_counted_on_are_named_dead(rules: str) -> None:
    client = Client(visits=400)
    client.session.game = game_of(WITH_DEAD, "W", PRESETS[rules])
    client.ask("komi 0.5")
    client.ask("play w pass")
    assert client.ask("genmove b") == "pass"
    assert client.ask("final_status_list dead") == "B2 C2"
    assert client.ask("final_score").startswith("B+")
    client.ask("kata-set-rules tromp-taylor")
    assert client.ask("final_score").startswith("W+")


@pytest.mark.parametrize("seed", [1, 2])
def test_games_with_cleanup_end(seed: int) -> None:
    """With every stone taken for alive, as CGOS does."""
    client = Client(5, visits=200, seed=seed, cleanup=True, resign=None)
    client.ask("kata-set-rules tromp-taylor")
    while not client.game.is_over:
        client.ask(f"genmove {'.bw'[client.game.to_play]}")
        assert len(client.game.moves) < 100
