"""From a draft to a signed pair: the reasons against it, its spans, its id and provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from augkit.core.types import (
    DETAIL_CHARS,
    EMPTY,
    Draft,
    Edit,
    Example,
    LabelledSpan,
    Outcome,
    Pair,
    digest,
    new_example,
    new_pair,
    new_provenance,
)
from augkit.text.spans import project_spans


def draft_fault(draft: Draft, earlier: Sequence[Outcome]) -> str:
    """Why a draft is no variant; "" if it is one."""
    fields, parent = draft.fields, draft.parent
    for text in fields.values():
        if (not text or text.isspace()) and has_empty(fields, parent.locked):
            return "empty variant"
    if fields == parent.fields:
        return "unchanged"
    for name in parent.locked:
        if fields[name] != parent.fields[name]:
            return "changes a locked column"
    for outcome in earlier:
        if isinstance(outcome, Pair):
            variant = outcome.variant
            if variant.fields == fields and variant.label == draft.label:
                return "repeats another copy"
    return ""


def shown_text(parent: Example, fields: Mapping[str, str], about: str = "") -> str:
    """The texts that differ from the row's, as the detail of a rejection, after what is said.

    >>> shown_text(Example({"text": "A film."}), {"text": "A sad film."}, "sad")
    'sad: A sad film.'
    """
    new = [text for name, text in fields.items() if text != parent.fields.get(name)]
    shown = " | ".join(filter(str.strip, new))
    said = about if shown in about else f"{about}: {shown}"
    return (said if about else shown)[:DETAIL_CHARS]


def has_empty(fields: Mapping[str, str], locked: frozenset[str]) -> bool:
    """Whether a field that may change says nothing."""
    return any(not text.strip() for name, text in fields.items() if name not in locked)


def spans_of_draft(
    draft: Draft, edits: Sequence[Edit], *, in_kind: bool
) -> tuple[LabelledSpan, ...]:
    """The spans of the variant; ``SpanTouched`` where one is lost."""
    if draft.spans is not None:
        return draft.spans
    parent = draft.parent
    return project_spans(parent.spans, edits, parent.fields, draft.fields, in_kind=in_kind)


def sign(
    draft: Draft,
    edits: tuple[Edit, ...],
    method: str,
    config: str,
    spans: tuple[LabelledSpan, ...] = (),
) -> Pair:
    """Make a pair of a draft: the variant's id names its parent, the method and the content."""
    parent = draft.parent
    key = digest(
        parent.id, method, config, str(draft.copy), str(draft.label), *draft.fields.values()
    )
    variant = new_example(draft.fields, draft.label, key, EMPTY, "", spans, parent.locked)
    provenance = new_provenance(
        method,
        config,
        draft.copy,
        (parent.id,),
        edits,
        draft.contract,
        draft.cost,
        draft.scores,
        draft.about,
    )
    return new_pair(parent, variant, provenance)
