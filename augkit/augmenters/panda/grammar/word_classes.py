"""What a word can be, whatever the text: its parts of speech; a word for a person or a thing."""

from __future__ import annotations

import re

from augkit.augmenters.panda.document import Document
from augkit.core.analysis import Token
from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.cues import NOUNS, PEOPLE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import gendered_nouns, person_nouns
from augkit.lexicons.load import closed_classes

NEXT_CAPITAL = re.compile(r" ([^\W\d_a-z][^\W\d_]+)")
"""For ``match`` where a word ends: "Rob *Marshall*"."""
LAST_CAPITAL = re.compile(r"(?<![^\W_])([^\W\d_a-z][^\W\d_]+) $")
"""For ``search`` up to where a word begins: "*Port* Elizabeth"."""
OWNERS = frozenset("my your his her our their whose its".split())
DETERMINERS = frozenset("a an the this that these those my your his her our their its".split())
OF_ONE = DETERMINERS - {"these", "those"}
"""Determiners that one person or thing may have."""
HELPERS = frozenset(
    "is was has had does did will would can could should must may might won't wasn't isn't didn't"
    " doesn't couldn't wouldn't hasn't hadn't can't".split()
)
"""Verbs that help another, after one person."""


def names_person(token: Token) -> bool:
    """Whether a noun names a person or a group of people."""
    forms = {token.lemma.lower(), token.text.lower()}
    singular = token.text.lower().removesuffix("s")
    return bool(
        forms & person_nouns()
        or forms & gendered_nouns().keys()
        or forms & PEOPLE.groups
        or singular in person_nouns()
    )


def is_person_word(word: str) -> bool:
    """Whether a form alone, singular or plural, names a person or a group of people.

    >>> is_person_word("students"), is_person_word("shirt"), is_person_word("women")
    (True, False, True)
    """
    listed = person_nouns()
    if word in listed or word in gendered_nouns() or word in PEOPLE.groups:
        return True
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    return word.endswith("s") and (singular in listed or word.removesuffix("es") in listed)


def is_of_thing(word: str) -> bool:
    """Whether a form can only be a noun, and of no person: "sauce", not "nurse" or "walk"."""
    if word in NOUNS.function or word in closed_classes() or not word.isalpha():
        return False
    kinds = parts_of_speech(word)
    return kinds == {"NOUN"} and not is_person_word(word) and not word.endswith("ing")


def is_of_compound(doc: Document, hit: Hit) -> bool:
    """Whether a person's noun after a word only describes a thing: "an old *family* recipe"."""
    beside = doc.next_words(hit.end, 2)
    return len(beside) > 1 and is_person_word(beside[0]) and is_of_thing(beside[1])
