"""The language of a row, for methods that only know English."""

from __future__ import annotations

from augkit.core.types import Draft, Example, Rejection
from augkit.english.english import not_english

NOT_ENGLISH = "not English"
"""The reason for a row in another language; the detail names it."""


def row_language(row: Example) -> str:
    """What language the texts of a row that may change are in; "" where it is English."""
    fields = row.fields
    if len(fields) == 1:
        return not_english(*fields.values())
    return not_english(" ".join([fields[name] for name in fields if name not in row.locked]))


def in_english(draft: Draft | Rejection) -> Draft | Rejection:
    """The draft of a row in English; a rejection for any other."""
    if isinstance(draft, Rejection) or not (other := row_language(draft.parent)):
        return draft
    return Rejection(draft.parent, NOT_ENGLISH, other, draft.copy, draft.cost)
