"""D: how well the rest of a text tells, among texts of one label, that a cue is there.

A mark that was put in by label alone stands in texts like any others of that label: D is .5. A word
that is said has company: D is .6 to 1.

The rest are the words and word pairs of a text, without those of the cue and those that stand
nearly only beside it, weighed by tf-idf. A text is scored by the difference of the mean vectors of
texts with and without the cue, of four fifths of the texts; D is the AUC in the last fifth, as the
mean of five.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.types import digest
from augkit.text.features.document_counts import LabelledTexts, ngram_counts, token_counts

_MOST_TEXTS = 5_000
"""Of one label: more are not needed to compare with."""
_FOLDS = 5
_LEAST_FEATURE = 2
_COMPANION = 0.5
_COMPANY = 0.1
"""A word that has the cue in half of its texts, and is in a tenth of the cue's, belongs to it."""
_CONSTANT = 0.8
_RARER = 0.8
"""So does one in most texts of the cue that is rarer elsewhere."""


@dataclass(frozen=True)
class RestOfTexts:
    """The texts of one label as vectors of their words and word pairs."""

    rows: Ints
    """int[texts], the number of each among all texts."""
    words: Sequence[str]
    """The words and word pairs: [features]"""
    present: Any
    """Sparse, 0 or 1 [texts, features]."""
    keys: Sequence[str]
    """What names the content of each, by which folds are drawn."""

    @classmethod
    def read(cls, texts: Sequence[str], label_rows: Ints, cue_rows: Ints, seed: int) -> RestOfTexts:
        """Read the texts of a label: those with a cue, and of the others a sample by content."""
        import numpy as np
        from scipy.sparse import hstack

        keys = {row: digest(str(seed), texts[row]) for row in label_rows.tolist()}
        others = sorted(set(keys).difference(cue_rows.tolist()), key=keys.__getitem__)
        chosen = np.array(sorted({*others[:_MOST_TEXTS], *cue_rows.tolist()}), dtype=np.int64)
        held = [texts[row] for row in chosen.tolist()]
        zeros = np.zeros(len(held), dtype=np.int64)
        labelled = LabelledTexts(held, zeros, np.array([len(held)]))
        kinds = [
            token_counts(labelled, _LEAST_FEATURE),
            *ngram_counts(labelled, _LEAST_FEATURE, 2),
        ]
        present = hstack([kind.presence(len(held)) for kind in kinds], format="csr")
        words = [name for kind in kinds for name in kind.names]
        return cls(chosen, words, present, [keys[row] for row in chosen.tolist()])

    def independence(self, has_cue: Flags, words: Collection[str]) -> float | None:
        """Compute D of a cue; None where too few texts have it or lack it.

        Args:
            has_cue: bool[all texts].
            words: Its words, which do not tell.
        """
        import numpy as np

        cue = has_cue[self.rows]
        folds = self._folds(cue)
        vectors = self._vectors(~self._near(cue, words))
        aucs = []
        sizes = []
        for fold in range(_FOLDS):
            held = folds == fold
            parts = [cue & ~held, ~cue & ~held, cue & held, ~cue & held]
            if min(int(part.sum()) for part in parts) < 1:
                return None
            direction = _mean(vectors, parts[0]) - _mean(vectors, parts[1])
            aucs.append(_auc(cue[held], (vectors @ direction)[held]))
            sizes.append(int(parts[2].sum()))
        return float(np.average(aucs, weights=sizes))

    def _near(self, cue: Flags, words: Collection[str]) -> Flags:
        """Which features belong to the cue: bool[features]."""
        import numpy as np

        inside = self.present.T @ cue.astype(np.float64)
        among_cue = inside / max(int(cue.sum()), 1)
        of_feature = inside / self._held
        usual = self._held / len(self.rows)
        near: Flags = (of_feature >= _COMPANION) & (among_cue >= _COMPANY)
        near |= (among_cue >= _CONSTANT) & (usual < _RARER * among_cue)
        for word in words:
            near[self._features_with[word]] = True
        return near

    def _vectors(self, wanted: Flags) -> Any:
        """The vectors without some features, of length 1."""
        import numpy as np
        from scipy.sparse import csr_array

        weights = np.where(wanted, self._idf, 0.0)
        data = weights[self.present.indices]
        squares = np.add.reduceat(np.append(data**2, 0.0), self.present.indptr[:-1])
        # A text without any feature has the first square of the next: its length does not matter.
        lengths = np.sqrt(np.maximum(squares, 1e-12))
        data = data / np.repeat(lengths, np.diff(self.present.indptr))
        return csr_array((data, self.present.indices, self.present.indptr), self.present.shape)

    def _folds(self, cue: Flags) -> Ints:
        """Deal out the texts with the cue, and those without, evenly and by content."""
        import numpy as np

        order = np.argsort(np.array(self.keys), kind="stable")
        folds = np.zeros(len(order), dtype=np.int64)
        for part in (cue, ~cue):
            members = order[part[order]]
            folds[members] = np.arange(len(members)) % _FOLDS
        return folds

    @cached_property
    def _held(self) -> Floats:
        """float[features], the texts with each."""
        import numpy as np

        held: Floats = np.asarray(self.present.sum(axis=0), dtype=np.float64).ravel()
        return held

    @cached_property
    def _idf(self) -> Floats:
        import numpy as np

        idf: Floats = np.log(len(self.rows) / self._held) + 1
        return idf

    @cached_property
    def _features_with(self) -> Mapping[str, list[int]]:
        """Word → the features that hold it."""
        features = defaultdict(list)
        for number, name in enumerate(self.words):
            for word in name.split(" "):
                features[word].append(number)
        return features


def _auc(chosen: Flags, scores: Floats) -> float:
    """The share of pairs of a chosen and another one that scores put in order, ties by half.

    By the ranks of the scores, as ``roc_auc_score`` of scikit-learn, which checks its arguments for
    longer than it computes.
    """
    from scipy.stats import rankdata

    count = int(chosen.sum())
    others = len(chosen) - count
    above = float(rankdata(scores)[chosen].sum()) - count * (count + 1) / 2
    return above / (count * others)


def _mean(vectors: Any, rows: Flags) -> Floats:
    mean: Floats = vectors.T @ (rows / rows.sum())
    return mean
