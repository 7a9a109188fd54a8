"""Phrases that are left alone: those of an axis, those of its sibling, and names of things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from augkit.lexicons.demographics.axes import AxisFile, bundled_axis
from augkit.lexicons.load import word_list
from augkit.lexicons.phrase_table import lower_in_place, text_words

_SHARED = {"age": "gender"}
"""Axes that have words in common with another: "boy band" is left alone on both."""
_PLURALS = {"man": "men", "child": "children", "ay": "ays", "ey": "eys", "oy": "oys", "y": "ies"}
_PLURALS |= {ending: f"{ending}es" for ending in ("sh", "ch", "x", "ss")}


class Stop(NamedTuple):
    """A phrase that is left alone, as the list writes it, and why."""

    phrase: str
    why: str

    @property
    def capitals(self) -> tuple[bool, bool]:
        """Whether its first and last words have one: "old navy" need not be the name "Old Navy"."""
        last = self.phrase.replace("-", " ").rpartition(" ")[2]
        return self.phrase[:1].isupper(), last[:1].isupper()


def stops_of(axis: AxisFile, *references: Mapping[str, object]) -> Iterator[tuple[str, Stop]]:
    """The phrases that are left alone on an axis; of two with the same words the first counts.

    ``references`` are the words, in lower case, that could be taken for a reference.
    """
    for phrase in axis.fixed:
        yield phrase, Stop(phrase, f"'{phrase}' is a fixed phrase")
    for phrase, why in axis.refuse.items():
        yield phrase, Stop(phrase, f"'{phrase}': {why}")
    shared = bundled_axis(_SHARED[axis.axis]).fixed if axis.axis in _SHARED else ()
    named = {*word_list("named_phrases"), *shared}
    named = {phrase for phrase in named if _has_any(phrase, *references)}
    named |= {in_plural(phrase) for phrase in (*axis.fixed, *named)}
    for phrase in sorted(named):
        yield phrase, Stop(phrase, f"'{phrase}' names no person")


def in_plural(phrase: str) -> str:
    """A phrase with its last word in the plural, as most nouns form it.

    >>> in_plural("painted lady"), in_plural("gingerbread man"), in_plural("king crab")
    ('painted ladies', 'gingerbread men', 'king crabs')
    """
    for ending, plural in _PLURALS.items():
        if phrase.endswith(ending):
            return phrase.removesuffix(ending) + plural
    return phrase if phrase.endswith("s") else f"{phrase}s"


def _has_any(phrase: str, *some: Mapping[str, object]) -> bool:
    words = text_words(lower_in_place(phrase)).words
    return any(word in known for known in some for word in words)
