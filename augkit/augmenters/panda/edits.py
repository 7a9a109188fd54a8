"""From replacements in the joined text to edits of the fields: casing and possessives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from augkit.core.types import Edit
from augkit.text.articles import Replacement
from augkit.text.casing import match_case

_PLURALS = ("men", "people", "children", "folk")


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


def with_possessives(text: str, changes: Iterable[Replacement]) -> list[Replacement]:
    """The changes, with the sign of possession that goes with a new plural.

    >>> with_possessives("old people's homes", [Replacement(0, 10, "young adults")])
    [Replacement(start=0, end=12, after="young adults'")]
    >>> with_possessives("the ladies' hats", [Replacement(4, 10, "people")])
    [Replacement(start=4, end=11, after="people's")]
    """
    found = []
    for change in changes:
        before, sign = text[change.start : change.end].lower(), text[change.end : change.end + 1]
        owns = sign in {"'", "\u2019"} and change.after[-1:].isalpha()
        with_s = owns and text[change.end + 1 : change.end + 2].lower() == "s"
        ends = change.after.lower().endswith("s")
        if with_s and ends and before.endswith(_PLURALS):
            found.append(Replacement(change.start, change.end + 2, f"{change.after}{sign}"))
        elif owns and not with_s and before.endswith("s") and not ends:
            s = "S" if change.after.isupper() else "s"
            found.append(Replacement(change.start, change.end + 1, f"{change.after}{sign}{s}"))
        else:
            found.append(change)
    return found


def to_edits(
    fields: Mapping[str, str], starts: dict[str, int], changes: Iterable[tuple[int, int, str]]
) -> tuple[Edit, ...]:
    """Replacements in the joined text as edits of its fields, without those that change nothing."""
    edits = []
    for first, last, after in changes:
        name = next(n for n in reversed(starts) if starts[n] <= first)
        start, end = first - starts[name], last - starts[name]
        before = fields[name][start:end]
        if before != after:
            edits.append(Edit(name, start, end, before, after))
    return tuple(edits)
