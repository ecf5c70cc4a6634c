"""Networks from ONNX files: a batch of planes in; policy and the rest out.

The contract of the files stands in docs/network.md.  onnxruntime reads and runs them; where
OpenVINO is installed, it runs those of floats.  Both are imported when a network is loaded, not
before: without onnxruntime the engine plays with playouts.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gtpengine.core.features import PLANES, SCALARS
from gtpengine.core.types import MAX_SIZE, MIN_SIZE

log = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]

CONTRACT = 1
INPUTS: dict[str, tuple[int | str, ...]] = {
    "planes": ("n", PLANES, "size", "size"),
    "scalars": ("n", SCALARS),
}
OUTPUTS: dict[str, tuple[int | str, ...]] = {
    "policy": ("n", "moves"),
    "value": ("n", 3),
    "lead": ("n", 2),
    "owner": ("n", "size", "size"),
}
SHIPPED = Path(__file__).parent / "networks"
PREFIX = "gtpengine."  # of the contract's keys in a file's properties


class LoadedNetwork:
    """A network ready to run, on one thread a call; any number of threads may call at once.

    Raises ValueError, in one line, if the file is missing, damaged or not by the contract, and
    ImportError if there is no onnxruntime.  Public attributes: ``path``, ``sizes`` (least and most
    lines), ``about`` (what its maker says of it).
    """

    def __init__(self, path: Path) -> None:
        import onnxruntime

        self.path = path
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what is wrong is said by the exception
        if not path.is_file():
            raise ValueError(f"network {path}: no such file")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
            properties = self._session.get_modelmeta().custom_metadata_map
        except Exception as error:  # onnxruntime has many, of no common base
            reason = " ".join(str(error).split())[:200]
            raise ValueError(f"network {path}: not a readable ONNX file: {reason}") from None
        self.sizes, self.about = self._read_properties(properties)
        self._check_shapes()
        # 8-bit integers, as from scripts/quantize.py, are faster by onnxruntime.
        by_openvino = None if self.about.get("weights") == "int8" else _run_by_openvino(path)
        self._run = by_openvino or self._run_by_onnxruntime

    def _read_properties(
        self, properties: dict[str, str]
    ) -> tuple[tuple[int, int], dict[str, Any]]:
        contract = properties.get(PREFIX + "contract")
        if contract != str(CONTRACT):
            raise ValueError(f"network {self.path}: expected contract {CONTRACT}, got '{contract}'")
        text = properties.get(PREFIX + "sizes", "")
        try:
            least, most = map(int, text.split())
            about = json.loads(properties.get(PREFIX + "about", "{}"))
        except ValueError:
            least = most = 0
            about = None
        if not MIN_SIZE <= least <= most <= MAX_SIZE or not isinstance(about, dict):
            raise ValueError(
                f"network {self.path}: expected board sizes and a description, got '{text}'"
            )
        return (least, most), about

    def _check_shapes(self) -> None:
        found = {"input": self._session.get_inputs(), "output": self._session.get_outputs()}
        for what, wanted in (("input", INPUTS), ("output", OUTPUTS)):
            shapes = {entry.name: entry.shape for entry in found[what]}
            if set(shapes) != set(wanted):
                raise ValueError(
                    f"network {self.path}: expected {what}s {', '.join(wanted)}, "
                    f"got '{', '.join(shapes)}'"
                )
            for name, shape in wanted.items():
                got = shapes[name]
                fits = len(got) == len(shape) and all(
                    not isinstance(want, int) or want == have
                    for want, have in zip(shape, got, strict=True)
                )
                if not fits:
                    raise ValueError(
                        f"network {self.path}: expected {what} {name} of shape {shape}, got '{got}'"
                    )

    def covers(self, size: int) -> bool:
        """Whether the network is meant for boards of ``size`` lines."""
        return self.sizes[0] <= size <= self.sizes[1]

    def run(self, planes: Floats, scalars: Floats) -> list[Floats]:
        """[policy, value, lead, owner] of n positions, as docs/network.md describes them."""
        return self._run(planes, scalars)

    def _run_by_onnxruntime(self, planes: Floats, scalars: Floats) -> list[Floats]:
        return self._session.run(list(OUTPUTS), {"planes": planes, "scalars": scalars})  # type: ignore[no-any-return]


def _run_by_openvino(path: Path) -> Callable[[Floats, Floats], list[Floats]] | None:
    """What runs the network, each call on one thread, any number at once; None without OpenVINO.

    OpenVINO takes the precision that is fastest on the processor, bfloat16 where it has that.
    """
    try:
        import openvino
    except ImportError:
        return None
    n = os.cpu_count() or 1
    try:
        compiled = openvino.Core().compile_model(
            str(path), "CPU", {"INFERENCE_NUM_THREADS": n, "NUM_STREAMS": n}
        )
    except Exception as error:  # of no common base, and onnxruntime can do without
        log.warning("network %s: OpenVINO does not take it: %s", path, str(error).split("\n")[0])
        return None
    own = threading.local()

    def run(planes: Floats, scalars: Floats) -> list[Floats]:
        if not hasattr(own, "request"):
            own.request = compiled.create_infer_request()
        answer = own.request.infer({"planes": planes, "scalars": scalars})
        return [answer[name].copy() for name in OUTPUTS]

    return run


def shipped_network(size: int) -> Path | None:
    """The file in the package for boards of ``size`` lines, or None.

    A file is named by what it covers, as in 7-9.onnx: least and most lines.
    """
    for path in sorted(SHIPPED.glob("*.onnx")):
        least, _, most = path.stem.partition("-")
        if least.isdigit() and most.isdigit() and int(least) <= size <= int(most):
            return path
    return None
