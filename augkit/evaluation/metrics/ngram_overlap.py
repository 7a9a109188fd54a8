"""N-grams that texts share: BLEU against references, self-BLEU within a set, distinct n-grams."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from augkit.core.errors import DataError
from augkit.core.types import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean

Words = Sequence[str]
Gram = tuple[str, ...]

_LONGEST = 4
_NOTHING = 0.1
"""Counted where no longer n-gram matches: the first smoothing of chen2014systematic."""


def corpus_bleu(texts: Sequence[Words], references: Sequence[Words]) -> float:
    """BLEU-4 of texts against one reference each, over the whole corpus, unsmoothed: 0 to 1.

        BLEU = min(1, e^(1 - r/c)) · (p_1 · p_2 · p_3 · p_4)^(1/4)

    p_n is the share of the texts' n-grams that the references hold too, each counted at most as
    often as there; c and r are the lengths of all texts and of all references.

    Reference: papineni2002bleu.

    >>> corpus_bleu(["a b c d e".split()], ["a b c d e".split()])
    1.0
    """
    if not texts:
        raise DataError("BLEU: there is no text to measure")
    hits, total = [0] * _LONGEST, [0] * _LONGEST
    for text, reference in zip(texts, references, strict=True):
        for size in range(1, _LONGEST + 1):
            own, theirs = Counter(_grams(text, size)), Counter(_grams(reference, size))
            hits[size - 1] += sum(min(count, theirs[gram]) for gram, count in own.items())
            total[size - 1] += max(len(text) - size + 1, 0)
    length, wanted = sum(map(len, texts)), sum(map(len, references))
    if not all(hits):
        return 0.0
    shares = sum(log(hit / all_) for hit, all_ in zip(hits, total, strict=True)) / _LONGEST
    return exp(min(0.0, 1 - wanted / length) + shares)


class _Most(NamedTuple):
    """How often an n-gram stands in the text that has it most, which that is, and the next."""

    times: int
    text: int
    second: int


def self_bleu(texts: Sequence[Words]) -> Score:
    """The mean BLEU-4 of each text against all others: high where texts repeat one another.

    Every other text is a reference, and yet each n-gram is looked up once: of all texts only the
    one that holds it most counts, or the next where that is the text itself. A longer n-gram that
    matches nowhere counts as 0.1 of a match.

    Reference: zhu2018texygen.
    """
    if len(texts) < 2:
        raise DataError("self-BLEU: a text has no others to be held against")
    most = [_most(texts, size) for size in range(1, _LONGEST + 1)]
    lengths = sorted(len(text) for text in texts)
    values = [_one(number, text, most, lengths) for number, text in enumerate(texts)]
    return bootstrap_mean("self_bleu", values)


def distinct(texts: Sequence[Words], size: int) -> float:
    """The share of n-grams that are no repetition of an earlier one; it falls with more texts.

    Reference: li2016diversity.

    >>> distinct(["a b a b".split()], 2)
    0.6666666666666666
    """
    grams = [gram for text in texts for gram in _grams(text, size)]
    return len(set(grams)) / len(grams) if grams else 0.0


def _grams(text: Words, size: int) -> Iterator[Gram]:
    return zip(*(text[start:] for start in range(size)), strict=False)


def _most(texts: Sequence[Words], size: int) -> dict[Gram, _Most]:
    found: dict[Gram, _Most] = {}
    for number, text in enumerate(texts):
        for gram, count in Counter(_grams(text, size)).items():
            before = found.get(gram, _Most(0, -1, 0))
            if count > before.times:
                found[gram] = _Most(count, number, before.times)
            elif count > before.second:
                found[gram] = before._replace(second=count)
    return found


def _one(
    number: int, text: Words, most: Sequence[dict[Gram, _Most]], lengths: Sequence[int]
) -> float:
    """BLEU of one text against all others."""
    logs = 0.0
    for size, known in enumerate(most, start=1):
        hits = sum(
            min(count, known[gram].second if known[gram].text == number else known[gram].times)
            for gram, count in Counter(_grams(text, size)).items()
        )
        if size == 1 and not hits:
            return 0.0
        logs += log((hits or _NOTHING) / max(len(text) - size + 1, 1))
    shorter = min(0.0, 1 - _closest(len(text), lengths) / len(text))
    return exp(shorter + logs / _LONGEST)


def _closest(length: int, lengths: Sequence[int]) -> int:
    """The nearest length among all but one of this length; of two the shorter."""
    place = bisect_left(lengths, length)
    others = [*lengths[max(place - 1, 0) : place], *lengths[place + 1 : place + 2]]
    return min(others, key=lambda other: (abs(other - length), other))
