"""The demographic references of a text: the words that Algorithm 1 may draw."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from augkit.augmenters.llm_checks.written import function_words
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.person_words import is_person_word

_NEXT_WORDS = re.compile(r"(?:,?\s+[\w'\u2019-]+){1,3}")


class Reference(NamedTuple):
    """A word that states an attribute of an axis: ``fields[field][start:end]``."""

    field: str
    start: int
    end: int
    axis: str
    attribute: str
    is_name: bool

    @property
    def span(self) -> tuple[str, int, int]:
        """Field, start and end."""
        return self.field, self.start, self.end


@lru_cache(maxsize=4_096)
def find_hits(axis: str, text: str) -> tuple[Hit, ...]:
    """The references of a text to an axis, cached: sampling and rewriting look for the same ones.

    >>> [hit.attribute for hit in find_hits("gender", "He saw Anna.")]
    ['man', 'woman']
    """
    return tuple(finder_for(axis).find(text))


def describes_people(text: str, hit: Hit) -> bool:
    """Whether a noun for people follows an adjective; any other reference is about people.

    >>> text = "An Asian man in a black vest."
    >>> [describes_people(text, hit) for hit in find_hits("race", text)]
    [True, False]
    """
    following = _NEXT_WORDS.match(text, hit.end)
    words = following[0].casefold().replace(",", "").split() if following else []
    described = takewhile(lambda word: word not in function_words(), words)
    return hit.pos != "adj" or any(map(is_person_word, described))


def references(fields: Mapping[str, str], axes: Sequence[str]) -> list[Reference]:
    """The references that may be drawn, by axis, field and position.

    Fixed phrases are left out, and so are words so general ("person") that they count only where
    a caller chooses them.
    """
    return [
        Reference(name, hit.start, hit.end, axis, hit.attribute, hit.pos == "name")
        for axis in axes
        for name, text in fields.items()
        for hit in find_hits(axis, text)
        if not (hit.is_weak or hit.blocked or "surname" in hit.needs)
    ]
