"""The token score: how strongly the words of a document and their positions suggest its label.

Eq. 12 of the paper compares documents in a space without token identity, so it misses a word that
occurs under one label only. This score keeps the paper's aim and keeps the words.

For a feature f (a word, a pair of neighbours, the first or last word, a mark: repeated punctuation,
emoji, capitals ...) and label y let z be

    z_f,y = (c_f,y - n_f p_y) / √(n_f p_y (1 - p_y))                    (gardner2021competency)

with n_f documents that hold f, c_f,y of them under y, and p_y the share of y. The score of a
document d of label y is the weight of its features for y less that of its features against y:

    score(d) = ‖z⁺‖₄ - ‖z⁻‖₄,     z⁺ = max(z, 0), z⁻ = max(-z, 0) over the features of d

counted without d itself, so that a word of d alone has no weight. The exponent 4 lies between the
sum (in which forty meaningless features drown one that matters) and the maximum (which sees only
one).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from statistics import NormalDist
from typing import TYPE_CHECKING

from augkit.augmenters.razor.feature_codes import (
    CODED_DOCUMENTS,
    FeatureStrength,
    all_codes,
    feature_code,
    feature_codes,
    feature_name,
    find_codes,
    numbered,
)
from augkit.augmenters.razor.surface_features import TokenIds, surface_words
from augkit.core.arrays import Flags, Floats, Ints
from augkit.english.rewriting.marks import find_marks

if TYPE_CHECKING:
    from augkit.augmenters.razor.feature_codes import Indices

POWER = 4
MIN_DOCUMENTS = 5
"""Documents that must hold a feature before it counts as a shortcut."""
NOISE = 2.0
"""z up to which an association is noise."""
_BALANCED = 1.0
"""z at which a giveaway counts as removed."""
_REMEMBERED = 4096
"""Texts, or candidates of a text, whose codes are kept: a few blocks of rows."""


class FeatureCounts:
    """Counts of every feature under every label; documents can be replaced one at a time."""

    def __init__(self, tokens: TokenIds, labels: Ints, classes: int) -> None:
        """Count the features of all documents; ``labels`` are numbers below ``classes``."""
        import numpy as np

        self.totals = np.bincount(labels, minlength=classes)
        self.word_ids = dict(tokens.vocabulary)
        self._names = list(self.word_ids)
        self._ends = np.zeros(tokens.documents + 1, dtype=np.int64)
        codes = all_codes(tokens, self._ends)
        self.codes, self._features = numbered(codes)
        owners = np.repeat(labels.astype(np.int32), np.diff(self._ends))
        self.counts = np.stack(
            [
                np.bincount(self._features[owners == label], minlength=len(self.codes))
                for label in range(classes)
            ],
            axis=1,
        )
        self._added: dict[int, Ints] = {}
        self._known = np.empty(0, dtype=np.int64)
        self._codes = lru_cache(_REMEMBERED)(self._coded)

    @property
    def shares(self) -> Floats:
        """p_y: the share of each label."""
        import numpy as np

        return np.asarray(self.totals / max(int(self.totals.sum()), 1))

    def scores(self, labels: Ints) -> Floats:
        """The score of every document of the corpus, by the counts as they are now."""
        import numpy as np

        blocks = [_balance(z, rows, size) for rows, _, z, size in self._blocks(labels)]
        return np.concatenate([np.empty(0), *blocks])

    def max_z(self, labels: Ints) -> Floats:
        """The largest z among the features of every document, counted without it; at least 0."""
        import numpy as np

        held = self.counts.sum(axis=1) >= MIN_DOCUMENTS
        blocks = [np.empty(0)]
        for rows, features, z, documents in self._blocks(labels):
            found = np.zeros(documents)
            np.maximum.at(found, rows, z * held[features])
            blocks.append(found)
        return np.concatenate(blocks)

    def _blocks(self, labels: Ints) -> Iterator[tuple[Ints, Indices, Floats, int]]:
        """Per block of documents: their numbers, features and z, and the size of the block."""
        import numpy as np

        totals = self.counts.sum(axis=1)
        for start in range(0, len(labels), CODED_DOCUMENTS):
            ends = self._ends[start : start + CODED_DOCUMENTS + 1]
            features = self._features[ends[0] : ends[-1]]
            rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
            own = labels[start : start + CODED_DOCUMENTS][rows]
            z = self._z(self.counts[features, own] - 1, totals[features] - 1, self.shares[own])
            yield rows, features, z, len(ends) - 1

    def critical_z(self, alpha: float) -> float:
        """The z that any feature exceeds by chance with this probability (Bonferroni)."""
        tests = int((self.counts.sum(axis=1) >= MIN_DOCUMENTS).sum()) * len(self.totals)
        return -NormalDist().inv_cdf(min(alpha / max(tests, 1), 0.5))

    def find_giveaways(self, threshold: float) -> None:
        """Note the features with a z above ``threshold``: they count until they are balanced."""
        held = self.counts.sum(axis=1, keepdims=True)
        z = self._z(self.counts, held, self.shares) * (held >= MIN_DOCUMENTS)
        self._known = self.codes[(z > threshold).any(axis=1)]

    def are_giveaways(self, codes: Ints) -> Flags:
        """Which codes ``find_giveaways`` noted."""
        return find_codes(codes, self._known)[1]

    def giveaways(self, text: str, label: int, threshold: float) -> list[FeatureStrength]:
        """The features of a document of this label whose z is above ``threshold``, best first.

        Those that ``find_giveaways`` noted are among them until their z is at most 1.
        """
        codes, z, held = self._giveaways(text, label, threshold)
        found = [
            FeatureStrength(*feature_name(code, self._names), label, one, documents)
            for code, one, documents in zip(codes.tolist(), z.tolist(), held.tolist(), strict=True)
        ]
        return sorted(found, key=lambda one: -one.z)

    def _giveaways(self, text: str, label: int, threshold: float) -> tuple[Ints, Floats, Ints]:
        codes = self._codes(text)[1]
        counts = self._counts_of(codes)
        held = counts.sum(axis=1)
        z = self._z(counts[:, label] - 1, held - 1, self.shares[label]) * (held >= MIN_DOCUMENTS)
        strong = (z > threshold) | ((z > _BALANCED) & self.are_giveaways(codes))
        return codes[strong], z[strong], held[strong]

    def lost_one(self, texts: Sequence[str], label: int, original: str, threshold: float) -> Flags:
        """Whether each text lacks one of the original's features with z above ``threshold``."""
        import numpy as np

        giveaways, _, _ = self._giveaways(original, label, threshold)
        rows, codes = self._codes(*texts)
        kept = np.bincount(rows[find_codes(codes, giveaways)[1]], minlength=len(texts))
        return np.asarray(kept < len(giveaways))

    def candidate_scores(self, texts: Sequence[str], label: int, original: str) -> Floats:
        """The score each text would have under this label instead of the original."""
        rows, codes = self._codes(*texts)
        counts = self._counts_of(codes)
        counts[:, label] -= find_codes(codes, self._codes(original)[1])[1]
        z = self._z(counts[:, label], counts.sum(axis=1), self.shares[label])
        return _balance(z, rows, len(texts))

    def max_new_z(self, texts: Sequence[str], label: int, original: str) -> Floats:
        """The largest z of the features that each text would introduce instead of the original.

        Features that fewer than ``MIN_DOCUMENTS`` documents would hold are not counted: under a
        rare label a single one has a large z. A text that introduces nothing has 0.
        """
        import numpy as np

        rows, codes = self._codes(*texts)
        fresh = ~find_codes(codes, self._codes(original)[1])[1]
        counts = self._counts_of(codes[fresh])
        held = counts.sum(axis=1) + 1
        z = self._z(counts[:, label] + 1, held, self.shares[label]) * (held >= MIN_DOCUMENTS)
        largest = np.zeros(len(texts))
        np.maximum.at(largest, rows[fresh], z)
        return largest

    def replace(self, label: int, before: str, after: str) -> None:
        """Replace a document of this label by another: O(its length)."""
        import numpy as np

        for text, change in ((before, -1), (after, 1)):
            codes = self._codes(text)[1]
            positions, known = find_codes(codes, self.codes)
            self.counts[positions[known], label] += change
            for code in codes[~known].tolist():
                self._added.setdefault(code, np.zeros_like(self.totals))[label] += change

    def held(self, kind: str, feature: str) -> int:
        """How many documents hold a feature."""
        return int(self._counts_of_feature(kind, feature).sum())

    def strength_of(self, kind: str, feature: str, label: int) -> FeatureStrength:
        """How strongly a feature is associated with a label now."""
        counts = self._counts_of_feature(kind, feature)
        held = counts.sum(axis=1)
        z = self._z(counts[:, label], held, self.shares[label])
        return FeatureStrength(kind, feature, label, float(z[0]), int(held[0]))

    def _counts_of_feature(self, kind: str, feature: str) -> Ints:
        import numpy as np

        code = feature_code(kind, feature, self.word_ids)
        return self._counts_of(np.array([-1 if code is None else code], dtype=np.int64))

    def strongest(self, limit: int, min_documents: int = MIN_DOCUMENTS) -> list[FeatureStrength]:
        """The features most associated with a label, among those in enough documents."""
        import numpy as np

        counts = np.concatenate([self.counts, *(row[None] for row in self._added.values())])
        held = counts.sum(axis=1, keepdims=True)
        z = self._z(counts, held, self.shares) * (held >= min_documents)
        codes = [*self.codes.tolist(), *self._added]
        best = np.argsort(-z, axis=None, kind="stable")[:limit]
        classes = len(self.totals)
        return [
            FeatureStrength(
                *feature_name(codes[flat // classes], self._names),
                flat % classes,
                float(z.flat[flat]),
                int(counts[flat // classes].sum()),
            )
            for flat in best.tolist()
        ]

    def _z(self, held: Ints, all_held: Ints, share: Floats) -> Floats:
        import numpy as np

        spread = np.sqrt(np.maximum(all_held, 0) * share * (1 - share))
        gap = held - all_held * share
        return np.asarray(np.where(spread > 0, gap / np.where(spread > 0, spread, 1), 0.0))

    def _coded(self, *texts: str) -> tuple[Ints, Ints]:
        import numpy as np

        parts: list[Ints] = []
        for found in (map(surface_words, texts), map(find_marks, texts)):
            numbers = [[self._number(word) for word in some] for some in found]
            parts.append(np.array(list(chain.from_iterable(numbers)), dtype=np.int64))
            parts.append(np.cumsum([0, *map(len, numbers)]))
        return feature_codes(*parts)

    def _number(self, word: str) -> int:
        number = self.word_ids.setdefault(word, len(self._names))
        if number == len(self._names):
            self._names.append(word)
        return number

    def _counts_of(self, codes: Ints) -> Ints:
        import numpy as np

        positions, known = find_codes(codes, self.codes)
        counts = np.zeros((len(codes), len(self.totals)), dtype=np.int64)
        counts[known] = self.counts[positions[known]]
        for index in np.flatnonzero(~known).tolist():
            counts[index] = self._added.get(int(codes[index]), 0)
        return counts


def _balance(z: Floats, rows: Ints, documents: int) -> Floats:
    """‖z⁺‖₄ - ‖z⁻‖₄ over the features of each document."""
    import numpy as np

    fourth = z**POWER
    parts = [
        np.bincount(rows, np.where(side, fourth, 0.0), minlength=documents) ** (1 / POWER)
        for side in (z > 0, z < 0)
    ]
    return np.asarray(parts[0] - parts[1])
