"""Which side of an evaluative lexicon a label is on, by its name or by the words of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

from augkit.core.types import Example
from augkit.lexicons.evaluative import Evaluative, Side
from augkit.text.tokens import words

_NAMES: dict[str, Side] = {
    **dict.fromkeys(("positive", "pos", "good", "favorable", "favourable", "praise"), "positive"),
    **dict.fromkeys(("negative", "neg", "bad", "unfavorable", "unfavourable", "blame"), "negative"),
}
_SURE = 4.0
"""Standard errors by which two labels must differ in their share of praise."""
_APART = 0.15
"""And the least difference of that share."""


def sides_of(
    labels: Sequence[str], examples: Sequence[Example], lexicon: Evaluative
) -> dict[str, Side]:
    """Label → side, for the labels that have one; empty where the task is not about judging.

    Names such as "positive" and "neg" tell; of two labels with other names ("1" and "0") the one
    whose rows praise clearly more is the positive one.

    >>> from augkit.core.types import example
    >>> from augkit.lexicons.evaluative import bundled
    >>> sides_of(["neg", "pos"], [example("Fine.", "pos")], bundled())
    {'neg': 'negative', 'pos': 'positive'}
    """
    named = {label: _NAMES[label.lower()] for label in labels if label.lower() in _NAMES}
    if len(set(named.values())) == 2:
        return named
    return _by_words(examples, lexicon) if len(labels) == 2 else {}


def _by_words(examples: Sequence[Example], lexicon: Evaluative) -> dict[str, Side]:
    counts = _praise_and_blame(examples, lexicon)
    if len(counts) != 2:
        return {}
    shares = {label: (good / (good + bad), good + bad) for label, (good, bad) in counts.items()}
    (low, (first, n)), (high, (second, m)) = sorted(shares.items(), key=lambda item: item[1])
    error = sqrt(first * (1 - first) / n + second * (1 - second) / m) or 1e-9
    if second - first < _APART or (second - first) / error < _SURE:
        return {}
    return {low: "negative", high: "positive"}


def _praise_and_blame(
    examples: Sequence[Example], lexicon: Evaluative
) -> Mapping[str, tuple[int, int]]:
    """Label → words of praise and of blame in its rows; labels without any are left out."""
    found: Counter[tuple[str, Side]] = Counter()
    for row in examples:
        if row.label is None:
            continue
        for text in row.fields.values():
            for word in words(text):
                side = lexicon.words.get(word.lower())
                if side is not None:
                    found[row.label, side] += 1
    labels = sorted({label for label, _ in found})
    return {label: (found[label, "positive"], found[label, "negative"]) for label in labels}
