"""Say how well a network file knows positions that were held back.

  python scripts/evaluate.py network.onnx --data DIR... [--positions 10000]

Needs onnxruntime only.  The calibration table puts positions into ten classes by expected result,
and gives for each the mean that was expected and the mean of the labels.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from batches import Batch, Floats, Positions
from gtpengine.network import LoadedNetwork
from labels import evenly, positions_by_size

N_CLASSES = 10


def log_softmax(logits: Floats) -> Floats:
    """Logarithms of the probabilities, by rows."""
    shifted: Floats = logits - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def measures(answer: list[Floats], batch: Batch) -> dict[str, Floats]:
    """What is reported, per position, NaN where nobody told; the names are those of training."""
    policy, value, lead, owner = answer
    logs = log_softmax(policy)
    own = np.log(np.maximum(batch.policy, 1e-9))
    expected = value[:, 0] + value[:, 1] / 2
    return {
        "policy": -(batch.policy * logs).sum(axis=1),
        "policy_excess": (batch.policy * (own - logs)).sum(axis=1),
        "top1": (policy.argmax(axis=1) == batch.policy.argmax(axis=1)).astype(np.float32),
        "value_error": np.abs(expected - batch.win_rate),
        "lead_error": np.abs(lead[:, 0] - batch.lead),
        "owner_error": np.abs(owner - batch.owner).mean(axis=(1, 2)),
    }


def calibration(expected: Floats, labels: Floats) -> list[tuple[int, float, float]]:
    """(positions, mean expected result, mean of the labels) of each class."""
    classes = np.minimum((expected * N_CLASSES).astype(int), N_CLASSES - 1)
    return [
        (int(inside.sum()), float(expected[inside].mean()), float(labels[inside].mean()))
        for k in range(N_CLASSES)
        if (inside := classes == k).any()
    ]


def report(network: LoadedNetwork, positions: Positions, n_positions: int) -> None:
    """Print the means over the positions of one group, and their calibration."""
    index = evenly(positions.validation, n_positions)
    found: dict[str, list[Floats]] = {}
    expected, rates = [], []
    for batch in positions.fixed_batches(index, 100):
        answer = network.run(batch.planes, batch.scalars)
        for name, values in measures(answer, batch).items():
            found.setdefault(name, []).append(values)
        expected.append(answer[1][:, 0] + answer[1][:, 1] / 2)
        rates.append(batch.win_rate)
    print(f"{positions.name}: {len(index):,} positions")
    for name, parts in found.items():
        told = np.concatenate(parts)
        told = told[~np.isnan(told)]
        if len(told):
            print(f"{name:14} {told.mean():.4f}")
    print("positions  expected  label")
    for n, mean, label in calibration(np.concatenate(expected), np.concatenate(rates)):
        print(f"{n:9}  {mean:8.3f}  {label:5.3f}")


def main(words: Sequence[str] | None = None) -> int:
    """Report; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--positions", type=int, default=10_000, help="of each group")
    args = parser.parse_args(words)
    network = LoadedNetwork(args.onnx)
    print(f"{args.onnx} {network.about}")
    for positions in positions_by_size(args.data):
        report(network, positions, args.positions)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
