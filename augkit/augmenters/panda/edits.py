"""Fields as one text, and replacements there: casing, possessives, edits of the fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate

from augkit.core.types import Edit
from augkit.text.articles import Replacement
from augkit.text.casing import match_case
from augkit.text.spans import FieldSpan

_PLURALS = ("men", "people", "children", "folk")


class JoinedText:
    """The fields of an example as one text; ``starts`` says where each begins."""

    def __init__(self, fields: Mapping[str, str], between: str) -> None:
        """Join the fields by ``between``."""
        self.fields = fields
        self.text = between.join(fields.values())
        starts = accumulate((len(text) + len(between) for text in fields.values()), initial=0)
        self.starts = dict(zip(fields, starts, strict=False))

    def field_at(self, offset: int) -> str:
        """The field of a character."""
        found = ""
        for name, start in self.starts.items():
            if start <= offset:
                found = name
        return found

    def in_field(self, start: int, end: int) -> FieldSpan | None:
        """The span of a field that a span of the text is; None where it goes beyond the field."""
        name = self.field_at(start)
        first = self.starts[name]
        if end - first > len(self.fields[name]):
            return None
        return name, start - first, end - first

    def edits(self, changes: Iterable[Replacement]) -> tuple[Edit, ...]:
        """Replacements as edits of the fields, without those that change nothing."""
        edits = []
        for start, end, after in changes:
            span = self.in_field(start, end)
            if span is not None and self.text[start:end] != after:
                edits.append(Edit(*span, self.text[start:end], after))
        return tuple(edits)


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
    several = any(sign in like and sign in word for sign in " -")
    if several and like.istitle() and word.islower():
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
