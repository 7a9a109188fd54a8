"""Fluency: problems that a grammar checker finds per hundred words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from augkit.core.errors import DataError, MissingExtra
from augkit.core.types import Score
from augkit.evaluation.statistics.intervals import keyed_generator, percentile_score
from augkit.text.tokens import words

Checker = Callable[[str], int]
"""From a text to the number of its problems."""

_RESAMPLES = 2_000
_SPELLING = "Spelling"


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
    rng = keyed_generator(0, "problems", str(len(texts)))
    drawn = rng.multinomial(len(texts), np.full(len(texts), 1 / len(texts)), size=_RESAMPLES)
    rates = 100 * (drawn @ found) / np.maximum(drawn @ sizes, 1)
    value = float(100 * found.sum() / sizes.sum())
    return percentile_score("problems_per_100_words", value, rates, len(texts), (0.0, 100.0))
