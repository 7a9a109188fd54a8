"""How a corpus uses words: which ones meet, and which words that judge are too frequent to judge.

Rewriting keeps words that judge, because the label may turn on them. But a language has many such
words, and texts vary them: in reviews the commonest is in a few per cent of the sentences of its
label. One that leaves all others behind was put there, or belongs to a template.
"""

from __future__ import annotations

from collections import defaultdict

from augkit.augmenters.razor.token_score import PAIR, FeatureCounts, pair_words
from augkit.english.rewriting.words import has_polarity
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD, TOKEN

_SEARCHED = 1000
"""Features, the strongest, among which the words are."""
_TIMES = 5.0
"""How many times as many rows of its label as the next word that judges."""
_LEAST_OTHERS = 5
"""Other words that judge which a label must have: without them, the word may be what it means."""
_LEAST_SHARE = 0.1
"""Share of the rows of its label that it has at least."""


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
        elsewhere = held - 1
        expected = self._first[first] * self._second[second]
        meet = (elsewhere > 0) & (elsewhere * self._total >= expected)
        plain = ~counts.are_giveaways(counts.codes[pairs])
        self.usual = float(held[meet & plain].sum() / max(held[plain].sum(), 1))
        """The share of all neighbours but giveaways that meet in other documents."""

    def meet(self, first: str, second: str) -> bool:
        """Whether two words meet; "" is the start or the end of a document."""
        kind = (PAIR if first else FIRST_WORD) if second else LAST_WORD
        held = self._counts.held(kind, f"{first} {second}".strip())
        before = self._first[self._ids[first]] if first in self._ids else self._documents
        after = self._second[self._ids[second]] if second in self._ids else self._documents
        return held > 0 and bool(held * self._total >= before * after)


def overused_judgements(counts: FeatureCounts) -> frozenset[str]:
    """Words that judge and are in too many rows of a label to be a judgement."""
    shares: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for kind, word, label, z, documents in counts.strongest(_SEARCHED):
        if kind == TOKEN and z > 0 and has_polarity(word):
            share = float(counts.shares[label])
            with_label = documents * share + z * (documents * share * (1 - share)) ** 0.5
            shares[label].append((with_label / int(counts.totals[label]), word))
    overused = set()
    for ranked in (sorted(words, reverse=True) for words in shares.values()):
        (most, word), *rarer = ranked
        if len(rarer) >= _LEAST_OTHERS and most >= max(_LEAST_SHARE, _TIMES * rarer[0][0]):
            overused.add(word)
    return frozenset(overused)
