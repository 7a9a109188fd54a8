"""Which polarity a label has, by its name or by the evaluative words of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from augkit.augmenters.coba.polarity.contexts import context_words
from augkit.core.types import Example
from augkit.lexicons.evaluative import Evaluative, Polarity
from augkit.text.tokens import words

_NAMES: dict[str, Polarity] = {
    **dict.fromkeys(context_words("positive_labels"), "positive"),
    **dict.fromkeys(context_words("negative_labels"), "negative"),
}
_MIN_Z = 4.0
"""Standard errors by which two labels must differ in their share of positive words."""
_MIN_DIFFERENCE = 0.15
"""Least difference of that share."""


def polarity_of_name(label: str) -> Polarity | None:
    """The polarity that the name of a label states.

    >>> polarity_of_name("Positive"), polarity_of_name("1")
    ('positive', None)
    """
    return _NAMES.get(label.lower())


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
    named = {label: name for label in labels if (name := polarity_of_name(label)) is not None}
    if len(set(named.values())) == 2:
        return named
    return _by_words(examples, lexicon) if len(labels) == 2 else {}


def _by_words(examples: Sequence[Example], lexicon: Evaluative) -> dict[str, Polarity]:
    found: dict[str, list[bool]] = {}  # for each evaluative word, whether it is positive
    for row in examples:
        polarities = (lexicon.words.get(w.lower()) for t in row.fields.values() for w in words(t))
        signs = [polarity == "positive" for polarity in polarities if polarity is not None]
        if row.label is not None and signs:
            found.setdefault(row.label, []).extend(signs)
    if len(found) != 2:
        return {}
    shares = {
        label: (sum(found[label]) / len(found[label]), len(found[label])) for label in sorted(found)
    }
    (low, (first, n)), (high, (second, m)) = sorted(shares.items(), key=lambda item: item[1])
    error = sqrt(first * (1 - first) / n + second * (1 - second) / m) or 1e-9
    if second - first < _MIN_DIFFERENCE or (second - first) / error < _MIN_Z:
        return {}
    return {low: "negative", high: "positive"}
