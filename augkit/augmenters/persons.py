"""A person must not change in one place of a row and stay in another.

What a method does not see may mention the person too: a locked column, the messages of another
role, another column. A variant that changes somebody is rejected where such a part names them, or
says of somebody that they have the gender that was changed: nobody knows whether it is the same
person, and a row that contradicts itself teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from augkit.core.edits import Edit, Span, overlap
from augkit.core.protocols import Check
from augkit.core.types import Example, Variant
from augkit.english.morphology import parts_of_speech
from augkit.lexicons.demographics.axes import BUNDLED
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.names import look_up, surnames
from augkit.lexicons.load import closed_classes
from augkit.text.diff import diff, minimal

_WORD = re.compile(r"[^\W\d_]+")
_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+) $")
_OF_IDENTIFIER = re.compile(r"[\d_#@\\]|\w[.:]\w")
_GENDER = "gender"


def person_elsewhere(variant: Variant) -> str:
    """Where a part of the row that stays mentions a person whom the variant changes; "" if nowhere.

    >>> row = Example({"question": "Where is Wei from?", "context": "Wei is a chef."},
    ...               locked=frozenset({"question"}))
    >>> person_elsewhere(Variant(row, {**row.fields, "context": "Hunter is a chef."}, None))
    "'Wei' is also in question, which must not change"
    """
    if why := _half_renamed(variant):
        return why
    staying = list(_staying_texts(variant.parent))
    if not any(_may_name_persons(text) for _, text in staying):
        return ""
    words, genders = _changed_persons(variant)
    if not words and not genders:
        return ""
    for place, text in staying:
        for match in _WORD.finditer(text):
            if match[0] in words:
                return f"'{match[0]}' is also in {place}, which must not change"
        for hit in _references(_GENDER, text) if genders else ():
            if hit.attribute in genders:
                said = text[hit.start : hit.end]
                return f"'{said}' in {place}, which must not change, may be the same person"
    return ""


PERSON_CHECK: Check[Variant] = Check("a person would change in one place only", person_elsewhere)
"""For methods that change persons."""


def names_persons(words: Collection[str]) -> bool:
    """Whether some of these words are names, or say a gender, an origin or an age of somebody."""
    are_names = any(_is_person_name(word.title()) for word in words)  # first: it is soon known
    return are_names or any(_references(axis, word) for word in words for axis in BUNDLED)


@lru_cache(maxsize=4_096)
def _may_name_persons(text: str) -> bool:
    """Whether a text has a word with a capital, or says a gender; a no is certain."""
    capitals = any(word[:1].isupper() for word in _WORD.findall(text))
    return capitals or bool(_references(_GENDER, text))


def _half_renamed(variant: Variant) -> str:
    """A name that became two names, or that is still in a text that was changed."""
    becomes: dict[str, str] = {}
    before = variant.parent.fields
    edits = variant.edits or diff(before, variant.fields)
    # A name has a capital: most edits need no look at their words.
    for edit in (minimal(edit) for edit in edits if edit.before != edit.before.lower()):
        old_words = list(_WORD.finditer(edit.before))
        new_words = _WORD.findall(edit.after)
        if len(old_words) != len(new_words):
            continue
        for match, new in zip(old_words, new_words, strict=True):
            old = match[0]
            start = edit.start + match.start()
            is_name = _is_name_only(old, before[edit.field][:start]) or (
                _is_person_name(old) and _is_name_only(new, "")  # "Mei": what replaces it is one
            )
            if old != new and is_name and becomes.setdefault(old, new) != new:
                return f"'{old}' would become '{becomes[old]}' and '{new}'"
    for name, text in variant.fields.items() if becomes else ():
        if left := becomes.keys() & _WORD.findall(text):
            return f"'{min(left)}' is also in {name}, and stays there"
    return ""


def _is_name_only(word: str, before: str) -> bool:
    """Whether a word is the name of a person and no other word; or stands after a first name."""
    if not _is_person_name(word):
        return False
    preceding = _LAST_WORD.search(before)
    if preceding is not None and look_up(preceding[1]) is not None:
        return True
    listed = look_up(word)
    return listed.is_clear if listed is not None else not parts_of_speech(word.lower())


def _changed_persons(variant: Variant) -> tuple[set[str], set[str]]:
    """The names and other words for persons that a variant replaces, and the genders they said."""
    before = variant.parent.fields
    edits = variant.edits or diff(before, variant.fields)
    words = set[str]()
    genders = set[str]()
    for edit in map(minimal, edits):
        after = set(_WORD.findall(edit.after))
        gone = [word for word in _WORD.findall(edit.before) if word not in after]
        words.update(filter(_is_person_name, gone))
        for axis in BUNDLED:
            for hit in _references(axis, before[edit.field]):
                if overlap(hit, _place(edit)):
                    if axis == _GENDER:
                        genders.add(hit.attribute)
                    else:
                        words.update(word for word in gone if word[:1].isupper())
    return words, genders


def _place(edit: Edit) -> Span:
    return Span(edit.start, edit.end)


def _is_person_name(word: str) -> bool:
    if not word[:1].isupper() or word.lower() in closed_classes():
        return False
    return look_up(word) is not None or word.lower() in surnames()


@lru_cache(maxsize=4_096)
def _references(axis: str, text: str) -> tuple[Hit, ...]:
    return tuple(
        hit
        for hit in finder_for(axis).find(text)
        if not (hit.is_weak or hit.blocked or "surname" in hit.needs)
        and not (hit.pos == "name" and _is_value(text))
    )


def is_identifier(text: str) -> bool:
    """Whether a value names a row, a file or an address: it is read by programs, and is no text.

    >>> [is_identifier(value) for value in ("snli_04", "img/Anna.jpg", "Anna", "Anna left at 4")]
    [True, True, False, False]
    """
    return len(text.split()) == 1 and _OF_IDENTIFIER.search(text) is not None


def _is_value(text: str) -> bool:
    """Whether a text is one word in small letters: no name, but the value of a column, "dev"."""
    return text.islower() and len(text.split()) == 1


def _staying_texts(row: Example) -> Iterator[tuple[str, str]]:
    """The parts of a row that stay as they are, each with the name of its place."""
    yield from ((name, row.fields[name]) for name in row.fields if name in row.locked)
    edited = [text for name, text in row.fields.items() if name not in row.locked]
    following = {span.column for span in row.spans}
    for column, value in row.columns.items():
        if column in following or column in row.locked:
            continue
        if isinstance(value, str):
            if value not in edited and not is_identifier(value):
                yield column, value
        elif isinstance(value, list | dict):
            # Tokens and the messages of a chat that may change are parts of the text.
            for text in _strings(value):
                if not (is_identifier(text) or any(text in whole for whole in edited)):
                    yield column, text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
