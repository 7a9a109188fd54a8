"""The corpus during a round: the scores of its rows and of candidates, and the objective."""

from __future__ import annotations

import math
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.corpus_use import Neighbours, overused_judgements
from augkit.augmenters.razor.paper_score import (
    LabelSums,
    PositionalEncoding,
    cosine_similarity,
    kl_divergence,
    surface_space,
    surface_vectors,
)
from augkit.augmenters.razor.released_score import ReleasedScore
from augkit.augmenters.razor.token_score import FeatureCounts, FeatureStrength
from augkit.core.arrays import Floats, Ints
from augkit.english.rewriting.marks import MARK
from augkit.english.rewriting.optional import CorpusUse, optional_phrases
from augkit.english.rewriting.targets import TextTarget, find_targets
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import number_texts

_WIDTH = 64
"""Dimensions of LSA."""
_MOST_TARGETS = 6
"""Giveaways of a row that are looked at: the strongest."""
_SAMPLED = 2000
"""Rows from which it is found what the texts can do without."""
Embed = Callable[[Sequence[str]], Floats]
"""Texts to vectors."""


@dataclass
class ScoredCorpus:
    """The current texts and the numbers of their labels.

    ``counts`` are those of the round; a feature with a z above ``critical_z`` is a giveaway.
    """

    texts: list[str]
    labels: Ints
    classes: int
    counts: FeatureCounts = field(init=False)
    critical_z: float = -math.inf
    overused: frozenset[str] = frozenset()
    """Words that judge elsewhere, but are in too many rows to judge here."""
    strongest: str = ""
    """The strongest giveaway of all."""
    use: CorpusUse | None = None
    """How the texts use words, once giveaways were looked for."""

    def counted(self) -> FeatureCounts:
        """The features of the current texts, counted from scratch."""
        return FeatureCounts(self.texts, self.labels, self.classes, marks=True)

    def giveaways(self, index: int) -> list[FeatureStrength]:
        """What gives the label of a row away, strongest first."""
        label = int(self.labels[index])
        return self.counts.giveaways(self.texts[index], label, self.critical_z)

    def targets(self, index: int) -> list[TextTarget]:
        """The places of the giveaways that may change.

        Another full stop for a "!" helps nobody who did not ask for it: punctuation is a target
        only where it gives labels away more than anything else does.
        """
        features = [
            (giveaway.kind, giveaway.feature)
            for giveaway in self.giveaways(index)
            if not is_punctuation(giveaway) or giveaway.feature == self.strongest
        ]
        return find_targets(self.texts[index], features, _MOST_TARGETS, self.overused)

    def find_giveaways(self, alpha: float, indices: Sequence[int]) -> list[int]:
        """Note what is a giveaway, what of it judges and what is optional; the rows that have one.

        ``alpha`` is the significance over all features together.
        """
        self.critical_z = self.counts.critical_z(alpha)
        self.counts.find_giveaways(self.critical_z)
        self.overused = overused_judgements(self.counts)
        self.strongest = next((one.feature for one in self.counts.strongest(1)), "")
        largest = self.counts.max_z(self.labels)
        rows = [index for index in indices if largest[index] > self.critical_z]
        self._find_optional(rows[:: len(rows) // _SAMPLED + 1])
        return rows

    def _find_optional(self, rows: Sequence[int]) -> None:
        places = (
            (self.texts[index], start, end)
            for index in rows
            for target in self.targets(index)
            if not target.mark
            for start, end in target.spans
        )
        neighbours = Neighbours(self.counts)
        optional = optional_phrases(places, neighbours.meet, neighbours.usual)
        self.use = CorpusUse(neighbours.meet, optional)


def is_punctuation(giveaway: FeatureStrength) -> bool:
    """Whether a giveaway is a sign: no word, link, number, emoji or casing."""
    sign = giveaway.feature
    return giveaway.kind == MARK and all(unicodedata.category(letter)[0] == "P" for letter in sign)


class CorpusScorer(ABC):
    """One of the scores for the rows of a corpus; lower is better."""

    def __init__(self, corpus: ScoredCorpus) -> None:
        """Count the features of all texts."""
        self.corpus = corpus
        self.counts = corpus.counts = corpus.counted()
        self._replaced = False

    @abstractmethod
    def scores(self) -> Floats:
        """The score of every row."""

    @abstractmethod
    def candidate_scores(self, index: int, texts: Sequence[str]) -> Floats:
        """The score each text would have instead of a row's text."""

    @abstractmethod
    def objective(self) -> float:
        """What the rounds minimise."""

    def replace(self, index: int, text: str) -> None:
        """Give a row another text."""
        label = int(self.corpus.labels[index])
        before = self.corpus.texts[index]
        self.counts.replace(label, before, text)
        self.corpus.texts[index] = text
        self._replaced = True


class TokenScorer(CorpusScorer):
    """``score: token``; the objective is the mean score."""

    def scores(self) -> Floats:
        """The score of every row as it was when the round began."""
        return self.counts.scores(self.corpus.labels)

    def candidate_scores(self, index: int, texts: Sequence[str]) -> Floats:
        """The score each text would have instead of a row's text."""
        label = int(self.corpus.labels[index])
        current = self.corpus.texts[index]
        return self.counts.candidate_scores(texts, label, current)

    def objective(self) -> float:
        """The mean score of the current texts; counted from scratch if one was replaced."""
        if not self.corpus.texts:
            return 0.0
        counts = self.corpus.counted() if self._replaced else self.counts
        return float(counts.scores(self.corpus.labels).mean())


class ReleasedScorer(CorpusScorer):
    """``score: released``; the objective is the mean score."""

    def __init__(self, corpus: ScoredCorpus, dimensions: int) -> None:
        """Sum over the vectors of all words."""
        super().__init__(corpus)
        self._score = ReleasedScore(corpus.texts, corpus.labels, corpus.classes, dimensions)

    def scores(self) -> Floats:
        """The score of every row as it was when the round began."""
        return self._score.corpus_scores(self.corpus.labels)

    def candidate_scores(self, index: int, texts: Sequence[str]) -> Floats:
        """The score each text would have instead of a row's text."""
        import numpy as np

        return self._score.scores(texts, np.full(len(texts), self.corpus.labels[index]))

    def replace(self, index: int, text: str) -> None:
        """Give a row another text."""
        self._score.replace(int(self.corpus.labels[index]), self.corpus.texts[index], text)
        super().replace(index, text)

    def objective(self) -> float:
        """The mean score of the current texts."""
        if not self.corpus.texts:
            return 0.0
        return float(self._score.scores(self.corpus.texts, self.corpus.labels).mean())


class VectorScorer(CorpusScorer):
    """``score: paper``, and the ablation over embeddings: Eq. 12, with Eq. 14 as the objective."""

    def __init__(self, corpus: ScoredCorpus, embed: Embed, vectors: Floats, form: str) -> None:
        """Sum over the vectors; ``form`` is that of Eq. 14: cosine or kl."""
        super().__init__(corpus)
        self.form = form
        self._embed = embed
        self._vectors = vectors
        self.sums = LabelSums(vectors, corpus.labels, corpus.classes)

    def scores(self) -> Floats:
        """The score of every row."""
        return self.sums.scores(self._vectors, self.corpus.labels)

    def candidate_scores(self, index: int, texts: Sequence[str]) -> Floats:
        """The score of each text; the row itself does not enter it (Eq. 11)."""
        import numpy as np

        labels = np.full(len(texts), self.corpus.labels[index])
        return self.sums.scores(self._embed(texts), labels)

    def replace(self, index: int, text: str) -> None:
        """Give a row another text."""
        after = self._embed([text])[0]
        self.sums.replace(int(self.corpus.labels[index]), self._vectors[index], after)
        self._vectors[index] = after
        super().replace(index, text)

    def objective(self) -> float:
        """Eq. 14, negated where it is to be maximised."""
        return kl_divergence(self.sums) if self.form == "kl" else -cosine_similarity(self.sums)


def surface_sums(corpus: ScoredCorpus, encoding: PositionalEncoding) -> LabelSums:
    """The sums of the paper's surface features, from which both forms of Eq. 14 follow."""
    tokens = number_texts(corpus.texts, lowered_words)
    vectors = surface_vectors(tokens, surface_space(tokens, encoding))
    return LabelSums(vectors, corpus.labels, corpus.classes)


def make_embedder(name: str, texts: Sequence[str]) -> Embed:
    """Sentence embeddings for the ablation: ``lsa``, fitted to these texts, or a transformers path.

    LSA is TF-IDF, projected on the directions of largest variance.
    """
    if name != "lsa":
        from augkit.models.language_models.vectors import open_vectors

        return open_vectors(name, "mean").sentences
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
    return lambda batch: np.asarray(projection.transform(counter.transform(batch)), np.float64)


def make_scorer(
    corpus: ScoredCorpus, config: RazorConfig, embed: Embed | None = None
) -> CorpusScorer:
    """The scorer that the settings name, with the statistics of the current texts."""
    if config.space == "embedding" and embed is not None:
        return VectorScorer(corpus, embed, embed(corpus.texts), config.objective)
    if config.score == "token":
        return TokenScorer(corpus)
    if config.score == "released":
        return ReleasedScorer(corpus, config.dimensions)
    tokens = number_texts(corpus.texts, lowered_words)
    space = surface_space(tokens, config.encoding)
    return VectorScorer(corpus, space.vectors, surface_vectors(tokens, space), config.objective)
