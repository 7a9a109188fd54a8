"""A pair of texts, parsed, with what in the first speaks for or against each word of the second.

The first field is the premise (or evidence), the second the hypothesis (or claim).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words
from augkit.lexicons.load import synonyms
from augkit.lexicons.taxonomy import Part, scenes
from augkit.text.numbers import to_number

Support = Literal["said", "narrower", "excluded", "unsaid"]
"""Of a word of the hypothesis: the premise says it; says something broader; says something that
excludes it; or does not say it."""

_LIGHT_VERBS = frozenset({"be", "have", "do", "get", "wear", "dress", "use"})
"""Verbs that a scene says in other ways: "a man in a hat" wears it."""
_LIGHT_NOUNS = frozenset(
    {"group", "lot", "front", "one", "middle", "background", "other", "someone"}
)
NEGATIONS = negation_words(
    "particle", "contraction", "determiner", "adverb", "pronoun", "preposition"
)
_PARTS: Mapping[str, Part] = {
    "NOUN": "noun",
    "PROPN": "noun",
    "VERB": "verb",
    "ADJ": "modifier",
    "ADV": "modifier",
}
_DIGITS = 4
_OUTSIDE = frozenset({"outside", "outdoors", "outdoor"})
_INSIDE = frozenset({"inside", "indoors", "indoor"})


@dataclass(frozen=True, slots=True)
class Link:
    """What the premise says of a word of the hypothesis, and with which word."""

    word: Token
    support: Support
    other: Token | None = None


def word_of(token: Token) -> str:
    """The word as the lexicon has it: the lemma in small letters, and "person" for "people"."""
    small = token.lemma.lower()
    return {"people": "person", "tv": "television", "bike": "bicycle"}.get(small, small)


def part_of(token: Token) -> Part | None:
    """Which part of the lexicon a token belongs to."""
    return _PARTS.get(token.upos)


@dataclass(frozen=True)
class Scene:
    """A pair of texts with their parses; ``first`` and ``second`` are the names of its fields."""

    first: str
    second: str
    premise: Analysis
    hypothesis: Analysis

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """One link for every word of the hypothesis that says something, in order."""
        return tuple(self._link(word) for word in self.hypothesis.tokens if is_content(word))

    def by_support(self, support: Support) -> list[Link]:
        """The links of one kind."""
        return [link for link in self.links if link.support == support]

    @cached_property
    def negated(self) -> bool:
        """Whether one text and not the other, or both, hold a word that denies."""
        both = (*self.premise.tokens, *self.hypothesis.tokens)
        return any(token.text.lower() in NEGATIONS for token in both)

    @cached_property
    def premise_words(self) -> frozenset[str]:
        """The words of the premise as the lexicon has them."""
        return frozenset(word_of(token) for token in self.premise.tokens)

    @cached_property
    def hypothesis_words(self) -> frozenset[str]:
        """The words of the hypothesis as the lexicon has them."""
        return frozenset(word_of(token) for token in self.hypothesis.tokens)

    def supporters(self, word: Token) -> list[Token]:
        """All words of the premise that say a word of the hypothesis."""
        return [other for other in self.premise.tokens if _support(other, word) == "said"]

    def _link(self, word: Token) -> Link:
        found: dict[Support, Token] = {}
        for other in self.premise.tokens:
            support = _support(other, word)
            found.setdefault(support, other)
        ranked: tuple[Support, ...] = ("said", "narrower", "excluded")
        for support in ranked:
            if support in found:
                return Link(word, support, found[support])
        return Link(word, "unsaid")


def is_content(token: Token) -> bool:
    """Whether a word says something that the other text can say or deny."""
    if token.upos == "VERB":
        return word_of(token) not in _LIGHT_VERBS
    if token.upos in {"NOUN", "PROPN"}:
        return word_of(token) not in _LIGHT_NOUNS
    return token.upos in {"ADJ", "NUM"} or (token.upos == "ADV" and token.xpos != "WRB")


def _support(other: Token, word: Token) -> Support:
    """What a word of the premise says of one of the hypothesis."""
    there, here = word_of(other), word_of(word)
    if there == here or word.text.lower() in synonyms().get(other.text.lower(), ()):
        return "said"
    if word.upos == "NUM" or other.upos == "NUM":
        return _numbers(other, word)
    if (side := _side(other, here)) is not None:
        return side
    part = part_of(word)
    if part is None or part_of(other) != part:
        return "unsaid"
    lexicon = scenes()
    if lexicon.holds_of(here, there, part):
        return "said"
    if lexicon.holds_of(there, here, part):
        return "narrower"
    return "excluded" if lexicon.excludes(here, there, part) else "unsaid"


def _numbers(other: Token, word: Token) -> Support:
    one, two = number_of(other), number_of(word)
    if one is None or two is None:
        return "unsaid"
    return "said" if one == two else "excluded"


def number_of(token: Token) -> int | None:
    """The number that a token says in words or digits, years included."""
    if token.text.isascii() and token.text.isdigit() and len(token.text) <= _DIGITS:
        return int(token.text)
    return to_number(token.text)


def is_named(analysis: Analysis, token: Token) -> bool:
    """Whether a word is part of a name, so that another in its place would name somebody else."""
    if token.upos == "PROPN" or token.is_relation("compound", "flat"):
        return True
    first = token.index == 0 or analysis.tokens[token.index - 1].sentence != token.sentence
    head = analysis.head(token)
    if token.upos == "ADJ":  # "American" is said of a film, "Old" of no "Old Kentucky Home"
        return token.text[:1].isupper() and head.upos == "PROPN"
    return token.text[:1].isupper() and not first


def _side(other: Token, here: str) -> Support | None:
    """Of "outside" and "inside": what a place named in the premise says of it."""
    if here not in _OUTSIDE | _INSIDE or other.upos not in {"NOUN", "PROPN"}:
        return None
    places = scenes()
    named = word_of(other)
    if named in places.outdoors:
        return "said" if here in _OUTSIDE else "excluded"
    if named in places.indoors:
        return "said" if here in _INSIDE else "excluded"
    return None


def content(analysis: Analysis) -> Iterator[Token]:
    """The words of a text that say something."""
    return (token for token in analysis.tokens if is_content(token))
