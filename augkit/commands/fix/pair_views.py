"""What tells the label of a pair alone: one text, or the overlap; and a reader of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from augkit.commands.fix.linear_rows import Analyzer
from augkit.commands.fix.reader import Fields
from augkit.shortcuts.cues import BOTH
from augkit.text.features.kinds import lowered_words

_STEPS = 20
_CHARACTERS = 4
_CROSSED = 80
"""Words of both texts are paired where they are few: with long texts the pairs are noise."""


@dataclass(frozen=True)
class View:
    """A part of what a row says, and two kinds of models that see nothing else."""

    name: str
    """The field, or ``BOTH`` for the overlap."""
    title: str
    features: Analyzer
    other_features: Analyzer

    def train_other(self, rows: Sequence[Fields], labels: Sequence[str]) -> NaiveBayes:
        """Naive Bayes of runs of letters: another kind of model."""
        return NaiveBayes(rows, labels, self.other_features)


class NaiveBayes:
    """Counts of features, and what they say of each label by Bayes' rule."""

    def __init__(self, rows: Sequence[Fields], labels: Sequence[str], analyzer: Analyzer) -> None:
        """Count the features of rows."""
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.naive_bayes import ComplementNB

        self._vectorizer = CountVectorizer(analyzer=analyzer, min_df=2, binary=True)
        self._model = ComplementNB()
        self._model.fit(self._vectorizer.fit_transform(rows), labels)

    def predict(self, rows: Sequence[Fields]) -> list[str]:
        """The labels of rows."""
        return list(self._model.predict(self._vectorizer.transform(rows)))


def views_of(fields: Sequence[str]) -> list[View]:
    """Each text alone, and of two texts their overlap."""
    views = [View(name, f"'{name}' alone", _words_of(name), _letters_of(name)) for name in fields]
    if len(fields) == 2:
        title = "The overlap of the two texts alone"
        views.append(View(BOTH, title, overlap_features, _coarse_overlap))
    return views


def _words_of(name: str) -> Analyzer:
    def features(fields: Fields) -> list[str]:
        words = lowered_words(fields[name])
        return [*words, *(f"{first} {second}" for first, second in pairwise(words))]

    return features


def _letters_of(name: str) -> Analyzer:
    def features(fields: Fields) -> list[str]:
        text = f" {' '.join(lowered_words(fields[name]))} "
        return [text[n : n + _CHARACTERS] for n in range(len(text) - _CHARACTERS + 1)]

    return features


def overlap_features(fields: Fields) -> list[str]:
    """How much two texts share, in steps of a twentieth, and how their lengths differ.

    >>> overlap_features({"a": "so it is", "b": "so it was"})[:2]
    ['first in second 13', 'second in first 13']
    """
    return _overlap(fields, _STEPS)


def _coarse_overlap(fields: Fields) -> list[str]:
    return _overlap(fields, _STEPS // 4)


def _overlap(fields: Fields, steps: int) -> list[str]:
    first, second = (lowered_words(text) for text in fields.values())
    words = set(first)
    others = set(second)
    shared = len(words & others)
    pairs = set(pairwise(first)) & set(pairwise(second))
    shares = {
        "first in second": shared / max(1, len(words)),
        "second in first": shared / max(1, len(others)),
        "pairs shared": len(pairs) / max(1, len(second) - 1),
    }
    found = [f"{name} {round(share * steps)}" for name, share in shares.items()]
    found.append(f"longer by {max(-steps, min(steps, len(first) - len(second)))}")
    found.append(f"same beginning {first[:1] == second[:1]}")
    found.append(f"same end {first[-1:] == second[-1:]}")
    return found


def pair_features(fields: Fields) -> list[str]:
    """What a reader of both texts sees: each text, what they share, what one adds, the overlap."""
    names = list(fields)
    if len(names) != 2:
        return [f"{name}: {word}" for name in names for word in lowered_words(fields[name])]
    first, second = (lowered_words(fields[name]) for name in names)
    known = set(first)
    new = set(second)
    found = [f"1 {word}" for word in known] + [f"2 {word}" for word in new]
    found += [f"2 {one} {two}" for one, two in pairwise(second)]
    found += [f"both {word}" for word in known & new]
    found += [f"added {word}" for word in new - known]
    found += [f"dropped {word}" for word in known - new]
    if len(known - new) * len(new - known) <= _CROSSED:
        found += [f"{one} > {two}" for two in new - known for one in known - new]
    return [*found, *overlap_features(fields)]
