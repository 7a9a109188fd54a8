"""Does what a model wrote repeat a test set that it may have seen?"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share

Words = Sequence[str]
LENGTH = 5
"""Words that a text and a test set seldom have in common by chance."""


def repeated_texts(texts: Sequence[str], test: Collection[str]) -> Score:
    """The share of texts that stand in the test set word for word.

    >>> repeated_texts(["a fine film", "a poor film"], {"a fine film"}).value
    0.5
    """
    return exact_share("repeated texts", sum(text in test for text in texts), len(texts))


def repeated_runs(pairs: Sequence[tuple[Words, Words]], test: Sequence[Words]) -> Score:
    """The share of a variant's new runs of five words that stand in the test set.

        R = mean over variants of |N ∩ T| / |N|,  N = G(variant) - G(original)

    G are the different runs of five words of a text and T those of all test texts. What the
    original has already was not written by the method, so it does not count. Variants without a
    new run are left out.

    Args:
        pairs: The words of each original and of its variant.
        test: The words of each text of the test set.

    >>> old, new = "a b c d e".split(), "a b c d x y".split()
    >>> repeated_runs([(old, new)], ["b c d x y z".split()]).value
    0.5
    """
    known = {run for words in test for run in runs(words)}
    shares = []
    for original, variant in pairs:
        written = runs(variant) - runs(original)
        if written:
            shares.append(len(written & known) / len(written))
    if not shares:
        raise DataError(f"no variant has {LENGTH} new words in a row")
    return bootstrap_mean("repeated runs", shares)


def runs(words: Words) -> set[tuple[str, ...]]:
    """The different runs of five words."""
    return {tuple(words[start : start + LENGTH]) for start in range(len(words) - LENGTH + 1)}
