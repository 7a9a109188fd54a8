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
from pathlib import Path

from typing_extensions import Self

from augkit.augmenters.baselines.random_edit.corpus_words import CorpusWords, fit_corpus_words
from augkit.augmenters.json_files import load_json, save_json
from augkit.core.types import Example
from augkit.text.tokens import words

_K = 1.0
_MOST = 200
"""Most frequent neighbours considered on either side."""


@dataclass(frozen=True)
class NgramFiller:
    """Counts of words and 2-grams by label."""

    vocabulary: CorpusWords
    pairs: Mapping[str, Mapping[str, int]]
    """Label → "left right" → count."""

    def fill(self, left: str, word: str, right: str, label: str) -> list[tuple[str, float]]:
        """Words for the gap, the heaviest first, without the word itself."""
        left, right, kind = left.lower(), right.lower(), self.vocabulary.kind(word)
        after, before = self._after[label], self._before[label]
        near = [*after.get(left, ())[:_MOST], *before.get(right, ())[:_MOST]]
        candidates = dict.fromkeys([*near, *self._typical(label, kind)])
        weighted = [
            (one, self._weight(left, one, right, label))
            for one in candidates
            if one != word.lower() and one.isalpha() and self.vocabulary.kind(one) == kind
        ]
        return sorted(weighted, key=lambda item: (-item[1], item[0]))

    def _weight(self, left: str, word: str, right: str, label: str) -> float:
        pairs, own = self.pairs[label], self._counts[label]
        mine, known = own.get(word, 0), _K * len(self._all)
        inside, everywhere = self._totals[label], sum(self._totals.values())
        p = (mine + _K) / (inside + known)
        p_others = (self._all.get(word, 0) - mine + _K) / (everywhere - inside + known)
        p_right = (own.get(right, 0) + _K) / (inside + known)
        follows = (pairs.get(f"{left} {word}", 0) + _K * p) / (own.get(left, 0) + _K)
        precedes = (pairs.get(f"{word} {right}", 0) + _K * p_right) / (mine + _K)
        return follows * precedes * p / p_others

    def _typical(self, label: str, kind: str) -> list[str]:
        """The words of a kind most associated with a label."""
        return self._by_kind.get((label, kind), [])[:_MOST]

    @cached_property
    def _counts(self) -> dict[str, dict[str, int]]:
        """Label → word → count: how often a word follows it."""
        found: dict[str, dict[str, int]] = {}
        for label, pairs in self.pairs.items():
            own = found.setdefault(label, {})
            for pair, count in pairs.items():
                left = pair.partition(" ")[0]
                own[left] = own.get(left, 0) + count
        return found

    @cached_property
    def _all(self) -> Counter[str]:
        """The count of each word under all labels."""
        found: Counter[str] = Counter()
        for own in self._counts.values():
            found.update(own)
        return found

    @cached_property
    def _totals(self) -> dict[str, int]:
        return {label: sum(own.values()) for label, own in self._counts.items()}

    @cached_property
    def _after(self) -> dict[str, dict[str, list[str]]]:
        return {label: _neighbours(pairs, 0) for label, pairs in self.pairs.items()}

    @cached_property
    def _before(self) -> dict[str, dict[str, list[str]]]:
        return {label: _neighbours(pairs, 1) for label, pairs in self.pairs.items()}

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = {}
        for label, own in self._counts.items():
            for word in own:
                if word.isalpha():
                    found.setdefault((label, self.vocabulary.kind(word)), []).append(word)

        def lift(label: str, word: str) -> float:
            return self._counts[label][word] / (self._all[word] + 2 * _K)

        for (label, _), some in found.items():
            some.sort(key=lambda word, label=label: (-lift(label, word), word))  # type: ignore[misc] # bound now
        return found

    def save(self, folder: Path) -> None:
        """Write the vocabulary and ``pairs.json``."""
        self.vocabulary.save(folder)
        save_json(folder / "pairs.json", self.pairs)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        vocabulary = CorpusWords.load(folder)
        return load_json(folder / "pairs.json", lambda pairs: cls(vocabulary, pairs))


def fit_filler(examples: Sequence[Example]) -> NgramFiller:
    """Count the words and 2-grams of labelled rows."""
    pairs: dict[str, Counter[str]] = {}
    for row in sorted(examples, key=lambda row: row.id):
        counts = pairs.setdefault(str(row.label), Counter())
        for text in row.fields.values():
            found = ["", *(word.lower() for word in words(text)), ""]
            counts.update(f"{one} {two}" for one, two in pairwise(found))
    return NgramFiller(fit_corpus_words(examples), {y: dict(some) for y, some in pairs.items()})


def _neighbours(pairs: Mapping[str, int], side: int) -> dict[str, list[str]]:
    """Word → words on its other side, the most frequent first."""
    found: dict[str, Counter[str]] = {}
    for pair, count in pairs.items():
        both = pair.partition(" ")[::2]
        found.setdefault(both[side], Counter())[both[1 - side]] = count
    return {
        word: sorted(others, key=lambda other, n=others: (-n[other], other))  # type: ignore[misc] # bound now
        for word, others in found.items()
    }
