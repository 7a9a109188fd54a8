"""SentenceDebias: sentence vectors without the directions in which two groups differ.

Sentences that name one group are rewritten to name the other; with w and w̃ the vectors of such a
pair and μ their mean, V are the first k principal components of all w - μ and w̃ - μ, and

    ĥ = h - Σ_i ⟨h, v_i⟩ v_i

is the vector of any sentence afterwards. Word vectors are treated alike, with the words themselves
instead of sentences.

Reference: liang2020towards. The paper takes its sentences from five corpora; here they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.protocols import Vectors
from augkit.lexicons.load import word_pairs
from augkit.text.casing import match_case
from augkit.text.tokens import word_spans

_FEWEST = 5
"""Minimum pairs of sentences; with fewer the direction is that of their other words."""


@dataclass(frozen=True)
class DebiasedVectors:
    """Vectors with some directions removed; satisfies ``protocols.Vectors``."""

    vectors: Vectors
    of_sentences: Floats
    """Directions, each of length 1: float[k, width]."""
    of_words: Floats

    def sentences(self, texts: Sequence[str]) -> Floats:
        """float[texts, width]."""
        return remove_directions(self.vectors.sentences(texts), self.of_sentences)

    def words(self, texts: Sequence[str]) -> Floats:
        """float[texts, width]."""
        return remove_directions(self.vectors.words(texts), self.of_words)


def debias(
    vectors: Vectors,
    texts: Sequence[str],
    components: int = 1,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> DebiasedVectors:
    """Remove the directions of ``pairs`` (by default of gender), found in ``texts``."""
    chosen = tuple(pairs) if pairs is not None else word_pairs("gender_definitions")
    twins = counterparts(texts, chosen)
    if len(twins) < _FEWEST:
        raise DataError(
            f"only {len(twins)} of {len(texts)} texts name one side of the pairs "
            f"({chosen[0][0]}/{chosen[0][1]} ...): give more texts to find the directions in"
        )
    sentences = [vectors.sentences([twin[side] for twin in twins]) for side in (0, 1)]
    words = [vectors.words([pair[side] for pair in chosen]) for side in (0, 1)]
    return DebiasedVectors(
        vectors,
        directions(sentences[0], sentences[1], components),
        directions(words[0], words[1], components),
    )


def counterparts(texts: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every text that has a word of the pairs, with its words replaced by those of each side.

    >>> counterparts(["He met her.", "It rains."], [("he", "she"), ("him", "her")])
    [('He met him.', 'She met her.')]
    """
    side = [{word.lower(): pair[n] for pair in pairs for word in pair} for n in (0, 1)]
    twins = []
    for text in texts:
        first, second = (_with(text, table) for table in side)
        if first != second:
            twins.append((first, second))
    return twins


def directions(first: Floats, second: Floats, components: int) -> Floats:
    """The first principal components of the differences from the mean of each pair."""
    import numpy as np

    half = (first - second) / 2  # w - μ; the other side is its negative, so the mean is 0
    _, sizes, axes = np.linalg.svd(np.concatenate([half, -half]), full_matrices=False)
    return np.asarray(axes[: min(components, int((sizes > 1e-12).sum()))])


def remove_directions(vectors: Floats, removed: Floats) -> Floats:
    """The vectors without their parts along the directions."""
    remaining: Floats = vectors - vectors @ removed.T @ removed
    return remaining


def _with(text: str, table: dict[str, str]) -> str:
    parts = []
    last = 0
    for start, end in word_spans(text):
        word = text[start:end]
        if word.lower() in table:
            parts += [text[last:start], match_case(table[word.lower()], word)]
            last = end
    return "".join([*parts, text[last:]])
