"""Candidates for a row: variants of one field, which rewriters make and a judge may refuse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import MISPLACED, is_well_formed
from augkit.core.types import FREE, Cost, Example, Variant, new_variant


def rewritten(row: Example, field: str | None, text: str, how: str, change: int = 1) -> Variant:
    """A variant with this text; ``change`` words go or come."""
    fields = with_text(row.fields, field, text)
    return new_variant(row, fields, row.label, about={"how": how}, work=change)


def candidate_text(variant: Variant, field: str | None) -> str:
    """The text of a candidate."""
    return variant.fields[chosen_field(variant.fields, field)]


def cost_of(candidates: Iterable[Variant]) -> Cost:
    """What all candidates of a row have cost."""
    return sum((candidate.cost for candidate in candidates), FREE)


def checked_rewrites(
    candidates: Sequence[Variant], field: str | None, original: str | None
) -> list[Variant]:
    """Without repeats and empty texts; those with a flaw that the original lacks are refused.

    What a repeat has cost goes to the candidate that it repeats.
    """
    checked: dict[str, Variant] = {}
    for candidate in candidates:
        text = "" if candidate.reason and not candidate.detail else candidate_text(candidate, field)
        if text in checked:
            checked[text] = checked[text].paid(candidate.cost)
        elif candidate.reason:
            checked[text] = candidate
        elif text.strip():
            is_fine = original is None or is_well_formed(text, original)
            checked[text] = candidate if is_fine else candidate.refuse(MISPLACED, text)
    return list(checked.values())
