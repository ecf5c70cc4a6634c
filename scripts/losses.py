"""What training minimises, and what validation reports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

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
    that undetermined chance small.  What the targets do not tell (NaN) has no part in the loss.
    """
    result = expected_result(output.value.float()).clamp(1e-5, 1 - 1e-5)
    lead, target_lead = output.lead.float(), targets.lead.nan_to_num()
    distance = (lead.detach() - target_lead).abs()
    owner = functional.binary_cross_entropy_with_logits(
        output.owner.float(), (1 + targets.owner.nan_to_num()) / 2, reduction="none"
    )
    huber = partial(functional.huber_loss, delta=HUBER_POINTS, reduction="none")
    lead_is_told, owner_is_told = ~targets.lead.isnan(), ~targets.owner.isnan()
    return {
        "policy": -(targets.policy * torch.log_softmax(output.policy.float(), 1)).sum(1).mean(),
        "value": functional.binary_cross_entropy(result, targets.win_rate),
        "lead": (lead_is_told * huber(lead, target_lead)).mean(),
        "spread": (lead_is_told * huber(output.spread.float(), distance)).mean(),
        "owner": (owner_is_told * owner).mean(),
        "draw": torch.softmax(output.value.float(), 1)[:, 1].mean(),
    }


def total_loss(parts: dict[str, Tensor], weights: Weights) -> Tensor:
    """The weighted sum."""
    return torch.stack([getattr(weights, name) * part for name, part in parts.items()]).sum()


def report_parts(output: Output, targets: Targets) -> dict[str, Tensor]:
    """What validation reports, for each position, NaN where nobody told; see ``REPORTED``."""
    logs = torch.log_softmax(output.policy.float(), 1)
    result = expected_result(output.value.float())
    own = targets.policy.clamp_min(1e-9).log()
    owner = 2 * torch.sigmoid(output.owner.float()) - 1
    return {
        "policy": -(targets.policy * logs).sum(1),
        "policy_excess": (targets.policy * (own - logs)).sum(1),
        "top1": (logs.argmax(1) == targets.policy.argmax(1)).float(),
        "value": functional.binary_cross_entropy(
            result.clamp(1e-5, 1 - 1e-5), targets.win_rate, reduction="none"
        ),
        "value_error": (result - targets.win_rate).abs(),
        "lead_error": (output.lead.float() - targets.lead).abs(),
        "owner_error": (owner - targets.owner).abs().mean((1, 2)),
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
