"""The command line: arguments and configuration to objects.  Only this module reads argv."""

from __future__ import annotations

import argparse
import logging
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from gtpengine import console
from gtpengine._version import __version__
from gtpengine.core.types import MAX_SIZE, MIN_SIZE
from gtpengine.evaluators import KINDS
from gtpengine.game import DEFAULT_SIZE, Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.session import Session
from gtpengine.player import Player
from gtpengine.rules import DEFAULT, DEFAULT_KOMI, PRESETS, Rules
from gtpengine.settings import BOUNDS, LEVEL_VISITS, PlayerSettings, available_threads

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BAD_USAGE = 2
DESCRIPTION = """\
A Go engine that speaks GTP on stdin and stdout.  Without a command it waits for GTP, with:
  gtpengine match ...   play matches between GTP engines (gtpengine match --help)
"""


def _number(
    convert: Callable[[str], Any], low: float, high: float, what: str
) -> Callable[[str], Any]:
    """A converter for argparse that checks bounds and says what it expected."""

    def parse(text: str) -> Any:
        try:
            value = convert(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected {what}, {low:g}..{high:g}, got '{text}'")
        return value

    return parse


def _rules(text: str) -> Rules:
    try:
        return Rules.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _resign(text: str) -> float | None:
    if text == "never":
        return None
    return float(_number(float, *BOUNDS["resign"], "a win rate or 'never'")(text))


class _Parser(argparse.ArgumentParser):
    """Says what is wrong on one line, whatever was typed."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USAGE, f"{self.prog}: error: {' '.join(message.split())}\n")


def make_parser() -> argparse.ArgumentParser:
    """The options of the GTP loop; ``--config`` takes the same names from a TOML file."""
    settings = PlayerSettings()
    parser = _Parser(
        prog="gtpengine",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"gtpengine {__version__}")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file with options, names as here"
    )

    add = parser.add_argument_group("game, until the client says otherwise").add_argument
    add(
        "--rules",
        type=_rules,
        default=DEFAULT,
        metavar="NAME",
        help=f"{', '.join(PRESETS)} (default {DEFAULT.name})",
    )
    add(
        "--komi",
        type=_number(float, -1e6, 1e6, "points"),
        default=DEFAULT_KOMI,
        metavar="POINTS",
        help=f"for White (default {DEFAULT_KOMI:g})",
    )
    add(
        "--size",
        type=_number(int, MIN_SIZE, MAX_SIZE, "lines"),
        default=DEFAULT_SIZE,
        metavar="LINES",
        help=f"{MIN_SIZE}..{MAX_SIZE} (default {DEFAULT_SIZE})",
    )

    add = parser.add_argument_group("play").add_argument
    add(
        "--time-per-move",
        type=_number(float, *BOUNDS["time_per_move"], "seconds"),
        default=settings.time_per_move,
        metavar="SECONDS",
        help=f"when no clock runs (default {settings.time_per_move:g})",
    )
    add(
        "--visits",
        type=_number(int, *BOUNDS["visits"], "visits"),
        metavar="N",
        help="decide a move after N visits of the root of the tree (default: by time alone)",
    )
    add(
        "--threads",
        type=_number(int, *BOUNDS["threads"], "threads"),
        default=available_threads(),
        metavar="N",
        help="that search (default: one for each processor)",
    )
    add(
        "--level",
        choices=list(LEVEL_VISITS),
        default=settings.level,
        help=f"strength (default {settings.level})",
    )
    add(
        "--evaluator",
        choices=KINDS,
        default=settings.evaluator,
        help="auto: a network if there is one for the board, else playouts "
        f"(default {settings.evaluator})",
    )
    add(
        "--model",
        type=Path,
        metavar="FILE",
        help="ONNX network to use instead of those that came along (see docs/network.md)",
    )
    add(
        "--resign",
        type=_resign,
        default=settings.resign,
        metavar="RATE",
        help=f"win rate, 0..1, below which to give up, or never (default {settings.resign:g})",
    )
    add("--ponder", action="store_true", help="think in the opponent's time")
    add(
        "--cleanup",
        action="store_true",
        help="capture dead stones before passing (CGOS: every stone counts as alive)",
    )
    add(
        "--lenient",
        action="store_true",
        help="accept moves of a server that only superko forbids (OGS, KGS)",
    )
    add(
        "--scoring",
        choices=["estimated", "proven"],
        default="estimated",
        help="take off stones that look dead, or only those proven dead (default estimated)",
    )

    add = parser.add_argument_group("machine").add_argument
    add(
        "--memory",
        type=_number(int, *BOUNDS["memory"], "MiB"),
        default=settings.memory,
        metavar="MIB",
        help=f"for the search tree (default {settings.memory})",
    )
    add(
        "--seed",
        type=_number(int, *BOUNDS["seed"], "a whole number"),
        metavar="N",
        help="of all that is random; with --visits and one thread, play is repeatable",
    )
    add("--log", type=Path, metavar="FILE", help="append messages to FILE, not to stderr")
    add("--verbose", action="store_true", help="say what every search found")
    return parser


def _words_of_config(parser: argparse.ArgumentParser, path: Path) -> list[str]:
    """The options of a TOML file as command-line words; exits with status 2 on a bad file."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        parser.error(f"--config {path}: {error}")
    known = {
        action.option_strings[0][2:]: action.nargs == 0
        for action in parser._actions
        if action.dest not in ("help", "version", "config")
    }
    words = []
    for name, value in table.items():
        option = name.replace("_", "-")
        if option not in known or isinstance(value, (dict, list)):
            parser.error(f"--config {path}: expected an option with one value, got '{name}'")
        if not known[option]:
            words += [f"--{option}={value}"]
        elif not isinstance(value, bool):
            parser.error(f"--config {path}: {name} must be true or false, got '{value}'")
        elif value:
            words += [f"--{option}"]
    return words


def parse_arguments(words: Sequence[str]) -> argparse.Namespace:
    """Read the command line, over the configuration file if there is one.

    Exits with status 2 and one line on stderr if something is wrong.
    """
    parser = make_parser()
    args = parser.parse_args(words)
    if args.config is not None:
        args = parser.parse_args([*_words_of_config(parser, args.config), *words])
    return args


class _ToStderr(logging.StreamHandler):  # type: ignore[type-arg]  # not generic in 3.10
    """Drops a message rather than wait for a client that does not read stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        if console.is_read():
            super().emit(record)


def _set_up_logging(args: argparse.Namespace) -> None:
    handler: logging.Handler = _ToStderr(sys.stderr)
    line = "%(levelname)s: %(message)s"
    if args.log is not None:
        handler = logging.FileHandler(args.log, encoding="utf-8")
        line = "%(asctime)s " + line
    level = logging.INFO if args.verbose else logging.WARNING
    logging.basicConfig(level=level, format=line, handlers=[handler])


def _match(words: Sequence[str]) -> int:
    from gtpengine import match  # only here: the GTP loop is to start quickly

    parser = _Parser(prog="gtpengine match", description=match.__doc__)
    match.add_arguments(parser)
    return match.main(parser.parse_args(words))


def main(words: Sequence[str] | None = None) -> int:
    """Run gtpengine; return the exit status."""
    words = sys.argv[1:] if words is None else words
    if words and words[0] == "match":
        return _match(words[1:])
    args = parse_arguments(words)
    try:
        _set_up_logging(args)
    except OSError as error:
        print(f"gtpengine: error: --log {args.log}: {error.strerror}", file=sys.stderr)
        return BAD_USAGE
    chosen = {field.name: getattr(args, field.name) for field in fields(PlayerSettings)}
    player = Player(PlayerSettings(**chosen))
    try:
        player.search_for(args.size)
    except ValueError as error:
        print(f"gtpengine: error: {error}", file=sys.stderr)
        return BAD_USAGE
    session = Session(Game(args.size, args.rules, args.komi), player, lenient=args.lenient)
    status = Engine(owners_of(session), "gtpengine", __version__, on_stop=player.stop).run()
    player.stop_ponder()  # a thread that is inside a network when Python ends would abort it
    return status
