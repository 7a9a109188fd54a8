"""A column with a string that occurs in a text, as the answer to a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import DataError
from augkit.core.types import LabelledSpan
from augkit.datasets.readers.blocks import Row


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """One string or several; each place where it occurs is a span."""

    column: str
    fields: tuple[str, ...]
    """Where it may occur."""

    def read(self, row: Row, fields: Mapping[str, str]) -> list[LabelledSpan]:
        """All places of the answers; ``DataError`` where one does not occur."""
        found = []
        for answer in _answers(row.get(self.column)):
            places = [
                LabelledSpan(field, start, start + len(answer), answer, self.column, "answer")
                for field in self.fields
                for start in places_of(answer, fields[field])
            ]
            if not places:
                raise DataError(
                    f"column '{self.column}': {answer[:80]!r} does not occur in "
                    f"{' or '.join(self.fields)}. Correct the row or drop it, or leave out "
                    f"--answer-column {self.column} if answers need not be quotes"
                )
            found += places
        return found

    def write(self, row: Row, spans: Sequence[LabelledSpan], fields: Mapping[str, str]) -> Any:
        """The answers as the texts now have them."""
        now = {span.label: fields[span.field][span.start : span.end] for span in spans}
        value: Any = row.get(self.column)
        if isinstance(value, list):
            return [now.get(answer, answer) for answer in value]
        return now.get(value, value)


def places_of(answer: str, text: str) -> list[int]:
    """Where a string starts in a text: as whole words, or anywhere if it is nowhere so.

    >>> places_of("5", "15 and 5"), places_of("5", "15")
    ([7], [1])
    """
    written = re.escape(answer)
    for pattern in (rf"(?<!\w){written}(?!\w)", written):
        if found := [match.start() for match in re.finditer(pattern, text)]:
            return found
    return []


def _answers(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(one for one in values if isinstance(one, str) and one.strip()))
