"""Fields as one text, and replacements there: possessives, edits of the fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from augkit.core.types import Edit
from augkit.text.articles import Replacement
from augkit.text.spans import FieldSpan

_PLURALS = ("men", "people", "children", "folk")
_POSSESSIVE = re.compile("(['\u2019])(s?)", re.IGNORECASE)


class JoinedText:
    """The fields of an example as one text; ``starts`` says where each begins."""

    def __init__(self, fields: Mapping[str, str], between: str) -> None:
        """Join the fields by ``between``."""
        self.fields = fields
        self.text = between.join(fields.values())
        self.starts: dict[str, int] = {}
        start = 0
        for name, text in fields.items():
            self.starts[name] = start
            start += len(text) + len(between)

    def field_at(self, offset: int) -> str:
        """The field of a character."""
        return [name for name, start in self.starts.items() if start <= offset][-1]

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


def with_possessives(text: str, changes: Iterable[Replacement]) -> list[Replacement]:
    """The changes, with the sign of possession that goes with a new plural.

    >>> with_possessives("old people's homes", [Replacement(0, 10, "young adults")])
    [Replacement(start=0, end=12, after="young adults'")]
    >>> with_possessives("the ladies' hats", [Replacement(4, 10, "people")])
    [Replacement(start=4, end=11, after="people's")]
    """
    found = []
    for start, end, after in changes:
        before, sign = text[start:end].lower(), _POSSESSIVE.match(text, end)
        plural = after.lower().endswith("s")
        if sign and sign[2] and plural and before.endswith(_PLURALS):
            found.append(Replacement(start, end + 2, after + sign[1]))
        elif sign and not sign[2] and before.endswith("s") and not plural and after[-1:].isalpha():
            s = "S" if after.isupper() else "s"
            found.append(Replacement(start, end + 1, f"{after}{sign[1]}{s}"))
        else:
            found.append(Replacement(start, end, after))
    return found
