"""Let a network get better by playing against itself; run again, it goes on where it stopped.

  python scripts/selfplay.py --out DIR --size 9 [--start RUN/checkpoint.pt] [--processes 4]

A generation is: games of the best network against itself; training on the games of the last
generations; a match of the new network against the best, which it replaces if it wins clearly.
Without --start the first games are played by the search with playouts.  DIR receives
  games/0001/       label files, ten games each         training/   the run of train.py
  networks/0001.onnx                                    gates/0001/ the match, as of gtpengine match
  generations/0001.json what came of it, written last   STATUS.txt  all generations in words
SIGTERM, or a crash at any moment, costs at most the games being played.  The options may differ
from call to call.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from gtpengine.core.types import MAX_SIZE, MIN_SIZE
from gtpengine.match.cluster import ClusterFailure
from label_writer import GAMES_OF_A_FILE
from selfplay_loop import Failure, Loop


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    # fmt: off
    add("--out", type=Path, required=True, metavar="DIR")
    add("--start", type=Path, metavar="CHECKPOINT", help="of train.py, in a new DIR")
    add("--generations", type=float, default=float("inf"), help="to stop after (default: never)")
    add("--size", type=int, default=9, help="lines (default 9)")
    add("--komi", type=float, default=7, metavar="POINTS",
        help="about fair on that board: 9 on 7x7 (default 7)")
    add("--games", type=int, default=500, help="of a generation, in tens (default 500)")
    add("--visits", type=int, default=200,
        help="of the thorough searches, and of the match (default 200)")
    add("--cheap-visits", type=int, default=30, help="of the other three in four (default 30)")
    add("--window", type=int, default=10, metavar="GENERATIONS",
        help="whose games are learned from (default 10)")
    add("--reuse", type=float, default=4,
        help="positions to learn from for each new one (default 4)")
    add("--training", default="", metavar="OPTIONS",
        help="more options of train.py, quoted: '--blocks 4 --channels 32'")
    add("--gate-games", type=int, default=100, help="of the match, even (default 100)")
    add("--gate", type=float, default=0.55, metavar="SHARE",
        help="of the points that the new network needs to replace the best (default 0.55)")
    add("--processes", type=int, default=1, help="games at once on this machine (default 1)")
    add("--cluster", metavar="ADDRESS",
        help="instead, play on the workers of the Dask cluster whose scheduler is there; they need"
        " DIR under the same path, and the scripts folder in PYTHONPATH")
    add("--seed", type=int, default=1)
    # fmt: on
    args = parser.parse_args(words)
    if not MIN_SIZE <= args.size <= MAX_SIZE:
        parser.error(f"size must be {MIN_SIZE}..{MAX_SIZE}, got '{args.size}'")
    if args.games < GAMES_OF_A_FILE or args.games % GAMES_OF_A_FILE:
        parser.error(f"games must come in tens, got '{args.games}'")
    if args.gate_games < 2 or args.gate_games % 2:
        parser.error(f"gate games must be even, got '{args.gate_games}'")
    if not 0 <= args.gate <= 1:
        parser.error(f"gate must be a share 0..1, got '{args.gate}'")
    for name, least in (("visits", 2), ("cheap_visits", 2), ("window", 1), ("processes", 1)):
        if getattr(args, name) < least:
            parser.error(f"{name} must be at least {least}, got '{getattr(args, name)}'")
    return args


def main(words: Sequence[str] | None = None) -> int:
    """Run; return 0, 1 if something failed, 2 for wrong arguments, 130 if it was stopped."""
    args = parse_arguments(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with closing(Loop(args, shlex.split(args.training))) as loop:
            loop.run()
    except ValueError as error:
        print(f"selfplay.py: {error}", file=sys.stderr)
        return 2
    except (ClusterFailure, Failure, RuntimeError) as error:
        print(f"selfplay.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
