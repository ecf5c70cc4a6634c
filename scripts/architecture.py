"""The network in PyTorch: a residual tower with global pooling, for any board size.

Blocks normalise after each convolution, so that all normalisation folds into the weights when the
network is exported (He et al. 2016, Deep Residual Learning).  Global pooling as a bias: Wu 2019,
Accelerating Self-Play Learning in Go, section 3.3; ownership and lead as targets: section 4.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from gtpengine.core.features import PLANES, SCALARS

LEAD_SCALE = 20.0  # points that an output of 1 stands for


@dataclass(frozen=True)
class Shape:
    """How large a network is."""

    blocks: int = 6
    channels: int = 64
    head_channels: int = 32

    def as_dict(self) -> dict[str, int]:
        """For checkpoints and the description of an exported network."""
        return asdict(self)


class Output(NamedTuple):
    """What a network says of n positions, for the side to move."""

    policy: Tensor
    """(n, height * width + 1), logits; the pass comes last"""
    value: Tensor
    """(n, 3), logits of win, draw, loss"""
    lead: Tensor
    """(n,), points"""
    spread: Tensor
    """(n,), points: how far off the lead is likely to be"""
    owner: Tensor
    """(n, height, width), logits of belonging to the side to move"""


def pooled(x: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Mean and maximum of every channel over the board."""
    if mask is None:
        return x.mean((2, 3)), x.amax((2, 3))
    mean = (x * mask).sum((2, 3)) / mask.sum((2, 3))
    return mean, x.masked_fill(mask == 0, float("-inf")).amax((2, 3))


def masked(x: Tensor, mask: Tensor | None) -> Tensor:
    """``x`` with zeros beside the board."""
    return x if mask is None else x * mask


def convolution(n_in: int, n_out: int, width: int) -> nn.Conv2d:
    return nn.Conv2d(n_in, n_out, width, padding=width // 2, bias=False)


class Block(nn.Module):
    """Two convolutions beside the identity; ``pools`` adds a bias from the whole board."""

    def __init__(self, channels: int, pools: bool) -> None:
        super().__init__()
        self.first = convolution(channels, channels, 3)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = convolution(channels, channels, 3)
        self.second_norm = nn.BatchNorm2d(channels)
        self.bias = nn.Linear(2 * channels, channels) if pools else None
        nn.init.zeros_(self.second_norm.weight)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        inner = masked(torch.relu(self.first_norm(self.first(x))), mask)
        change = self.second_norm(self.second(inner))
        if self.bias is not None:
            change = change + self.bias(torch.cat(pooled(inner, mask), 1))[:, :, None, None]
        return masked(torch.relu(x + change), mask)


class Network(nn.Module):
    """Planes and scalars in, Output out.

    A mask is needed only for boards smaller than the picture: the first plane tells.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        n, heads = shape.channels, shape.head_channels
        self.shape = shape
        self.entry = convolution(PLANES, n, 3)
        self.entry_norm = nn.BatchNorm2d(n)
        self.scalars = nn.Linear(SCALARS, n)
        self.blocks = nn.ModuleList(Block(n, pools=i % 2 == 1) for i in range(shape.blocks))
        self.policy_entry = convolution(n, heads, 1)
        self.policy_norm = nn.BatchNorm2d(heads)
        self.policy_bias = nn.Linear(2 * heads, heads)
        self.policy = nn.Conv2d(heads, 1, 1)
        self.policy_pass = nn.Linear(2 * heads, 1)
        self.value_entry = convolution(n, heads, 1)
        self.value_norm = nn.BatchNorm2d(heads)
        self.value_hidden = nn.Linear(3 * heads, 64)
        self.value = nn.Linear(64, 5)  # win, draw, loss, lead, spread
        self.owner = nn.Conv2d(heads, 1, 1)

    def forward(self, planes: Tensor, scalars: Tensor, mask: Tensor | None = None) -> Output:
        x = self.entry_norm(self.entry(planes)) + self.scalars(scalars)[:, :, None, None]
        x = masked(torch.relu(x), mask)
        for block in self.blocks:
            x = block(x, mask)
        about_moves = masked(torch.relu(self.policy_norm(self.policy_entry(x))), mask)
        summary = torch.cat(pooled(about_moves, mask), 1)
        on_board = self.policy(
            torch.relu(about_moves + self.policy_bias(summary)[:, :, None, None])
        )
        if mask is not None:
            on_board = on_board.masked_fill(mask == 0, -1e4)
        about_result = masked(torch.relu(self.value_norm(self.value_entry(x))), mask)
        mean, highest = pooled(about_result, mask)
        # How much a mean over the points adds up to depends on how many there are.
        width = planes[:, :1].sum((2, 3)).sqrt()
        result = torch.relu(
            self.value_hidden(torch.cat((mean, mean * (width - 14) / 10, highest), 1))
        )
        numbers = self.value(result)
        return Output(
            torch.cat((on_board.flatten(1), self.policy_pass(summary)), 1),
            numbers[:, :3],
            LEAD_SCALE * numbers[:, 3],
            LEAD_SCALE * nn.functional.softplus(numbers[:, 4] - 2),
            self.owner(about_result).squeeze(1),
        )
