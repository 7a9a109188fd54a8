"""Texts as a transformer reads them: token ids, truncated, in padded batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example
from augkit.models.classifiers.ngrams import texts_by_field
from augkit.models.training import chunked

if TYPE_CHECKING:
    import torch

_BATCH_TOKENS = {"cpu": 2048, "cuda": 65_536}
"""Tokens of one batch, padding included: what a CPU's cache holds, what fills a GPU."""


_TEXTS = 1_000
"""Texts that a tokenizer reads in one call."""


class TokenSpan(NamedTuple):
    """The span of a token: the field, and start and end in its text; no field: a special token."""

    field: str | None
    start: int
    end: int


def encode(
    tokenizer: Any, examples: Sequence[Example], fields: Sequence[str], most: int
) -> list[dict[str, list[int]]]:
    """The inputs of each example, of at most ``most`` tokens; a longer text is cut at its end."""
    read = _read(tokenizer, examples, fields, most)
    names = [name for name in tokenizer.model_input_names if name in read]
    return [{name: read[name][row] for name in names} for row in range(len(examples))]


def token_spans(
    tokenizer: Any, examples: Sequence[Example], fields: Sequence[str], most: int
) -> list[list[TokenSpan]]:
    """The spans of the tokens of each example."""
    if not tokenizer.is_fast:
        raise ConfigError(
            f"{type(tokenizer).__name__} does not give the offsets of its tokens, so that words "
            "cannot be explained. Save the model with a fast tokenizer"
        )
    read = _read(tokenizer, examples, fields, most, return_offsets_mapping=True)
    return [
        [
            TokenSpan(None if which is None else fields[which], start, end)
            for which, (start, end) in zip(
                read.sequence_ids(row), read["offset_mapping"][row], strict=True
            )
        ]
        for row in range(len(examples))
    ]


def padded_batches(
    tokenizer: Any, inputs: Sequence[dict[str, list[int]]], size: int
) -> Iterator[tuple[Sequence[int], dict[str, Any]]]:
    """Numbers of rows of near-equal length, the longest first, and their padded tensors."""
    for rows in longest_first([len(row_inputs["input_ids"]) for row_inputs in inputs], size):
        yield rows, dict(tokenizer.pad([inputs[row] for row in rows], return_tensors="pt"))


def longest_first(lengths: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Numbers of sequences in batches of ``size``, the longest sequences first."""
    return chunked(sorted(range(len(lengths)), key=lambda row: -lengths[row]), size)


def context_size(model: Any, tokenizer: Any, most: int) -> int:
    """The most tokens that are read: ``most``, or fewer where the model reads fewer."""
    return int(min(most, max_positions(model.config) or most, tokenizer.model_max_length))


def check_fields(fields: Sequence[str]) -> tuple[str, ...]:
    """One text or a pair; a transformer takes no third field."""
    if len(fields) > 2:
        raise DataError(
            f"a transformer reads one text or a pair, and the rows have {len(fields)} text fields "
            f"({', '.join(fields)}): choose two with --text-column"
        )
    return tuple(fields)


def _read(
    tokenizer: Any, examples: Sequence[Example], fields: Sequence[str], most: int, **more: bool
) -> Any:
    texts = texts_by_field(examples, fields)
    return tokenizer(*(texts[name] for name in fields), truncation=True, max_length=most, **more)


def token_ids(tokenizer: Any, texts: Sequence[str], **options: Any) -> list[list[int]]:
    """The tokens of each text, with these options of the tokenizer.

    It gets many texts in one call, which is several times as fast as one by one, and not all of
    them: it keeps much more of each than its tokens.
    """
    return [
        ids
        for some in chunked(texts, _TEXTS)
        for ids in tokenizer(list(some), **options)["input_ids"]
    ]


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


def padded(sequences: Sequence[Sequence[int]], fill: int, device: torch.device) -> torch.Tensor:
    """The sequences as one tensor: int[sequences, longest]."""
    import numpy as np
    import torch

    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    present = np.arange(lengths.max()) < lengths[:, None]
    rows = np.full(present.shape, fill, np.int64)
    rows[present] = np.fromiter(chain.from_iterable(sequences), np.int64, lengths.sum())
    return sent(torch.from_numpy(rows), device)


def sent(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """The tensor on a device. A GPU fetches it from pinned memory, and nobody waits for that."""
    if device.type != "cuda":
        return tensor.to(device)
    return tensor.pin_memory().to(device, non_blocking=True)


def padded_inputs(
    sequences: Sequence[Sequence[int]], fill: int, device: torch.device
) -> dict[str, Any]:
    """The sequences as the tensors that every model reads."""
    import torch

    ids = padded(sequences, fill, device)
    lengths = sent(torch.tensor([len(row) for row in sequences]), device)
    present = torch.arange(ids.shape[1], device=device) < lengths[:, None]
    return {"input_ids": ids, "attention_mask": present.long()}


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
