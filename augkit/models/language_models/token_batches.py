"""Token sequences in padded batches of similar length, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from augkit.core.errors import DataError

if TYPE_CHECKING:
    import torch

_BATCH_TOKENS = {"cpu": 2048, "cuda": 65_536}
"""Tokens of one batch, padding included: what a CPU's cache holds, what fills a GPU."""


def batch_tokens(model: Any) -> int:
    """How many tokens go through a model at once on the device where it is."""
    return _BATCH_TOKENS.get(model.device.type, 4096)


def length_batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Numbers of sequences, short ones first, cut where the padded batch would pass the limit.

    >>> list(length_batches([3, 9, 2, 8], most_tokens=18))
    [[2, 0], [3, 1]]
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > most_tokens:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def padded(sequences: Sequence[Sequence[int]], fill: int, device: Any) -> torch.Tensor:
    """The sequences as one tensor: int[sequences, longest]."""
    import torch

    longest = max(map(len, sequences))
    rows = [[*row, *[fill] * (longest - len(row))] for row in sequences]
    return torch.tensor(rows, dtype=torch.long, device=device)


def check_length(ids: Sequence[int], longest: int | None, text: str) -> None:
    """Raise ``DataError`` where a text has more tokens than the model can read."""
    if longest is not None and len(ids) > longest:
        raise DataError(
            f"a text has {len(ids)} tokens and the model reads at most {longest}: "
            f"'{text[:60]}...'. Leave it out, or choose a model with a longer window"
        )


def max_positions(config: Any) -> int | None:
    """The most tokens a model reads; RoBERTa's positions begin after its padding token."""
    most = getattr(config, "max_position_embeddings", None)
    shifted = "roberta" in config.model_type or config.model_type == "camembert"
    return most - config.pad_token_id - 1 if most and shifted else most
