"""Symmetric pairs: a value that decides between true and false is exchanged in either text.

"It opened in 1979" is true beside a text that says 1979, and false beside one that says 1983; so is
"It opened in 1983" the other way round. Each second text then has both labels and gives none away.

Reference: schuster2019towards, where people wrote such pairs as a test set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import NamedTuple

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.crossed import crossed
from augkit.augmenters.fields import not_a_pair
from augkit.augmenters.symmetric.values import Value, may_have_value, subject_tokens, values_of
from augkit.core.analysis import Analysis
from augkit.core.config import MethodConfig
from augkit.core.edits import Replacement
from augkit.core.json_files import JsonArtifact
from augkit.core.protocols import Artifact
from augkit.core.types import Example, Variant, refused
from augkit.english.morphology import known_lemmas
from augkit.english.negation import negation_pattern
from augkit.english.rewriting.candidates import apply_edits
from augkit.english.rewriting.words import table, word_list
from augkit.lexicons.demographics.peoples import peoples
from augkit.lexicons.label_meanings import labels_of, unnamed_relations
from augkit.lexicons.load import closed_classes, word_set

_NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
_NO_VALUE = "no value decides the label"
_WORD = re.compile(r"[\w']+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"])")
_BRACKET = re.compile(r"-[LR][RS]B-")
_DASH = r"(?:--|[-\u2013\u2212])"
_LIFE_SPAN = re.compile(rf"\d{{4}} ({_DASH}) (?:[\w,]+ ){{0,3}}\d{{4}}")
_BIRTH = frozenset({"bear", "birth", "birthday", "birthdate"})
_RANGE_AFTER = re.compile(rf"\s*,? ?(?:{_DASH}|(?:to|until|through|and) (?:\w+ )?(?:\d+ ,? ?)?\d)")
_RANGE_BEFORE = re.compile(rf"{_DASH} (?:\w+ ){{0,2}}$")
_AND_NAME = re.compile(r"\s*(?:,|and|&) [A-Z]")
_HOME = re.compile(r"\b(?:from|born in|raised in|based in|native of) (?:the )?[A-Z]|\w-born\b")
_CONTENT = frozenset({"NOUN", "VERB", "ADJ", "PROPN", "NUM", "ADV"})
MOST_VALUES = 2
"""Values of a pair that are changed by default."""
_MOST_PLACES = 3
"""Places of a value in the first text."""
_NEAR = 4
"""Words after a number among which the thing counted must be."""


class SymmetricConfig(MethodConfig):
    """How many values of a pair are changed."""

    values: int = Field(
        MOST_VALUES, ge=1, le=9, description="values of a pair that are changed, three pairs each"
    )

    @property
    def variants_per_copy(self) -> int:
        """Three pairs for each value."""
        return 3 * self.values


@dataclass(frozen=True)
class TrueAndFalse(JsonArtifact):
    """The labels of pairs whose second text the first makes true or false; "" where there is none.

    >>> TrueAndFalse.of(["SUPPORTS", "REFUTES"])
    TrueAndFalse(true='SUPPORTS', false='REFUTES')
    """

    file = "labels.json"
    true: str
    false: str

    @classmethod
    def of(cls, labels: Sequence[str]) -> TrueAndFalse:
        """The labels by their names."""
        meanings = labels_of(labels)
        return cls(meanings.get("entailment", ""), meanings.get("contradiction", ""))


class Symmetric(Augmenter[SymmetricConfig]):
    """Add pairs with another date, number, rank, nationality or maker, once true and once false.

    Another value in the second text or in the first flips the label; in both, the label is kept.
    """

    name = "symmetric"
    Config = SymmetricConfig
    traits = Traits(english="rows")
    labels_needed = 2
    learns = TrueAndFalse

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """Where rows are no pairs, or no label says that one text makes the other true or false."""
        return not_a_pair(self.name, fields) or unnamed_relations(self.name, labels)

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Find the labels that mean true and false."""
        return TrueAndFalse.of(sorted({row.label for row in examples if row.label is not None}))

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Three drafts for each value that decides the label of a pair."""
        labels: TrueAndFalse = self.artifact
        other_label = {labels.true: labels.false, labels.false: labels.true}
        pairs: list[Example] = []
        for row in batch:
            if len(row.fields) != 2:
                yield refused(row, "not a pair of texts")
            elif not labels.true or not labels.false or row.label not in other_label:
                yield refused(row, "its label is neither true nor false", str(row.label))
            elif not may_have_value(_second(row)):
                yield refused(row, _NO_VALUE)
            else:
                pairs.append(row)
        for row, analysis in zip(pairs, self.parser.parse(list(map(_second, pairs))), strict=True):
            other = other_label[str(row.label)]
            texts = symmetric_texts(
                next(iter(row.fields.values())),
                analysis,
                true=row.label == labels.true,
                rng=self.random(row),
                most=self.config.values,
            )
            variants = [pair for changed in texts for pair in crossed(row, *changed, other)]
            for copy, variant in enumerate(variants):
                yield replace(variant, copy=copy)
            if not variants:
                yield refused(row, _NO_VALUE)


def _second(row: Example) -> str:
    return list(row.fields.values())[-1]


class ChangedTexts(NamedTuple):
    """Both texts of a pair, with another value."""

    first: str
    second: str


def symmetric_texts(
    first: str, analysis: Analysis, *, true: bool, rng: Random, most: int = MOST_VALUES
) -> Iterator[ChangedTexts]:
    """Both texts with another value, for ``most`` values by which the first decides the label.

    Of a true pair both texts have the value, and get another one; of a false pair they have
    different ones, which are exchanged. ``analysis`` is the parse of the second text.
    """
    second = analysis.text
    changed = 0
    values = () if _NEGATION.search(second) else values_of(analysis)
    for value in values:
        held = value.text if true else _single_other_value(first, value)
        if changed == most or not held or not _is_decided(first, analysis, value, held):
            continue
        new = _draw_alternative(f"{first} {second}", value, rng) if true else value.text
        if new:
            changed += 1
            new_second = _put(second, value.text, new if true else held)
            yield ChangedTexts(_put(first, held, new), new_second)


def _draw_alternative(texts: str, value: Value, rng: Random) -> str | None:
    present = _words(texts.lower())
    candidates = [
        candidate
        for candidate in value.kind.alternatives(value.text)
        if not _words(candidate.lower()) & present
    ]
    return rng.choice(candidates) if candidates else None


def _single_other_value(first: str, value: Value) -> str | None:
    """The one value of the kind in the first text, if that has not the value itself."""
    values = {word for word in _words(first) if value.kind.pattern.fullmatch(word)}
    return values.pop() if len(values) == 1 and value.text not in values else None


def _is_decided(first: str, analysis: Analysis, value: Value, held: str) -> bool:
    """Whether the first text decides by the value that it holds, and by nothing else."""
    second = analysis.text
    text = value.text
    if len(_places(second, text)) != 1 or not 0 < len(_places(first, held)) <= _MOST_PLACES:
        return False
    named = re.search(rf"\([^()]*\b(?:{text}|{held})\b", second)  # "Heat (1995 film)"
    if named or _is_part(second, text) or _is_part(first, held):
        return False
    whole = held != text  # of a false pair the subject too, whose words may be what is false
    owned = any(token.deprel == "nmod:poss" for token in subject_tokens(analysis))
    if whole and owned and value.about.lemma not in word_list("life_dates"):
        return False  # "Olsen's first album" may be that of another
    if value.kind.name == "nationality":
        covered = _covers(first, analysis, text, whole=whole)
        return covered and _is_nationality_of_subject(first, analysis, held)
    sentences = [sentence for sentence in _SENTENCE.split(first) if _places(sentence, held)]
    if any(not word_list("not_yet").isdisjoint(_words(sentence)) for sentence in sentences):
        return False
    covered = any(_covers(sentence, analysis, text, whole=whole) for sentence in sentences)
    return covered and not any(_is_one_of_many(sentence, value, held) for sentence in sentences)


def _covers(sentence: str, analysis: Analysis, value: str, *, whole: bool) -> bool:
    """Whether a sentence has all content words of the second text but for the value.

    Those of the subject need not be there, unless the ``whole`` is asked for; its names never.
    """
    covered = set(word_list("general_words"))
    for word in _WORD.findall(sentence):
        covered |= _lemmas(word)
    if _LIFE_SPAN.search(sentence):
        covered |= {"bear", "die"}
    covered |= {
        lemma for lemma, by in table("words.yaml")["said_by"].items() if covered & set(by.split())
    }
    subject = {
        token.index for token in subject_tokens(analysis) if not whole or token.text[:1].isupper()
    }
    required = (
        token
        for token in analysis.tokens
        if token.upos in _CONTENT
        and token.text.lower() not in closed_classes()
        and token.index not in subject
    )
    return all(
        token.text in value or not covered.isdisjoint(_lemmas(token.text)) for token in required
    )


@cache
def _lemmas(word: str) -> frozenset[str]:
    lower = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word.lower())
    return frozenset(
        {lower, *(lemma for lemmas in known_lemmas(lower).values() for lemma in lemmas)}
    )


def _is_one_of_many(sentence: str, value: Value, held: str) -> bool:
    """Whether a sentence names more such values, a range of them, or counts something else."""
    if value.kind.counts and _counts_more(sentence, value, held):
        return True
    sentence = _BRACKET.sub(" ( ", sentence)
    span = _LIFE_SPAN.search(sentence)
    for start, end in _places(sentence, held):
        before = sentence[:start]
        after = sentence[end:]
        if value.kind.name == "person":
            many = _AND_NAME.match(after) is not None or "co-" in before
        elif value.about.lemma in word_list("life_events") | word_list("life_dates"):
            birth = value.about.lemma in _BIRTH
            many = span is not None and birth != (start < span.start(1))
        else:
            near = {word.lower() for word in _WORD.findall(before)[-2:]}
            many = not near.isdisjoint(word_list("open_ranges"))
            many |= bool(_RANGE_AFTER.match(after) or _RANGE_BEFORE.search(before))
        if many:
            return True
    return False


def _counts_more(sentence: str, value: Value, held: str) -> bool:
    """Whether a number or rank is not that of the same thing, or stands among others."""
    other_words = _words(sentence) - {held}
    if "including" in other_words or any(map(value.kind.pattern.fullmatch, other_words)):
        return True
    near = (_WORD.findall(sentence[end:])[:_NEAR] for _, end in _places(sentence, held))
    counted = value.about.lemma.lower()
    return not all(any(counted in _lemmas(word) for word in following) for following in near)


def _is_nationality_of_subject(first: str, analysis: Analysis, held: str) -> bool:
    """Whether the first text calls the same subject so, and names no other people or place."""
    other_words = _words(first) - {held}
    if re.search(rf"\b(?=\w*[A-Z]\w)\w+ {held}\b", first):  # "South Korean"
        return False
    if not other_words.isdisjoint(peoples()["adj"]) or _HOME.search(first):
        return False
    if any(word[:1].isupper() and word.lower() in word_set("places") for word in other_words):
        return False
    named = {word.text for word in subject_tokens(analysis) if word.text[:1].isupper()}
    called = re.search(rf"\b(?:is|was|are|were) (?:an?|the) (?:[\w-]+ ){{0,3}}{held}\b", first)
    return called is not None and not named.isdisjoint(_words(first))


def _is_part(text: str, value: str) -> bool:
    """Whether a value is part of a longer one: "1,979", "9 million"."""
    word = re.escape(value)
    plain = _BRACKET.sub(" ", text)
    joined = rf"[-,.$#'/\u2013\u2019]{word}\b|\b{word}[-,.'/\u2013\u2019%]\w"
    return re.search(rf"{joined}|\b{word} (?:million|billion|BC)\b", plain) is not None


def _put(text: str, value: str, new: str) -> str:
    return apply_edits(text, [Replacement(*place, new) for place in _places(text, value)])


def _places(text: str, value: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(rf"(?<![\w']){re.escape(value)}(?![\w'])", text)]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))
