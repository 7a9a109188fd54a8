"""Repetition of a test set against plain counting."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.evaluation.metrics.quality.leakage import repeated_runs, repeated_texts

few_words = st.lists(st.sampled_from("abc"), max_size=9)


@given(st.lists(st.tuples(few_words, few_words), min_size=1, max_size=4), st.lists(few_words))
def test_repeated_runs_are_counted_one_by_one(pairs, test):
    """Each new run is looked for in each test text; what the original has is not new."""

    def has(words, run):
        return any(words[at : at + 5] == run for at in range(len(words)))

    shares = []
    for original, variant in pairs:
        every = [variant[at : at + 5] for at in range(len(variant) - 4)]
        new = [run for at, run in enumerate(every) if run not in every[:at]]
        new = [run for run in new if not has(original, run)]
        if new:
            shares.append(sum(any(has(words, run) for words in test) for run in new) / len(new))
    assume(shares)
    assert repeated_runs(pairs, test).value == pytest.approx(sum(shares) / len(shares))


def test_repeated_texts_stand_in_the_test():
    """One of three texts is a test row."""
    assert repeated_texts(["a", "b", "c"], {"b", "d"}).value == pytest.approx(1 / 3)


def test_nothing_new_is_an_error():
    """Where no variant has a new run there is no rate."""
    with pytest.raises(DataError, match="5 new words in a row"):
        repeated_runs([(list("abcde"), list("abcde"))], [])
