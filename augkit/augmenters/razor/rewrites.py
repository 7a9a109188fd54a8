"""Candidate rewrites of a row, as rewriters make them and the judge accepts or rejects them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from augkit.core.types import FREE, Cost


class Rewrite(NamedTuple):
    """A text that may replace a row's text; ``rejected`` is the reason where it may not."""

    text: str
    how: str = ""
    rejected: str = ""
    change: int = 1
    """Words that go or come."""


@dataclass(frozen=True)
class Rewrites:
    """All candidates for a row, and what they cost."""

    candidates: Sequence[Rewrite]
    cost: Cost = FREE
    detail: str = ""
