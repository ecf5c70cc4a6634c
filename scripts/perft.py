"""Count the move sequences of a given length from the empty board.

Usage: perft.py [SIZE [DEPTH]].  Positional superko, no suicide, no passes.  The figures to expect
stand in tests/data/counts.perft; they were found with two independent boards.
"""

import argparse

from gtpengine.core.board import Board
from gtpengine.core.history import History


def perft(history: History, depth: int) -> int:
    """Number of legal sequences of ``depth`` stones, colors alternating."""
    color = history.to_play
    points = [p for p in history.board.points() if not history.legality(color, p, "positional")]
    if depth == 1:
        return len(points)
    total = 0
    for point in points:
        history.play(color, point, "positional")
        total += perft(history, depth - 1)
        history.undo()
    return total


def main() -> None:
    """Print one line a depth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int, nargs="?", default=4)
    parser.add_argument("depth", type=int, nargs="?", default=4)
    args = parser.parse_args()
    for depth in range(1, args.depth + 1):
        print(depth, perft(History(Board(args.size)), depth), flush=True)


if __name__ == "__main__":
    main()
