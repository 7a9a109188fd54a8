"""How pleasant or unpleasant words are, from VADER's lexicon (MIT): -4 to 4.

It mixes opinions with what stories are about ("murder"): it shows that a text may still have a
polarity, not what to edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache


@cache
def valences() -> Mapping[str, float]:
    """Lower-case word → valence.

    >>> valences()["great"] > 2, valences()["awful"] < -1.5
    (True, True)
    """
    from vaderSentiment.vaderSentiment import (  # type: ignore[import-untyped] # it has no types
        SentimentIntensityAnalyzer,
    )

    lexicon: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return lexicon
