"""BLEU, self-BLEU and distinct n-grams against libraries and plain loops."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.evaluation.metrics.quality.text_measures import (
    bleu_to_all,
    corpus_bleu,
    distinct,
    self_bleu,
)

texts = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_corpus_bleu_is_that_of_sacrebleu(pairs):
    """The same tokens without smoothing give the same figure."""
    sacrebleu = pytest.importorskip("sacrebleu")
    ours, theirs = zip(*pairs, strict=True)
    found = sacrebleu.corpus_bleu(
        [" ".join(text) for text in ours],
        [[" ".join(text) for text in theirs]],
        smooth_method="none",
        tokenize="none",
        force=True,
    )
    # With a text too short for four words sacrebleu leaves the longest n-grams out; we give 0.
    if all(found.totals):
        assert corpus_bleu(ours, theirs) == pytest.approx(found.score / 100, abs=1e-6)


@pytest.mark.filterwarnings("ignore::UserWarning")  # nltk, where no n-gram matches
@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=1, max_size=6), st.lists(texts, min_size=1, max_size=6))
def test_bleu_to_all_is_that_of_nltk(several, references):
    """Every text has all references."""
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    several = [[*text, *"abc"] for text in several]  # nltk counts n-grams of texts without any
    expected = nltk.corpus_bleu([references] * len(several), several)
    assert bleu_to_all(several, references) == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=2, max_size=7))
def test_self_bleu_is_that_of_nltk_text_by_text(several):
    """Each text against all others, with the first smoothing of the library."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smooth = SmoothingFunction().method1
    wanted = [
        sentence_bleu(several[:at] + several[at + 1 :], text, smoothing_function=smooth)
        for at, text in enumerate(several)
    ]
    assert self_bleu(several).value == pytest.approx(sum(wanted) / len(wanted), abs=1e-6)


def test_self_bleu_is_high_for_repetition():
    """Copies of one text have 1, texts without a common word 0, and one text has no others."""
    same = ["a b c d e".split()] * 5
    other = [[f"{number}{place}" for place in range(6)] for number in range(5)]
    assert self_bleu(same).value == pytest.approx(1)
    assert self_bleu(other).value == 0
    with pytest.raises(DataError, match="needs two texts"):
        self_bleu(same[:1])


@pytest.mark.slow
@given(st.lists(texts, min_size=1, max_size=6), st.integers(1, 3))
def test_distinct_is_its_definition(several, size):
    """Different n-grams over all n-grams."""
    grams = [tuple(text[at : at + size]) for text in several for at in range(len(text) - size + 1)]
    assert distinct(several, size) == (len(set(grams)) / len(grams) if grams else 0.0)


def test_bleu_of_nothing_is_an_error():
    """No text, no figure; texts without a common n-gram have 0."""
    draw = random.Random(0)
    words = [str(draw.random()) for _ in range(8)]
    assert corpus_bleu([words], [list("abcdefgh")]) == 0
    assert bleu_to_all([words], [list("abcdefgh")]) == 0
    with pytest.raises(DataError, match="no text"):
        corpus_bleu([], [])
    with pytest.raises(DataError, match="no references"):
        bleu_to_all([words], [])
