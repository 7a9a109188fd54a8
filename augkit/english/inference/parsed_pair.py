"""A parsed pair of texts, with what the premise states about each word of the hypothesis.

The first field is the premise (or evidence), the second the hypothesis (or claim).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from augkit.core.analysis import Analysis, Token
from augkit.core.protocols import Parser
from augkit.english.clauses import nli_words
from augkit.english.negation import negation_words
from augkit.lexicons.load import synonyms
from augkit.lexicons.taxonomy import Part, taxonomy
from augkit.text.quantities import to_number

Support = Literal["stated", "narrower", "excluded", "unstated"]
"""Of a word of the hypothesis: the premise states it; states something broader; states something
that excludes it; or does not mention it."""

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
_USUAL = {"people": "person", "human": "person", "tv": "television", "bike": "bicycle"}
"""Lemmas, and the words that the lexicon has for them."""
_MAX_DIGITS = 4
_OUTSIDE = nli_words("outside")
_INSIDE = nli_words("inside")


@dataclass(frozen=True, slots=True)
class WordLink:
    """What the premise states about a word of the hypothesis, and with which word."""

    word: Token
    support: Support
    premise_word: Token | None = None


def word_of(token: Token) -> str:
    """The word as the lexicon has it: the lower-case lemma, and "person" for "people"."""
    lemma = token.lemma.lower()
    return _USUAL.get(lemma, lemma)


def part_of(token: Token) -> Part | None:
    """Which part of the lexicon a token belongs to."""
    return _PARTS.get(token.upos)


@dataclass(frozen=True)
class ParsedPair:
    """A pair of texts with their parses; ``first`` and ``second`` are the names of its fields."""

    first: str
    second: str
    premise: Analysis
    hypothesis: Analysis

    @cached_property
    def links(self) -> tuple[WordLink, ...]:
        """One link for every content word of the hypothesis, in order."""
        return tuple(self._link(word) for word in self.hypothesis.tokens if is_content(word))

    def by_support(self, support: Support) -> list[WordLink]:
        """The links of one kind."""
        return [link for link in self.links if link.support == support]

    @cached_property
    def negated(self) -> bool:
        """Whether either text holds a negation."""
        tokens = (*self.premise.tokens, *self.hypothesis.tokens)
        return any(token.text.lower() in NEGATIONS for token in tokens)

    @cached_property
    def premise_words(self) -> frozenset[str]:
        """The words of the premise as the lexicon has them."""
        return frozenset(word_of(token) for token in self.premise.tokens)

    @cached_property
    def hypothesis_words(self) -> frozenset[str]:
        """The words of the hypothesis as the lexicon has them."""
        return frozenset(word_of(token) for token in self.hypothesis.tokens)

    def supporters(self, word: Token) -> list[Token]:
        """All words of the premise that state a word of the hypothesis."""
        return [
            premise_word
            for premise_word in self.premise.tokens
            if _support(premise_word, word) == "stated"
        ]

    def _link(self, word: Token) -> WordLink:
        first_by_support: dict[Support, Token] = {}
        for premise_word in self.premise.tokens:
            support = _support(premise_word, word)
            first_by_support.setdefault(support, premise_word)
        ranked: tuple[Support, ...] = ("stated", "narrower", "excluded")
        for support in ranked:
            if support in first_by_support:
                return WordLink(word, support, first_by_support[support])
        return WordLink(word, "unstated")


def is_content(token: Token) -> bool:
    """Whether a word says something that the other text can state or exclude."""
    if token.upos == "VERB":
        return word_of(token) not in nli_words("light_verbs")
    if token.upos in {"NOUN", "PROPN"}:
        return word_of(token) not in nli_words("light_nouns")
    return token.upos in {"ADJ", "NUM"} or (token.upos == "ADV" and token.xpos != "WRB")


def _support(premise_word: Token, word: Token) -> Support:
    """What a word of the premise states about one of the hypothesis."""
    there = word_of(premise_word)
    here = word_of(word)
    if there == here or word.text.lower() in synonyms().get(premise_word.text.lower(), ()):
        return "stated"
    if word.upos == "NUM" or premise_word.upos == "NUM":
        premise_number = number_of(premise_word)
        number = number_of(word)
        if premise_number is None or number is None:
            return "unstated"
        return "stated" if premise_number == number else "excluded"
    if (support := _by_place(premise_word, here)) is not None:
        return support
    part = part_of(word)
    if part is None or part_of(premise_word) != part:
        return "unstated"
    lexicon = taxonomy()
    if lexicon.holds_of(here, there, part):
        return "stated"
    if lexicon.holds_of(there, here, part):
        return "narrower"
    return "excluded" if lexicon.excludes(here, there, part) else "unstated"


def number_of(token: Token) -> int | None:
    """The number that a token names in words or digits, years included."""
    if token.text.isascii() and token.text.isdigit() and len(token.text) <= _MAX_DIGITS:
        return int(token.text)
    return to_number(token.text)


def is_named(analysis: Analysis, token: Token) -> bool:
    """Whether a word is part of a name, so that another in its place would name somebody else."""
    if token.upos == "PROPN" or token.is_relation("compound", "flat"):
        return True
    first = token.index == 0 or analysis.tokens[token.index - 1].sentence != token.sentence
    head = analysis.head(token)
    if token.upos == "ADJ":  # "American" describes a film, "Old" of no "Old Kentucky Home"
        return token.text[:1].isupper() and head.upos == "PROPN"
    return token.text[:1].isupper() and not first


def _by_place(premise_word: Token, here: str) -> Support | None:
    """What a place named in the premise states about "outside" and "inside"."""
    if here not in _OUTSIDE | _INSIDE or premise_word.upos not in {"NOUN", "PROPN"}:
        return None
    places = taxonomy()
    named = word_of(premise_word)
    if named in places.outdoors:
        return "stated" if here in _OUTSIDE else "excluded"
    if named in places.indoors:
        return "stated" if here in _INSIDE else "excluded"
    return None


def parse_pairs(pairs: Sequence[Mapping[str, str]], parser: Parser) -> list[ParsedPair]:
    """Each pair of fields, the premise first, with its parses."""
    analyses = iter(parser.parse([text for fields in pairs for text in fields.values()]))
    return [ParsedPair(first, second, next(analyses), next(analyses)) for first, second in pairs]
