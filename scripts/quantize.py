"""Turn a network file into one that calculates with 8-bit integers: smaller, and far faster.

  python scripts/quantize.py float.onnx network.onnx --data DIR... [--positions 512]

The convolutions of the residual tower are quantized, weights by channel, results by the range they
have on some training positions of the labels in DIR; what enters the tower and what leaves it stays
float.  (Jacob et al. 2018, Quantization and Training of Neural Networks for Efficient
Integer-Arithmetic-Only Inference.)  Fails, and writes nothing, if the answers to positions that
were held back change by more than BOUNDS.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from batches import Floats
from evaluate import log_softmax
from gtpengine.network import PREFIX, LoadedNetwork
from labels import Labels, evenly, labels_by_size

BATCH = 64
BOUNDS = {"policy": 0.03, "value": 0.03, "lead": 1.0, "owner": 0.05}
"""Mean change of an answer: nats of the policy's divergence, win rate, points, ownership."""


class Positions(CalibrationDataReader):  # type: ignore[misc]
    """Inputs of a network, a batch a call."""

    def __init__(self, groups: Sequence[Labels], n_positions: int) -> None:
        self._batches = self._inputs(groups, n_positions)

    @staticmethod
    def _inputs(groups: Sequence[Labels], n: int) -> Iterator[dict[str, Floats]]:
        for labels in groups:
            for batch in labels.fixed_batches(evenly(labels.training, n), BATCH):
                yield {"planes": batch.planes, "scalars": batch.scalars}

    def get_next(self) -> dict[str, Floats] | None:
        """The next batch; None after the last."""
        return next(self._batches, None)


def quantize(source: Path, target: Path, positions: Positions) -> None:
    """Write ``target``, with the properties of ``source``."""
    with tempfile.TemporaryDirectory() as folder:
        folded = Path(folder) / "folded.onnx"
        quant_pre_process(str(source), str(folded), skip_symbolic_shape=True)
        left_float = [
            node.name
            for node in onnx.load(str(folded)).graph.node
            if node.op_type == "Conv" and not in_tower(node)
        ]
        quantize_static(
            str(folded), str(target), positions, nodes_to_exclude=left_float,
            op_types_to_quantize=["Conv"], per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            # Weights of 7 bits: without VNNI, sums of two products are kept in 16 bits.
            reduce_range=True,
        )  # fmt: skip
    model = onnx.load(str(target))
    properties = {entry.key: entry.value for entry in onnx.load(str(source)).metadata_props}
    about = json.loads(properties.get(PREFIX + "about", "{}")) | {"weights": "int8"}
    properties[PREFIX + "about"] = json.dumps(about)
    onnx.helper.set_model_props(model, properties)
    onnx.save(model, str(target))


def in_tower(convolution: onnx.NodeProto) -> bool:
    """Whether it is one of the residual blocks' and not of the entry or a head."""
    width = next(a.ints[0] for a in convolution.attribute if a.name == "kernel_shape")
    return width == 3 and convolution.input[0] != "planes"


def changes(
    before: LoadedNetwork, after: LoadedNetwork, labels: Labels, n: int
) -> dict[str, float]:
    """The mean changes of BOUNDS, over ``n`` positions that were held back."""
    parts: dict[str, list[Floats]] = {name: [] for name in BOUNDS}
    for batch in labels.fixed_batches(evenly(labels.validation, n), BATCH):
        one, other = (network.run(batch.planes, batch.scalars) for network in (before, after))
        logs, new_logs = (log_softmax(answer[0]) for answer in (one, other))
        parts["policy"].append((np.exp(logs) * (logs - new_logs)).sum(axis=1))
        parts["value"].append(np.abs(one[1] - other[1])[:, 0])
        parts["lead"].append(np.abs(one[2] - other[2])[:, 0])
        parts["owner"].append(np.abs(one[3] - other[3]).mean(axis=(1, 2)))
    return {name: float(np.concatenate(part).mean()) for name, part in parts.items()}


def main(words: Sequence[str] | None = None) -> int:
    """Quantize and compare; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--positions", type=int, default=512, help="of each board size")
    args = parser.parse_args(words)
    onnxruntime.set_default_logger_severity(3)
    groups = labels_by_size(args.data)
    draft = args.target.with_suffix(".draft.onnx")
    try:
        quantize(args.source, draft, Positions(groups, args.positions))
        for labels in groups:
            found = changes(
                LoadedNetwork(args.source), LoadedNetwork(draft), labels, 4 * args.positions
            )
            print(f"{labels.size}x{labels.size}: mean changes of "
                  + ", ".join(f"{name} {value:.4f}" for name, value in found.items()))  # fmt: skip
            for name, value in found.items():
                if not value <= BOUNDS[name]:
                    bound = f"expected {name} to change by at most {BOUNDS[name]:g}"
                    parser.exit(1, f"quantize.py: {args.source}: {bound}, got '{value:.4f}'\n")
        os.replace(draft, args.target)
    finally:
        draft.unlink(missing_ok=True)
    print(f"{args.target}: {args.target.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
