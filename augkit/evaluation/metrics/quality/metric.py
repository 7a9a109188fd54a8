"""Quality of a run's variants: labels, size of the edits, fluency, diversity, lexical bias."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from augkit.core.errors import DataError, MissingExtra
from augkit.core.results import Score, Skipped
from augkit.core.types import Example, digest
from augkit.evaluation.metrics.base import BaseMetric, Scores
from augkit.evaluation.metrics.quality.edit_size import minimality, similarity
from augkit.evaluation.metrics.quality.lexical_bias import (
    negation_gap,
    ngram_association,
    strongest_ngrams,
)
from augkit.evaluation.metrics.quality.ngram_overlap import corpus_bleu, distinct, self_bleu
from augkit.evaluation.statistics.intervals import (
    bootstrap_mean,
    exact_share,
    keyed_generator,
    percentile_score,
)
from augkit.models.ensembles.crossfit import CrossFitted
from augkit.text.tokens import words

COMPONENTS = 50
_HALVES = 40
_RESAMPLES = 2_000
_SPELLING = "Spelling"
_MOST_FOR_DIVERSITY = 1_000
"""Texts of a set whose diversity is measured: the same number of originals and of variants."""
_MOST_FOR_ASSOCIATION = 5_000
_MOST_FOR_GRAMMAR = 300
"""Texts whose grammar is checked: it takes a hundredth of a second a text and more."""

Vectors = Callable[[Sequence[Example]], Any]
"""float[rows, width], sparse or dense, of rows."""
Checker = Callable[[str], int]
"""From a text to the number of its problems."""


def top_variance(vectors: Any, components: int = COMPONENTS) -> Score:
    """The share of the variance in the first principal components; lower is more diverse.

        V = Σ_{k≤50} λ_k / Σ_k λ_k

    λ are the eigenvalues of the covariance of the vectors, sparse or dense float[rows, width]. They
    are those of the rows' products with one another as well, which is the smaller matrix here.
    The interval is V ± 1.96 times the deviation of halves of the rows (the delete-half jackknife):
    a resample with repetitions would have fewer different rows, and a share that is too high.

    Reference: jin2025coba, Table 16.
    """
    import numpy as np

    rows = vectors.shape[0]
    if rows <= components:
        raise DataError(f"top variance: more than {components} rows are needed, there are {rows}")
    products = np.asarray((vectors @ vectors.T).todense() if hasattr(vectors, "todense")
                          else vectors @ vectors.T)  # fmt: skip
    value = _share(products, components)
    rng = keyed_generator("top_variance", str(rows))
    found = []
    for _ in range(_HALVES):
        kept = np.sort(rng.choice(rows, rows // 2, replace=False))
        if len(kept) > components:
            found.append(_share(products[np.ix_(kept, kept)], components))
    reach = 1.96 * float(np.std(found)) if found else 1.0
    return Score("top_variance", value, max(0.0, value - reach), min(1.0, value + reach), rows)


def _share(products: Any, components: int) -> float:
    import numpy as np
    from scipy.linalg import eigvalsh

    centred = products - products.mean(axis=0) - products.mean(axis=1, keepdims=True)
    centred = centred + products.mean()
    total = float(np.trace(centred))
    if total <= 1e-12:
        return 1.0
    size = len(centred)
    top = eigvalsh(centred, subset_by_index=[size - components, size - 1])
    return float(min(1.0, np.maximum(top, 0).sum() / total))


def harper() -> Checker:
    """Counts what the grammar checker Harper finds, except spelling: names are not mistakes."""
    try:
        import harper as library
    except ImportError as error:
        raise MissingExtra("bench", "checking grammar") from error
    linter = library.Linter()
    return lambda text: sum(one.lint_kind != _SPELLING for one in linter.lint(text))


def problem_rate(texts: Sequence[str], checker: Checker) -> Score:
    """Problems per hundred words of all texts, with a bootstrap interval over texts.

    >>> problem_rate(["one two", "three four"], lambda text: int("one" in text)).value
    25.0
    """
    import numpy as np

    sizes = np.array([len(words(text)) for text in texts], dtype=float)
    if not sizes.sum():
        raise DataError("grammar: there are no words to check")
    found = np.array([checker(text) for text in texts], dtype=float)
    rng = keyed_generator("problems", str(len(texts)))
    drawn = rng.multinomial(len(texts), np.full(len(texts), 1 / len(texts)), size=_RESAMPLES)
    rates = 100 * (drawn @ found) / np.maximum(drawn @ sizes, 1)
    value = float(100 * found.sum() / sizes.sum())
    return percentile_score("problems_per_100_words", value, rates, len(texts), (0.0, 100.0))


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
        return [one for name, part in _PARTS.items() for one in _measured(name, part(data))]

    def summary(self, scores: Scores) -> list[str]:
        """What the scores come to, in a few sentences."""
        sentences = []
        if "label agreement" in scores:
            own, bound = scores["label agreement"], scores["label agreement, originals"]
            sentences.append(
                f"a judge trained on neither agrees with {100 * own['value']:.1f} % of the labels "
                f"of {own['n']:,} variants (of their originals: {100 * bound['value']:.1f} %)"
            )
        if "minimality" in scores:
            changed, likeness = (scores[name]["value"] for name in ("minimality", "similarity"))
            sentences.append(f"{100 * changed:.1f} % of the words changed; cosine {likeness:.2f}")
        for name in ("negation gap", "n-gram association"):
            sides = [scores.get(f"{name}, {side}") for side in ("before", "after")]
            if all(sides):
                before, after = (f"{side['value']:.3f}" for side in sides if side)
                sentences.append(f"{name}: {before} in the originals, {after} in the result")
        return sentences


def _measured(name: str, part: Iterator[Score]) -> Iterator[Score | Skipped]:
    """The scores up to an error, and its reason."""
    try:
        yield from part
    except (DataError, MissingExtra) as error:
        yield Skipped(name, str(error))


def _label_agreement(data: RunVariants) -> Iterator[Score]:
    """How often models that saw neither the original nor its twins predict the variant's label."""
    named = {
        "label agreement": data.variants,
        "label agreement, originals": data.originals,
    }
    for name, rows in named.items():
        chosen = data.judge.predict(rows, data.originals).argmax(axis=1).tolist()
        right = [data.judge.labels[n] == row.label for n, row in zip(chosen, rows, strict=True)]
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
        named = [word.strip().lower() for word in about.get("spurious", "").split(",")]
        named = [word for word in named if word]
        if named:
            present = {word.lower() for word in words(_text(row))}
            shares.append(sum(word in present for word in named) / len(named))
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


_PARTS: dict[str, Callable[[RunVariants], Iterator[Score]]] = {
    "label": _label_agreement,
    "size": _edit_size,
    "spurious words": _spurious_words,
    "grammar": _fluency,
    "diversity": _diversity,
    "association": _lexical_bias,
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
