"""Random sessions and spoiled records: no crash, no stray output, sound answers, and failures that
change nothing.

GTPENGINE_FUZZ is the number of commands that each of the slow tests sends (default 20,000).
"""

import os
import random
import re
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.parameter_commands import PARAMETERS
from gtpengine.gtp.protocol import parse_line
from gtpengine.gtp.request import EXTRAS, KEYS
from gtpengine.gtp.session import Session
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings
from gtpengine.sgf import format_sgf, read_sgf

N_SLOW = int(os.environ.get("GTPENGINE_FUZZ", "20000"))

COLORS = ["b", "w", "B", "white", "BLACK"]
VERTICES = [f"{column}{line}" for column in "ABCDEaG" for line in range(1, 8)] + ["pass", "PASS"]
NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "9",
    "-1",
    "0.5",
    "6.5",
    "1e3",
    "300",
    "2147483648",
    "1e999",
]
PRESETS = ["chinese", "japanese", "tromp-taylor", "aga", "korean", "new_zealand"]
OTHERS = [
    *("green", "I5", "Z99", "nan", "inf", "true", "false", "resign", "none", "never", "alive"),
    *("dead", "seki", "dame", "byoyomi", "fischer", "canadian", "absolute", "fischer-capped"),
    *("D4,E5", "A1,pass", ",", "{}", '{"ko":"SIMPLE"}', "ko", "SITUATIONAL", "easy", "proven"),
    *("game.sgf", "no.sgf", "=", "?", "\xe9", "\u56f2", "#x", "x" * 300, "list_commands"),
]
WORDS = [*COLORS, *VERTICES, *NUMBERS, *PRESETS, *OTHERS, *PARAMETERS, *KEYS, *EXTRAS]

# Lines that mean something, so that games come about; C, V, N, R, W are drawn.
USUAL = """
play C V|play C V|play C V|play C V|genmove C|genmove C|undo|gg-undo N|clear_board|boardsize N
komi N|reg_genmove C|kata-genmove_analyze C N|lz-genmove_analyze C|cgos-genmove_analyze C
kata-search_analyze C N ownership true avoid C V,V N|lz-analyze C N|kata-analyze N allow C V N
gogui-play_sequence C V C V C V|gogui-setup C V C V C V|gogui-setup_player C|fixed_handicap N
place_free_handicap N|set_free_handicap V V V|final_score|final_status_list dead|is_legal C V
kata-set-rules R|kgs-rules R|time_settings N N N|time_left C N N|kgs-time_settings byoyomi N N N
kata-time_settings fischer N N|kgs-genmove_cleanup C|kgs-game_over|loadsgf game.sgf N|loadsgf W
gtpengine-param W W|gtpengine-param|gtpengine-score|gtpengine-best_moves|gtpengine-win_rates
gtpengine-ownership|gtpengine-main_line C|gtpengine-ko_points C|showboard|printsgf|all_legal C
kata-set-rule W W|known_command W|gogui-interrupt|stop
""".replace("\n", "|").split("|")[1:-1]
WANTS_EMPTY_BOARD = re.compile(b"handicap|gogui-setup")
POOL = {"C": COLORS, "V": VERTICES, "N": NUMBERS[:10], "R": PRESETS, "W": WORDS}


class Fuzzed:
    """An engine kept small and quick whatever it is told."""

    def __init__(self) -> None:
        self.player = Player(PlayerSettings(visits=3, threads=1, seed=1, memory=8))
        self.session = Session(Game(5), self.player)
        owners = owners_of(self.session)
        self.engine = Engine(owners, "gtpengine", "1", on_stop=self.player.stop)
        self.names = [name for name in self.engine.command_names() if name != "quit"]

    def state(self) -> tuple[object, ...]:
        """All that a failing command could spoil."""
        game, session = self.session.game, self.session
        return (
            game.board.facts(),
            game.first_board.facts(),
            game.moves,
            game.to_play,
            game.handicap,
            game.komi,
            game.rules,
            game.time_settings,
            [vars(game.clocks[color]).copy() for color in (BLACK, WHITE)],
            vars(self.player.settings).copy(),
            (session.lenient, session.cleanup_from, session.live_gfx),
        )

    def check(self, line: bytes) -> None:
        """Send a line; look at the answer and at what it has changed."""
        command = parse_line(line)
        before = self.state()
        answer = self.engine.answer(line).decode("utf-8", "surrogateescape")
        if command is None:
            assert answer == ""
            assert self.state() == before
            return
        check_answer(answer, command.number)
        if answer.startswith("?"):
            assert not answer.endswith("internal error\n\n"), (line, answer)
            assert self.state() == before, (line, answer)
        self.calm()

    def calm(self) -> None:
        """Keep what follows quick: few visits, small boards, no pondering."""
        chosen = self.player.settings
        if chosen.ponder:
            self.player.stop_ponder()
        chosen.visits, chosen.threads, chosen.memory, chosen.ponder = 3, 1, 8, False
        chosen.seed, self.session.live_gfx = 1, False
        if self.session.game.size > 9:
            self.session.game.clear(5)
        if not -1000 < self.session.game.komi < 1000:
            self.session.game.komi = 7.0


def check_answer(answer: str, number: int | None) -> None:
    """One whole answer: status, id, one end, no line that looks like another answer."""
    assert re.match(rf"[=?]{'' if number is None else number}[ \n]", answer), answer
    assert answer.endswith("\n\n")
    inner = answer[:-2].split("\n")
    assert all(line and line[0] not in "=?" for line in inner[1:])
    assert all(line == line.rstrip(" \t\r") or line == " " for line in inner[1:])
    if answer.startswith("?"):
        assert len(inner) == 1
        assert len(answer) < 300
    assert not re.search(r"\b(nan|inf)\b", answer) or "must be" in answer or len(inner) == 1


def usual_line(rng: random.Random) -> bytes:
    """A line of the grammar, most words of it sensible."""
    words = []
    for word in rng.choice(USUAL).split(" "):
        parts = word.split(",") if word in ("V,V",) else [word]
        words.append(",".join(rng.choice(POOL[part]) if part in POOL else part for part in parts))
    number = f"{rng.randrange(10**6)} " if rng.random() < 0.1 else ""
    return (number + " ".join(words)).encode()


def odd_line(rng: random.Random, names: list[str]) -> bytes:
    """Any command with any words, bytes that mean nothing, or a line with a few bytes changed."""
    kind = rng.random()
    if kind < 0.6:
        words = [rng.choice(names), *rng.choices(WORDS, k=rng.randrange(5))]
        return " ".join(words).encode()
    if kind < 0.75:
        return bytes(rng.choices(range(256), k=rng.randrange(40))).replace(b"\n", b"")
    line = bytearray(usual_line(rng))
    for _ in range(rng.randrange(1, 4)):
        line[rng.randrange(len(line))] = rng.choice(b"\t\r\0 #=?0aZ\x7f\xff")
    return bytes(line)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory with a game in it, where files may come and go."""
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text("(;SZ[5]KM[2]AB[aa][ee];W[bb];B[cc];W[];B[dd])")


def run(seed: int, n_commands: int) -> None:
    rng, fuzzed = random.Random(seed), Fuzzed()
    for _ in range(n_commands):
        line = usual_line(rng) if rng.random() < 0.7 else odd_line(rng, fuzzed.names)
        if WANTS_EMPTY_BOARD.search(line) and rng.random() < 0.7:
            fuzzed.check(b"clear_board")
        fuzzed.check(line)


@pytest.mark.parametrize("seed", range(4))
def test_random_commands(seed: int, capfd: pytest.CaptureFixture[str]):
    run(seed, 400)
    assert capfd.readouterr().out == ""


@pytest.mark.slow
def test_many_random_commands(capfd: pytest.CaptureFixture[str]):
    for seed in range(100, 110):
        run(seed, N_SLOW // 10)
    assert capfd.readouterr().out == ""


LINE = st.one_of(
    st.builds(
        lambda name, words: " ".join([name, *words]).encode(),
        st.sampled_from(Fuzzed().names),
        st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=10)), max_size=6),
    ),
    st.binary(max_size=60),
)


def replay(lines: list[bytes]) -> None:
    fuzzed = Fuzzed()
    for line in lines:
        for part in line.split(b"\n"):
            fuzzed.check(part)


# No fixture is needed anew for each example: files of the folder are only read or written over.
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=60, suppress_health_check=QUIET)
@given(st.lists(LINE, max_size=8))
def test_any_lines(lines: list[bytes]):
    replay(lines)


@pytest.mark.slow
@settings(max_examples=N_SLOW // 8, suppress_health_check=QUIET)
@given(st.lists(LINE, max_size=16))
def test_many_lines(lines: list[bytes]):
    replay(lines)


def talk(data: bytes) -> tuple[int, bytes]:
    """A whole session on pipes: everything is sent at once, then the input ends."""
    fuzzed = Fuzzed()
    (engine_in, to_engine), (from_engine, engine_out) = os.pipe(), os.pipe()
    chunks: list[bytes] = []

    def send() -> None:
        with os.fdopen(to_engine, "wb") as pipe:
            pipe.write(data)

    def receive() -> None:
        with os.fdopen(from_engine, "rb") as pipe:
            chunks.append(pipe.read())

    threads = [threading.Thread(target=send), threading.Thread(target=receive)]
    for thread in threads:
        thread.start()
    status = fuzzed.engine.run(engine_in, engine_out)
    os.close(engine_out)
    os.close(engine_in)
    for thread in threads:
        thread.join()
    return status, b"".join(chunks)


@pytest.mark.parametrize("seed", range(3))
def test_random_sessions(seed: int):
    rng, names = random.Random(seed), Fuzzed().names
    lines = [usual_line(rng) if rng.random() < 0.7 else odd_line(rng, names) for _ in range(100)]
    # Settings would slow the session down, and big boards too.
    lines = [line for line in lines if b"param" not in line and b"board" not in line]
    status, answers = talk(b"\r\n".join(lines))
    assert status == 0
    commands = [parsed for parsed in map(parse_line, lines) if parsed]
    found = [part + "\n\n" for part in answers.decode("utf-8", "surrogateescape").split("\n\n")]
    assert found.pop() == "\n\n"
    assert len(found) == len(commands)
    for answer, command in zip(found, commands, strict=True):
        check_answer(answer, command.number)
        assert not answer.endswith("internal error\n\n")


# Records


RECORDS = sorted((Path(__file__).parent / "data").rglob("*.sgf"))
PARTS = b"""
    ( ) ; [ ] \\ : ( ;B[] ;W[aa] AB[aa:ss] AE[bb] AW[cc][dd] PL[W] SZ[5] SZ[25] HA[2] KM[1e9] RU[x]
    GM[2] W[tt] B[aa][bb] CA[UTF-8] AB[]
"""
SLOWEST = 5.0  # seconds for a record, on a busy machine; a hundredth of that is usual
PLACE = st.floats(0, 1, exclude_max=True)


@st.composite
def spoiled_records(draw: st.DrawFn) -> bytes:
    """A record with a few places cut out, doubled, overwritten, or stuffed with something else."""
    data = draw(st.sampled_from(RECORDS)).read_bytes()
    for _ in range(draw(st.integers(1, 6))):
        start = int(draw(PLACE) * len(data))
        end = min(len(data), start + draw(st.sampled_from([0, 1, 2, 5, 50, 1000])))
        put = draw(
            st.one_of(
                st.sampled_from([b"", data[start:end] * 2]),
                st.sampled_from(PARTS.split()),
                st.binary(max_size=4),
            )
        )
        data = data[:start] + put + data[end:]
    return data


def load_spoiled(data: bytes, move: int) -> None:
    """Give a record to the library and to loadsgf; what they take must be a sound game."""
    begun = time.monotonic()
    game, message = None, ""
    try:
        game = read_sgf(data)
    except ValueError as error:
        message = str(error)
    assert "\n" not in message
    if game:
        game.board.check()
        text = format_sgf(game)
        assert format_sgf(read_sgf(text)) == text
    fuzzed = Fuzzed()
    Path("spoiled.sgf").write_bytes(data)
    for line in (b"play b C3", b"loadsgf spoiled.sgf %d" % move, b"loadsgf spoiled.sgf"):
        fuzzed.check(line)
    fuzzed.session.game.board.check()
    assert time.monotonic() - begun < SLOWEST


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(spoiled_records(), st.integers(1, 60))
def test_spoiled_records(data: bytes, move: int):
    load_spoiled(data, move)


@pytest.mark.slow
@settings(max_examples=N_SLOW // 2, deadline=None, suppress_health_check=QUIET)
@given(spoiled_records(), st.integers(1, 60))
def test_many_spoiled_records(data: bytes, move: int):
    load_spoiled(data, move)
