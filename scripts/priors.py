"""Learn which moves to look at first: weights of move features, from games and labelled positions.

  python scripts/priors.py --games FILE.npz... --labels FILE.npz... --out gtpengine/data/prior.npz

First the patterns that occur often enough around played moves are collected, then all weights are
fitted by logistic regression over the moves of each position (a softmax of the sums of weights,
which is Coulom's model): to the move played in games, to the teacher's policy in labels.  Every
tenth game is held back, and what the weights say of those is printed.  docs/network.md describes
label files; game files hold moves, without passes, and game_length.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gtpengine.core.move_features import N_FIXED, Recordings
from gtpengine.core.spatial import LEVELS, Patterns

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

HELD_BACK = 10  # every tenth game is for validation
UNIT = 256 / np.log(2)  # the engine takes 256 times the binary logarithm of a weight


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--games", type=Path, nargs="*", default=[], help="files of games on 19x19")
    add("--labels", type=Path, nargs="*", default=[], help="files of labelled positions")
    add("--out", type=Path, required=True, help="file to write")
    add("--collect", type=int, default=1_500_000, metavar="N", help="moves to take patterns from")
    add("--often", type=int, default=40, help="occurrences that make a pattern (default 40)")
    add("--positions", type=int, default=600_000, help="to fit the weights to")
    add("--batch", type=int, default=256)
    add("--lr", type=float, default=0.03, help="of Adam at first; falls to nothing")
    add("--decay", type=float, default=2e-6, help="of the weights of patterns, towards nothing")
    add("--seed", type=int, default=1)
    return parser.parse_args(words)


class Source:
    """Positions on boards of one size, and the moves that they ought to lead to."""

    def __init__(self, size: int, paths: Sequence[Path]) -> None:
        parts: dict[str, list[npt.NDArray[Any]]] = {}
        for path in paths:
            with np.load(path, allow_pickle=False) as archive:
                for name in archive.files:
                    parts.setdefault(name, []).append(archive[name])
        self.size = size
        self.policy_sqrt = np.concatenate(parts["policy_sqrt"]) if "policy_sqrt" in parts else None
        length = np.concatenate(parts["game_length"]).astype(np.int64)
        self.moves = np.concatenate(parts["moves"]).astype(np.int16)
        first = np.cumsum(length) - length
        self.first = np.repeat(first, length)
        self.n_moves = np.arange(len(self.moves), dtype=np.int64) - self.first
        is_held_back = np.repeat(np.arange(len(length)) % HELD_BACK == HELD_BACK - 1, length)
        played = self.moves < self.size**2
        self.training: Integers = np.flatnonzero(played & ~is_held_back)
        self.validation: Integers = np.flatnonzero(played & is_held_back)

    def recordings(self, index: Integers) -> Recordings:
        return Recordings(self.size, self.moves, self.first[index], self.n_moves[index])

    def targets(self, index: Integers) -> Floats:
        """Shape (n, size * size): what share each move ought to get."""
        if self.policy_sqrt is None:
            wanted = np.zeros((len(index), self.size**2))
            wanted[np.arange(len(index)), self.moves[index]] = 1
        else:
            wanted = self.policy_sqrt[index, :-1].astype(np.float64) ** 2
        return wanted


class Batch:
    """Moves of some positions, their features, and the shares that they ought to get."""

    def __init__(self, source: Source, index: Integers, patterns: Patterns) -> None:
        counts, moves, self.features = source.recordings(index).describe(patterns)
        index, counts = index[counts > 0], counts[counts > 0]
        self.start = np.cumsum(counts) - counts
        self.position = np.repeat(np.arange(len(index)), counts)
        self.wanted = source.targets(index)[self.position, moves]
        total = np.add.reduceat(self.wanted, self.start)
        self.wanted /= np.maximum(total, 1e-9)[self.position]

    def shares(self, weights: Floats) -> Floats:
        """The softmax over the moves of each position; ``weights`` end with a zero, for -1."""
        logit = weights[self.features].sum(axis=1)
        logit -= np.maximum.reduceat(logit, self.start)[self.position]
        share = np.exp(logit)
        return share / np.add.reduceat(share, self.start)[self.position]

    def gradient(self, weights: Floats) -> Floats:
        """Of the mean cross-entropy."""
        error = (self.shares(weights) - self.wanted) / len(self.start)
        is_feature = self.features >= 0
        return np.bincount(
            self.features[is_feature],
            weights=np.broadcast_to(error[:, None], self.features.shape)[is_feature],
            minlength=len(weights),
        )

    def judge(self, weights: Floats) -> tuple[float, float]:
        """(mean cross-entropy, share of positions whose first choice is the wanted one)."""
        share = self.shares(weights)
        entropy = -(self.wanted * np.log(share + 1e-12)).sum() / len(self.start)
        best = np.maximum.reduceat(share, self.start)[self.position] == share
        wanted = np.maximum.reduceat(self.wanted, self.start)[self.position] == self.wanted
        return float(entropy), float((best & wanted).sum() / len(self.start))


def collect(
    sources: Sequence[Source], n: int, often: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Patterns around played moves that occur at least ``often``: (packed, levels)."""
    names, packed = [], []
    for source in sources:
        index = rng.permutation(source.training)[: n // len(sources)]
        some_names, some_packed = source.recordings(np.sort(index)).surroundings()
        names.append(some_names)
        packed.append(some_packed)
    all_names, all_packed = np.concatenate(names), np.concatenate(packed)
    found, levels = [], []
    for level in range(LEVELS):
        _, index, counts = np.unique(all_names[:, level], return_index=True, return_counts=True)
        found.append(all_packed[index[counts >= often]])
        levels.append(np.full(len(found[-1]), level, dtype=np.uint8))
    return np.concatenate(found), np.concatenate(levels)


def batches(
    sources: Sequence[Source], patterns: Patterns, size: int, rng: np.random.Generator
) -> Iterator[Batch]:
    """For ever, one source after the other."""
    while True:
        for source in sources:
            yield Batch(source, rng.choice(source.training, size), patterns)


def fit(sources: Sequence[Source], patterns: Patterns, options: argparse.Namespace) -> Floats:
    """The weights' natural logarithms, followed by a zero, by Adam (Kingma and Ba 2015)."""
    rng = np.random.default_rng(options.seed)
    weights = np.zeros(N_FIXED + patterns.n + 1)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    n_steps = options.positions // options.batch
    supply = batches(sources, patterns, options.batch, rng)
    for step in range(1, n_steps + 1):
        gradient = next(supply).gradient(weights)
        gradient[N_FIXED:] += options.decay * weights[N_FIXED:]
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        rate = options.lr * min(step / 50, 1.5 * (1 - step / n_steps), 1)
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights[-1] = 0
        if step % max(1, n_steps // 10) == 0:
            report(sources, patterns, weights, step * options.batch)
    return weights


def report(sources: Sequence[Source], patterns: Patterns, weights: Floats, n_seen: int) -> None:
    words = []
    for source in sources:
        index = source.validation[:: max(1, len(source.validation) // 1000)][:1000]
        entropy, top = Batch(source, index, patterns).judge(weights)
        words.append(f"{source.size}x{source.size} cross-entropy {entropy:.3f}, first {top:.1%}")
    print(f"{n_seen:,} positions: {'; '.join(words)}", flush=True)


def main(words: Sequence[str] | None = None) -> None:
    options = parse_arguments(words)
    sources = [Source(19, options.games)] if options.games else []
    sizes = {path: int(np.load(path)["size"]) for path in options.labels}
    for size in sorted(set(sizes.values())):
        sources.append(Source(size, [path for path in sizes if sizes[path] == size]))
    packed, levels = collect(
        sources, options.collect, options.often, np.random.default_rng(options.seed)
    )
    patterns = Patterns(packed, levels)
    print(f"{patterns.n:,} patterns, by level: {np.bincount(levels)}", flush=True)
    weights = fit(sources, patterns, options)[:-1]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        options.out,
        packed=packed,
        levels=levels,
        weights=np.clip(np.rint(weights * UNIT), -32768, 32767).astype(np.int16),
    )


if __name__ == "__main__":
    main()
