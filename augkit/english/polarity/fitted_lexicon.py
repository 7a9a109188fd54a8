"""A lexicon fitted to the data, for labels that no evaluative lexicon is about.

A word belongs to the label in whose documents it is much more frequent. Its antonyms may replace
it, or else words of the other label with the same part of speech and a similar frequency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt

from augkit.core.analysis import Analysis, Token
from augkit.core.types import Example
from augkit.lexicons.evaluative import Group, Kind, LexiconFile, Polarity, opposite
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.load import antonyms

_KINDS: dict[str, Kind] = {"ADJ": "adjective", "ADV": "adverb", "VERB": "verb"}
_MIN_Z = 2.5
"""Least z-score of a word that belongs to a label."""
_MIN_DOCUMENTS = 5
_SIMILAR = 3
"""Words of a similar frequency offered where there is no antonym."""

_SIDES: tuple[Polarity, Polarity] = ("negative", "positive")

Counts = Mapping[Polarity, Counter[tuple[Kind, str]]]


def fit_lexicon(
    sample: Sequence[tuple[Example, Analysis]], order: LabelOrder | None = None
) -> tuple[LexiconFile, dict[str, Polarity]]:
    """Groups of one word and its opposites, and the polarity of the labels that they flip.

    Nouns are left alone: they are the topic. Of ordered labels the two sides are flipped into one
    another, of others the two most frequent.
    """
    polarities: dict[str, Polarity]
    if order is None:
        common = Counter(str(row.label) for row, _ in sample).most_common(2)
        polarities = dict(zip(sorted(label for label, _ in common), _SIDES, strict=True))
    else:
        signs = {-1: _SIDES[0], 1: _SIDES[1]}
        polarities = {
            label: signs[order.side(label)] for label in order.positions if order.side(label)
        }
    counts = _counts(sample, polarities)
    groups = {kind: list(_groups(kind, counts)) for kind in _KINDS.values()}
    return LexiconFile.model_validate(groups), polarities


def _counts(
    sample: Sequence[tuple[Example, Analysis]], polarities: Mapping[str, Polarity]
) -> Counts:
    counts: Counts = {"positive": Counter(), "negative": Counter()}
    for row, analysis in sample:
        if (polarity := polarities.get(str(row.label))) is not None:
            counts[polarity].update({_key(t) for t in analysis.tokens if t.upos in _KINDS})
    return counts


def _key(token: Token) -> tuple[Kind, str]:
    kind = _KINDS[token.upos]
    return kind, (token.lemma if kind == "verb" else token.text).lower()


def _groups(kind: Kind, counts: Counts) -> Iterator[Group]:
    on_side = {
        polarity: sorted(_of_polarity(kind, polarity, counts))
        for polarity in ("positive", "negative")
    }
    for polarity, found in on_side.items():
        against: Polarity = opposite(polarity)  # type: ignore[arg-type] # a polarity
        for word in found:
            opposites = [w for w in antonyms().get((kind, word), ()) if w not in found]
            opposites = opposites or _similar(kind, word, on_side[against], counts)
            if opposites:
                written = {polarity: f"{word}*", against: " ".join(opposites)}
                yield Group(aspect="fitted", **written)


def _of_polarity(kind: Kind, polarity: Polarity, counts: Counts) -> Iterator[str]:
    for (found, word), here in counts[polarity].items():
        there = counts[opposite(polarity)][found, word]
        strong = (here - there) / sqrt(here + there) >= _MIN_Z
        if found == kind and here + there >= _MIN_DOCUMENTS and strong and word.isalpha():
            yield word


def _similar(kind: Kind, word: str, others: Sequence[str], counts: Counts) -> list[str]:
    def total(one: str) -> int:
        return sum(some[kind, one] for some in counts.values())

    return sorted(others, key=lambda one: (abs(log(total(one) / total(word))), one))[:_SIMILAR]
