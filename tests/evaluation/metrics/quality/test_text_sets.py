"""Diversity, negation, association and grammar: definitions by another path."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from augkit.core.errors import DataError
from augkit.evaluation.metrics.quality.lexical_bias import (
    negation_gap,
    ngram_association,
    strongest_ngrams,
)
from augkit.evaluation.metrics.quality.text_measures import harper, problem_rate, top_variance


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_top_variance_is_that_of_scikit_learn(form):
    """The share of variance in the first components is PCA's."""
    from sklearn.decomposition import PCA

    vectors = np.random.default_rng(0).normal(size=(80, 70)) * np.linspace(3, 0.1, 70)
    wanted = PCA(50).fit(vectors).explained_variance_ratio_.sum()
    found = top_variance(form(vectors))
    assert found.value == pytest.approx(wanted, abs=1e-6)
    assert found.low < found.value < found.high


def test_texts_in_a_few_directions_are_less_diverse():
    """With two directions all variance is in the first components; few rows are refused."""
    rng = np.random.default_rng(1)
    narrow = rng.normal(size=(90, 2)) @ rng.normal(size=(2, 80))
    wide = rng.normal(size=(90, 80))
    assert top_variance(narrow, 5).value == pytest.approx(1)
    assert top_variance(wide, 5).value < 0.3
    with pytest.raises(DataError, match="more than 50 rows"):
        top_variance(wide[:50])


def test_the_negation_gap_is_a_difference_of_shares():
    """The greatest share of denials among labels less the least."""
    rows = [("no good", "neg")] * 6 + [("poor", "neg")] * 4
    rows += [("isn't bad", "pos")] * 1 + [("good", "pos")] * 9
    found = negation_gap(rows)
    assert found.value == pytest.approx(0.6 - 0.1)
    assert found.low < found.value < found.high
    with pytest.raises(DataError, match="two labels"):
        negation_gap(rows[:10])


def slow_association(rows, feature):
    """The z of one word by its formula, over the root of the rows."""
    holders = [label for text, label in rows if feature in text.split()]
    best = -np.inf
    for label in {label for _, label in rows}:
        base = np.mean([own == label for _, own in rows])
        share = np.mean([own == label for own in holders])
        best = max(best, (share - base) / np.sqrt(base * (1 - base) / len(holders)))
    return best / np.sqrt(len(rows))


def test_association_is_its_definition_and_falls_when_words_are_swapped():
    """The planted word is the strongest, its strength is the formula's, and 0 once balanced."""
    rows = [(f"plot {n % 7} red", "pos") for n in range(30)]
    rows += [(f"plot {n % 7} grey", "neg") for n in range(30)]
    strongest = strongest_ngrams(rows, 2)
    assert {name for _, name in strongest} == {"red", "grey"}
    found = ngram_association(rows, strongest)
    wanted = np.mean([slow_association(rows, name) for _, name in strongest])
    assert found.value == pytest.approx(wanted, abs=1e-6)
    swapped = rows + [(text, "neg" if label == "pos" else "pos") for text, label in rows]
    assert ngram_association(swapped, strongest).value == pytest.approx(0, abs=1e-9)


def test_problems_are_counted_by_the_word():
    """A hundred words with one problem have the rate 1."""
    texts = ["word " * 50, "word " * 49 + "bad"]
    found = problem_rate(texts, lambda text: int("bad" in text))
    assert found.value == pytest.approx(1)
    with pytest.raises(DataError, match="no word"):
        problem_rate([""], len)


def test_a_grammar_checker_finds_broken_agreement():
    """Where Harper is installed, broken articles count and good ones do not."""
    pytest.importorskip("harper")
    check = harper()
    assert check("This is an test of a apple.") > check("This is a test of an apple.")
