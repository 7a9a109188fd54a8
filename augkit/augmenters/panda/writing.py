"""From replacements to a new text: casing, articles, and the way back to the fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from augkit.core.types import Edit
from augkit.text.articles import article
from augkit.text.casing import match_case

_ARTICLE = re.compile(r"(?<![\w'\u2019-])(an?)([ \t\n]+)$", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\w'\u2019]+(?:-\w+)*")
_EIGHTY_OR_SO = re.compile(r"8\d?\b|11\b|18\b")


_PLURALS = ("men", "people", "children", "folk")


class Change(NamedTuple):
    """A replacement in a text."""

    start: int
    end: int
    after: str


def cased(word: str, like: str, text: str) -> str:
    """``word`` in the casing of what it replaces; small letters in a text that has no others.

    >>> cased("woman", "MAN", "A MAN"), cased("Asian", "white", "a white man .")
    ('WOMAN', 'asian')
    >>> cased("Black people", "Whites", "Whites sing."), cased("Mx", "Mr", "Mr X")
    ('Black people', 'Mx')
    >>> cased("first gentleman", "First Lady", "First Lady Ann Lee")
    'First Gentleman'
    """
    if like.islower() and text.islower():
        return word.lower()
    if " " in like and " " in word and like.istitle() and word.islower():
        return word.title()
    return match_case(word, like)


def sound(word: str) -> str:
    """``a`` or ``an``, for words and numbers in digits.

    >>> sound("80-year-old"), sound("18"), sound("110"), sound("heir")
    ('an', 'an', 'a', 'an')
    """
    if word[:1].isdigit():
        return "an" if _EIGHTY_OR_SO.match(word) else "a"
    return article(word)


def with_articles(text: str, changes: Iterable[Change]) -> list[Change]:
    """The changes, and those of the articles that stand before them, in order.

    An article is fitted only if it fitted before: what the writer got wrong stays.
    """
    ordered = sorted(set(changes))
    found = list(ordered)
    for change in ordered:
        before = _ARTICLE.search(text, max(0, change.start - 8), change.start)
        if before is None:
            continue
        old = _first_word(text[change.start : change.end + 40])
        new = _first_word(change.after + text[change.end : change.end + 40])
        if not old or not new or before[1].lower() != sound(old) or sound(new) == sound(old):
            continue
        fitting = sound(new)
        shouted = len(change.after) > 1 and change.after.isupper()
        if before[1].isupper() and (len(before[1]) > 1 or shouted):
            fitting = fitting.upper()
        found.append(Change(*before.span(1), match_case(fitting, before[1])))
    return sorted(found)


def with_possessives(text: str, changes: Iterable[Change]) -> list[Change]:
    """The changes, with the sign of possession that goes with a new plural.

    >>> with_possessives("old people's homes", [Change(0, 10, "young adults")])
    [Change(start=0, end=12, after="young adults'")]
    >>> with_possessives("the ladies' hats", [Change(4, 10, "people")])
    [Change(start=4, end=11, after="people's")]
    """
    found = []
    for change in changes:
        before, sign = text[change.start : change.end].lower(), text[change.end : change.end + 1]
        owns = sign in {"'", "\u2019"} and change.after[-1:].isalpha()
        with_s = owns and text[change.end + 1 : change.end + 2].lower() == "s"
        ends = change.after.lower().endswith("s")
        if with_s and ends and before.endswith(_PLURALS):
            found.append(Change(change.start, change.end + 2, f"{change.after}{sign}"))
        elif owns and not with_s and before.endswith("s") and not ends:
            s = "S" if change.after.isupper() else "s"
            found.append(Change(change.start, change.end + 1, f"{change.after}{sign}{s}"))
        else:
            found.append(change)
    return found


def _first_word(text: str) -> str:
    match = _FIRST_WORD.search(text)
    return match.group() if match and not text[: match.start()].strip(" '\"\u2018\u201c") else ""


def to_edits(
    fields: Mapping[str, str], starts: Mapping[str, int], changes: Iterable[Change]
) -> tuple[Edit, ...]:
    """Changes of the joined text as edits of its fields; those that change nothing are left out."""
    edits = []
    for change in changes:
        name = max((n for n in fields if starts[n] <= change.start), key=starts.__getitem__)
        start, end = change.start - starts[name], change.end - starts[name]
        before = fields[name][start:end]
        if before != change.after:
            edits.append(Edit(name, start, end, before, change.after))
    return tuple(edits)
