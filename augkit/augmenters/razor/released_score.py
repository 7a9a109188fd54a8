"""The score of the authors' released program, which is not Eq. 12: a vector for every word.

A word v that a document d holds at the positions P (counted from 0) has the vector

    x_v(d) = n(v, d) / |d| · Π_{i in P} τ(i)

with the usual exponent of τ and products by component. There is no document frequency. The score is
the mean over the vocabulary V of how unlike these vectors are to those of other labels:

    score(d) = 1 - 1/|V| · Σ_v cos(x_v(d), Σ_{d' of other labels} x_v(d'))

where a word that either side lacks has the cosine 0. Nearly all other cosines are positive, so that
a text with few words has a high score: it ranks short texts first. Here V are the words of the
corpus; the program has the word pieces of BERT. A larger V changes no order.

Reference: yang2024razor.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from augkit.augmenters.razor.paper_score import PositionalEncoding
from augkit.core.arrays import Floats, Ints
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import number_texts


class WordVectors(NamedTuple):
    """The vectors of the words of some documents, a row each."""

    documents: Ints
    words: Ints
    vectors: Floats


class ReleasedScore:
    """The sums of all vectors by label and word; documents can be replaced one at a time."""

    def __init__(self, texts: Sequence[str], labels: Ints, classes: int, dimensions: int) -> None:
        """Sum over the texts; ``labels`` are numbers below ``classes``."""
        import numpy as np

        tokens = number_texts(texts, lowered_words)
        self.vocabulary = tokens.numbers
        self.dimensions = dimensions
        entries = self._entries(tokens.ids, tokens.ends)
        self.sums = np.zeros((classes, len(self.vocabulary), dimensions))
        self.holders = np.zeros((classes, len(self.vocabulary)), dtype=np.int64)
        places = labels[entries.documents], entries.words
        np.add.at(self.sums, places, entries.vectors)
        np.add.at(self.holders, places, 1)
        self._entries_of_corpus = entries

    def corpus_scores(self, labels: Ints) -> Floats:
        """The score of every text that it was made of."""
        return self._scores(self._entries_of_corpus, labels)

    def scores(self, texts: Sequence[str], labels: Ints) -> Floats:
        """The score of each text as a document of its label; words that no text had count 0."""
        return self._scores(self._vectors(texts), labels)

    def replace(self, label: int, before: str, after: str) -> None:
        """Replace a document of this label."""
        for text, sign in ((before, -1), (after, 1)):
            entries = self._vectors([text])
            self.sums[label, entries.words] += sign * entries.vectors
            self.holders[label, entries.words] += sign

    def _vectors(self, texts: Sequence[str]) -> WordVectors:
        """Those of words that the vocabulary has."""
        import numpy as np

        numbers = [[self.vocabulary.get(word, -1) for word in lowered_words(t)] for t in texts]
        ids = np.array(list(chain.from_iterable(numbers)), dtype=np.int64)
        entries = self._entries(ids, np.cumsum([0, *map(len, numbers)]))
        is_known = entries.words >= 0
        documents, words, vectors = entries
        return WordVectors(documents[is_known], words[is_known], vectors[is_known])

    def _entries(self, ids: Ints, ends: Ints) -> WordVectors:
        """The vector of every word of every document."""
        import numpy as np

        lengths = np.diff(ends)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        positions = np.arange(len(ids)) - ends[:-1][rows]
        encoding = PositionalEncoding(self.dimensions, "usual")
        encoded = encoding.positions(int(lengths.max(initial=0)), first=0)
        pairs = np.stack((rows, ids), axis=1)
        unique, inverse, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
        documents = unique[:, 0]
        words = unique[:, 1]
        vectors = np.repeat((counts / lengths[documents])[:, None], self.dimensions, axis=1)
        np.multiply.at(vectors, inverse.ravel(), encoded[positions])
        return WordVectors(documents, words, vectors)

    def _scores(self, entries: WordVectors, labels: Ints) -> Floats:
        import numpy as np

        places = labels[entries.documents], entries.words
        beside = (self.sums.sum(axis=0) - self.sums)[places]
        are_held = (self.holders.sum(axis=0) - self.holders)[places] > 0
        lengths = np.linalg.norm(entries.vectors, axis=1) * np.linalg.norm(beside, axis=1)
        products = np.einsum("ik,ik->i", entries.vectors, beside)
        cosines = np.zeros(len(products))
        np.divide(products, lengths, out=cosines, where=are_held & (lengths > 0))
        totals = np.bincount(entries.documents, cosines, minlength=len(labels))
        return np.asarray(1 - totals / max(len(self.vocabulary), 1))
