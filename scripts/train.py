"""Train a network on labelled positions; run again, it goes on where it stopped.

  python scripts/train.py --data DIR --out DIR [--blocks 6 --channels 64] [--minutes 60]

Files of several board sizes train one network; each batch has one size.  Recorded games among the
files (the move that was played, who won) get as many batches as the labels of their board size.
OUT receives checkpoint.pt (everything needed to go on), log.jsonl (a line per report), loss.png,
and STATUS.txt (the latest validation in words).  The learning rate rises, stays, and falls to
nothing over the last --cooldown positions before --positions; what is exported is a running mean
of the weights.  Runs on the CPU or, with --device cuda, on a GPU.  SIGTERM ends it in good order.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from architecture import Network, Shape
from batches import Batch, Positions
from files import write_text
from labels import evenly, mixed_batches, positions_by_size, prefetched
from losses import REPORTED, Targets, Weights, loss_parts, report_parts, total_loss
from optimizer import make_optimizers

WARM_UP = 50_000  # positions over which the learning rate rises


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--data", type=Path, nargs="+", required=True, help="folders or .npz files of labels")
    add("--out", type=Path, required=True, help="folder of the run")
    add("--blocks", type=int, default=6)
    add("--channels", type=int, default=64)
    add("--batch", type=int, default=256, help="positions in a step (default 256)")
    add("--lr", type=float, default=2e-3, help="of AdamW (default 0.002)")
    add("--muon-lr", type=float, default=0.02, help="of Muon; 0: AdamW alone (default 0.02)")
    add("--weight-decay", type=float, default=0.01)
    add("--ema", type=float, default=200_000, metavar="POSITIONS",
        help="over which the mean of the weights reaches back (default 200,000)")  # fmt: skip
    add("--positions", type=float, default=float("inf"), help="to stop at (default: never)")
    add("--cooldown", type=float, default=0,
        help="positions at the end over which the learning rate falls (default 0)")  # fmt: skip
    add("--minutes", type=float, default=float("inf"), help="to run at most this time")
    add("--report", type=float, default=100_000, metavar="POSITIONS",
        help="between validations (default 100,000)")  # fmt: skip
    add("--save-minutes", type=float, default=3, help="between checkpoints (default 3)")
    add("--validate", type=int, default=10_000, help="positions of validation (default 10,000)")
    add("--device", default="cpu")
    add("--threads", type=int, default=0, help="of PyTorch on the CPU (default: its own choice)")
    add("--precision", choices=("bf16", "fp32"), default="bf16")
    add("--compile", action="store_true", help="torch.compile the network")
    add("--seed", type=int, default=1)
    return parser.parse_args(words)


class Averaged:
    """A running mean of a network's weights and statistics."""

    def __init__(self, network: Network, reach: float) -> None:
        self.reach = reach
        self.network = Network(network.shape)
        self.network.load_state_dict(network.state_dict())
        self.network.eval()

    @torch.no_grad()
    def update(self, network: Network, n_new: int, n_seen: float) -> None:
        """Let ``n_new`` positions' worth of the current weights in; the reach grows at first."""
        share = min(1.0, n_new / min(self.reach, 0.2 * n_seen + n_new))
        for mean, now in zip(
            self.network.state_dict().values(), network.state_dict().values(), strict=True
        ):
            if mean.is_floating_point():
                mean.lerp_(now, share)
            else:
                mean.copy_(now)


class Run:
    """One training run: the network, its mean, the optimizers, and how far it has come."""

    def __init__(self, args: argparse.Namespace, groups: Sequence[Positions]) -> None:
        self.args, self.groups = args, groups
        self.device = torch.device(args.device)
        self.n_seen = 0
        self.seconds = 0.0
        path = args.out / "checkpoint.pt"
        state: dict[str, Any] | None = None
        shape = Shape(args.blocks, args.channels)
        if path.exists():
            state = torch.load(path, map_location="cpu", weights_only=True)
            shape = Shape(**state["shape"])
        torch.manual_seed(args.seed)
        network = Network(shape)
        self.mean = Averaged(network, args.ema)
        if state is not None:
            network.load_state_dict(state["network"])
            self.mean.network.load_state_dict(state["mean"])
            self.n_seen, self.seconds = state["n_seen"], state["seconds"]
        self.network = network
        for each in (network, self.mean.network):
            for weight in each.parameters():
                if weight.ndim == 4:
                    weight.data = weight.data.contiguous(memory_format=torch.channels_last)
            each.to(self.device)
        self.optimizers = make_optimizers(
            self.network, lr=args.lr, muon_lr=args.muon_lr, weight_decay=args.weight_decay
        )
        if state is not None:
            for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
                optimizer.load_state_dict(saved)
        self.peak = [args.lr, args.muon_lr]
        self.forward = torch.compile(self.network) if args.compile else self.network

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        path = self.args.out / "checkpoint.pt"
        draft = path.with_suffix(".new")
        torch.save(
            {
                "shape": self.network.shape.as_dict(),
                "sizes": sorted({group.size for group in self.groups}),
                "network": self.network.state_dict(),
                "mean": self.mean.network.state_dict(),
                "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
                "n_seen": self.n_seen,
                "seconds": self.seconds,
            },
            draft,
        )
        os.replace(draft, path)

    def set_learning_rate(self) -> None:
        args = self.args
        share = min(1.0, (self.n_seen + args.batch) / WARM_UP)
        if args.cooldown > 0:
            share *= min(1.0, max(0.01, (args.positions - self.n_seen) / args.cooldown))
        for optimizer, peak in zip(self.optimizers, self.peak, strict=False):
            for group in optimizer.param_groups:
                group["lr"] = peak * share

    def precision(self) -> Any:
        if self.args.precision == "fp32":
            return nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def tensors(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, Targets]:
        def moved(array: Any) -> torch.Tensor:
            return torch.from_numpy(array).to(self.device, non_blocking=True)

        planes = moved(batch.planes).to(memory_format=torch.channels_last)
        targets = Targets(*map(moved, (batch.policy, batch.win_rate, batch.lead, batch.owner)))
        return planes, moved(batch.scalars), targets

    def step(self, batch: Batch) -> torch.Tensor:
        """Learn from one batch; returns its parts of the loss, in the order of Weights."""
        self.set_learning_rate()
        self.network.train()
        planes, scalars, targets = self.tensors(batch)
        with self.precision():
            output = self.forward(planes, scalars)
        parts = loss_parts(output, targets)
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        total_loss(parts, Weights()).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.n_seen += len(batch.win_rate)
        self.mean.update(self.network, len(batch.win_rate), self.n_seen)
        return torch.stack([parts[name].detach() for name in asdict(Weights())])

    def validate(self) -> dict[str, dict[str, float]]:
        """The report of the mean network on positions of games it never saw, by group."""
        reports = {}
        for group in self.groups:
            index = evenly(group.validation, self.args.validate)
            batches = group.fixed_batches(index, 500)
            reports[group.name] = validate(self.mean.network, batches, self)
        return reports


@torch.no_grad()
def validate(network: Network, batches: Iterable[Batch], run: Run) -> dict[str, float]:
    """Means of ``report_parts`` over some batches, of what their positions tell."""
    network.eval()
    found: dict[str, list[torch.Tensor]] = {name: [] for name in REPORTED}
    for batch in batches:
        planes, scalars, targets = run.tensors(batch)
        with run.precision():
            output = network(planes, scalars)
        for name, values in report_parts(output, targets).items():
            found[name].append(values[~values.isnan()])
    joined = {name: torch.cat(parts) for name, parts in found.items() if parts}
    return {name: float(values.mean()) for name, values in joined.items() if len(values)}


def draw_curve(log: Path, picture: Path) -> None:
    """The loss over the positions seen, as a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    seen = [line["n_seen"] / 1e6 for line in lines]
    figure, plots = pyplot.subplots(2, 2, figsize=(10, 7))
    for plot, name in zip(plots.flat, ("policy", "top1", "value_error", "lead_error"), strict=True):
        for group in lines[-1]["validation"]:
            known = [line["validation"].get(group, {}).get(name) for line in lines]
            plot.plot(seen, known, label=f"validation {group}")
        if name in lines[-1]["training"]:
            plot.plot(seen, [line["training"].get(name) for line in lines], label="training")
        plot.legend()
        plot.set_title(REPORTED[name], fontsize=9)
        plot.set_xlabel("million positions")
        plot.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)
    pyplot.close(figure)


def mend_log(log: Path, n_seen: int) -> int:
    """Leave in the log what the checkpoint knows of: a killed run may have written more, or half.

    Returns the positions seen at its last line; -1 without any.
    """
    if not log.exists():
        return -1
    text = log.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1].splitlines(keepends=True)
    seen = [json.loads(line)["n_seen"] for line in whole]
    kept = [line for line, n in zip(whole, seen, strict=True) if n <= n_seen]
    if "".join(kept) != text:
        write_text(log, "".join(kept))
    return max((n for n in seen if n <= n_seen), default=-1)


def report(run: Run, training: dict[str, float], speed: float) -> None:
    """Validate; add a line to the log, draw the curve, write the status."""
    validation = run.validate()
    line = {
        "n_seen": run.n_seen,
        "seconds": round(run.seconds),
        "lr": run.optimizers[0].param_groups[0]["lr"],
        "training": training,
        "validation": validation,
    }
    out = run.args.out
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    draw_curve(out / "log.jsonl", out / "loss.png")
    words = [f"positions seen: {run.n_seen:,} in {run.seconds / 3600:.2f} h, {speed:.0f}/s lately"]
    for group, values in validation.items():
        words += [group]
        words += [f"{name} {value:.4f}  ({REPORTED[name]})" for name, value in values.items()]
    (out / "STATUS.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    print(words[0], flush=True)
    for group, values in validation.items():
        print(f"  {group}", *(f"{k} {v:.4f}" for k, v in values.items()), flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """Train; return the exit status."""
    args = parse_arguments(words)
    if args.threads:
        torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    groups = positions_by_size(args.data)
    run = Run(args, groups)
    for group in groups:
        print(f"{group.name}: {len(group.training):,} positions for training, "
              f"{len(group.validation):,} held back", flush=True)  # fmt: skip
    print(f"{sum(w.numel() for w in run.network.parameters()):,} weights", flush=True)
    last_reported = mend_log(args.out / "log.jsonl", run.n_seen)
    batches = prefetched(mixed_batches(groups, args.batch, args.seed, run.n_seen))
    began = reported = saved = time.monotonic()
    seconds_before = run.seconds
    names = list(asdict(Weights()))
    sums, n_steps, seen_before = torch.zeros(len(names), device=run.device), 0, run.n_seen
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
    until = began + 60 * args.minutes
    while run.n_seen < args.positions and time.monotonic() < until and not ended.is_set():
        sums += run.step(next(batches))
        n_steps += 1
        now = time.monotonic()
        run.seconds = seconds_before + now - began
        if run.n_seen - seen_before >= args.report:
            training = dict(zip(names, (sums / n_steps).tolist(), strict=True))
            report(run, training, (run.n_seen - seen_before) / (now - reported))
            sums.zero_()
            n_steps, seen_before, reported = 0, run.n_seen, time.monotonic()
        if now - saved >= 60 * args.save_minutes:
            run.save()
            saved = now
    run.save()
    # Without a step there is something to report if a run was killed before it had done so.
    if n_steps or run.n_seen > last_reported:
        training = dict(zip(names, (sums / n_steps).tolist(), strict=True)) if n_steps else {}
        report(run, training, (run.n_seen - seen_before) / (time.monotonic() - reported))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
