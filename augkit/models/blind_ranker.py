"""A ranker that never sees the prompt: a conditional logit of words, word pairs and amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Flags, Floats, Ints
from augkit.models.conditional_logit import fit_conditional_logit
from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import NumberedTexts, number_texts
from augkit.text.features.within_items import Items

_STRENGTH = 0.1
"""Low, as the features of a long text are many and not scaled."""
_AMOUNT_SCALE = 3.0
"""How far an amount at one standard deviation counts, beside a word that counts its idf."""


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


@dataclass(frozen=True)
class BlindFeatures:
    """What a ranker sees of candidates, counted once and weighed anew for each training set."""

    words: Any
    """Sparse: 1 + ln(times), float[candidates, words and word pairs]."""
    amounts: Floats
    """ln(1 + amount): float[candidates, amounts]."""

    def scores(
        self, items: Items, trained: Flags, held: Flags, weights: Floats | None = None
    ) -> Floats:
        """What a model of some items gives the candidates of others.

        Args:
            items: The candidates of each item, and which of them won.
            trained: The items to train on: bool[items].
            held: The items whose candidates get a score: bool[items].
            weights: What each item counts: float[items]; 1 unless given.
        """
        import numpy as np
        from scipy.sparse import csr_array, hstack

        seen = trained[items.numbers]
        asked = held[items.numbers]
        words = self.words[seen]
        documents = np.bincount(words.indices, minlength=words.shape[1])
        repeated = np.flatnonzero(documents >= 2)
        rarity = np.log((1 + words.shape[0]) / (1 + documents[repeated])) + 1
        spread = self.amounts[seen].std(axis=0)
        scale = np.divide(_AMOUNT_SCALE, spread, out=np.zeros_like(spread), where=spread > 0)
        parts = []
        for rows in (words, self.words[asked]):
            weighed = rows[:, repeated]
            weighed.data = weighed.data * rarity[weighed.indices]
            parts.append(weighed)
        amounts = [csr_array(self.amounts[chosen] * scale) for chosen in (seen, asked)]
        known, new = (hstack(pair, format="csr") for pair in zip(parts, amounts, strict=True))
        counts = None if weights is None else weights[trained]
        slopes = fit_conditional_logit(known, items.part(trained), _STRENGTH, counts)
        return np.asarray(new @ slopes)

    def crossed_scores(
        self, items: Items, folds: Ints, counted: Flags, weights: Floats | None = None
    ) -> Floats:
        """What a model of the other folds gives the candidates of each item: float[candidates].

        Args:
            items: The candidates of each item, and which of them won.
            folds: The fold of each item: int[items].
            counted: The items to train on and to score, bool[items]; the scores of others are 0.
            weights: What each item counts: float[items]; 1 unless given.
        """
        import numpy as np

        scores = np.zeros(len(items.numbers))
        for fold in np.unique(folds[counted]):
            trained = counted & (folds != fold)
            held = counted & (folds == fold)
            if trained.any():
                scores[held[items.numbers]] = self.scores(items, trained, held, weights)
        return scores


def blind_features(texts: Sequence[str]) -> BlindFeatures:
    """Count the words, word pairs and amounts of candidates."""
    import numpy as np

    amounts = [list(map(amount, texts)) for amount in (*LENGTHS.values(), *FORMAT_AMOUNTS.values())]
    numbered = number_texts(texts, lowered_words)
    return BlindFeatures(_counted(numbered), np.log1p(np.array(amounts, dtype=np.float64)).T)


def _counted(words: NumberedTexts[str]) -> Any:
    """The words and word pairs of each text that occur twice or more, with 1 + ln(times)."""
    import numpy as np
    from scipy.sparse import csr_array, hstack

    follows = words.documents[:-1] == words.documents[1:]
    pairs = words.ids[:-1].astype(np.int64) * len(words.numbers) + words.ids[1:]
    matrices = []
    kinds: list[tuple[Ints, Ints]] = [
        (words.ids, words.documents),
        (pairs[follows], words.documents[:-1][follows]),
    ]
    for keys, documents in kinds:
        _, columns, times = np.unique(keys, return_inverse=True, return_counts=True)
        often = times[columns] >= 2
        numbers = np.cumsum(times >= 2) - 1
        cells = (np.ones(int(often.sum())), (documents[often], numbers[columns[often]]))
        counts = csr_array(cells, shape=(len(words), int((times >= 2).sum())))
        counts.data = 1 + np.log(counts.data)
        matrices.append(counts)
    return hstack(matrices, format="csr")
