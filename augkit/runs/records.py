"""The records of a finished run, each file read in one place: variants, rejections and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from augkit.core.edits import Edit, undo
from augkit.core.json_files import load_json_lines
from augkit.core.types import NoItems, value
from augkit.runs.ledger import DATASET, REJECTED, VARIANTS
from augkit.runs.manifest import ADVICE

RUN_INFO = "run_info.json"
"""What a method that sees all rows records of its work."""

_MOST_CHARS = 2**31
"""More than any text has."""


@value
class VariantRecord:
    """A line of ``variants.jsonl``; its keys are written by ``row_work.variant_record``."""

    id: str
    fields: Mapping[str, str]
    label: str | None
    parents: Annotated[list[str], Field(min_length=1)]
    method: str
    contract: Literal["kept", "flipped", "unknown"]
    edits: list[Edit]
    about: Mapping[str, str] = field(default_factory=NoItems)

    @property
    def original(self) -> dict[str, str]:
        """The fields of its first parent."""
        return undo(self.fields, self.edits)


@value
class RejectedRecord:
    """A line of ``rejected.jsonl``; its keys are written by ``row_work.rejected_record``."""

    parents: Annotated[list[str], Field(min_length=1)]
    reason: str
    detail: str
    method: str
    label: str | None = None
    fields: Mapping[str, str] = field(default_factory=NoItems)
    weight: float | None = None


_variant = TypeAdapter(VariantRecord)
_rejected = TypeAdapter(RejectedRecord)


def read_variants(folder: Path) -> Iterator[VariantRecord]:
    """The variants of a run."""
    return load_json_lines(folder / VARIANTS, _read_variant, ADVICE)


def read_rejected(folder: Path) -> Iterator[RejectedRecord]:
    """The rejections of a run."""
    return load_json_lines(folder / REJECTED, _rejected.validate_python, ADVICE)


def read_dataset(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a run's dataset; each has an ``augkit_id`` and an ``augkit_parent``."""
    return load_json_lines(folder / DATASET, _read_row, ADVICE)


def _read_variant(content: Any) -> VariantRecord:
    record = _variant.validate_python(content)
    for edit in record.edits:
        if edit.field not in record.fields or not 0 <= edit.start <= edit.end < _MOST_CHARS:
            raise ValueError(f"an edit outside of its fields: {edit.field} {edit.start}")
    return record


def _read_row(content: Any) -> dict[str, Any]:
    row = dict(content)
    if not isinstance(row["augkit_id"], str) or not isinstance(row["augkit_parent"], str | None):
        raise TypeError("augkit_id and augkit_parent are no ids")
    return row
