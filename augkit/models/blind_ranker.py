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


def blind_vectorizer() -> Any:
    """A vectorizer of words and word pairs by TF-IDF."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        tokenizer=lowered_words,
        token_pattern=None,
        lowercase=False,
        ngram_range=(1, 2),
        min_df=2,
        sublinear_tf=True,
        norm=None,  # so that longer texts have more, and length is seen
    )


def blind_scores(
    texts: Sequence[str], items: Items, trained: Flags, held: Flags, weights: Floats | None = None
) -> Floats:
    """What a model of some items gives the candidates of others; zeros where it has no word.

    Args:
        texts: The candidates of all items.
        items: The candidates of each item, and which of them won.
        trained: The items to train on: bool[items].
        held: The items whose candidates get a score: bool[items].
        weights: What each item counts: float[items]; 1 unless given.
    """
    import numpy as np

    vectorizer = blind_vectorizer()
    parts: list[list[str]] = [
        [text for text, inside in zip(texts, chosen[items.numbers], strict=True) if inside]
        for chosen in (trained, held)
    ]
    try:
        features: Any = vectorizer.fit_transform(parts[0])
    except ValueError:  # no word occurs twice
        return np.zeros(len(parts[1]))
    counts = None if weights is None else weights[trained]
    slopes = fit_conditional_logit(features, items.part(trained), _STRENGTH, counts)
    return np.asarray(vectorizer.transform(parts[1]) @ slopes)
