"""The state of the corpus during a round: scores of rows, of candidates, and the objective."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from augkit.augmenters.razor.class_sums import ClassSums
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.shortcut_space import (
    Encoding,
    document_vectors,
    shortcut_space,
    tokenised,
)
from augkit.augmenters.razor.token_score import Associations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

Embed = Callable[[Sequence[str]], "Floats"]
"""Texts to vectors."""


class Corpus:
    """The texts that are scored, as they are now, and the numbers of their labels."""

    def __init__(self, texts: Sequence[str], labels: Integers, kinds: int) -> None:
        """Keep a copy of the texts."""
        self.texts = list(texts)
        self.labels = labels
        self.kinds = kinds


class Scorer(Protocol):
    """One of the scores, for the rows of a corpus; lower is better throughout."""

    associations: Associations

    def scores(self) -> Floats:
        """The score of every row."""
        ...

    def candidate_scores(self, place: int, texts: Sequence[str]) -> Floats:
        """The score that each text would have in the place of a row."""
        ...

    def replace(self, place: int, text: str) -> None:
        """Put a text in the place of a row."""
        ...

    def objective(self) -> float:
        """What rounds are to make small."""
        ...


class TokenScorer:
    """``score: token``; the objective is the mean score.

    Eq. 14 is that too, but for constants: for two labels Σ score_i = n - (1/n_0 + 1/n_1) · Eq. 14.
    """

    def __init__(self, corpus: Corpus) -> None:
        """Count all texts."""
        self.corpus = corpus
        self.associations = Associations(tokenised(corpus.texts), corpus.labels, corpus.kinds)

    def scores(self) -> Floats:
        """The score of every row, as it was when the round began."""
        return self.associations.scores(self.corpus.labels)

    def candidate_scores(self, place: int, texts: Sequence[str]) -> Floats:
        """The score that each text would have in the place of a row."""
        label, now = int(self.corpus.labels[place]), self.corpus.texts[place]
        return self.associations.candidate_scores(texts, label, now)

    def replace(self, place: int, text: str) -> None:
        """Put a text in the place of a row."""
        before = self.corpus.texts[place]
        self.associations.replace(int(self.corpus.labels[place]), before, text)
        self.corpus.texts[place] = text

    def objective(self) -> float:
        """The mean score of the texts as they are now, counted anew."""
        return float(TokenScorer(self.corpus).scores().mean()) if self.corpus.texts else 0.0


class VectorScorer:
    """``score: paper``, and the ablation over embeddings: Eq. 12, with Eq. 14 as the objective."""

    def __init__(self, corpus: Corpus, embed: Embed, vectors: Floats, form: str) -> None:
        """Sum over the vectors; ``form`` is that of Eq. 14: cosine or kl."""
        self.corpus, self.form = corpus, form
        self._embed, self._vectors = embed, vectors
        self.sums = ClassSums(vectors, corpus.labels, corpus.kinds)
        self.associations = Associations(tokenised(corpus.texts), corpus.labels, corpus.kinds)

    def scores(self) -> Floats:
        """The score of every row."""
        return self.sums.scores(self._vectors, self.corpus.labels)

    def candidate_scores(self, place: int, texts: Sequence[str]) -> Floats:
        """The score that each text would have; the row itself has no part in it (Eq. 11)."""
        import numpy as np

        labels = np.full(len(texts), self.corpus.labels[place])
        return self.sums.scores(self._embed(texts), labels)

    def replace(self, place: int, text: str) -> None:
        """Put a text in the place of a row."""
        label = int(self.corpus.labels[place])
        after = self._embed([text])[0]
        self.sums.replace(label, self._vectors[place], after)
        self.associations.replace(label, self.corpus.texts[place], text)
        self._vectors[place] = after
        self.corpus.texts[place] = text

    def objective(self) -> float:
        """Eq. 14, with a minus where it is to be maximised."""
        return self.sums.divergence() if self.form == "kl" else -self.sums.similarity()


def surface_sums(corpus: Corpus, encoding: Encoding) -> ClassSums:
    """The sums of the paper's space, from which both forms of Eq. 14 follow."""
    tokens = tokenised(corpus.texts)
    vectors = document_vectors(tokens, shortcut_space(tokens, encoding))
    return ClassSums(vectors, corpus.labels, corpus.kinds)


def make_scorer(corpus: Corpus, config: RazorConfig, embed: Embed | None = None) -> Scorer:
    """The scorer that the settings ask for, its statistics taken from the corpus as it is now."""
    if config.space == "embedding" and embed is not None:
        return VectorScorer(corpus, embed, embed(corpus.texts), config.objective)
    if config.score == "token":
        return TokenScorer(corpus)
    tokens = tokenised(corpus.texts)
    space = shortcut_space(tokens, config.encoding)
    return VectorScorer(corpus, space.vectors, document_vectors(tokens, space), config.objective)
