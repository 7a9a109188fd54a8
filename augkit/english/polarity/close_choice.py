"""The choice of words for sentences and short texts: close opposites, and safe types of edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from random import Random

from augkit.core.analysis import Analysis
from augkit.core.types import NoItems
from augkit.english.polarity.antonyms import (
    ClassCounts,
    fitting_words,
    has_er_comparative,
    in_form_of,
)
from augkit.english.polarity.contexts import context_words, is_predicated
from augkit.english.polarity.judgements import Judgement
from augkit.lexicons.close_opposites import close_opposites, strong_words
from augkit.lexicons.evaluative import Evaluative, Phrase, opposite
from augkit.text.tokens import folded_words

_SHARPNESS = 0.5
"""Exponent of the weights of words: at 1 the likeliest word would be written too often."""


@dataclass(frozen=True)
class NeighbourCounts:
    """How often a close opposite stands right after and right before another word."""

    before: Mapping[str, Mapping[str, int]] = field(default_factory=NoItems)
    """Opposite → the words before it, with their numbers."""
    after: Mapping[str, Mapping[str, int]] = field(default_factory=NoItems)

    def fit(self, word: str, left: str, right: str) -> float:
        """How well a word fits between two others.

        >>> neighbours = NeighbourCounts({"rude": {"very": 3}}, {"rude": {"staff": 1}})
        >>> neighbours.fit("rude", "very", "staff"), neighbours.fit("bland", "very", "staff")
        (8.0, 1.0)
        """
        beside_left = self.before.get(word, {}).get(left, 0)
        beside_right = self.after.get(word, {}).get(right, 0)
        return float((1 + beside_left) * (1 + beside_right))


def count_neighbours(texts: Iterable[str]) -> NeighbourCounts:
    """The neighbours of all close opposites in some texts; those met once are left out."""
    written = {word for opposites in close_opposites().values() for word in opposites}
    before: dict[str, Counter[str]] = {}
    after: dict[str, Counter[str]] = {}
    for text in texts:
        words = folded_words(text)
        if written.isdisjoint(words):
            continue
        padded = ("", *words, "")
        for number, word in enumerate(words):
            if word in written:
                before.setdefault(word, Counter())[padded[number]] += 1
                after.setdefault(word, Counter())[padded[number + 2]] += 1
    return NeighbourCounts(_frequent(before), _frequent(after))


def _frequent(counts: Mapping[str, Counter[str]]) -> dict[str, dict[str, int]]:
    kept = {}
    for word, neighbours in sorted(counts.items()):
        kept[word] = {near: count for near, count in sorted(neighbours.items()) if count > 1}
    return kept


@dataclass(frozen=True)
class CloseChoice:
    """Writes a close opposite where the table has one; where it has none, nothing is edited."""

    lexicon: Evaluative
    counts: ClassCounts
    neighbours: NeighbourCounts = NeighbourCounts()
    heeds_doubts: bool = True

    def takes_phrase(self, phrase: Phrase) -> bool:
        """Whether a stock phrase is edited."""
        return phrase.stands_alone

    def may_edit(self, analysis: Analysis, judgement: Judgement) -> bool:
        """Whether edits of this type read well in a sentence alone."""
        negators = judgement.context.negators
        if negators:
            following = analysis.word_at(negators[0].index + 1)
            return following not in context_words("partial_negation")
        if (judgement.entry.kind, judgement.entry.word) not in close_opposites():
            return False
        if judgement.entry.kind == "adjective" and analysis.children(judgement.last, "case"):
            return False  # a noun, or one end of a range: "from bad to bodacious"
        if judgement.entry.kind == "superlative" and _is_of_verb(analysis, judgement):
            return False
        following = analysis.word_at(judgement.last.index + 1)
        if judgement.entry.kind == "adverb":
            return analysis.head(judgement.last).upos == "VERB"
        if judgement.entry.kind == "comparative":
            return following == "than" or not following.isalpha()
        if judgement.entry.kind == "noun":
            is_modified = bool(analysis.children(judgement.last, "amod", "compound"))
            return is_predicated(analysis, judgement.last) and not is_modified
        if judgement.entry.kind == "verb":
            return following not in {"as", "for"}  # "enjoy as mild escapism"
        return True

    def word(
        self,
        analysis: Analysis,
        judgement: Judgement,
        rng: Random,
        used: AbstractSet[str],
    ) -> str | None:
        """A close opposite in the same form and casing, drawn by the words around it."""
        options = self._options(analysis, judgement)
        there = [token.text.lower() for token in analysis.tokens]
        if there.count(judgement.token.text.lower()) == 1:  # "worst food, worst service" repeats
            options = [word for word in options if word not in used and word not in there]
        if not options:
            return None
        left = analysis.word_at(judgement.token.index - 1)
        right = analysis.word_at(judgement.last.index + 1)
        polarity = opposite(judgement.entry.polarity)
        weights = [
            (self.counts.weight(word, polarity) * self.neighbours.fit(word, left, right))
            ** _SHARPNESS
            for word in options
        ]
        return in_form_of(judgement, rng.choices(options, weights)[0])

    def _options(self, analysis: Analysis, judgement: Judgement) -> Sequence[str]:
        entry = judgement.entry
        options: Sequence[str] = close_opposites().get((entry.kind, entry.word), ())
        if judgement.is_compared:
            options = [w for w in options if not has_er_comparative(w) and "_" not in w]
        if analysis.word_at(judgement.token.index - 1) in context_words("mild_degrees"):
            options = [w for w in options if w not in strong_words()] or _MILD[entry.polarity]
        seen = self.counts.counts.get(opposite(entry.polarity), {})
        options = [w for w in options if w in seen] or options
        return fitting_words(options, entry.kind, self.lexicon, self.counts.degree)


def _is_of_verb(analysis: Analysis, judgement: Judgement) -> bool:
    """Whether it says how something is done: "what he does best", "best served cold"."""
    last = judgement.last
    is_manner = last.is_relation("advmod") and analysis.head(last).upos == "VERB"
    before = analysis.tokens[last.index - 1] if last.index else None
    return is_manner or (before is not None and before.lemma.lower() == "do")


_MILD = {"positive": ["bad"], "negative": ["good"]}
"""What is written after "very" where all close opposites are strong."""
