"""Which polarity a label has, by its name or by the evaluative words of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt

from augkit.core.types import Example
from augkit.lexicons.evaluative import Evaluative, Polarity
from augkit.lexicons.load import word_group
from augkit.text.tokens import words

_words = partial(word_group, "polarity_contexts")
_NAMES: dict[str, Polarity] = {
    **dict.fromkeys(_words("positive_labels"), "positive"),
    **dict.fromkeys(_words("negative_labels"), "negative"),
}
_MIN_Z = 4.0
"""Standard errors by which two labels must differ in their share of positive words."""
_MIN_DIFFERENCE = 0.15
"""Least difference of that share."""


def label_polarity(
    labels: Sequence[str], examples: Sequence[Example], lexicon: Evaluative
) -> dict[str, Polarity]:
    """Label → polarity, for the labels that have one; empty where the task is not evaluative.

    Names such as "positive" and "neg" decide; of two labels with other names ("1" and "0") the one
    whose rows have clearly more positive words is the positive one.

    >>> from augkit.core.types import example
    >>> from augkit.lexicons.evaluative import bundled_lexicon
    >>> label_polarity(["neg", "pos"], [example("Fine.", "pos")], bundled_lexicon())
    {'neg': 'negative', 'pos': 'positive'}
    """
    named = {label: _NAMES[label.lower()] for label in labels if label.lower() in _NAMES}
    if len(set(named.values())) == 2:
        return named
    return _by_words(examples, lexicon) if len(labels) == 2 else {}


def _by_words(examples: Sequence[Example], lexicon: Evaluative) -> dict[str, Polarity]:
    counts = _polarity_counts(examples, lexicon)
    if len(counts) != 2:
        return {}
    shares = {label: (good / (good + bad), good + bad) for label, (good, bad) in counts.items()}
    (low, (first, n)), (high, (second, m)) = sorted(shares.items(), key=lambda item: item[1])
    error = sqrt(first * (1 - first) / n + second * (1 - second) / m) or 1e-9
    if second - first < _MIN_DIFFERENCE or (second - first) / error < _MIN_Z:
        return {}
    return {low: "negative", high: "positive"}


def _polarity_counts(
    examples: Sequence[Example], lexicon: Evaluative
) -> Mapping[str, tuple[int, int]]:
    """Label → positive and negative words in its rows; labels without any are left out."""
    found: Counter[tuple[str, Polarity]] = Counter()
    for row in examples:
        if row.label is None:
            continue
        for text in row.fields.values():
            for word in words(text):
                polarity = lexicon.words.get(word.lower())
                if polarity is not None:
                    found[row.label, polarity] += 1
    labels = sorted({label for label, _ in found})
    return {label: (found[label, "positive"], found[label, "negative"]) for label in labels}
