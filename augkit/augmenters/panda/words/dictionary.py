"""What a dictionary knows of a form: the parts of speech it can be."""

from __future__ import annotations

from functools import lru_cache

from augkit.language.dictionary import known_lemmas


@lru_cache(maxsize=100_000)
def word_kinds(word: str) -> frozenset[str]:
    """The parts of speech that a dictionary knows for a form.

    >>> sorted(word_kinds("walk")), sorted(word_kinds("toolbox"))
    (['NOUN', 'VERB'], ['NOUN'])
    """
    return frozenset(known_lemmas(word))


def can_be(word: str, kind: str) -> bool:
    """Whether a word may be of a part of speech."""
    return kind in known_lemmas(word)


def is_noun_of_one(word: str) -> bool:
    """Whether a word may be a noun in the singular: "her book", not "her flowers"."""
    return word in known_lemmas(word).get("NOUN", ())


def is_base_verb(word: str) -> bool:
    """Whether a word may be the base form of a verb: "leave", not "left" or "leaves"."""
    return word in known_lemmas(word).get("VERB", ())
