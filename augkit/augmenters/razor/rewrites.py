"""Candidate rewrites of a row, as rewriters make them and the judge accepts or rejects them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from augkit.augmenters.llm_checks.form import MISPLACED, is_well_formed
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


def checked_rewrites(rewrites: Iterable[Rewrite], original: str | None) -> list[Rewrite]:
    """Without repeats and empty texts; those with a flaw that the original lacks are rejected."""
    checked: dict[str, Rewrite] = {}
    for rewrite in rewrites:
        if rewrite.text.strip() or rewrite.rejected:
            is_fine = original is None or is_well_formed(rewrite.text, original)
            rejected = rewrite.rejected or ("" if is_fine else MISPLACED)
            checked.setdefault(rewrite.text, rewrite._replace(rejected=rejected))
    return list(checked.values())
