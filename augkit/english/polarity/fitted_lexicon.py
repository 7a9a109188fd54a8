"""What the data teach: a lexicon for labels that no evaluative one is about, and shortcuts.

A word belongs to the label in whose documents it is much more frequent. Its antonyms may replace
it, or else words of the other label with the same part of speech and a similar frequency. Nouns and
names that go with a label are no opinion: they are the shortcuts of the dataset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log, sqrt

from augkit.core.analysis import Analysis, Token
from augkit.core.types import Example
from augkit.lexicons.evaluative import Evaluative, Group, Kind, LexiconFile, Polarity, opposite
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.load import antonyms, valences
from augkit.text.features.document_counts import LabelledTexts, feature_counts
from augkit.text.features.numbering import label_numbers
from augkit.text.features.statistics import corrected, p_values, z_scores
from augkit.text.tokens import words

_KINDS: dict[str, Kind] = {"ADJ": "adjective", "ADV": "adverb", "VERB": "verb"}
_MIN_Z = 2.5
"""Least z-score of a word that belongs to a label."""
_MIN_DOCUMENTS = 5
_SIMILAR = 3
"""Words of a similar frequency offered where there is no antonym."""

_SIDES: tuple[Polarity, Polarity] = ("negative", "positive")

Counts = Mapping[Polarity, Counter[tuple[Kind, str]]]
_ALPHA = 0.05
"""Greatest p-value, corrected for the number of words and labels."""
_OTHER_LABELS = 0.5
"""Greatest share of rows with other labels among those of a word, as a multiple of their share."""
_MIN_ROWS = 5
_NAMES_AND_NOUNS = frozenset({"NOUN", "PROPN"})
"""Other words may be reasons: verbs and adjectives judge, numbers rate."""


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
    counts: Counts = {"positive": Counter(), "negative": Counter()}
    for row, analysis in sample:
        if (polarity := polarities.get(str(row.label))) is not None:
            counts[polarity].update({_key(t) for t in analysis.tokens if t.upos in _KINDS})
    groups = {kind: list(_groups(kind, counts)) for kind in _KINDS.values()}
    return LexiconFile.model_validate(groups), polarities


def _key(token: Token) -> tuple[Kind, str]:
    kind = _KINDS[token.upos]
    return kind, (token.lemma if kind == "verb" else token.text).lower()


def _groups(kind: Kind, counts: Counts) -> Iterator[Group]:
    on_side = {
        polarity: sorted(_of_polarity(kind, polarity, counts))
        for polarity in ("positive", "negative")
    }
    for polarity, on_this_side in on_side.items():
        against: Polarity = opposite(polarity)  # type: ignore[arg-type] # a polarity
        for word in on_this_side:
            opposites = [w for w in antonyms().get((kind, word), ()) if w not in on_this_side]
            opposites = opposites or _similar(kind, word, on_side[against], counts)
            if opposites:
                written = {polarity: f"{word}*", against: " ".join(opposites)}
                yield Group(aspect="fitted", **written)


def _of_polarity(kind: Kind, polarity: Polarity, counts: Counts) -> Iterator[str]:
    for (word_kind, word), here in counts[polarity].items():
        there = counts[opposite(polarity)][word_kind, word]
        strong = (here - there) / sqrt(here + there) >= _MIN_Z
        if word_kind == kind and here + there >= _MIN_DOCUMENTS and strong and word.isalpha():
            yield word


def _similar(kind: Kind, word: str, candidates: Sequence[str], counts: Counts) -> list[str]:
    def total(form: str) -> int:
        return sum(frequency[kind, form] for frequency in counts.values())

    ranked = sorted(candidates, key=lambda w: (abs(log(total(w) / total(word))), w))
    return ranked[:_SIMILAR]


def dataset_shortcuts(
    rows: Sequence[Example],
    analyses: Sequence[Analysis],
    polarity: Mapping[str, Polarity],
    lexicon: Evaluative,
) -> dict[str, tuple[str, ...]]:
    """Label → the words that predict it though they are no opinion, the strongest first.

    Labels of one polarity count as one, under its name. ``analyses`` say which words are nouns and
    names.
    """
    import numpy as np

    sides = [(row, polarity.get(str(row.label)) if polarity else str(row.label)) for row in rows]
    rated = [(row, side) for row, side in sides if side is not None]
    if not rated:
        return {}
    names, numbers = label_numbers([side for _, side in rated])
    texts = [next(iter(row.fields.values())) for row, _ in rated]
    totals = np.bincount(numbers, minlength=len(names))
    labelled = LabelledTexts(texts, numbers, totals)
    counted = feature_counts(labelled, lambda text: words(text.casefold()), _MIN_ROWS)
    counts = counted.counts
    z = z_scores(counts, totals)
    p = corrected(p_values(counts, totals), "holm")
    impurity = 1 - counts / counts.sum(axis=1, keepdims=True)
    pure = impurity <= _OTHER_LABELS * (1 - totals / totals.sum())
    strong = np.argwhere((p <= _ALPHA) & pure).tolist()
    ranked = sorted((-z[word, label], counted.names[word], label) for word, label in strong)
    nouns = _mostly_nouns({word for _, word, _ in ranked}, analyses)
    opinions = {*lexicon.words, *valences()}
    return {
        name: tuple(
            word
            for _, word, label in ranked
            if label == number and word in nouns and word not in opinions
        )
        for number, name in enumerate(names)
    }


def _mostly_nouns(candidates: AbstractSet[str], analyses: Sequence[Analysis]) -> set[str]:
    """The words that the parser takes for nouns or names more often than not."""
    votes: Counter[str] = Counter()
    for analysis in analyses:
        for token in analysis.tokens:
            if (word := token.text.casefold()) in candidates:
                votes[word] += 1 if token.upos in _NAMES_AND_NOUNS else -1
    return {word for word in candidates if votes[word] > 0}
