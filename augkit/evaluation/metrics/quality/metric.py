"""Quality of a run's variants: labels, size of the edits, fluency, diversity, lexical bias."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from augkit.core.errors import DataError, MissingExtra
from augkit.core.results import Score, Skipped
from augkit.core.types import Example, digest
from augkit.evaluation.metrics.base import BaseMetric, Scores
from augkit.evaluation.metrics.quality.leakage import repeated_runs, repeated_texts
from augkit.evaluation.metrics.quality.lexical_bias import (
    negation_gap,
    ngram_association,
    strongest_ngrams,
)
from augkit.evaluation.metrics.quality.text_measures import (
    corpus_bleu,
    distinct,
    harper,
    minimality,
    problem_rate,
    self_bleu,
    similarity,
    top_variance,
)
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share
from augkit.models.ensembles.crossfit import CrossFitted
from augkit.text.tokens import words

_MOST_FOR_DIVERSITY = 1_000
"""Texts of a set whose diversity is measured: the same number of originals and of variants."""
_MOST_FOR_ASSOCIATION = 5_000
_MOST_FOR_GRAMMAR = 300
"""Texts whose grammar is checked: it takes a hundredth of a second a text and more."""

Vectors = Callable[[Sequence[Example]], Any]
"""float[rows, width], sparse or dense, of rows."""


@dataclass(frozen=True)
class RunVariants:
    """The variants of a run beside their originals, and the whole dataset before and after.

    ``about`` is what the method recorded of each variant; ``judge`` predicts the label of a row
    with models that were not trained on it.
    """

    originals: Sequence[Example]
    variants: Sequence[Example]
    about: Sequence[Mapping[str, str]]
    before: Sequence[Example]
    after: Sequence[Example]
    judge: CrossFitted
    vectors: Vectors
    test: Sequence[Example] = ()
    """The rows of test sets, if any are named: do the variants repeat them?"""


class Quality(BaseMetric[RunVariants]):
    """Quality of a run's variants: label agreement, edit size, fluency, diversity, lexical bias."""

    name = "quality"
    direction = "neither"
    inputs = "variants"
    caveat = (
        "label agreement is that of a linear judge fitted on the originals, shortcuts included, "
        "not of people; BLEU and self-BLEU compare words, not meanings"
    )

    def score(self, data: RunVariants) -> list[Score | Skipped]:
        """All parts; one that cannot be measured is skipped with the reason."""
        return [score for name, part in _PARTS.items() for score in _measured(name, part(data))]

    def summary(self, scores: Scores) -> list[str]:
        """What the scores come to, in a few sentences."""
        sentences = []
        if "label agreement" in scores:
            agreement = scores["label agreement"]
            bound = scores["label agreement, originals"]
            sentences.append(
                f"a judge trained on neither agrees with {100 * agreement.value:.1f} % of the "
                f"labels of {agreement.n:,} variants (of their originals: "
                f"{100 * bound.value:.1f} %)"
            )
        if "minimality" in scores:
            changed = scores["minimality"].value
            likeness = scores["similarity"].value
            sentences.append(f"{100 * changed:.1f} % of the words changed; cosine {likeness:.2f}")
        for name in ("negation gap", "n-gram association"):
            before, after = (scores.get(f"{name}, {side}") for side in ("before", "after"))
            if before is not None and after is not None:
                sentences.append(
                    f"{name}: {before.value:.3f} in the originals, {after.value:.3f} in the result"
                )
        return sentences


def _measured(name: str, part: Iterator[Score]) -> Iterator[Score | Skipped]:
    """The scores up to an error, and its reason."""
    try:
        yield from part
    except (DataError, MissingExtra) as error:
        yield Skipped(name, str(error))


def _label_agreement(data: RunVariants) -> Iterator[Score]:
    """How often models that saw neither the original nor its twins predict the variant's label."""
    sides = {
        "label agreement": data.variants,
        "label agreement, originals": data.originals,
    }
    for name, rows in sides.items():
        numbers = data.judge.predict(rows, data.originals).argmax(axis=1).tolist()
        right = [data.judge.labels[n] == row.label for n, row in zip(numbers, rows, strict=True)]
        yield exact_share(name, sum(right), len(right))


def _edit_size(data: RunVariants) -> Iterator[Score]:
    pairs = list(zip(_words(data.originals), _words(data.variants), strict=True))
    yield minimality(pairs)
    yield similarity(data.vectors(data.originals), data.vectors(data.variants))
    originals, variants = (list(side) for side in zip(*pairs, strict=True))
    yield _without_interval("bleu to originals", corpus_bleu(variants, originals), len(pairs))


def _spurious_words(data: RunVariants) -> Iterator[Score]:
    """The share of the words that a method calls spurious which its variant still has."""
    shares = []
    for row, about in zip(data.variants, data.about, strict=True):
        listed = (word.strip().lower() for word in about.get("spurious", "").split(","))
        spurious = [word for word in listed if word]
        if spurious:
            present = {word.lower() for word in words(_text(row))}
            shares.append(sum(word in present for word in spurious) / len(spurious))
    if not shares:
        raise DataError("the method names no spurious words")
    yield replace(bootstrap_mean("recall", shares), name="spurious-word recall")


def _fluency(data: RunVariants) -> Iterator[Score]:
    checker = harper()
    for name, rows in (("originals", data.originals), ("variants", data.variants)):
        rate = problem_rate([_text(row) for row in rows[:_MOST_FOR_GRAMMAR]], checker)
        yield replace(rate, name=f"grammar, {name}")


def _diversity(data: RunVariants) -> Iterator[Score]:
    sides = {"originals": _distinct(data.originals), "variants": _distinct(data.variants)}
    size = min(_MOST_FOR_DIVERSITY, *(len(rows) for rows in sides.values()))
    for name, rows in sides.items():
        texts = _words(rows[:size])
        yield replace(self_bleu(texts), name=f"self-BLEU, {name}")
        for n in (1, 2):
            yield _without_interval(f"distinct-{n}, {name}", distinct(texts, n), size)
    for name, rows in sides.items():
        yield replace(top_variance(data.vectors(rows[:size])), name=f"top-50 variance, {name}")


def _lexical_bias(data: RunVariants) -> Iterator[Score]:
    sides = {"before": _labelled_sample(data.before), "after": _labelled_sample(data.after)}
    for name, rows in sides.items():
        yield replace(negation_gap(rows), name=f"negation gap, {name}")
    ngrams = strongest_ngrams(sides["before"])
    for name, rows in sides.items():
        yield replace(ngram_association(rows, ngrams), name=f"n-gram association, {name}")


def _repetition(data: RunVariants) -> Iterator[Score]:
    """How much of the test sets the originals and the variants repeat; nothing without a test."""
    if not data.test:
        return
    test = _words(data.test)
    known = {" ".join(words) for words in test}
    pairs = list(zip(_words(data.originals), _words(data.variants), strict=True))
    sides = {"originals": [old for old, _ in pairs], "variants": [new for _, new in pairs]}
    for name, texts in sides.items():
        repeated = repeated_texts([" ".join(text) for text in texts], known)
        yield replace(repeated, name=f"test rows repeated, {name}")
    yield replace(repeated_runs(pairs, test), name="new words repeated from the test")


_PARTS: dict[str, Callable[[RunVariants], Iterator[Score]]] = {
    "label": _label_agreement,
    "size": _edit_size,
    "spurious words": _spurious_words,
    "grammar": _fluency,
    "diversity": _diversity,
    "association": _lexical_bias,
    "repetition": _repetition,
}


def _labelled_sample(examples: Sequence[Example]) -> list[tuple[str, str]]:
    rows = sorted(examples, key=lambda row: digest("association", row.id))
    return [(_text(row), str(row.label)) for row in rows[:_MOST_FOR_ASSOCIATION]]


def _distinct(rows: Sequence[Example]) -> list[Example]:
    return list({row.id: row for row in rows}.values())


def _words(rows: Sequence[Example]) -> list[list[str]]:
    return [[word.lower() for word in words(_text(row))] for row in rows]


def _text(row: Example) -> str:
    return "\n".join(row.fields.values())


def _without_interval(name: str, value: float, n: int) -> Score:
    """A figure of the whole set, which has no interval over rows."""
    return Score(name, value, value, value, n)
