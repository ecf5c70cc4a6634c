"""Label positions with a teacher; run again, it goes on where it stopped.

  python scripts/label.py --teacher 'katago analysis -config FILE -model FILE' --out DIR
                          (--size 9 --games 1000 | --sgf PATH...)

The teacher is any program that speaks KataGo's JSON analysis protocol.  Games are sampled from its
policy (random openings, three temperatures, some random moves, komi spread, one in five by
territory), or read from SGF files.  DIR receives labels-SIZExSIZE-NUMBER.npz for train.py, each
complete, and labels.json: what they were made with.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shlex
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tqdm import tqdm

from files import write_text
from gtpengine.core.types import MAX_SIZE, MIN_SIZE
from label_games import RecordedGame, SampledGame, read_game, sgf_files
from label_writer import LabelledGame, write_label_file
from teacher import Teacher, TeacherFailure

Job = SampledGame | RecordedGame


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--teacher", required=True, metavar="COMMAND", help="quoted as for a shell")
    add("--out", type=Path, required=True, metavar="DIR")
    add("--sgf", type=Path, nargs="+", metavar="PATH",
        help="label these files, and those in these folders, instead of sampled games")  # fmt: skip
    add("--size", type=int, default=9, help="lines, of sampled games (default 9)")
    add("--games", type=int, default=1000, help="sampled games (default 1000)")
    add("--komi", type=float, default=7, metavar="POINTS",
        help="about fair on that board, for sampled games (default 7)")  # fmt: skip
    add("--visits", type=int, default=1,
        help="the teacher's for each position; from 2 on labels tell where its visits went"
        " instead of its first sight (default 1)")  # fmt: skip
    add("--at-once", type=int, default=16, metavar="N",
        help="games: what the teacher can think about at the same time (default 16)")  # fmt: skip
    add("--per-file", type=int, default=50, metavar="GAMES",
        help="a run that is stopped loses the files it has begun (default 50)")  # fmt: skip
    add("--seed", type=int, default=1)
    args = parser.parse_args(words)
    if not MIN_SIZE <= args.size <= MAX_SIZE:
        parser.error(f"size must be {MIN_SIZE}..{MAX_SIZE}, got '{args.size}'")
    for name in ("games", "visits", "at_once", "per_file"):
        if getattr(args, name) < 1:
            parser.error(f"{name} must be at least 1, got '{getattr(args, name)}'")
    return args


def recorded_games(sources: Sequence[Path]) -> list[RecordedGame]:
    """The games of SGF files that labels can be made of; what is left out is said."""
    games = []
    for path in tqdm(list(sgf_files(sources)), "reading", unit="file", disable=None):
        try:
            games.append(read_game(path))
        except (OSError, ValueError) as error:
            print(f"left out {path}: {error}", file=sys.stderr)
    return games


def files_to_write(
    args: argparse.Namespace, games: Iterable[Job]
) -> Iterator[tuple[Path, list[Job]]]:
    """Each file and the games that belong into it: of one size, in a fixed order."""
    by_size: dict[int, list[Job]] = {}
    for game in games:
        by_size.setdefault(game.size, []).append(game)
    for size, some in sorted(by_size.items()):
        for number in range(0, len(some), args.per_file):
            path = args.out / f"labels-{size}x{size}-{number // args.per_file:04d}.npz"
            yield path, some[number : number + args.per_file]


def label_games(
    games: Sequence[Job], teacher: Teacher, n_at_once: int, progress: Any
) -> Iterator[tuple[int, LabelledGame]]:
    """Play the games, some at once, one position of each being with the teacher.

    Yields (index, game) as they end.
    """
    waiting = iter(enumerate(games))
    running = {}
    while True:
        for number, game in itertools.islice(waiting, n_at_once - len(running)):
            running[str(number)] = play = game.play()
            teacher.ask(str(number), next(play))
        if not running:
            return
        name, label = teacher.answer()
        progress.update()
        try:
            teacher.ask(name, running[name].send(label))
        except StopIteration as end:
            del running[name]
            yield int(name), end.value


def check_settings(args: argparse.Namespace) -> None:
    """Note what the files of the folder are made with; ValueError if that was something else."""
    path = args.out / "labels.json"
    asked = {
        "teacher": args.teacher,
        "visits": args.visits,
        "per_file": args.per_file,
        "games": {"sgf": [str(source) for source in args.sgf]}
        if args.sgf
        else {"size": args.size, "komi": args.komi, "seed": args.seed},
    }
    if path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
        for key, value in asked.items():
            if kept.get(key) != value:
                raise ValueError(
                    f"'{args.out}' holds labels made otherwise: expected {key}"
                    f" {json.dumps(kept.get(key))}, got '{json.dumps(value)}'"
                )
        return
    write_text(path, json.dumps(asked, indent=1) + "\n")


def run(args: argparse.Namespace) -> None:
    """Write the files that are not there yet."""
    check_settings(args)
    games: Sequence[Job]
    if args.sgf:
        games = recorded_games(args.sgf)
    else:
        games = [SampledGame(args.size, args.seed, n, args.komi) for n in range(args.games)]
    files = list(files_to_write(args, games))
    missing = [(path, some) for path, some in files if not path.exists()]
    print(f"{len(games):,} games, {len(files) - len(missing)} of {len(files)} files are there")
    if not missing:
        return
    # Games of the next file begin while the last ones of a file are still going on.
    todo = [game for _, some in missing for game in some]
    file_of = [k for k, (_, some) in enumerate(missing) for _ in some]
    done: list[dict[int, LabelledGame]] = [{} for _ in missing]
    with (
        closing(Teacher(shlex.split(args.teacher), args.visits)) as teacher,
        tqdm(unit="position", mininterval=1) as progress,
    ):
        for index, game in label_games(todo, teacher, args.at_once, progress):
            k = file_of[index]
            done[k][index] = game
            path, some = missing[k]
            if len(done[k]) == len(some):
                write_label_file(path, [game for _, game in sorted(done[k].items())])
                done[k].clear()
                progress.set_description(f"{path.name} written")


def main(words: Sequence[str] | None = None) -> int:
    """Label; return 0, 1 if the teacher failed, 2 for wrong arguments, 130 if interrupted."""
    args = parse_arguments(words)
    args.out.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run(args)
    except ValueError as error:
        print(f"label.py: {error}", file=sys.stderr)
        return 2
    except TeacherFailure as error:
        print(f"label.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
