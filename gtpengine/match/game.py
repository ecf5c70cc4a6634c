"""Play one game between two engines under the eyes of the referee.

``play_game`` is a function of a GameJob, which can be pickled, and of the engines that the worker
keeps running; it writes no file.  Where it runs (this process, another one, another machine) makes
no difference to the record it returns.
"""

import datetime
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from gtpengine.match.controller import Bench, Engine, EngineSpec, quoted
from gtpengine.match.faults import EngineFailure, Fault, FaultKind
from gtpengine.match.openings import Opening
from gtpengine.match.referee import (
    COLOR_NAME,
    OPPONENT,
    RULES,
    Color,
    IllegalMove,
    RefereeBoard,
    format_score,
    format_vertex,
    parse_score,
    parse_vertex,
)
from gtpengine.match.timing import RefereeClock, TimeControl

REFEREE = "referee"  # name of the referee engine in faults and scores
TROMP_TAYLOR: Final = "tromp-taylor"  # every stone on the board counts as alive
ENGINES: Final = "engines"  # the players' own final_score decides
GRACE = 5.0  # seconds that an engine without time may still answer before it is killed

End = Literal["passes", "cap", "resign", "fault"]


@dataclass(frozen=True)
class Timeouts:
    """Seconds after which an engine counts as hanging."""

    command: float = 30.0  # any command but the two below
    move: float = 600.0  # genmove without a clock
    score: float = 120.0  # final_score


@dataclass(frozen=True)
class GameSettings:
    """What all games of a match have in common."""

    size: int = 9
    komi: float = 7.0
    rules: str = "chinese-ogs"  # a key of referee.RULES
    time: TimeControl | None = None
    tolerance: float = 0.1  # seconds a clock may be overdrawn by
    move_limit: float | None = None  # seconds; a slower move is a fault, but not lost
    max_moves: int = 300  # with the opening; then the game is scored as if both had passed
    referee: EngineSpec | Literal["engines", "tromp-taylor"] = ENGINES
    timeouts: Timeouts = Timeouts()


@dataclass(frozen=True)
class GameJob:
    """Everything that decides about a game."""

    number: int
    black: EngineSpec
    white: EngineSpec
    opening: Opening
    settings: GameSettings


@dataclass(frozen=True)
class Move:
    """A move on the board."""

    color: Color
    vertex: str
    seconds: float | None  # None in the opening


@dataclass
class GameRecord:
    """A finished game."""

    number: int
    black: str
    white: str
    opening: str
    started: str  # date and time, UTC
    result: str = ""  # as in SGF: B+3.5, W+R (resigned), B+T (time), W+F (other fault), 0
    winner: str | None = None  # None: a draw
    ended: End = "fault"
    scored_by: str | None = None  # "engines", "tromp-taylor", "referee" or an engine's name
    scores: dict[str, str] = field(default_factory=dict)  # who named which score
    moves: list[Move] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0  # the whole game took
    transcripts: dict[str, str] = field(default_factory=dict)  # GTP lines of engines with faults


def setup_commands(settings: GameSettings, commands: frozenset[str]) -> tuple[list[str], list[str]]:
    """What to send to an engine that lists ``commands`` before a game.

    Returns the commands it must obey, and those sent only because it lists them.
    """
    size, komi, rules = settings.size, settings.komi, settings.rules
    needed = [f"boardsize {size}", "clear_board", f"komi {komi:g}"]
    optional = []
    if "kata-set-rules" in commands:
        optional.append(f"kata-set-rules {rules}")
    elif "kgs-rules" in commands:
        optional.append(f"kgs-rules {RULES[rules].kgs_name}")
    if settings.time is not None and "time_settings" in commands:
        optional.append(settings.time.command)
    return needed, optional


@contextmanager
def playing() -> Iterator[Callable[["GameJob"], "GameRecord"]]:
    """What a worker opens: ``play_game`` with engines that are kept from game to game."""
    with Bench() as bench:
        yield partial(play_game, bench=bench)


def play_game(job: GameJob, bench: Bench) -> GameRecord:
    """Play a game to its end; whatever an engine does wrong is in the record, not raised."""
    return _Game(job, bench).run()


class _Game:
    """A game that is going on."""

    def __init__(self, job: GameJob, bench: Bench) -> None:
        self.settings = job.settings
        self.bench = bench
        self.opening = job.opening
        self.specs: dict[Color, EngineSpec] = {"b": job.black, "w": job.white}
        self.engines: dict[Color, Engine] = {}
        self.in_use: list[Engine] = []  # the referee's too
        self.refused: set[tuple[str, str]] = set()  # engine, optional command
        self.clocks: dict[Color, RefereeClock] = {}
        self.board = RefereeBoard(job.settings.size, RULES[job.settings.rules])
        self.to_play = job.opening.to_play
        self.n_passes = 0
        now = datetime.datetime.now(datetime.timezone.utc)
        self.record = GameRecord(
            job.number,
            job.black.name,
            job.white.name,
            job.opening.name,
            now.isoformat(timespec="seconds"),
        )

    def run(self) -> GameRecord:
        record, start = self.record, time.monotonic()
        try:
            for color in self.specs:
                self.prepare(color)
            record.ended = self.play()
            if record.ended != "resign":
                self.score()
        except EngineFailure as failure:
            self.fault(failure.engine, failure.kind, failure.text, lost=True)
            record.ended = "fault"
            loser: Color = "b" if failure.engine == self.specs["b"].name else "w"
            self.win(OPPONENT[loser], "T" if failure.kind == "time" else "F")
        for engine in self.in_use:
            if stray := engine.take_stray():
                text = f"{len(stray)} lines outside any answer, the first {quoted(stray[0])}"
                self.fault(engine.spec.name, "garbage", text)
        at_fault = {fault.engine for fault in record.faults}
        for engine in self.in_use:
            if engine.spec.name in at_fault:
                record.transcripts[engine.spec.name] = "\n".join(engine.transcript) + "\n"
        record.seconds = round(time.monotonic() - start, 3)
        return record

    def prepare(self, color: Color) -> None:
        self.engines[color] = self.set_up(self.specs[color])
        if self.settings.time is not None:
            self.clocks[color] = RefereeClock(self.settings.time, self.settings.tolerance)

    def set_up(self, spec: EngineSpec) -> Engine:
        """Get an engine, set size, komi, rules and time, and play the opening."""
        engine = self.bench.engine(spec)
        engine.begin_game()
        self.in_use.append(engine)
        needed, optional = setup_commands(self.settings, engine.commands)
        for command in needed:
            engine.demand(command, self.settings.timeouts.command)
        for command in optional:
            self.suggest(engine, command)
        for color, vertex in self.opening.moves:
            engine.demand(f"play {color} {vertex}", self.settings.timeouts.command)
        return engine

    def suggest(self, engine: Engine, command: str) -> None:
        """Send a command that the game does not need; a refusal counts once a game."""
        answer = engine.send(command, self.settings.timeouts.command)
        refused = (engine.spec.name, command.split()[0])
        if not answer.ok and refused not in self.refused:
            self.refused.add(refused)
            text = f"lists '{refused[1]}', answers '{command}' by {quoted('? ' + answer.text)}"
            self.fault(engine.spec.name, "refusal", text)

    def play(self) -> End:
        """Play from the opening on; return how the game ended, and set the result of a resign."""
        for color, vertex in self.opening.moves:
            self.put(color, vertex, None)
        self.n_passes = 0
        while len(self.record.moves) < self.settings.max_moves:
            color = self.to_play
            name = self.specs[color].name
            answer, seconds = self.genmove(color)
            if answer == "resign":
                self.win(OPPONENT[color], "R")
                return "resign"
            try:
                vertex = format_vertex(parse_vertex(answer, self.settings.size))
            except ValueError:
                text = f"genmove was answered by {quoted(answer)}"
                raise EngineFailure(name, "garbage", text) from None
            try:
                self.put(color, vertex, seconds)
            except IllegalMove as error:
                text = f"{COLOR_NAME[color]} {vertex} is not legal: {error}"
                raise EngineFailure(name, "illegal", text) from None
            other = self.engines[OPPONENT[color]]
            other.demand(f"play {color} {vertex}", self.settings.timeouts.command)
            if self.n_passes == 2:
                return "passes"
        return "cap"

    def genmove(self, color: Color) -> tuple[str, float]:
        """Ask for a move; return the answer in lower case and the seconds it took."""
        engine, settings = self.engines[color], self.settings
        clock = self.clocks.get(color)
        timeout = settings.timeouts.move
        if clock is not None:
            timeout = clock.available + clock.tolerance + GRACE
            if "time_left" in engine.commands:
                self.suggest(engine, f"time_left {color} {clock.time_left}")
        before = 0.0 if clock is None else clock.available
        answer = engine.send(f"genmove {color}", timeout)
        if clock is not None and not clock.spend(answer.seconds):
            text = f"move took {answer.seconds:.2f} s, the clock had {before:.2f} s left"
            raise EngineFailure(engine.spec.name, "time", text)
        if settings.move_limit is not None and answer.seconds > settings.move_limit:
            text = f"move took {answer.seconds:.2f} s, more than {settings.move_limit:g} s"
            self.fault(engine.spec.name, "late", text)
        if not answer.ok:
            text = f"genmove was answered by {quoted('? ' + answer.text)}"
            raise EngineFailure(engine.spec.name, "refusal", text)
        return answer.text.lower(), answer.seconds

    def put(self, color: Color, vertex: str, seconds: float | None) -> None:
        point = parse_vertex(vertex, self.settings.size)
        self.board.play(color, point)
        rounded = None if seconds is None else round(seconds, 4)
        self.record.moves.append(Move(color, vertex, rounded))
        self.n_passes = self.n_passes + 1 if point is None else 0
        self.to_play = OPPONENT[color]

    def score(self) -> None:
        """Decide a game that ended by two passes or by the cap on moves."""
        settings, record = self.settings, self.record
        points = {TROMP_TAYLOR: self.board.area_score() - settings.komi}
        if settings.referee != TROMP_TAYLOR:
            for engine in self.engines.values():
                self.add_score(points, engine.spec.name, engine)
        if isinstance(settings.referee, EngineSpec):
            self.ask_referee(points, settings.referee)
        record.scores = {name: format_score(value) for name, value in points.items()}
        named = {name: value for name, value in points.items() if name != TROMP_TAYLOR}
        if REFEREE in named:
            record.scored_by = REFEREE
        elif len(named) == 1:
            record.scored_by = next(iter(named))
        elif named and len(set(named.values())) == 1:
            record.scored_by = ENGINES
        else:
            record.scored_by = TROMP_TAYLOR
        judge = next(iter(named)) if record.scored_by == ENGINES else record.scored_by
        final = points[judge]
        record.result = format_score(final)
        if final != 0:
            record.winner = self.specs["b" if final > 0 else "w"].name
        if record.ended == "passes":  # after the cap nothing is settled: opinions may differ
            for name, value in named.items():
                if value != final:
                    text = f"says {format_score(value)}, {judge} says {format_score(final)}"
                    self.fault(name, "score", text)

    def add_score(self, points: dict[str, float], name: str, engine: Engine) -> None:
        """Ask an engine that can score; what goes wrong is a fault, but loses no game."""
        if "final_score" not in engine.commands:
            return
        try:
            answer = engine.demand("final_score", self.settings.timeouts.score)
            points[name] = parse_score(answer)
        except EngineFailure as failure:
            self.fault(name, failure.kind, failure.text)
        except ValueError as error:
            self.fault(name, "garbage", f"final_score: {error}")

    def ask_referee(self, points: dict[str, float], spec: EngineSpec) -> None:
        try:
            engine = self.set_up(spec)
            for move in self.record.moves[len(self.opening.moves) :]:
                engine.demand(f"play {move.color} {move.vertex}", self.settings.timeouts.command)
        except EngineFailure as failure:
            self.fault(REFEREE, failure.kind, failure.text)
        else:
            self.add_score(points, REFEREE, engine)

    def win(self, color: Color, how: str) -> None:
        self.record.result = f"{color.upper()}+{how}"
        self.record.winner = self.specs[color].name

    def fault(self, engine: str, kind: FaultKind, text: str, lost: bool = False) -> None:
        n_moves = len(self.record.moves)
        self.record.faults.append(Fault(engine, kind, text, n_moves, lost))
