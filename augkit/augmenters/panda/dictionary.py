"""What a dictionary knows of a form: the parts of speech it can be."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=100_000)
def word_kinds(word: str) -> frozenset[str]:
    """The parts of speech that a dictionary knows for a form.

    >>> sorted(word_kinds("walk")), sorted(word_kinds("toolbox"))
    (['NOUN', 'VERB'], ['NOUN'])
    """
    import lemminflect  # type: ignore[import-untyped]  # it has no stubs

    return frozenset(lemminflect.getAllLemmas(word))


def can_be(word: str, kind: str) -> bool:
    """Whether a word may be of a part of speech."""
    return kind in word_kinds(word)


def is_noun_of_one(word: str) -> bool:
    """Whether a word may be a noun in the singular: "her book", not "her flowers"."""
    import lemminflect

    return word in lemminflect.getAllLemmas(word).get("NOUN", ())


def is_base_verb(word: str) -> bool:
    """Whether a word may be the base form of a verb: "leave", not "left" or "leaves"."""
    import lemminflect

    return word in lemminflect.getAllLemmas(word).get("VERB", ())
