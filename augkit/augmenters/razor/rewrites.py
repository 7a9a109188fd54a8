"""Candidate rewrites of a row, as rewriters make them and the judge accepts or rejects them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from augkit.augmenters.fields import chosen_field
from augkit.core.types import FREE, Cost, Example


class Rewrite(NamedTuple):
    """A text that may replace a row's text; ``rejected`` is the reason where it may not."""

    text: str
    how: str = ""
    rejected: str = ""


@dataclass(frozen=True)
class Rewrites:
    """All candidates for a row, and what they cost."""

    candidates: Sequence[Rewrite]
    cost: Cost = FREE
    detail: str = ""


def with_text(row: Example, text: str, field: str | None) -> Example:
    """The row with another text in the field that is rewritten."""
    return replace(row, fields={**row.fields, chosen_field(row.fields, field): text})
