"""Figures of tales and comics, who stay as they are told: Batman, Santa Claus, Cinderella."""

from __future__ import annotations

import re
from functools import cache

from augkit.augmenters.panda.coreference.chains import person_at
from augkit.augmenters.panda.document import Document
from augkit.lexicons.demographics.person_words import people_words


@cache
def _figures() -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(people_words("figures"), key=len, reverse=True)))
    return re.compile(rf"\b(?:{names})\b", re.IGNORECASE)


def figure_of(doc: Document, start: int) -> str | None:
    """The figure of a tale that is spoken of at a place: "*Batman* lost his cape"."""
    told = list(_figures().finditer(doc.text))
    if not told:
        return None
    person = person_at(doc, start)
    spans = [(m.start, m.end) for m in person.mentions] if person is not None else []
    spans = [*spans, (start, start)]
    for match in told:
        if any(one < match.end() and match.start() <= end for one, end in spans):
            return match[0]
    return None
