"""Which words are neighbours in the documents more often than their frequencies make likely."""

from __future__ import annotations

from augkit.augmenters.razor.feature_codes import pair_words
from augkit.augmenters.razor.token_score import FeatureCounts


class Neighbours:
    """The neighbouring words of a corpus, as they were when it was counted.

    With c(a, b) documents in which b follows a, two words *meet* if

        c(a, b) > 0   and   c(a, b) · Σ c ≥ Σ_y c(a, y) · Σ_x c(x, b)
    """

    def __init__(self, counts: FeatureCounts) -> None:
        """Sum over the 2-grams of the corpus."""
        import numpy as np

        self._counts = counts
        self._documents = int(counts.totals.sum())
        self._ids = dict(counts.word_ids)
        pairs, first, second = pair_words(counts.codes)
        held = counts.counts.sum(axis=1)[pairs]
        self._total = int(held.sum())
        size = len(self._ids)
        self._first, self._second = (
            np.bincount(ids, held, minlength=size) for ids in (first, second)
        )
        others = held - 1
        expected = self._first[first] * self._second[second]
        meet = (others > 0) & (others * self._total >= expected)
        plain = ~counts.are_giveaways(counts.codes[pairs])
        self.usual = float(held[meet & plain].sum() / max(held[plain].sum(), 1))
        """The share of all neighbours but giveaways that meet in other documents."""

    def meet(self, first: str, second: str) -> bool:
        """Whether two words meet; "" is the start or the end of a document."""
        kind = ("2-gram" if first else "first word") if second else "last word"
        held = self._counts.held(kind, f"{first} {second}".strip())
        before = self._first[self._ids[first]] if first in self._ids else self._documents
        after = self._second[self._ids[second]] if second in self._ids else self._documents
        return held > 0 and bool(held * self._total >= before * after)
