"""Examples as a transformer reads them: one text, or a pair; truncated, padded in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example
from augkit.models.classifiers.ngrams import texts_by_field
from augkit.models.language_models.token_batches import max_positions


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
) -> Iterator[tuple[list[int], dict[str, Any]]]:
    """Numbers of rows of near-equal length, the longest first, and their padded tensors."""
    order = sorted(range(len(inputs)), key=lambda row: -len(inputs[row]["input_ids"]))
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        yield rows, dict(tokenizer.pad([inputs[row] for row in rows], return_tensors="pt"))


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
