"""Gaps filled offline by 2-gram counts of the texts with a label.

For a gap between l and r, under label y, a candidate c of the same kind as the old word weighs

    w(c) = p_y(c | l) · p_y(r | c) · p_y(c) / p_¬y(c)

with add-k smoothed counts of the corpus; p_¬y are the texts of all other labels. The last factor is
the control of the label, which the paper's model learns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random

from augkit.augmenters.baselines.random_edit import CorpusWords, fit_corpus_words
from augkit.core.edits import Span
from augkit.core.json_files import JsonArtifact
from augkit.core.types import Example
from augkit.text.tokens import plain_word_spans, words

_K = 1.0
_MOST = 200
"""Most frequent neighbours considered on either side."""


@dataclass(frozen=True)
class InfillJob:
    """A variant to make: its gaps and its target label."""

    parent: Example
    copy: int
    field: str
    gaps: Sequence[Span]
    target: str
    rng: Random

    @property
    def text(self) -> str:
        """The text with the gaps."""
        return self.parent.fields[self.field]


@dataclass(frozen=True)
class NgramFiller(JsonArtifact):
    """Counts of words and 2-grams by label."""

    file = "ngrams.json"
    vocabulary: CorpusWords
    pairs: Mapping[str, Mapping[str, int]]
    """Label → "left right" → count."""

    def fill(
        self, text: str, gaps: Sequence[tuple[int, int]], label: str
    ) -> list[list[tuple[str, float]]]:
        """For each gap the words that fit between its neighbours, the heaviest first."""
        spans = plain_word_spans(text)
        around = ["", *(text[start:end] for start, end in spans), ""]
        index = {span: n for n, span in enumerate(spans)}
        return [self._between(around[index[gap] : index[gap] + 3], label) for gap in gaps]

    def _between(self, around: Sequence[str], label: str) -> list[tuple[str, float]]:
        left, word, right = map(str.lower, around)
        kind = self.vocabulary.kind(word)
        after, before = self._neighbours[label]
        near = [*after.get(left, ())[:_MOST], *before.get(right, ())[:_MOST]]
        candidates = dict.fromkeys([*near, *self._by_kind.get((label, kind), ())[:_MOST]])
        weighted = [
            (candidate, self._weight(left, candidate, right, label))
            for candidate in candidates
            if candidate != word and candidate.isalpha() and self.vocabulary.kind(candidate) == kind
        ]
        return sorted(weighted, key=lambda pair: (-pair[1], pair[0]))

    def _weight(self, left: str, word: str, right: str, label: str) -> float:
        pairs = self.pairs[label]
        counts = self._counts[label]
        count = counts.get(word, 0)
        smoothing = _K * len(self._all)
        inside = self._totals[label]
        everywhere = sum(self._totals.values())
        p = (count + _K) / (inside + smoothing)
        p_others = (self._all.get(word, 0) - count + _K) / (everywhere - inside + smoothing)
        p_right = (counts.get(right, 0) + _K) / (inside + smoothing)
        follows = (pairs.get(f"{left} {word}", 0) + _K * p) / (counts.get(left, 0) + _K)
        precedes = (pairs.get(f"{word} {right}", 0) + _K * p_right) / (count + _K)
        return follows * precedes * p / p_others

    @cached_property
    def _counts(self) -> dict[str, dict[str, int]]:
        """Label → word → count: how often a word follows it."""
        by_label: dict[str, dict[str, int]] = {}
        for label, pairs in self.pairs.items():
            counts = by_label.setdefault(label, {})
            for pair, count in pairs.items():
                left = pair.partition(" ")[0]
                counts[left] = counts.get(left, 0) + count
        return by_label

    @cached_property
    def _all(self) -> Counter[str]:
        """The count of each word under all labels."""
        return sum(map(Counter, self._counts.values()), Counter())

    @cached_property
    def _totals(self) -> dict[str, int]:
        return {label: sum(counts.values()) for label, counts in self._counts.items()}

    @cached_property
    def _neighbours(self) -> dict[str, list[dict[str, list[str]]]]:
        """Label → the words after each word, and those before it."""
        return {
            label: [_neighbours(pairs, side) for side in (0, 1)]
            for label, pairs in self.pairs.items()
        }

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], list[str]]:
        """Label and kind → its words, those most associated with the label first."""
        words_of: dict[tuple[str, str], list[str]] = {}
        for label, counts in self._counts.items():
            for word in counts:
                if word.isalpha():
                    words_of.setdefault((label, self.vocabulary.kind(word)), []).append(word)

        def lift(label: str, word: str) -> float:
            return self._counts[label][word] / (self._all[word] + 2 * _K)

        for (label, _), listed in words_of.items():
            listed.sort(key=lambda word, label=label: (-lift(label, word), word))  # type: ignore[misc] # bound now
        return words_of


def fit_filler(examples: Sequence[Example]) -> NgramFiller:
    """Count the words and 2-grams of labelled rows."""
    pairs: dict[str, Counter[str]] = {}
    for row in sorted(examples, key=lambda row: row.id):
        counts = pairs.setdefault(str(row.label), Counter())
        for text in row.fields.values():
            padded = ["", *(word.lower() for word in words(text)), ""]
            counts.update(f"{left} {right}" for left, right in pairwise(padded))
    counts_by_label = {label: dict(counts) for label, counts in pairs.items()}
    return NgramFiller(fit_corpus_words(examples), counts_by_label)


def _neighbours(pairs: Mapping[str, int], side: int) -> dict[str, list[str]]:
    """Word → words on its other side, the most frequent first."""
    beside: dict[str, Counter[str]] = {}
    for pair, count in pairs.items():
        words_of_pair = pair.partition(" ")[::2]
        beside.setdefault(words_of_pair[side], Counter())[words_of_pair[1 - side]] = count
    return {
        word: sorted(counts, key=lambda neighbour, n=counts: (-n[neighbour], neighbour))  # type: ignore[misc] # bound now
        for word, counts in beside.items()
    }
