"""A ranker that never sees the prompt: a conditional logit of words and word pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.core.arrays import Flags, Floats
from augkit.models.conditional_logit import fit_conditional_logit
from augkit.text.features.kinds import lowered_words
from augkit.text.features.within_items import Items

_STRENGTH = 0.1
"""Low, as the features of a long text are many and not scaled."""


def blind_scores(texts: Sequence[str], items: Items, trained: Flags, held: Flags) -> Floats:
    """What a model of some items gives the candidates of others; zeros where it has no word."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        tokenizer=lowered_words,
        token_pattern=None,
        lowercase=False,
        ngram_range=(1, 2),
        min_df=2,
        sublinear_tf=True,
        norm=None,  # so that longer texts have more, and length is seen
    )
    parts: list[list[str]] = [
        [text for text, inside in zip(texts, chosen[items.numbers], strict=True) if inside]
        for chosen in (trained, held)
    ]
    try:
        features: Any = vectorizer.fit_transform(parts[0])
    except ValueError:  # no word occurs twice
        return np.zeros(len(parts[1]))
    weights = fit_conditional_logit(features, items.part(trained), _STRENGTH)
    return np.asarray(vectorizer.transform(parts[1]) @ weights)
