"""N-gram overlap: BLEU against references, self-BLEU within a set, distinct n-grams."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean

Words = Sequence[str]
Gram = tuple[str, ...]

_LONGEST = 4
_SMOOTHING = 0.1
"""Counted where no n-gram matches: the first smoothing of chen2014systematic."""


def corpus_bleu(texts: Sequence[Words], references: Sequence[Words]) -> float:
    """BLEU-4 of texts against one reference each, over the whole corpus, unsmoothed: 0 to 1.

        BLEU = min(1, e^(1 - r/c)) · (p_1 · p_2 · p_3 · p_4)^(1/4)

    p_n is the share of the texts' n-grams that are in the references too, each counted at most as
    often as there; c and r are the lengths of all texts and of all references.

    Reference: papineni2002bleu.

    >>> corpus_bleu(["a b c d e".split()], ["a b c d e".split()])
    1.0
    """
    if not texts:
        raise DataError("BLEU: there are no texts")
    hits, total = [0] * _LONGEST, [0] * _LONGEST
    for text, reference in zip(texts, references, strict=True):
        for size in range(1, _LONGEST + 1):
            own, theirs = Counter(_grams(text, size)), Counter(_grams(reference, size))
            hits[size - 1] += sum(min(count, theirs[gram]) for gram, count in own.items())
            total[size - 1] += max(len(text) - size + 1, 0)
    length, reference_length = sum(map(len, texts)), sum(map(len, references))
    if not all(hits):
        return 0.0
    shares = sum(log(hit / all_) for hit, all_ in zip(hits, total, strict=True)) / _LONGEST
    return exp(min(0.0, 1 - reference_length / length) + shares)


class _Counts(NamedTuple):
    """The highest count of an n-gram in one text, that text, and the second highest count."""

    times: int
    text: int
    second: int


def self_bleu(texts: Sequence[Words]) -> Score:
    """The mean BLEU-4 of each text against all others: high where texts repeat each other.

    Every other text is a reference; each n-gram is looked up once, in the text with its highest
    count, or the second highest where that is the text itself. Where no n-gram of a length above 1
    matches, it counts as 0.1 of a match.

    Reference: zhu2018texygen.
    """
    if len(texts) < 2:
        raise DataError("self-BLEU: needs two texts")
    most = [_highest_counts(texts, size) for size in range(1, _LONGEST + 1)]
    lengths = sorted(len(text) for text in texts)
    values = [_bleu_to_others(number, text, most, lengths) for number, text in enumerate(texts)]
    return bootstrap_mean("self_bleu", values)


def distinct(texts: Sequence[Words], size: int) -> float:
    """The share of n-grams that do not repeat an earlier one; it falls with more texts.

    Reference: li2016diversity.

    >>> distinct(["a b a b".split()], 2)
    0.6666666666666666
    """
    grams = [gram for text in texts for gram in _grams(text, size)]
    return len(set(grams)) / len(grams) if grams else 0.0


def _grams(text: Words, size: int) -> Iterator[Gram]:
    return zip(*(text[start:] for start in range(size)), strict=False)


def _highest_counts(texts: Sequence[Words], size: int) -> dict[Gram, _Counts]:
    found: dict[Gram, _Counts] = {}
    for number, text in enumerate(texts):
        for gram, count in Counter(_grams(text, size)).items():
            before = found.get(gram, _Counts(0, -1, 0))
            if count > before.times:
                found[gram] = _Counts(count, number, before.times)
            elif count > before.second:
                found[gram] = before._replace(second=count)
    return found


def _bleu_to_others(
    number: int, text: Words, most: Sequence[dict[Gram, _Counts]], lengths: Sequence[int]
) -> float:
    logs = 0.0
    for size, known in enumerate(most, start=1):
        hits = sum(
            min(count, known[gram].second if known[gram].text == number else known[gram].times)
            for gram, count in Counter(_grams(text, size)).items()
        )
        if size == 1 and not hits:
            return 0.0
        logs += log((hits or _SMOOTHING) / max(len(text) - size + 1, 1))
    shorter = min(0.0, 1 - _closest_length(len(text), lengths) / len(text))
    return exp(shorter + logs / _LONGEST)


def _closest_length(length: int, lengths: Sequence[int]) -> int:
    """The closest length among the other texts; of two the shorter."""
    index = bisect_left(lengths, length)
    others = [*lengths[max(index - 1, 0) : index], *lengths[index + 1 : index + 2]]
    return min(others, key=lambda other: (abs(other - length), other))
