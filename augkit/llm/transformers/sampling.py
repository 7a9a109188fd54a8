"""The next token of each row of a batch, sampled with that row's own settings and random number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def sample_tokens(scores: Tensor, temperature: Tensor, top_p: Tensor, uniform: Tensor) -> Tensor:
    """One token per row: the best one at temperature 0, else one of the nucleus.

    The nucleus is the smallest set of tokens, most probable first, that holds at least ``top_p``
    of the probability. From it the token is drawn by its cumulative probability, so that a row's
    token depends on its own uniform number alone.

    Shapes: ``scores`` float[rows, tokens], the others float[rows]; the result int[rows].
    """
    import torch

    best = scores.argmax(dim=-1)
    if not bool((temperature > 0).any()):
        return best
    divisor = torch.where(temperature > 0, temperature, 1.0)[:, None]
    probabilities = torch.softmax(scores.float() / divisor, dim=-1)
    ordered, tokens = probabilities.sort(dim=-1, descending=True, stable=True)
    cumulative = ordered.cumsum(dim=-1)
    size = ((cumulative - ordered) < top_p[:, None]).sum(dim=-1, keepdim=True).clamp(min=1)
    mass = cumulative.gather(-1, size - 1)
    below = (cumulative <= uniform[:, None] * mass).sum(dim=-1, keepdim=True)
    drawn = tokens.gather(-1, torch.minimum(below, size - 1)).squeeze(-1)
    return torch.where(temperature > 0, drawn, best)


def apply_bitmask(scores: Tensor, bits: Tensor) -> Tensor:
    """The scores, minus infinity where a token's bit is 0.

    ``bits`` is int32[rows, ceil(tokens / 32)], the lowest bit first; further tokens are masked.
    """
    import torch

    shifts = torch.arange(32, device=bits.device, dtype=torch.int32)
    allowed = ((bits[:, :, None] >> shifts) & 1).flatten(1).bool()
    width = min(scores.shape[-1], allowed.shape[-1])
    masked = torch.full_like(scores, float("-inf"))
    masked[:, :width] = scores[:, :width].masked_fill(~allowed[:, :width], float("-inf"))
    return masked
