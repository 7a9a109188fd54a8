"""Variants that are left out because together they make a new shortcut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.core.arrays import Flags, Ints
from augkit.core.types import digest
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.text.features.document_counts import (
    DocumentCounts,
    LabelledTexts,
    feature_counts,
    label_counts,
    ngram_counts,
    position_counts,
    token_counts,
)
from augkit.text.features.numbering import label_numbers
from augkit.text.features.statistics import corrected, p_values, z_scores
from augkit.text.tokens import words

NEW_SHORTCUT = "makes a new shortcut"
"""The reason for a variant that is left out."""
_ALPHA = 0.05
_MIN_ROWS = 20
"""Rows that a feature must be in before it counts."""
_MOST_ROUNDS = 500


@dataclass(frozen=True)
class LabelledRow:
    """The fields and the label of a row or a variant, with an id of its own."""

    id: str
    fields: Mapping[str, str]
    label: str


@dataclass(frozen=True)
class _Features:
    """Which rows hold which features: words, pairs of words, first and last words, lengths."""

    rows: Sequence[LabelledRow]
    names: list[str]
    present: Any
    """Sparse, 0 or 1 [rows, features]."""
    labels: Ints
    kinds: int

    @cached_property
    def of_feature(self) -> Any:
        """The same, quick to read by features."""
        return self.present.tocsc()

    def holders(self, feature: int) -> Ints:
        """The rows that hold a feature, by number."""
        start, end = self.of_feature.indptr[feature : feature + 2]
        found: Ints = self.of_feature.indices[start:end]
        return found

    def counts(self, staying: Flags) -> tuple[Ints, Ints]:
        """Rows of each label that hold each feature, and rows of each label."""
        import numpy as np

        totals = np.bincount(self.labels[staying], minlength=self.kinds)
        return label_counts(self.present[staying], self.labels[staying], self.kinds), totals


def thin(
    originals: Sequence[LabelledRow], variants: Sequence[LabelledRow]
) -> dict[str, tuple[str, str]]:
    """The variants to leave out: id → the feature and the label that they make a shortcut.

    A feature is new where it goes with a label beyond chance among originals and variants (Holm,
    .05, 20 rows), and did not among the originals. Words that judge are no shortcuts. The strongest
    is taken first: of its variants with that label those go that hold most others, until it is
    within chance.
    """
    import numpy as np

    if not originals or not variants:
        return {}
    features = _features([*originals, *variants])
    if not features.names:
        return {}
    is_variant = np.arange(len(features.rows)) >= len(originals)
    allowed = ~_significant(*features.counts(~is_variant))
    allowed &= np.array([not _judges(name) for name in features.names])[:, None]
    staying = np.ones(len(features.rows), dtype=bool)
    gone: dict[str, tuple[str, str]] = {}
    for _ in range(_MOST_ROUNDS):
        counts, totals = features.counts(staying)
        new = _significant(counts, totals) & allowed
        if not new.any():
            break
        z = np.where(new, z_scores(counts, totals), 0.0)
        feature, label = np.unravel_index(int(z.argmax()), z.shape)
        holding = features.holders(int(feature))
        removable = holding[is_variant[holding] & staying[holding]]
        removable = removable[features.labels[removable] == label]
        number = _fewest(counts[feature], totals, int(label), _limit(counts, new))
        number = min(number, len(removable))
        if number == 0:
            allowed[feature, label] = False  # the originals make it
            continue
        others = features.present[removable] @ new[:, label].astype(np.int64)
        ranked = sorted(
            zip(removable.tolist(), others.tolist(), strict=True),
            key=lambda one: (-one[1], digest(features.rows[one[0]].id)),
        )
        for row, _ in ranked[:number]:
            staying[row] = False
            gone[features.rows[row].id] = features.names[feature], features.rows[row].label
    return gone


def _features(rows: Sequence[LabelledRow]) -> _Features:
    import numpy as np
    from scipy.sparse import csr_array, hstack

    names_of_labels, labels = label_numbers([row.label for row in rows])
    totals = np.bincount(labels, minlength=len(names_of_labels))
    names: list[str] = []
    columns: list[Any] = []
    for field in sorted({field for row in rows for field in row.fields}):
        labelled = LabelledTexts([row.fields.get(field, "") for row in rows], labels, totals)
        counted: list[DocumentCounts[str]] = [
            token_counts(labelled, _MIN_ROWS),
            *ngram_counts(labelled, _MIN_ROWS, 2),
            *position_counts(labelled, _MIN_ROWS),
            feature_counts(labelled, lambda text: [_length(text)], _MIN_ROWS),
        ]
        for kind in counted:
            names += kind.names
            columns.append(kind.presence(len(rows)))
    present = csr_array(hstack(columns)) if names else csr_array((len(rows), 0))
    return _Features(rows, names, present, labels, len(names_of_labels))


def _length(text: str) -> str:
    """The length in words, up to a power of two.

    >>> _length("Dull."), _length("A dull and long film.")
    ('up to 4 words', 'up to 8 words')
    """
    size = len(words(text))
    return f"up to {max(4, 1 << max(0, size - 1).bit_length())} words"


def _significant(counts: Ints, totals: Ints) -> Flags:
    """Which features go with which labels beyond chance: bool[features, labels]."""
    import numpy as np

    often = counts.sum(axis=1, keepdims=True) >= _MIN_ROWS
    p = np.where(often, p_values(counts, totals), 1.0)
    return np.asarray((corrected(p, "holm") <= _ALPHA) & (z_scores(counts, totals) > 0))


def _limit(counts: Ints, new: Flags) -> float:
    """A p-value from which Holm's correction calls nothing significant any more."""
    return _ALPHA / max(1, counts.size - int(new.sum()))


def _fewest(counts: Ints, totals: Ints, label: int, limit: float) -> int:
    """How many rows with a label must go until a feature's p-value is over the limit."""
    import numpy as np

    removed = np.arange(int(counts[label]) + 1)
    tables = np.repeat(counts[None, :], len(removed), axis=0)
    tables[:, label] -= removed
    over = p_values(tables, totals)[:, label] > limit
    over |= tables.sum(axis=1) < _MIN_ROWS
    return int(over.argmax())


def _judges(feature: str) -> bool:
    return any(map(bundled_lexicon().judgement, feature.split()))
