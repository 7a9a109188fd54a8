"""What every attribution method answers with: how much each word of a text speaks for a label.

All methods give their weights for the same words, those of ``augkit.text.tokens``: the sub-tokens
of a model, or the two halves of "well-made", are added up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from augkit.core.protocols import Classifier
from augkit.core.types import Example, value
from augkit.text.tokens import word_spans

Measure = Literal["exact", "completeness gap", "unexplained share", "standard error"]


@value
class WordWeight:
    """A word where it occurs, and its weight for the label; negative: against it.

    ``word`` is lower-cased, as votes compare it.
    """

    field: str
    start: int
    end: int
    word: str
    weight: float


@value
class Explanation:
    """The weights of all words of one example for one label.

    ``rest`` is the weight of what is no word (punctuation). ``error`` is the method's own estimate
    of how wrong it is, in the terms of ``measure``: 0 for exact ones; how far the weights are from
    adding up to the change of the score; the share of the variance that a local fit misses; or the
    mean standard error of weights that come from random orders.
    """

    label: str
    words: tuple[WordWeight, ...]
    rest: float
    error: float
    measure: Measure


Explainer = Callable[[Classifier, Sequence[Example], Sequence[str]], list[Explanation]]
"""Explain examples, each for the label given for it."""

Piece = tuple[int, int, float]
"""Start and end of a token, and its weight."""


def word_weights(
    example: Example, pieces: Mapping[str, Iterable[Piece]]
) -> tuple[tuple[WordWeight, ...], float]:
    """Add the weights of tokens to the words they lie in; what lies in none is the rest.

    >>> from augkit.core.types import example
    >>> pieces = [(0, 4, 1), (5, 9, 2), (9, 10, 4)]
    >>> words, rest = word_weights(example("Well-made!"), {"text": pieces})
    >>> [(one.word, one.weight) for one in words], rest
    ([('well-made', 3.0)], 4.0)
    """
    words: list[WordWeight] = []
    rest = 0.0
    for field, text in example.fields.items():
        spans = word_spans(text)
        starts = [start for start, _ in spans]
        weights = [0.0] * len(spans)
        for start, end, weight in pieces.get(field, ()):
            index = bisect_right(starts, max(start, end - 1)) - 1
            if index >= 0 and start < spans[index][1]:
                weights[index] += weight
            else:
                rest += weight
        words += [
            WordWeight(field, start, end, text[start:end].casefold(), weight)
            for (start, end), weight in zip(spans, weights, strict=True)
        ]
    return tuple(words), rest


def by_word(explanation: Explanation) -> dict[str, float]:
    """Words and their weights, all occurrences of a word added up."""
    total: dict[str, float] = {}
    for word in explanation.words:
        total[word.word] = total.get(word.word, 0.0) + word.weight
    return total


def top_words(explanation: Explanation, count: int = 5) -> list[str]:
    """The words that speak most for the label, the strongest first.

    A word that says nothing, or speaks against the label, is not important for it, so a text may
    have fewer than ``count``.

    Args:
        explanation: What an ``explain_`` function gives for a row.
        count: The most words.
    """
    weights = by_word(explanation)
    ranked = sorted(weights, key=lambda word: (-weights[word], word))
    return [word for word in ranked[:count] if weights[word] > 0]
