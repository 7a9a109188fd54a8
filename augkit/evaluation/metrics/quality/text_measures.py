"""Measures of texts and their variants: size of an edit, overlap of n-grams, diversity, grammar."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from typing import Any, NamedTuple

from augkit.core.errors import DataError, MissingExtra
from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import (
    bootstrap_mean,
    keyed_generator,
    percentile_score,
    resampled_counts,
)
from augkit.text.tokens import words

Words = Sequence[str]
Gram = tuple[str, ...]

_LONGEST = 4
_SMOOTHING = 0.1
"""Counted where no n-gram matches: the first smoothing of chen2014systematic."""
COMPONENTS = 50
_HALVES = 40
_SPELLING = "Spelling"

Checker = Callable[[str], int]
"""From a text to the number of its problems."""


def edit_distance(before: Sequence[str], after: Sequence[str]) -> int:
    """The least number of insertions, deletions and substitutions from one to the other.

    A row of the usual table is computed at once: d_j = min_k≤j (t_k + j - k), where t has the
    substitutions and deletions, is a running minimum of t_k - k. A common beginning and end play no
    part.

    Reference: levenshtein1966binary.

    >>> edit_distance("a b c".split(), "a x c d".split())
    2
    """
    import numpy as np

    start = _common_prefix(before, after)
    end = _common_prefix(before[start:][::-1], after[start:][::-1])
    old = before[start : len(before) - end]
    new = after[start : len(after) - end]
    if not old or not new:
        return len(old) + len(new)
    numbers: dict[str, int] = {}
    target = np.array([numbers.setdefault(word, len(numbers)) for word in new])
    steps = np.arange(len(new) + 1)
    row = steps.copy()
    for word in old:
        best = np.empty_like(row)
        best[0] = row[0] + 1
        best[1:] = np.minimum(row[1:] + 1, row[:-1] + (target != numbers.get(word, -1)))
        row = np.minimum.accumulate(best - steps) + steps
    return int(row[-1])


def minimality(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Score:
    """The mean share of words that must change: edit distance over the longer text's length.

    0: nothing changed; 1: nothing is left.

    Reference: ross2021explaining.

    >>> minimality([(["a", "b"], ["a", "c"])]).value
    0.5
    """
    if not pairs:
        raise DataError("minimality: there are no variants")
    shares = [
        edit_distance(before, after) / max(len(before), len(after), 1) for before, after in pairs
    ]
    return bootstrap_mean("minimality", shares)


def similarity(originals: Any, variants: Any) -> Score:
    """The mean cosine of the vectors of originals and variants: float[pairs, width] each.

    The cosine of a zero vector is 0.
    """
    import numpy as np
    from scipy.sparse import csr_array, issparse

    first, second = (csr_array(vectors) if issparse(vectors) else np.asarray(vectors)
                     for vectors in (originals, variants))  # fmt: skip
    products = np.asarray((first * second).sum(axis=1)).ravel()
    lengths = [
        np.sqrt(np.asarray((vectors * vectors).sum(axis=1)).ravel()) for vectors in (first, second)
    ]
    below = lengths[0] * lengths[1]
    cosines = np.divide(products, below, out=np.zeros_like(below), where=below > 0)
    return bootstrap_mean("similarity", np.clip(cosines, -1, 1).tolist(), (-1.0, 1.0))


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    for count, (word, counterpart) in enumerate(zip(first, second, strict=False)):
        if word != counterpart:
            return count
    return min(len(first), len(second))


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
    hits = [0] * _LONGEST
    total = [0] * _LONGEST
    for text, reference in zip(texts, references, strict=True):
        for size in range(1, _LONGEST + 1):
            grams = Counter(_grams(text, size))
            in_reference = Counter(_grams(reference, size))
            hits[size - 1] += sum(min(count, in_reference[gram]) for gram, count in grams.items())
            total[size - 1] += max(len(text) - size + 1, 0)
    return _bleu(hits, total, sum(map(len, texts)), sum(map(len, references)))


def bleu_to_all(texts: Sequence[Words], references: Sequence[Words]) -> float:
    """BLEU-4 of texts, over the whole corpus, where every reference is one of each text: 0 to 1.

    As ``corpus_bleu``; an n-gram counts at most as often as in the reference that has it most
    often, and r sums over the texts the length of the reference whose length is nearest.

    Reference: papineni2002bleu; for a training set beside a test set yang2024razor, Table 4.

    >>> bleu_to_all(["a b c d e".split()], ["x y z".split(), "a b c d e".split()])
    1.0
    """
    if not texts or not references:
        raise DataError("BLEU: there are no texts, or no references")
    hits = [0] * _LONGEST
    total = [0] * _LONGEST
    for size in range(1, _LONGEST + 1):
        most = _highest_counts(references, size)
        for text in texts:
            for gram, count in Counter(_grams(text, size)).items():
                hits[size - 1] += min(count, most[gram].times) if gram in most else 0
            total[size - 1] += max(len(text) - size + 1, 0)
    lengths = {len(reference) for reference in references}
    nearest = (min(lengths, key=lambda n: (abs(n - len(text)), n)) for text in texts)
    return _bleu(hits, total, sum(map(len, texts)), sum(nearest))


def _bleu(hits: Sequence[int], total: Sequence[int], length: int, reference_length: int) -> float:
    """The formula of BLEU, from matches and numbers of n-grams of each size, and both lengths."""
    if not all(hits):
        return 0.0
    shares = sum(log(hit / grams) for hit, grams in zip(hits, total, strict=True)) / _LONGEST
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
    highest: dict[Gram, _Counts] = {}
    for number, text in enumerate(texts):
        for gram, count in Counter(_grams(text, size)).items():
            before = highest.get(gram, _Counts(0, -1, 0))
            if count > before.times:
                highest[gram] = _Counts(count, number, before.times)
            elif count > before.second:
                highest[gram] = before._replace(second=count)
    return highest


def _bleu_to_others(
    number: int, text: Words, most: Sequence[dict[Gram, _Counts]], lengths: Sequence[int]
) -> float:
    logs = 0.0
    for size, highest in enumerate(most, start=1):
        hits = 0
        for gram, count in Counter(_grams(text, size)).items():
            counts = highest[gram]
            hits += min(count, counts.second if counts.text == number else counts.times)
        if size == 1 and not hits:
            return 0.0
        logs += log((hits or _SMOOTHING) / max(len(text) - size + 1, 1))
    # The closest length among the other texts; of two the shorter.
    index = bisect_left(lengths, len(text))
    near = [*lengths[max(index - 1, 0) : index], *lengths[index + 1 : index + 2]]
    closest = min(near, key=lambda length: (abs(length - len(text)), length))
    shorter = min(0.0, 1 - closest / len(text))
    return exp(shorter + logs / _LONGEST)


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
    shares = []
    for _ in range(_HALVES):
        half = np.sort(rng.choice(rows, rows // 2, replace=False))
        if len(half) > components:
            shares.append(_share(products[np.ix_(half, half)], components))
    reach = 1.96 * float(np.std(shares)) if shares else 1.0
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
    return lambda text: sum(lint.lint_kind != _SPELLING for lint in linter.lint(text))


def problem_rate(texts: Sequence[str], checker: Checker) -> Score:
    """Problems per hundred words of all texts, with a bootstrap interval over texts.

    >>> problem_rate(["one two", "three four"], lambda text: int("one" in text)).value
    25.0
    """
    import numpy as np

    sizes = np.array([len(words(text)) for text in texts], dtype=float)
    if not sizes.sum():
        raise DataError("grammar: there are no words to check")
    problems = np.array([checker(text) for text in texts], dtype=float)
    drawn = resampled_counts("problems", [1] * len(texts))
    rates = 100 * (drawn @ problems) / np.maximum(drawn @ sizes, 1)
    value = float(100 * problems.sum() / sizes.sum())
    return percentile_score("problems_per_100_words", value, rates, len(texts), (0.0, 100.0))
