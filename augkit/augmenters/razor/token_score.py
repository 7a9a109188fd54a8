"""The token- and position-aware score: how far the surface of a document speaks for its label.

Eq. 12 of the paper compares documents in a space where token identity is gone, and so it does not
see a word that stands under one label only. This score keeps what the paper is after (surface
statistics that differ between labels, no prior knowledge of the bias) and keeps the words.

For a feature f (a word, a pair of neighbours, the first word, the last word) and label y let z be

    z_f,y = (c_f,y - n_f p_y) / √(n_f p_y (1 - p_y))                    (gardner2021competency)

with n_f documents that hold f, c_f,y of them under y, and p_y the share of y. A document d of label
y is scored by the features that speak for y, less those that speak against it:

    score(d) = ‖z⁺‖₄ - ‖z⁻‖₄,     z⁺ = max(z, 0), z⁻ = max(-z, 0) over the features of d

counted without d itself, so that a word of d alone says nothing. The exponent 4 stands between the
sum (in which forty features of no meaning drown one that matters) and the maximum (which sees one
only).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from augkit.augmenters.razor.feature_codes import ROWS, feature_codes, named
from augkit.augmenters.razor.shortcut_space import TokenIds, surface_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

POWER = 4
FEWEST = 5
"""Documents that must hold a feature before it can be a shortcut."""


class Strength(NamedTuple):
    """A feature and how strongly it goes with a label."""

    kind: str
    feature: str
    label: int
    z: float
    documents: int


class Associations:
    """How often every feature stands under every label; documents can be replaced one at a time."""

    def __init__(self, tokens: TokenIds, labels: Integers, kinds: int) -> None:
        """Count the features of all documents; ``labels`` are numbers below ``kinds``."""
        import numpy as np

        self.totals = np.bincount(labels, minlength=kinds)
        self._numbers = dict(tokens.vocabulary)
        self._ends = np.zeros(tokens.documents + 1, dtype=np.int64)
        codes = _all_codes(tokens, self._ends)
        self.codes, self._features = _numbered(codes)
        owners = np.repeat(labels.astype(np.int32), np.diff(self._ends))
        self.counts = np.stack(
            [
                np.bincount(self._features[owners == label], minlength=len(self.codes))
                for label in range(kinds)
            ],
            axis=1,
        )
        self._added: dict[int, Integers] = {}

    @property
    def shares(self) -> Floats:
        """p_y: the share of each label."""
        import numpy as np

        return np.asarray(self.totals / max(int(self.totals.sum()), 1))

    def scores(self, labels: Integers) -> Floats:
        """Score of every document of the corpus it was made of, by counts as they are now."""
        import numpy as np

        made = [_balance(z, rows, most) for rows, _, z, most in self._blocks(labels)]
        return np.concatenate([np.empty(0), *made])

    def peaks(self, labels: Integers) -> Floats:
        """The z of the strongest giveaway of every document, counted without it; at least 0."""
        import numpy as np

        held = self.counts.sum(axis=1) >= FEWEST
        made = [np.empty(0)]
        for rows, features, z, documents in self._blocks(labels):
            found = np.zeros(documents)
            np.maximum.at(found, rows, z * held[features])
            made.append(found)
        return np.concatenate(made)

    def _blocks(
        self, labels: Integers
    ) -> Iterator[tuple[Integers, NDArray[np.int32], Floats, int]]:
        """For some documents at a time: their numbers, features and z, and how many they are."""
        import numpy as np

        totals = self.counts.sum(axis=1)
        for start in range(0, len(labels), ROWS):
            ends = self._ends[start : start + ROWS + 1]
            features = self._features[ends[0] : ends[-1]]
            rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
            own = labels[start : start + ROWS][rows]
            z = self._z(self.counts[features, own] - 1, totals[features] - 1, self.shares[own])
            yield rows, features, z, len(ends) - 1

    def chance_peak(self, alpha: float) -> float:
        """The z that any feature at all would pass by chance with this probability (Bonferroni)."""
        tried = int((self.counts.sum(axis=1) >= FEWEST).sum()) * len(self.totals)
        return -NormalDist().inv_cdf(min(alpha / max(tried, 1), 0.5))

    def giveaways(self, text: str, label: int, least: float) -> Integers:
        """The features, as codes, of a document of this label that have z above ``least``."""
        codes = self._codes([text])[1]
        counts = self._counts_of(codes)
        held = counts.sum(axis=1)
        z = self._z(counts[:, label] - 1, held - 1, self.shares[label]) * (held >= FEWEST)
        found: Integers = codes[z > least]
        return found

    def rid_of(self, texts: Sequence[str], giveaways: Integers) -> NDArray[np.bool_]:
        """For each text whether it is without one of these features."""
        import numpy as np

        rows, codes = self._codes(texts)
        kept = np.bincount(rows[np.isin(codes, giveaways)], minlength=len(texts))
        return np.asarray(kept < len(giveaways))

    def candidate_scores(self, texts: Sequence[str], label: int, original: str) -> Floats:
        """Score that each text would have under this label in the place of the original."""
        import numpy as np

        rows, codes = self._codes(texts)
        counts = self._counts_of(codes)
        counts[:, label] -= np.isin(codes, self._codes([original])[1])
        z = self._z(counts[:, label], counts.sum(axis=1), self.shares[label])
        return _balance(z, rows, len(texts))

    def new_peaks(self, texts: Sequence[str], label: int, original: str) -> Floats:
        """For each text the largest z, with it in the place of the original, of what it brings in.

        Features that the original has too are not counted, nor those that fewer than ``FEWEST``
        documents would hold: under a rare label a single one has a large z. Nothing brought in: 0.
        """
        import numpy as np

        rows, codes = self._codes(texts)
        fresh = ~np.isin(codes, self._codes([original])[1])
        counts = self._counts_of(codes[fresh])
        held = counts.sum(axis=1) + 1
        z = self._z(counts[:, label] + 1, held, self.shares[label]) * (held >= FEWEST)
        peaks = np.zeros(len(texts))
        np.maximum.at(peaks, rows[fresh], z)
        return peaks

    def replace(self, label: int, before: str, after: str) -> None:
        """A document of this label gives way to another: O(its length)."""
        for text, change in ((before, -1), (after, 1)):
            codes = self._codes([text])[1]
            places, known = self._places(codes)
            self.counts[places[known], label] += change
            for code in codes[~known].tolist():
                self._row(code)[label] += change

    def strongest(self, most: int, fewest: int = FEWEST) -> list[Strength]:
        """The features, in at least so many documents, that go with a label most."""
        import numpy as np

        counts = np.concatenate([self.counts, *(row[None] for row in self._added.values())])
        held = counts.sum(axis=1, keepdims=True)
        z = self._z(counts, held, self.shares) * (held >= fewest)
        words = list(self._numbers)
        codes = [*self.codes.tolist(), *self._added]
        best = np.argsort(-z, axis=None, kind="stable")[:most]
        kinds = len(self.totals)
        return [
            Strength(
                *named(codes[flat // kinds], words),
                flat % kinds,
                float(z.flat[flat]),
                int(counts[flat // kinds].sum()),
            )
            for flat in best.tolist()
        ]

    def _z(self, held: Integers, all_held: Integers, share: Floats) -> Floats:
        import numpy as np

        spread = np.sqrt(np.maximum(all_held, 0) * share * (1 - share))
        gap = held - all_held * share
        return np.asarray(np.where(spread > 0, gap / np.where(spread > 0, spread, 1), 0.0))

    def _codes(self, texts: Sequence[str]) -> tuple[Integers, Integers]:
        import numpy as np

        numbers = [[self._number(word) for word in surface_words(text)] for text in texts]
        ids = np.array([number for some in numbers for number in some], dtype=np.int64)
        return feature_codes(ids, np.cumsum([0, *map(len, numbers)]))

    def _number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def _places(self, codes: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        """Where the codes stand among those of the corpus, and whether they do."""
        import numpy as np

        if not len(self.codes):
            return np.zeros_like(codes), np.zeros(len(codes), dtype=bool)
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return places, self.codes[places] == codes

    def _counts_of(self, codes: Integers) -> Integers:
        import numpy as np

        places, known = self._places(codes)
        counts = np.zeros((len(codes), len(self.totals)), dtype=np.int64)
        counts[known] = self.counts[places[known]]
        for place in np.flatnonzero(~known).tolist():
            counts[place] = self._added.get(int(codes[place]), 0)
        return counts

    def _row(self, code: int) -> Integers:
        import numpy as np

        return self._added.setdefault(code, np.zeros(len(self.totals), dtype=np.int64))


def _all_codes(tokens: TokenIds, ends: Integers) -> Integers:
    """The feature codes of all documents one after another; ``ends`` is filled with their ends."""
    import numpy as np

    found = [np.empty(0, dtype=np.int64)]
    for start in range(0, tokens.documents, ROWS):
        block = tokens.ends[start : start + ROWS + 1]
        rows, codes = feature_codes(tokens.ids[block[0] : block[-1]], block - block[0])
        sizes = np.bincount(rows, minlength=len(block) - 1)
        ends[start + 1 : start + len(block)] = ends[start] + np.cumsum(sizes)
        found.append(codes)
    return np.concatenate(found)


def _numbered(codes: Integers) -> tuple[Integers, NDArray[np.int32]]:
    """The different codes in order, and for each code its place among them.

    As ``np.unique`` with its inverse, in half the memory.
    """
    import numpy as np

    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    places = np.empty(len(codes), dtype=np.int32)
    places[order] = np.cumsum(new, dtype=np.int32) - 1
    return ordered[new], places


def _balance(z: Floats, rows: Integers, documents: int) -> Floats:
    """‖z⁺‖₄ - ‖z⁻‖₄ over the features of each document."""
    import numpy as np

    fourth = z**POWER
    parts = [
        np.bincount(rows, np.where(side, fourth, 0.0), minlength=documents) ** (1 / POWER)
        for side in (z > 0, z < 0)
    ]
    return np.asarray(parts[0] - parts[1])


def association_of(
    strengths: Sequence[Strength], labels: Sequence[str]
) -> list[Mapping[str, object]]:
    """Strengths as plain values, for JSON."""
    return [
        {
            "kind": one.kind,
            "feature": one.feature,
            "label": labels[one.label],
            "z": round(one.z, 3),
            "documents": one.documents,
        }
        for one in strengths
    ]
