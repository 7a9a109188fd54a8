"""Lexical bias: how strongly negations and n-grams are associated with labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.english.negation import negation_pattern
from augkit.evaluation.statistics.intervals import (
    bootstrap_counts,
    keyed_generator,
    percentile_score,
)
from augkit.text.features.document_counts import LabelledTexts, feature_counts, presence
from augkit.text.features.kinds import TOKEN, Feature, lowered_words, ngram_kind
from augkit.text.features.numbering import label_numbers, number_texts
from augkit.text.features.statistics import z_scores

Labelled = tuple[str, str]
"""A text and its label."""

STRONGEST = 50
_FEWEST = 5
_RESAMPLES = 200
_NEGATION_GROUPS = (
    "particle adverb place determiner pronoun correlative conjunction modal preposition".split()
)


def is_negated(text: str) -> bool:
    """Whether a text contains a negation.

    >>> is_negated("It isn't bad."), is_negated("It is a knot.")
    (True, False)
    """
    return negation_pattern(*_NEGATION_GROUPS).search(text) is not None


def negation_gap(rows: Sequence[Labelled]) -> Score:
    """The gap between the labels with the most and the fewest negated texts.

        G = max_c P(negated | c) - min_c P(negated | c)

    0: a negation says nothing about the label. Bootstrap interval over rows.

    >>> negation_gap([("not good", "neg"), ("good", "pos")]).value
    1.0
    """
    import numpy as np

    cells = Counter((label, is_negated(text)) for text, label in rows)
    kinds = sorted(cells)
    labels = sorted({label for label, _ in kinds})
    if len(labels) < 2:
        raise DataError("negation gap: needs rows of two labels")
    inside = np.array([[own == label for label in labels] for own, _ in kinds], dtype=float)
    negated = np.array([is_negation for _, is_negation in kinds], dtype=float)

    def gap(drawn: Floats) -> Floats:
        rows = drawn @ inside
        hits = drawn @ (inside * negated[:, None])
        shares = hits / np.maximum(rows, 1)
        return np.asarray(shares.max(axis=1) - shares.min(axis=1))

    return bootstrap_counts("negation_gap", [cells[kind] for kind in kinds], gap)


def strongest_ngrams(rows: Sequence[Labelled], most: int = STRONGEST) -> list[Feature]:
    """The words and word pairs most associated with a label, the strongest first."""
    import numpy as np

    kinds, numbers = label_numbers([label for _, label in rows])
    totals = np.bincount(numbers, minlength=len(kinds))
    labelled = LabelledTexts([text for text, _ in rows], numbers, totals)
    counted = feature_counts(labelled, _features, _FEWEST)
    if not counted.names:
        raise DataError(f"n-gram association: no n-gram occurs in {_FEWEST} of {len(rows)} rows")
    strength = z_scores(counted.counts, totals).max(axis=1)
    return [counted.names[index] for index in np.argsort(-strength, kind="stable")[:most].tolist()]


def ngram_association(rows: Sequence[Labelled], ngrams: Sequence[Feature]) -> Score:
    """How strongly n-grams are associated with labels: the mean of their greatest z, over √rows.

    z is that of ``z_scores``; divided by the root of the number of rows it does not grow with the
    data. Compare the same n-grams before and after. Bootstrap interval over rows, for these
    n-grams: where they were chosen on the same rows, some were chosen by chance.
    """
    import numpy as np

    kinds, numbers = label_numbers([label for _, label in rows])
    present = presence(number_texts([text for text, _ in rows], _features), ngrams)
    labels = np.eye(len(kinds))[numbers]

    def measure(weights: Floats) -> float:
        counts = np.asarray(present.T @ (labels * weights[:, None]))
        z = z_scores(counts, (labels * weights[:, None]).sum(axis=0))
        return float(z.max(axis=1).mean() / np.sqrt(weights.sum()))

    value = measure(np.ones(len(rows)))
    rng = keyed_generator("ngram_association", str(len(rows)))
    drawn = [
        measure(rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows))).astype(float))
        for _ in range(_RESAMPLES)
    ]
    return percentile_score("ngram_association", value, np.array(drawn), len(rows), (0.0, 1.0))


def _features(text: str) -> list[Feature]:
    words = lowered_words(text)
    pair = ngram_kind(2)
    pairs = ((pair, f"{first} {second}") for first, second in pairwise(words))
    return [*((TOKEN, word) for word in words), *pairs]
