"""N-gram baselines of grammar features: the same words anywhere, without structure or alignment.

A feature "a man/a woman" says that the grammar aligns the two phrases. As a pair of n-grams it says
only that one phrase is in the first text and the other in the second; as an n-gram of the second
text it ignores the first. An empty side always matches.

Reference: friedman2022finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.core.arrays import Ints
from augkit.grammars.features.feature_groups import (
    FeatureGroups,
    SelectedFeatures,
    union_of_features,
)
from augkit.grammars.features.mutual_information import (
    FeatureStatistics,
    LabelledRows,
    feature_statistics,
)
from augkit.grammars.features.subtrees import incidence
from augkit.grammars.trees import yields


def groups_as_ngrams(
    selected: SelectedFeatures,
    groups: FeatureGroups,
    sides: Sequence[Sequence[Ints]],
    rows: Ints,
    labelled: LabelledRows,
) -> dict[str, tuple[Any, FeatureStatistics]]:
    """The groups as n-grams, by kind: which rows have them, and their statistics.

    ``sides`` are the texts as the grammar read them, one list for sentences, two for pairs;
    ``rows`` int[texts] is the row of each. Sentences have "n-grams"; pairs have "n-gram pairs" and,
    of the second text alone, "second text".
    """
    total = len(labelled.numbers)
    wanted = [yields(selected.trees), yields(selected.trees, target=True)]
    held = [
        phrase_occurrences(texts, rows, phrases, total)
        for texts, phrases in zip(sides, wanted, strict=False)
    ]
    kinds = {"n-grams": held[0]} if len(sides) == 1 else _pair_ngrams(*held, *wanted)
    joined = {name: union_of_features(matrix, groups.members) for name, matrix in kinds.items()}
    label = groups.statistics.label
    return {
        name: (matrix, feature_statistics(matrix, labelled, label))
        for name, matrix in joined.items()
    }


def phrase_occurrences(
    texts: Sequence[Ints], rows: Ints, phrases: Sequence[Ints], total: int
) -> Any:
    """Which rows contain which phrases: a sparse boolean matrix [total, phrases].

    An empty phrase is in no row. Windows of growing length are numbered as the trees are, texts and
    phrases together, and only those that still begin a phrase are kept.
    """
    import numpy as np

    lengths = np.array([len(ids) for ids in (*texts, *phrases)], dtype=np.int64)
    words = np.concatenate([*texts, *phrases, np.empty(0, np.int64)])
    ends = np.repeat(np.cumsum(lengths), lengths)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    first = len(texts)
    sizes = lengths[first:]
    starts = np.cumsum(lengths)[first:] - sizes
    window = np.arange(len(words))
    number = words.copy()
    found_rows = []
    found_phrases = []
    for length in range(1, int(sizes.max(initial=0)) + 1):
        here = np.full(len(words), -1, dtype=np.int64)
        here[window] = number
        complete = np.flatnonzero(sizes == length)
        matched, phrase = _equal_pairs(number, here[starts[complete]])
        of_text = owner[window[matched]] < first
        found_rows.append(rows[owner[window[matched[of_text]]]])
        found_phrases.append(complete[phrase[of_text]])
        alive = np.isin(number, here[starts[sizes > length]]) & (window + length < ends[window])
        window = window[alive]
        key = number[alive] * (int(words.max(initial=0)) + 1) + words[window + length]
        number = np.unique(key, return_inverse=True)[1]
    none = np.empty(0, dtype=np.int64)
    entries = np.concatenate([*found_rows, none]), np.concatenate([*found_phrases, none])
    return incidence(*entries, (total, len(phrases)))


def _pair_ngrams(
    first: Any, second: Any, sources: Sequence[Ints], targets: Sequence[Ints]
) -> dict[str, Any]:
    """Where one phrase of a feature is empty, the other alone decides."""
    import numpy as np
    from scipy.sparse import csr_matrix

    no_source, no_target = (
        csr_matrix(np.array([[not len(ids) for ids in phrases]])) for phrases in (sources, targets)
    )
    alone = first.multiply(no_target).tocsr()
    paired = first.multiply(second).tocsr() + second.multiply(no_source).tocsr() + alone
    return {"n-gram pairs": paired.astype(bool), "second text": (second + alone).astype(bool)}


def _equal_pairs(values: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """All pairs of indices (into values, into wanted) with equal values."""
    import numpy as np

    order = np.argsort(values, kind="stable")
    low, high = (np.searchsorted(values[order], wanted, side=side) for side in ("left", "right"))
    counts = high - low
    index = np.repeat(np.arange(len(wanted)), counts)
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(low, counts) + offset], index
