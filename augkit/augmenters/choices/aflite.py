"""AFLite: leave out what linear models of random parts predict (Le Bras et al., 2020).

Algorithm 1 of lebras2020adversarial, for choices. In each round m random parts of t items train a
linear model on frozen features; E(i) is the share of the models that were not trained on item i and
find its winner. The k items with the highest E(i) above the cutoff τ are left out, until fewer than
k are above it or no more than t items are left.

The features of the paper are a fine-tuned encoder's. Here they are TF-IDF of words and word pairs,
reduced to a few dimensions without a look at the winners; the model is the conditional logit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.config import StrictModel
from augkit.models.blind_ranker import blind_vectorizer
from augkit.models.conditional_logit import fit_conditional_logit
from augkit.text.features.within_items import Items


class AfliteSettings(StrictModel):
    """The settings of Algorithm 1."""

    partitions: int = Field(64, ge=2, description="random parts a round: m in the paper")
    train_share: float = Field(
        0.4, gt=0, lt=1, description="items that train each model, as a share of the first: t"
    )
    slice_share: float = Field(
        0.02, gt=0, lt=1, description="most items left out in a round, as a share of the first: k"
    )
    cutoff: float = Field(
        0.75, ge=0.5, lt=1, description="items that a greater share of the models predict may go: τ"
    )
    dimensions: int = Field(100, ge=1, description="size of the frozen features of a text")


def aflite(
    texts: Sequence[str], items: Items, settings: AfliteSettings, seed: int, least: int = 0
) -> Flags:
    """The items that stay: bool[items].

    Args:
        texts: The candidates of all items.
        items: The candidates of each item, and which of them won.
        settings: Those of Algorithm 1.
        seed: Of the random parts.
        least: So many items stay, whatever is predicted.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    vectors = frozen_vectors(texts, settings.dimensions)
    count = len(items.sizes)
    trained = max(2, round(settings.train_share * count))
    slice_size = max(1, round(settings.slice_share * count))
    staying = np.ones(count, dtype=bool)
    while staying.sum() > max(trained, least):
        left = np.flatnonzero(staying)
        parts = [generator.permutation(len(left)) for _ in range(settings.partitions)]
        scores = _predictability(vectors, items, left, parts, trained)
        order = np.argsort(-scores, kind="stable")
        above = order[scores[order] > settings.cutoff][:slice_size]
        room = int(staying.sum()) - max(trained, least)
        staying[left[above[:room]]] = False
        if len(above) < slice_size:
            break
    return staying


def frozen_vectors(texts: Sequence[str], dimensions: int) -> Floats:
    """Vectors of texts that know nothing of the winners: float[texts, dimensions]."""
    import numpy as np
    from sklearn.decomposition import TruncatedSVD

    try:
        features: Any = blind_vectorizer().fit_transform(texts)
    except ValueError:  # no word occurs twice
        return np.zeros((len(texts), 1))
    if dimensions >= min(features.shape) - 1:
        return np.asarray(features.toarray())
    reduced = TruncatedSVD(dimensions, random_state=0).fit_transform(features)
    return np.asarray(reduced / max(float(reduced.std()), 1e-12))


def _predictability(
    vectors: Floats, items: Items, left: Ints, parts: Sequence[Ints], trained: int
) -> Floats:
    """E(i) of the items that are left: the share of models that find the winner."""
    import numpy as np

    tested = np.zeros(len(left))
    right = np.zeros(len(left))
    for drawn in parts:
        seen = np.zeros(len(items.sizes), dtype=bool)
        seen[left[drawn[:trained]]] = True
        held = np.zeros(len(items.sizes), dtype=bool)
        held[left[drawn[trained:]]] = True
        slopes = fit_conditional_logit(vectors[seen[items.numbers]], items.part(seen))
        ranked = items.part(held).rank(vectors[held[items.numbers]] @ slopes)
        places = held[left]
        tested[places] += 1
        right[places] += ranked.hits / ranked.leading
    return np.asarray(right / np.maximum(tested, 1))
