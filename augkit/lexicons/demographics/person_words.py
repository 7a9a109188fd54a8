"""Words that name people: nouns, groups, titles and first names, and the gender that each shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from augkit.lexicons.demographics import first_names as name_list
from augkit.lexicons.demographics.axes import bundled_axis
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.term_senses import readings
from augkit.lexicons.load import data_yaml, word_list

Gender = Literal["man", "woman", "unknown"]


@cache
def animals() -> frozenset[str]:
    """Words, in lower case and the singular, that mostly name an animal.

    >>> "damselfly" in animals(), "martin" in animals()
    (True, False)
    """
    return frozenset(word_list("animals"))


@cache
def no_surnames() -> frozenset[str]:
    """Nouns, in lower case, that nobody is called by: food, events, ideas.

    >>> "sushi" in no_surnames(), "vine" in no_surnames()
    (True, False)
    """
    return frozenset(word_list("no_surnames"))


@cache
def named_things() -> frozenset[str]:
    """Nouns, in lower case, of animals, vessels, vehicles and storms, which have names.

    >>> "storm" in named_things(), "france" in named_things()
    (True, False)
    """
    lists = _lists("called_she.yaml")
    return frozenset(str(w) for kind in ("animals", "things") for w in lists[kind])


@cache
def called_she() -> frozenset[str]:
    """Nouns, in lower case, of animals, things and countries that pronouns stand for.

    >>> "mare" in called_she(), "woman" in called_she()
    (True, False)
    """
    lands = _lists("called_she.yaml")["lands"]
    return named_things() | frozenset(str(w) for w in lands)


@cache
def perhaps_she() -> frozenset[str]:
    """These and all other animals."""
    return called_she() | animals()


@cache
def person_nouns() -> frozenset[str]:
    """Lemmas, in lower case, of nouns that usually name a person or a group of people.

    >>> "doctor" in person_nouns(), "table" in person_nouns()
    (True, False)
    """
    listed = frozenset(word_list("person_nouns"))
    return listed | PEOPLE.persons | PEOPLE.groups


@cache
def surname_words() -> frozenset[str]:
    """Nouns, in lower case, that are surnames too.

    >>> "stone" in surname_words(), "alert" in surname_words()
    (True, False)
    """
    return frozenset(word_list("surname_words"))


@cache
def verbs_first() -> frozenset[str]:
    """Words that can be nouns and are verbs more often, in their base form.

    >>> "smile" in verbs_first(), "book" in verbs_first()
    (True, False)
    """
    return frozenset(word_list("verbs_first"))


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
    shown: dict[str, Gender] = {"man": "man", "woman": "woman"}
    return {key: shown.get(name.gender, "unknown") for key, name in name_list.first_names().items()}


@cache
def place_names() -> frozenset[str]:
    """First names, in lower case, that are also places: alone they may name no person.

    >>> "austin" in place_names()
    True
    """
    return frozenset(key for key, name in name_list.first_names().items() if "p" in name.also)


def _gendered(part: str) -> dict[str, Gender]:
    found: dict[str, Gender] = {}
    for reading in readings(bundled_axis("gender")):
        if reading.pos == part and not reading.weak:
            if reading.attribute == "man":
                found.setdefault(reading.form.lower(), "man")
            elif reading.attribute == "woman":
                found.setdefault(reading.form.lower(), "woman")
    return found


@cache
def _lists(name: str) -> Mapping[str, list[object]]:
    """The lists of a data file, parsed once."""
    lists: Mapping[str, list[object]] = data_yaml(name)
    return lists
