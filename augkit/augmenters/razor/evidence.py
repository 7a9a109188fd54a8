"""Which words that judge are no evidence: one that is in far more rows of a label than any other.

Rewriting keeps words that judge, because the label may turn on them. But a language has many such
words, and texts vary them: in reviews the commonest is in a few per cent of the sentences of its
label. One that leaves all others behind was put there, or belongs to a template.
"""

from __future__ import annotations

from collections import defaultdict

from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.augmenters.rewriting.words import has_polarity

_SEARCHED = 1000
"""Features, the strongest, among which the words are."""
_TIMES = 5.0
"""How many times as many rows of its label as the next word that judges."""
_LEAST_OTHERS = 5
"""Other words that judge which a label must have: without them, the word may be what it means."""
_LEAST_SHARE = 0.1
"""Share of the rows of its label that it has at least."""


def overused_judgements(counts: FeatureCounts) -> frozenset[str]:
    """Words that judge and are in too many rows of a label to be a judgement."""
    shares: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for one in counts.strongest(_SEARCHED):
        if one.kind == "token" and one.z > 0 and has_polarity(one.feature):
            share = float(counts.shares[one.label])
            own = one.documents * share + one.z * (one.documents * share * (1 - share)) ** 0.5
            shares[one.label].append((own / int(counts.totals[one.label]), one.feature))
    found = set()
    for some in shares.values():
        (most, word), *others = sorted(some, reverse=True)
        if len(others) >= _LEAST_OTHERS and most >= max(_LEAST_SHARE, _TIMES * others[0][0]):
            found.add(word)
    return frozenset(found)
