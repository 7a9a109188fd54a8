"""The shortcuts of a whole dataset: nouns and names that go with a label and are no opinion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from augkit.core.analysis import Analysis
from augkit.core.types import Example
from augkit.lexicons.evaluative import Evaluative, Polarity
from augkit.lexicons.load import valences
from augkit.text.features.document_counts import LabelledTexts, feature_counts
from augkit.text.features.numbering import label_numbers
from augkit.text.features.statistics import corrected, p_values, z_scores
from augkit.text.tokens import words

_ALPHA = 0.05
"""Greatest p-value, corrected for the number of words and labels."""
_OTHER_LABELS = 0.5
"""Greatest share of rows with other labels among those of a word, as a multiple of their share."""
_MIN_ROWS = 5
_NAMES_AND_NOUNS = frozenset({"NOUN", "PROPN"})
"""Other words may be reasons: verbs and adjectives judge, numbers rate."""


def dataset_shortcuts(
    rows: Sequence[Example],
    analyses: Sequence[Analysis],
    polarity: Mapping[str, Polarity],
    lexicon: Evaluative,
) -> dict[str, tuple[str, ...]]:
    """Label → the words that predict it though they are no opinion, the strongest first.

    Labels of one polarity count as one, under its name. ``analyses`` say which words are nouns and
    names.
    """
    import numpy as np

    sides = [(row, polarity.get(str(row.label)) if polarity else str(row.label)) for row in rows]
    rated = [(row, side) for row, side in sides if side is not None]
    if not rated:
        return {}
    names, numbers = label_numbers([side for _, side in rated])
    texts = [next(iter(row.fields.values())) for row, _ in rated]
    totals = np.bincount(numbers, minlength=len(names))
    labelled = LabelledTexts(texts, numbers, totals)
    counted = feature_counts(labelled, lambda text: words(text.casefold()), _MIN_ROWS)
    counts = counted.counts
    z, p = z_scores(counts, totals), corrected(p_values(counts, totals), "holm")
    impurity = 1 - counts / counts.sum(axis=1, keepdims=True)
    pure = impurity <= _OTHER_LABELS * (1 - totals / totals.sum())
    strong = np.argwhere((p <= _ALPHA) & pure).tolist()
    ranked = sorted((-z[word, label], counted.names[word], label) for word, label in strong)
    nouns = _mostly_nouns({word for _, word, _ in ranked}, analyses)
    opinions = {*lexicon.words, *valences()}
    return {
        name: tuple(
            word
            for _, word, label in ranked
            if label == number and word in nouns and word not in opinions
        )
        for number, name in enumerate(names)
    }


def _mostly_nouns(candidates: AbstractSet[str], analyses: Sequence[Analysis]) -> set[str]:
    """The words that the parser takes for nouns or names more often than not."""
    votes: Counter[str] = Counter()
    for analysis in analyses:
        for token in analysis.tokens:
            if (word := token.text.casefold()) in candidates:
                votes[word] += 1 if token.upos in _NAMES_AND_NOUNS else -1
    return {word for word in candidates if votes[word] > 0}
