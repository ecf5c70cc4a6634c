"""What training minimises, and what validation reports."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from architecture import Output

HUBER_POINTS = 4.0  # errors of the lead beyond this many points count linearly


@dataclass(frozen=True)
class Weights:
    """Share of each part in the loss."""

    policy: float = 1.0
    value: float = 1.0
    lead: float = 0.03
    spread: float = 0.01
    owner: float = 0.5
    draw: float = 0.02


@dataclass
class Targets:
    """A Batch's labels as tensors."""

    policy: Tensor
    win_rate: Tensor
    lead: Tensor
    owner: Tensor


def expected_result(value: Tensor) -> Tensor:
    """Win as 1, draw as 0.5, loss as 0, from the logits of the three."""
    chance = torch.softmax(value, 1)
    return chance[:, 0] + 0.5 * chance[:, 1]


def loss_parts(output: Output, targets: Targets) -> dict[str, Tensor]:
    """The parts of the loss, unweighted means over the batch.

    The teacher tells no draws: its win rate counts them as half a win.  The part ``draw`` keeps
    that undetermined chance small.
    """
    result = expected_result(output.value.float()).clamp(1e-5, 1 - 1e-5)
    lead = output.lead.float()
    distance = (lead.detach() - targets.lead).abs()
    return {
        "policy": -(targets.policy * torch.log_softmax(output.policy.float(), 1)).sum(1).mean(),
        "value": functional.binary_cross_entropy(result, targets.win_rate),
        "lead": functional.huber_loss(lead, targets.lead, delta=HUBER_POINTS),
        "spread": functional.huber_loss(output.spread.float(), distance, delta=HUBER_POINTS),
        "owner": functional.binary_cross_entropy_with_logits(
            output.owner.float(), (1 + targets.owner) / 2
        ),
        "draw": torch.softmax(output.value.float(), 1)[:, 1].mean(),
    }


def total_loss(parts: dict[str, Tensor], weights: Weights) -> Tensor:
    """The weighted sum."""
    return torch.stack([getattr(weights, name) * part for name, part in parts.items()]).sum()


def report_parts(output: Output, targets: Targets) -> dict[str, float]:
    """Sums over the batch of what validation reports; see ``REPORTED`` for each."""
    logs = torch.log_softmax(output.policy.float(), 1)
    result = expected_result(output.value.float())
    own = targets.policy.clamp_min(1e-9).log()
    owner = 2 * torch.sigmoid(output.owner.float()) - 1
    return {
        "policy": float(-(targets.policy * logs).sum()),
        "policy_excess": float((targets.policy * (own - logs)).sum()),
        "top1": float((logs.argmax(1) == targets.policy.argmax(1)).sum()),
        "value": float(
            functional.binary_cross_entropy(
                result.clamp(1e-5, 1 - 1e-5), targets.win_rate, reduction="sum"
            )
        ),
        "value_error": float((result - targets.win_rate).abs().sum()),
        "lead_error": float((output.lead.float() - targets.lead).abs().sum()),
        "owner_error": float((owner - targets.owner).abs().mean((1, 2)).sum()),
    }


REPORTED = {
    "policy": "cross-entropy of the policy to the teacher's, nats",
    "policy_excess": "the same less the teacher's own entropy, nats",
    "top1": "share of positions with the teacher's first move",
    "value": "cross-entropy of the expected result to the teacher's win rate, nats",
    "value_error": "mean absolute error of the win rate, 0..1",
    "lead_error": "mean absolute error of the lead, points",
    "owner_error": "mean absolute error of the owner, 0..2",
}
