"""Write a trained network as ONNX, by the contract of docs/network.md, and check its answers.

  python scripts/export.py RUN/checkpoint.pt network.onnx [--sizes 9 9] [--data DIR...]

A network that was trained on several board sizes is best exported once for each, with label files
of that size as ``--data``: see ``recalibrate``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn

from architecture import Network, Shape
from gtpengine.core.features import PLANES, SCALARS
from gtpengine.network import CONTRACT, INPUTS, OUTPUTS, LoadedNetwork
from labels import Labels, evenly, labels_by_size

TOLERANCE = 1e-3  # of every output, between PyTorch and the file
BATCH = 128  # positions that are normalised together
N_POSITIONS = 6000  # of each size, for the statistics


class Exported(nn.Module):
    """A network whose outputs are those of the contract; the board fills the picture."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        output = self.network(planes, scalars)
        return (
            output.policy,
            torch.softmax(output.value, 1),
            torch.stack((output.lead, output.spread), 1),
            torch.tanh(output.owner / 2),  # 2 * sigmoid - 1
        )


def load(path: Path) -> tuple[Network, dict[str, Any]]:
    """The mean network of a checkpoint, and what is known of its training."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    network = Network(Shape(**state["shape"]))
    network.load_state_dict(state["mean"])
    network.eval()
    about = {"shape": state["shape"], "trained_on": state["sizes"], "positions": state["n_seen"]}
    return network, about


@torch.no_grad()
def recalibrate(network: Network, groups: Sequence[Labels], n_positions: int) -> None:
    """Take the statistics of the normalisation anew, on training positions of each of ``groups``.

    Batches in training are normalised by themselves, and each has one board size; the running
    statistics are means over all sizes and fit none: with them, a network that was trained on 13x13
    and 19x19 was half as wrong again about leads and results on 19x19.  Raises ValueError without
    positions.
    """
    for labels in groups:
        if not len(labels.training):
            raise ValueError(
                f"expected positions to train on, got none of {labels.size}x{labels.size}"
            )
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # the mean of all batches
    network.train()
    for labels in groups:
        for batch in labels.fixed_batches(evenly(labels.training, n_positions), BATCH):
            network(torch.from_numpy(batch.planes), torch.from_numpy(batch.scalars))
    network.eval()


def export(network: Network, about: dict[str, Any], sizes: tuple[int, int], path: Path) -> None:
    """Write the file; raises ValueError if it does not answer as the network does."""
    exported = Exported(network).eval()
    size = sizes[1]
    inputs = (torch.rand(2, PLANES, size, size).round(), torch.rand(2, SCALARS))
    axes = {name: dict(enumerate(words)) for name, words in {**INPUTS, **OUTPUTS}.items()}
    dynamic = {
        name: {i: word for i, word in words.items() if isinstance(word, str)}
        for name, words in axes.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        exported, inputs, str(path), input_names=list(INPUTS), output_names=list(OUTPUTS),
        dynamic_axes=dynamic, opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(path))
    properties = {
        "gtpengine.contract": str(CONTRACT),
        "gtpengine.sizes": f"{sizes[0]} {sizes[1]}",
        "gtpengine.about": json.dumps(about),
    }
    onnx.helper.set_model_props(model, properties)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))
    check(exported, path, sizes)


def check(exported: Exported, path: Path, sizes: tuple[int, int]) -> None:
    """Compare the file's answers with PyTorch's; ValueError if they differ by over TOLERANCE."""
    LoadedNetwork(path)  # keeps the contract
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for size in range(sizes[0], sizes[1] + 1):
        bits = np.random.default_rng(size).integers(2, size=(3, PLANES, size, size))
        planes = bits.astype(np.float32)
        planes[:, 0] = 1
        scalars = np.linspace(-1, 1, 3 * SCALARS, dtype=np.float32).reshape(3, SCALARS)
        with torch.no_grad():
            wanted = exported(torch.from_numpy(planes), torch.from_numpy(scalars))
        answer = session.run(list(OUTPUTS), {"planes": planes, "scalars": scalars})
        for name, want, got in zip(OUTPUTS, wanted, answer, strict=True):
            error = float(np.abs(want.numpy() - got).max() / (1 + np.abs(got).max()))
            if not error < TOLERANCE:
                raise ValueError(f"{path}: {name} on {size} lines is off by {error:.2g}")


def main(words: Sequence[str] | None = None) -> int:
    """Export; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--sizes", type=int, nargs=2, metavar=("LEAST", "MOST"),
                        help="boards it is for (default: what it was trained on)")  # fmt: skip
    parser.add_argument("--data", type=Path, nargs="+", default=[], metavar="DIR",
                        help="labels: what the normalisation's statistics are of")  # fmt: skip
    args = parser.parse_args(words)
    network, about = load(args.checkpoint)
    if args.data:
        recalibrate(network, labels_by_size(args.data), N_POSITIONS)
    sizes = args.sizes or (min(about["trained_on"]), max(about["trained_on"]))
    export(network, about, tuple(sizes), args.onnx)
    print(f"{args.onnx}: {args.onnx.stat().st_size / 1e6:.2f} MB, {about}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
