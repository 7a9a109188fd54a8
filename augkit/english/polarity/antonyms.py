"""Which word of the opposite polarity replaces an evaluative word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random
from typing import Protocol

from augkit.core.analysis import Analysis
from augkit.english.morphology import inflect
from augkit.english.polarity.judgements import Judgement
from augkit.lexicons.evaluative import Entry, Evaluative, Kind, Phrase, Polarity, opposite
from augkit.lexicons.load import valences
from augkit.text.casing import match_case

_MIN_WEIGHT = 0.3
"""Weight of a word that the corpus does not use, beside a document's 1."""
_PRIOR_WEIGHT = 4
_FITS = 0.5
"""Least fit of a word to the degree of a label, where there is such a word."""
_STRENGTHS = {"strong": 0.9, "mild": 0.1}
"""How strong the words of these aspects of the lexicon are."""
_INFLECTED = frozenset("VB VBP VBD VBG VBN VBZ NN NNP NNS".split())
_VOWELS = re.compile("[aeiouy]+")


@dataclass(frozen=True)
class Degree:
    """How strong the words of one label are, beside the other labels of its polarity.

    "Awful" fits one star and "mediocre" two: so says the lexicon, a word's valence, and most of all
    the texts of the corpus with these labels.
    """

    strength: float
    """Of the label: 0 next to the middle of its scale, 1 at its end."""
    with_label: Mapping[str, int]
    """In how many documents of the label a word occurs."""
    with_polarity: Mapping[str, int]
    """In how many documents of its polarity."""

    def fit(self, entry: Entry) -> float:
        """Share of the documents of the polarity with a word that have this label, estimated."""
        prior = 1 - abs(self.strength - _strength(entry))
        here, all_ = (counts.get(entry.word, 0) for counts in (self.with_label, self.with_polarity))
        return (here + _PRIOR_WEIGHT * prior) / (all_ + _PRIOR_WEIGHT)


def _strength(entry: Entry) -> float:
    """How strong an evaluative word is, from 0 to 1; 0.5 where nothing tells.

    >>> from augkit.lexicons.evaluative import bundled_lexicon
    >>> entries = bundled_lexicon().entries
    >>> [round(_strength(entries["verb", word]), 2) for word in ("hate", "dislike", "bungle")]
    [0.85, 0.3, 0.5]
    """
    if entry.aspect in _STRENGTHS:
        return _STRENGTHS[entry.aspect]
    valence = abs(valences().get(entry.word, 0.0))
    return min(0.9, max(0.1, (valence - 1) / 2)) if valence else 0.5


@dataclass(frozen=True)
class ClassCounts:
    """In how many documents of each polarity a word occurs in the corpus."""

    counts: Mapping[Polarity, Mapping[str, int]]
    degree: Degree | None = None
    """Of the label to reach, where labels have an order."""

    def weight(self, word: str, polarity: Polarity) -> float:
        """How typical a word is of a polarity: its documents less half of the others."""
        here, there = (
            self.counts.get(side, {}).get(word, 0) for side in (polarity, opposite(polarity))
        )
        return max(_MIN_WEIGHT, here - there / 2)

    def share(self, word: str, polarity: Polarity, prior: float) -> float:
        """Share of the documents with a word that have a polarity.

        A document of the polarity itself does not count: the text at hand is among them. The
        ``prior`` weighs as much as four documents.

        >>> counts = ClassCounts({"positive": {"novel": 7, "prize": 1}, "negative": {"novel": 6}})
        >>> round(counts.share("novel", "positive", prior=0.66), 2)
        0.54
        >>> counts.share("prize", "positive", prior=0.8)
        0.8
        """
        here, there = (
            self.counts.get(side, {}).get(word, 0) for side in (polarity, opposite(polarity))
        )
        here = max(0, here - 1)
        return (here + _PRIOR_WEIGHT * prior) / (here + there + _PRIOR_WEIGHT)


class WordChoice(Protocol):
    """Which phrases and words are edited, and what is written in their place."""

    @property
    def heeds_doubts(self) -> bool:
        """Whether a word stays whose polarity is unclear: in a question, a wish, a comparison."""
        ...

    def takes_phrase(self, phrase: Phrase) -> bool:
        """Whether a stock phrase is edited."""
        ...

    def may_edit(self, analysis: Analysis, judgement: Judgement) -> bool:
        """Whether an evaluative word, or the negation before it, is edited."""
        ...

    def word(
        self,
        analysis: Analysis,
        judgement: Judgement,
        rng: Random,
        used: AbstractSet[str],
    ) -> str | None:
        """A word of the opposite polarity in the same form and casing; None where there is none.

        Words ``used`` just before are taken only where there is no other: "great, great acting".
        """
        ...


@dataclass(frozen=True)
class BroadChoice:
    """Any word of the opposite polarity of the same aspect, by its frequency with the new label."""

    lexicon: Evaluative
    counts: ClassCounts
    heeds_doubts: bool = True

    def takes_phrase(self, phrase: Phrase) -> bool:
        """Whether a stock phrase is edited: all are."""
        del phrase
        return True

    def may_edit(self, analysis: Analysis, judgement: Judgement) -> bool:
        """Whether an evaluative word is edited: all are."""
        del analysis, judgement
        return True

    def word(
        self,
        analysis: Analysis,
        judgement: Judgement,
        rng: Random,
        used: AbstractSet[str],
    ) -> str | None:
        """A word of the opposite polarity in the same form and casing; None where there is none."""
        del analysis
        entry = judgement.entry
        choices = _choices(judgement, self.lexicon)
        choices = [word for word in choices if word not in used] or choices
        choices = fitting_words(choices, entry.kind, self.lexicon, self.counts.degree)
        if not choices:
            return None
        polarity = opposite(entry.polarity)
        weights = [self.counts.weight(word, polarity) ** 0.5 for word in choices]
        return in_form_of(judgement, rng.choices(choices, weights)[0])


def fitting_words(
    choices: Sequence[str], kind: Kind, lexicon: Evaluative, degree: Degree | None
) -> Sequence[str]:
    """The words that are about as strong as the label to reach; all where labels have no order."""
    if degree is None or not choices:
        return choices
    entries = {word: lexicon.entries.get((kind, word)) for word in choices}
    fits = {word: degree.fit(entry) if entry else _FITS for word, entry in entries.items()}
    return [word for word in choices if fits[word] >= min(_FITS, max(fits.values()))]


def in_form_of(judgement: Judgement, word: str) -> str | None:
    """A word of the lexicon in the form and casing of the judgement; None where it has none."""
    form = _form(word.replace("_", " "), judgement)
    return None if form is None else match_case(form, judgement.token.text)


def _choices(judgement: Judgement, lexicon: Evaluative) -> Sequence[str]:
    entry = judgement.entry
    choices: Sequence[str] = entry.opposites
    if judgement.is_compared:
        choices = [word for word in choices if not has_er_comparative(word)]
    if judgement.of_judged:
        return choices
    # What describes a person or thing of the story takes only words that fit everything.
    fits = [word for word in choices if not lexicon.entries[entry.kind, word].conditional]
    return fits or choices


def has_er_comparative(word: str) -> bool:
    """Whether a word is compared by its ending, and "more" before it is wrong: dull, silly."""
    groups = len(_VOWELS.findall(word.removesuffix("e")))
    return groups == 1 or (groups == 2 and word.endswith("y"))


def _form(word: str, judgement: Judgement) -> str | None:
    if judgement.entry.kind == "verb":
        tag = judgement.last.xpos
        return inflect(word, tag) if tag in _INFLECTED else None
    if judgement.entry.kind == "noun" and judgement.last.xpos in {"NNS", "NNPS"}:
        return inflect(word, "NNS")
    return word
