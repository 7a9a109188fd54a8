"""A pair keeps its contrast: "John saw his aunt" and "John saw his uncle" stay two things.

So do "A man cooks." and "She cooks.", which would agree if the man alone became a woman, while
"A man cooks." and "He cooks." would no longer.
"""

from __future__ import annotations

from collections.abc import Iterable

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.augmenters.panda.references import find_hits
from augkit.core.types import Edit, Rejection
from augkit.lexicons.demographics.find_references import Hit
from augkit.text.articles import ARTICLES


def lost_contrast(
    doc: Document, edits: Iterable[Edit], attributes: tuple[str, str]
) -> Rejection | None:
    """The reason for refusing edits that make fields agree, or differ, where they did not.

    ``attributes`` are those that the person had and gets.
    """
    if len(doc.fields) < 2:
        return None
    edits = tuple(edit for edit in edits if edit.before.lower() not in ARTICLES)
    for edit in edits:
        for other in doc.fields:
            if other != edit.field:
                kept = [h for h in _kept(doc, other, edits) if _names_somebody(h)]
                words = {doc.fields[other][h.start : h.end].lower() for h in kept}
                if (reason := _compare(doc, edit, words)) is not None:
                    return reason
    return _between_persons(doc, edits, attributes)


def _between_persons(
    doc: Document, edits: tuple[Edit, ...], attributes: tuple[str, str]
) -> Rejection | None:
    """Whether a person of a field without edits was, or comes to be, of the changed one's kind."""
    edited = {edit.field for edit in edits}
    numbers = {_number(h) for h in _changed(doc, edits)}
    here = {h.attribute for name in edited for h in _kept(doc, name, edits)}
    for other in doc.fields:
        if other in edited:
            continue
        there = {h.attribute for h in _kept(doc, other, edits) if _number(h) in numbers}
        for attribute in attributes:
            if attribute in there - here:
                detail = f"a reference to {attribute} in '{other}' would agree or differ anew"
                return doc.reject("contrast lost", detail)
    return None


def _compare(doc: Document, edit: Edit, words: set[str]) -> Rejection | None:
    before, after = edit.before.lower(), edit.after.lower()
    if after in words and before not in words:
        return doc.reject("contrast lost", f"'{edit.after}' stands in the other field already")
    if before in words:
        return doc.reject("contrast lost", f"'{edit.before}' would stay in the other field")
    return None


def _changed(doc: Document, edits: tuple[Edit, ...]) -> list[Hit]:
    spans = {(edit.field, edit.start) for edit in edits}
    return [h for name in doc.fields for h in _of_people(doc, name) if (name, h.start) in spans]


def _kept(doc: Document, field: str, edits: tuple[Edit, ...]) -> list[Hit]:
    starts = {edit.start for edit in edits if edit.field == field}
    return [h for h in _of_people(doc, field) if h.start not in starts]


def _of_people(doc: Document, field: str) -> list[Hit]:
    """The references of a field that are to people: a "black hat" is none."""
    text = doc.fields[field]
    found = [h for h in find_hits(doc.axis, text) if not h.blocked and not h.is_weak]
    return [h for h in found if not _is_adjective(h) or _is_beside_person(text, h)]


def _is_adjective(hit: Hit) -> bool:
    return any(reading.pos == "adj" for reading in hit.readings)


def _is_beside_person(text: str, hit: Hit) -> bool:
    return any(is_person_word(word.strip(".,;:!?")) for word in text[hit.end :].lower().split()[:2])


def _names_somebody(hit: Hit) -> bool:
    return hit.pos != "pronoun" or hit.case == "subject"


def _number(hit: Hit) -> str:
    return "plural" if hit.number == "plural" else "singular"
