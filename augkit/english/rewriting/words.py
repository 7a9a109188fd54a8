"""The word lists of the operations, and which words carry a judgement."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from augkit.core.analysis import Token
from augkit.core.yaml_files import parse_bundled_yaml
from augkit.english.morphology import known_lemmas
from augkit.english.negation import negation_words
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.lexicons.load import valences

_LEAST_VALENCE = 1.0
"""How pleasant or unpleasant a word must be to count as a judgement, of 4."""
_HIGHEST_RATING = 10
_NEGATIONS = (
    *("particle", "contraction", "typographic", "informal", "modal", "adverb", "place"),
    *("determiner", "pronoun", "correlative", "conjunction", "preposition", "hardly"),
    *("approximate", "only", "exclusive", "quantifier"),
)


@cache
def table(name: str) -> Any:
    """The values of a YAML file of this folder."""
    return parse_bundled_yaml(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list of ``words.yaml``; "_" stands for a space.

    >>> "in fact" in word_list("openers")
    True
    """
    return frozenset(phrases(name))


@cache
def phrases(name: str) -> tuple[str, ...]:
    """The same list in its order, to try one after another."""
    return tuple(word.replace("_", " ") for word in table("words.yaml")[name].split())


@cache
def judges(word: str) -> bool:
    """Whether a lower-case word judges, negates or compares, so that a label may turn on it.

    A small number may be a rating.

    >>> [judges(word) for word in ("tedious", "not", "too", "1", "honestly", "zeppelin")]
    [True, True, True, True, False, False]
    """
    if word[:1].isdecimal() and (not word.isdecimal() or int(word) <= _HIGHEST_RATING):
        return True
    if word in word_list("sentence_adverbs"):
        return False
    if negates_or_compares(word):
        return True
    lemmas = (lemma for lemmas_of_class in known_lemmas(word).values() for lemma in lemmas_of_class)
    return has_polarity(word) or any(map(has_polarity, lemmas))


def negates_or_compares(word: str) -> bool:
    """Whether a lower-case word negates, limits, contrasts or compares.

    >>> negates_or_compares("not"), negates_or_compares("tedious")
    (True, False)
    """
    if word.endswith(("n't", "n\u2019t")):
        return True
    return word in negation_words(*_NEGATIONS) or word in word_list("degree")


def has_polarity(word: str) -> bool:
    """Whether a lexicon says that a lower-case word is pleasant or unpleasant.

    >>> has_polarity("tedious"), has_polarity("not")
    (True, False)
    """
    return word in bundled_lexicon().words or abs(valences().get(word, 0)) >= _LEAST_VALENCE


def token_judges(token: Token) -> bool:
    """The same for a word of a text, in its form or its lemma."""
    return judges(token.text.lower()) or judges(token.lemma.lower())
