"""Words that name people: nouns, groups, titles and first names, and the gender that each shows."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from functools import cache
from typing import Literal

from augkit.lexicons.demographics.axes import bundled_axis
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.names import first_names
from augkit.lexicons.demographics.term_senses import readings
from augkit.lexicons.load import word_set
from augkit.text.tokens import words

Gender = Literal["man", "woman", "unknown"]
_SHOWN: Mapping[str, Gender] = {"man": "man", "woman": "woman"}


@cache
def person_nouns() -> frozenset[str]:
    """Lemmas, in lower case, of nouns that usually name a person or a group of people.

    >>> "doctor" in person_nouns(), "table" in person_nouns()
    (True, False)
    """
    return word_set("person_nouns") | PEOPLE.persons | PEOPLE.groups


@cache
def gendered_nouns() -> Mapping[str, Gender]:
    """Nouns, singular and plural, in lower case → the gender they show.

    >>> gendered_nouns()["nieces"], gendered_nouns().get("actor")
    ('woman', None)
    """
    return _gendered("noun")


@cache
def titles() -> Mapping[str, Gender]:
    """Words before a name, in lower case and without a full stop → the gender they show.

    >>> titles()["mrs"], titles()["dr"]
    ('woman', 'unknown')
    """
    neutral: dict[str, Gender] = dict.fromkeys(PEOPLE.titles, "unknown")
    return {**neutral, **_gendered("noun"), **_gendered("title")}


@cache
def name_genders() -> Mapping[str, Gender]:
    """First names, in lower case → the gender of most who bear them.

    >>> name_genders()["anna"], name_genders()["robin"]
    ('woman', 'unknown')
    """
    return {key: _SHOWN.get(name.gender, "unknown") for key, name in first_names().items()}


def _gendered(part: str) -> dict[str, Gender]:
    genders: dict[str, Gender] = {}
    for reading in readings(bundled_axis("gender")):
        if reading.pos == part and not reading.weak and reading.attribute in _SHOWN:
            genders.setdefault(reading.form.lower(), _SHOWN[reading.attribute])
    return genders


@cache
def slurs() -> frozenset[str]:
    """Lower-case words for people that are never written; the file keeps them in rot13."""
    return frozenset(codecs.decode(line, "rot13") for line in word_set("slurs"))


def has_slur(text: str) -> bool:
    """Whether one of the slurs stands in a text, as a word of its own."""
    return not slurs().isdisjoint(words(text.lower()))


def is_person_word(word: str) -> bool:
    """Whether a form alone, singular or plural, names a person or a group of people.

    >>> is_person_word("students"), is_person_word("shirt"), is_person_word("women")
    (True, False, True)
    """
    listed = person_nouns()
    if word in listed or word in gendered_nouns():
        return True
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    return word.endswith("s") and (singular in listed or word.removesuffix("es") in listed)
