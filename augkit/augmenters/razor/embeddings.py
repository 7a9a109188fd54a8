"""Sentence embeddings for the paper's ablation: Eq. 12 over meaning and surface together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from augkit.augmenters.razor.corpus_scorers import Embed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WIDTH = 64


def embedder(name: str, texts: Sequence[str]) -> Embed:
    """An embedding function: ``lsa``, fitted to these texts, or a transformers path."""
    if name == "lsa":
        return _latent(texts)
    from augkit.models.language_models.vectors import open_vectors

    return open_vectors(name, "mean").sentences


def _latent(texts: Sequence[str]) -> Embed:
    """Latent semantic analysis: TF-IDF, projected on the directions of largest variance."""
    import numpy as np
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    counter = TfidfVectorizer(token_pattern=r"\S+")  # noqa: S106 - a token of text
    try:
        weights = counter.fit_transform(texts)
    except ValueError:  # the texts hold no word
        return lambda batch: np.zeros((len(batch), 1))
    width = min(_WIDTH, min(weights.shape) - 1)
    if width < 1:
        return lambda batch: np.asarray(counter.transform(batch).toarray())
    projection = TruncatedSVD(width, random_state=0).fit(weights)

    def embed(batch: Sequence[str]) -> NDArray[np.float64]:
        return np.asarray(projection.transform(counter.transform(batch)), dtype=np.float64)

    return embed
