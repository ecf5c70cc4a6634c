"""The command line of the match runner."""

import argparse
import contextlib
import itertools
import re
import shlex
import signal
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from gtpengine.match.cluster import ClusterFailure, play_on_cluster
from gtpengine.match.controller import EngineSpec
from gtpengine.match.faults import EngineFailure
from gtpengine.match.game import ENGINES, REFEREE, TROMP_TAYLOR, GameSettings, Timeouts
from gtpengine.match.introduction import PLAYER_COMMANDS, REFEREE_COMMANDS, introduce
from gtpengine.match.openings import Opening, default_n_moves, random_openings, sgf_openings
from gtpengine.match.progress import Progress
from gtpengine.match.records import MatchFolder
from gtpengine.match.referee import MAX_SIZE, MIN_SIZE, RULES
from gtpengine.match.report import report
from gtpengine.match.schedule import match_ups, schedule
from gtpengine.match.statistics import Sprt, pair_scores
from gtpengine.match.timing import TimeControl
from gtpengine.match.workers import play_all

DESCRIPTION = """\
Play games between two or more GTP engines and say how much stronger which one is.
Colors are swapped in pairs of games from the same opening.  Progress goes to stderr,
the report to stdout; with --out the same command goes on where it was stopped."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the match runner."""
    parser.description = DESCRIPTION
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    # fmt: off
    add("--engine", action="append", default=[], metavar="NAME=COMMAND", dest="engines",
        help="an engine and how to start it, quoted as for a shell; at least twice.  No shell runs:"
        " for a folder of its own write 'env -C DIR COMMAND'")
    add("--games", type=int, default=100, metavar="N", help="of each two engines, even (100)")
    add("--gauntlet", action="store_true", help="only the first engine against each other one")
    add("--size", type=int, default=9, metavar="N", help=f"{MIN_SIZE}..{MAX_SIZE} (9)")
    add("--komi", type=float, default=7.0, metavar="POINTS", help="(7)")
    add("--rules", default="chinese-ogs", choices=sorted(RULES),
        help="told to engines that list kata-set-rules or kgs-rules; the referee takes its ko rule"
        " from them (chinese-ogs: positional superko)")
    add("--referee", default=ENGINES, metavar="COMMAND",
        help="engine whose final_score decides; 'tromp-taylor': every stone counts as alive;"
        " 'engines': the players' final_score if they agree, else tromp-taylor (engines)")
    add("--time", metavar="M,B,S", help="clock of each side: time_settings, in whole seconds")
    add("--tolerance", type=float, default=0.1, metavar="SECONDS",
        help="by which a clock may be overdrawn without loss, for the pipe between (0.1)")
    add("--move-limit", type=float, metavar="SECONDS",
        help="count slower moves as faults, where command lines fix the time (no limit)")
    add("--max-moves", type=int, metavar="N",
        help="then score as if both had passed (300 up to 9x9, else 3 a point)")
    add("--opening-moves", type=int, metavar="N",
        help="random moves, or the first N of each SGF file (2 below 9x9, else 4)")
    add("--openings", type=Path, metavar="PATH", help="SGF file, or folder of them, to start from")
    add("--seed", type=int, default=1, metavar="N", help="of random openings (1)")
    add("--sprt", metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop when the first of two engines is known to be at most ELO0 or at least ELO1"
        " stronger (alpha and beta 0.05)")
    add("--parallel", type=int, metavar="N",
        help="games at once; keep it at cores / threads of one engine (1)")
    add("--cluster", metavar="ADDRESS",
        help="instead, play on the workers of the Dask cluster whose scheduler is there, as many"
        " games at once as they have threads")
    add("--timeout", type=float, default=30.0, metavar="SECONDS",
        help="an engine hangs if it takes longer for anything but moves and scores (30)")
    add("--move-timeout", type=float, default=600.0, metavar="SECONDS",
        help="the same for a move without a clock (600)")
    add("--out", type=Path, metavar="DIR",
        help="keep games.jsonl, SGF files and transcripts of faults here; go on with what is there")
    # fmt: on


def main(args: argparse.Namespace) -> int:
    """Play the match that ``args`` (of add_arguments) describe.

    Returns 0 when it is over, 1 if it could not be played, 2 for wrong arguments, 130 if it was
    interrupted; the report is printed in the last case too.
    """
    try:
        match = Match(args)
    except ValueError as error:
        print(f"gtpengine match: {error}", file=sys.stderr)
        return 2
    try:
        with _termination_as_interrupt():
            match.introduce()
            is_over = match.play()
    except (ClusterFailure, EngineFailure) as error:
        print(f"gtpengine match: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # before the first game
        return 130
    print(match.report())
    return 0 if is_over else 130


class Match:
    """A match as the command line describes it; ValueError if that makes no sense."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.engines = [parse_engine(text) for text in args.engines]
        names = [spec.name for spec in self.engines]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"expected two or more engines with names of their own, got '{names}'")
        if args.games < 2 or args.games % 2:
            raise ValueError(f"expected an even number of games, got '{args.games}'")
        if args.parallel is not None and args.cluster is not None:
            raise ValueError("expected --parallel or --cluster, got both")
        if args.parallel is not None and args.parallel < 1:
            raise ValueError(f"expected one or more games at once, got '{args.parallel}'")
        self.sprt = None if args.sprt is None else Sprt.parse(args.sprt)
        if self.sprt is not None and len(names) != 2:
            raise ValueError(f"expected two engines for --sprt, got '{len(names)}'")
        self.n_games: int = args.games
        self.n_parallel: int = args.parallel or 1
        self.cluster: str | None = args.cluster
        self.pairs = match_ups(self.engines, args.gauntlet)
        self.settings = parse_settings(args)
        self.n_opening_moves: int | None = args.opening_moves
        self.seed: int = args.seed
        self.openings_path: Path | None = args.openings
        self.opening_text, self._openings = self._read_openings()
        self.folder = MatchFolder(args.out, self.header(args.gauntlet), self.settings)
        self.titles: dict[str, str] = {}

    @property
    def total(self) -> int:
        return self.n_games * len(self.pairs)

    @property
    def is_decided(self) -> bool:
        if self.sprt is None:
            return False
        scores = pair_scores(self.engines[0].name, self.folder.records)
        return self.sprt.verdict(scores) != ""

    def header(self, gauntlet: bool) -> dict[str, Any]:
        """What must not change when a match goes on."""
        settings = self.settings
        referee = settings.referee
        return {
            "engines": {spec.name: shlex.join(spec.command) for spec in self.engines},
            "gauntlet": gauntlet,
            "size": settings.size,
            "komi": settings.komi,
            "rules": settings.rules,
            "time": settings.time.command if settings.time else None,
            "tolerance": settings.tolerance,
            "move_limit": settings.move_limit,
            "max_moves": settings.max_moves,
            "referee": referee if isinstance(referee, str) else shlex.join(referee.command),
            "openings": self.opening_text,
        }

    def introduce(self) -> None:
        """Start every engine once, so that what cannot work fails now; EngineFailure then."""
        if len(self.folder.records) >= self.total or self.is_decided:
            return
        needs = dict.fromkeys(self.engines, PLAYER_COMMANDS)
        if isinstance(self.settings.referee, EngineSpec):
            needs[self.settings.referee] = REFEREE_COMMANDS
        for spec, needed in needs.items():
            met = introduce(spec, needed, self.settings)
            self.titles[spec.name] = met.title
            for remark in met.remarks:
                print(f"{spec.name}: {remark}", file=sys.stderr)

    def play(self) -> bool:
        """Play what is left; return whether the match is over, not interrupted."""
        folder, done = self.folder, {record.number for record in self.folder.records}
        if self.is_decided:
            return True
        names = [spec.name for spec in self.engines]
        progress = Progress(names, self.total, len(done), self.sprt)
        jobs = schedule(self.pairs, self.n_games, self._openings, self.settings, done)
        if self.cluster is None:
            games = play_all(jobs, self.n_parallel)
        else:
            games = play_on_cluster(jobs, self.cluster)
        with contextlib.closing(games) as records:
            try:
                for record in records:
                    folder.add(record)
                    progress.show(folder.records)
                    if self.is_decided:
                        break
            except KeyboardInterrupt:
                return False
            finally:
                progress.end()
        return True

    def report(self) -> str:
        """The conditions of play and the results."""
        settings, referee = self.settings, self.settings.referee
        conditions = [
            f"{settings.size}x{settings.size}, komi {settings.komi:g}, {settings.rules} rules "
            f"(ko {RULES[settings.rules].ko}), at most {settings.max_moves} moves",
            f"openings: {self.opening_text}, each with both colors",
            f"clock: {settings.time.command}, tolerance {settings.tolerance:g} s"
            if settings.time
            else "clock: none",
            f"score by: {referee if isinstance(referee, str) else shlex.join(referee.command)}",
            f"games at once: {self.n_parallel if self.cluster is None else 'on a cluster'}",
            "",
        ]
        records = self.folder.records
        results = report(self.engines, self.titles, self.pairs, records, self.sprt)
        return "\n".join(conditions) + results

    def _read_openings(self) -> tuple[str, Iterator[Opening]]:
        """What the openings are, and themselves."""
        size, n_moves = self.settings.size, self.n_opening_moves
        if self.openings_path is None:
            n_moves = default_n_moves(size) if n_moves is None else n_moves
            if not 0 <= n_moves < min(size * size, self.settings.max_moves):
                raise ValueError(f"expected less opening moves than points, got '{n_moves}'")
            text = f"{n_moves} random moves, seed {self.seed}"
            return text, random_openings(size, n_moves, self.seed)
        rules = RULES[self.settings.rules]
        openings = sgf_openings(self.openings_path, size, rules, n_moves)
        longest = max(len(opening.moves) for opening in openings)
        if longest >= self.settings.max_moves:
            raise ValueError(f"expected openings below --max-moves, got '{longest}' moves")
        check = zlib.crc32(repr(openings).encode())
        text = f"{len(openings)} from {self.openings_path} (checksum {check:08x})"
        return text, itertools.cycle(openings)


def parse_engine(text: str) -> EngineSpec:
    """Read ``NAME=COMMAND LINE``; ValueError if it is something else."""
    name, _, line = text.partition("=")
    command = tuple(shlex.split(line))
    if not re.fullmatch(r"[\w.+-]+", name) or name in (REFEREE, ENGINES, TROMP_TAYLOR):
        raise ValueError(f"expected an engine name of letters, digits and ._+-, got '{name}'")
    if not command:
        raise ValueError(f"expected NAME=COMMAND, got '{text}'")
    return EngineSpec(name, command)


def parse_settings(args: argparse.Namespace) -> GameSettings:
    """The part of the arguments that concerns single games."""
    size = args.size
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"size must be {MIN_SIZE}..{MAX_SIZE}, got '{size}'")
    max_moves = args.max_moves
    if max_moves is None:
        max_moves = 300 if size <= 9 else 3 * size * size
    if max_moves < 1:
        raise ValueError(f"expected one or more moves, got '{max_moves}'")
    for option in ("tolerance", "move_limit", "timeout", "move_timeout"):
        if getattr(args, option) is not None and getattr(args, option) < 0:
            raise ValueError(f"expected {option} in seconds, got '{getattr(args, option)}'")
    referee: Any = args.referee
    if referee not in (ENGINES, TROMP_TAYLOR):
        referee = EngineSpec(REFEREE, tuple(shlex.split(referee)))
    return GameSettings(
        size=size,
        komi=args.komi,
        rules=args.rules,
        time=None if args.time is None else TimeControl.parse(args.time),
        tolerance=args.tolerance,
        move_limit=args.move_limit,
        max_moves=max_moves,
        referee=referee,
        timeouts=Timeouts(command=args.timeout, move=args.move_timeout),
    )


@contextlib.contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Let SIGTERM end a match as control-C does; only the main thread may ask for that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
