"""The demographic references of a text, and how perturbable they make it (Eq. 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from augkit.core.edits import FieldSpan, Span
from augkit.english.english import not_english
from augkit.english.morphology import can_be, parts_of_speech
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.load import closed_classes
from augkit.text.tokens import words

WORD_OR_SIGN = re.compile(r"[\w'\u2019]+(?:-\w+)*|[^\w\s]|\n")
# A quotation that nothing closes is matched too, without its group: else it would be read once
# more from each of its signs.
_QUOTED = re.compile(
    r"[\"\u201c\u00ab](?:([^\"\u201c\u201d\u00bb]{12,})[\"\u201d\u00bb]|[^\"\u201c\u201d\u00bb]*)"
)
"""A quoted passage long enough to tell its language."""
_LINKING = frozenset({",", "and", "or", "but", "-"})
_REACH = 160
_WORDS = 5
"""Characters and words after an adjective that are looked at, at most."""


class Reference(NamedTuple):
    """A word, in lower case, that states an attribute of an axis: ``fields[field][start:end]``."""

    field: str
    start: int
    end: int
    axis: str
    attribute: str
    is_name: bool
    word: str

    @property
    def span(self) -> FieldSpan:
        """Field, start and end."""
        return FieldSpan(self.field, self.start, self.end)


@lru_cache(maxsize=4_096)
def find_hits(axis: str, text: str) -> tuple[Hit, ...]:
    """The references of a text to an axis, cached: sampling and rewriting look for the same ones.

    In a passage of another language only names are found: "son parapluie" is nobody's son.

    >>> [hit.attribute for hit in find_hits("gender", "He saw Anna.")]
    ['man', 'woman']
    """
    foreign = foreign_passages(text)
    return tuple(
        hit
        for hit in finder_for(axis).find(text)
        if hit.pos == "name" or not any(span.start <= hit.start < span.end for span in foreign)
    )


def foreign_passages(text: str) -> list[Span]:
    """What is not English: the whole text, or what stands in quotation marks.

    >>> foreign_passages('What does "Ana deja las llaves en la mesa" tell you?')
    [Span(start=11, end=41)]
    """
    if not_english(text):
        return [Span(0, len(text))]
    return [Span(*m.span(1)) for m in _QUOTED.finditer(text) if m[1] and not_english(m[1])]


def describes_people(text: str, hit: Hit) -> bool:
    """Whether a noun for people follows an adjective; any other reference is about people.

    >>> text = "An Asian man in a black vest."
    >>> [describes_people(text, hit) for hit in find_hits("race", text)]
    [True, False]
    """
    return hit.pos != "adj" or precedes_people(text, hit.end)


def precedes_people(text: str, end: int) -> bool:
    """Whether the next noun is one for people; adjectives before it are passed over."""
    following = (match[0].lower() for match in WORD_OR_SIGN.finditer(text, end, end + _REACH))
    for word, after in pairwise([*islice(following, _WORDS), ""]):
        if is_person_word(word):
            return not is_thing_word(after)
        if word not in _LINKING and not can_be(word, "ADJ"):
            return False
    return False


def is_thing_word(word: str) -> bool:
    """Whether a form can only be a noun, and of no person: "sauce", not "nurse", "walk", "who"."""
    is_noun = parts_of_speech(word) == {"NOUN"} and word not in closed_classes()
    return is_noun and not is_person_word(word) and len(word) > 2


def references(fields: Mapping[str, str], axes: Sequence[str]) -> list[Reference]:
    """The references that may be drawn, by axis, field and position.

    Fixed phrases are left out, and so is what counts only where a caller chooses it: words so
    general as "person", and names as words for a race, of which they are a weak sign.
    """
    return [
        Reference(
            name,
            hit.start,
            hit.end,
            axis,
            hit.attribute,
            is_name=hit.pos == "name",
            word=text[hit.start : hit.end].lower(),
        )
        for axis in axes
        for name, text in fields.items()
        for hit in find_hits(axis, text)
        if not (hit.is_weak or hit.blocked or "surname" in hit.needs)
        and not (hit.axis == "race" and hit.pos == "name")
    ]


def perturbability(
    fields: Mapping[str, str],
    axes: Sequence[str],
    entities: int,
) -> float:
    """How likely a text is to speak of people who can be changed, by its words (Eq. 2).

        (m0 · NER(s) + m1 · |s ∩ D_d|) / |s|

    NER(s) are the named ``entities`` of the text s, D_d the lists of the axes, names included, and
    |s| its words. Every occurrence of a listed word counts, once for all axes. The paper gives no
    weights: here m0 is 1 and m1 is 1/2.

    Reference: qian2022perturbation.

    >>> perturbability({"text": "He lost his keys"}, ["gender"], entities=0)
    0.25
    """
    listed = {reference.span for reference in references(fields, axes)}
    size = sum(len(words(text)) for text in fields.values())
    return (entities + len(listed) / 2) / max(1, size)
