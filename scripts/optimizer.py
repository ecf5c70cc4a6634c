"""Muon for the convolutions, AdamW for everything else.

Source: Jordan et al. 2024, Muon: An optimizer for hidden layers in neural networks: the momentum of
a weight matrix is replaced by the nearest semi-orthogonal matrix, found by Newton-Schulz steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)  # coefficients of the quintic step, from the source


def orthogonalised(matrix: Tensor, steps: int = 5) -> Tensor:
    """Roughly the nearest matrix whose singular values are all 1."""
    a, b, c = NEWTON_SCHULZ
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    """Orthogonalised Nesterov momentum; a convolution counts as a matrix, one row an output."""

    def __init__(
        self,
        weights: Iterable[Tensor],
        lr: float,
        momentum: float = 0.95,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """Change every weight that has a gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                if not state:
                    state["momentum"] = torch.zeros_like(weight)
                momentum = state["momentum"]
                momentum.lerp_(weight.grad, 1 - group["momentum"])
                update = weight.grad.lerp(momentum, group["momentum"]).flatten(1)
                scale = max(1.0, update.shape[0] / update.shape[1]) ** 0.5
                change = orthogonalised(update) * scale
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(change.view_as(weight), alpha=-group["lr"])


def make_optimizers(
    network: nn.Module, *, lr: float, muon_lr: float, weight_decay: float
) -> list[torch.optim.Optimizer]:
    """Optimizers for all weights; ``muon_lr`` 0 leaves everything to AdamW."""
    convolutions, matrices, others = [], [], []
    for weight in network.parameters():
        if weight.ndim == 4 and weight.shape[2] == 3 and muon_lr > 0:
            convolutions.append(weight)
        elif weight.ndim > 1:
            matrices.append(weight)
        else:
            others.append(weight)
    groups: list[dict[str, Any]] = [
        {"params": matrices, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    found: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.98))]
    if convolutions:
        found.append(Muon(convolutions, lr=muon_lr, weight_decay=weight_decay))
    return found
