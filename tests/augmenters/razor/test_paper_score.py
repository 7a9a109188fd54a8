"""The closed forms against the equations as they are printed, in plain loops."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.razor.paper_score import (
    LabelSums,
    PositionalEncoding,
    cosine_similarity,
    kl_divergence,
    log_distribution,
    surface_space,
    surface_vectors,
)
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import number_texts

document = st.lists(st.sampled_from("a b c d e not".split()), max_size=6).map(" ".join)
corpora = st.integers(2, 4).flatmap(
    lambda classes: st.lists(
        st.tuples(document, st.integers(0, classes - 1)), min_size=1, max_size=10
    ).map(lambda rows: (rows, classes))
)
encodings = st.builds(
    PositionalEncoding, st.sampled_from([2, 8]), st.sampled_from(["paper", "usual"])
)


def feature(words, documents, encoding):
    """Eq. 7-10 as printed; a document of one word is divided by 1, an empty one is 0."""
    total = [0.0] * encoding.dimensions
    for position, word in enumerate(words, start=1):
        holders = sum(word in other for other in documents)
        weight = words.count(word) / len(words) * math.log(len(documents) / holders)
        for k in range(encoding.dimensions):
            power = 2 * (k if encoding.exponent == "paper" else k // 2) / encoding.dimensions
            wave = math.cos if k % 2 else math.sin
            total[k] += weight * wave(position / 10000**power)
    return [value / max(len(words) - 1, 1) for value in total]


def cosine(one, other):
    """0 where one of them has no length."""
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def divergence(one, other):
    """KL of the two after softmax."""
    p, q = ([math.exp(x) / sum(map(math.exp, v)) for x in v] for v in (one, other))
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def scored(rows, classes, encoding):
    """Vectors, labels and sums by augkit."""
    tokens = number_texts([text for text, _ in rows], lowered_words)
    vectors = surface_vectors(tokens, surface_space(tokens, encoding))
    labels = np.array([label for _, label in rows])
    return vectors, labels, LabelSums(vectors, labels, classes)


@pytest.mark.slow
@settings(deadline=None)
@given(corpora, encodings)
def test_closed_forms_equal_the_double_loop(corpus, encoding):
    """Features, scores and both objectives, for any labels, empty and repeated documents."""
    rows, classes = corpus
    vectors, labels, sums = scored(rows, classes, encoding)
    documents = [text.split() for text, _ in rows]
    plain = [feature(words, documents, encoding) for words in documents]
    assert vectors == pytest.approx(np.array(plain), abs=1e-12)
    for index, (_, label) in enumerate(rows):
        others = [plain[j] for j, (_, other) in enumerate(rows) if other != label]
        mean = sum(cosine(plain[index], other) for other in others) / max(len(others), 1)
        expected = 1 - mean if others else 0.0
        assert sums.scores(vectors, labels)[index] == pytest.approx(expected, abs=1e-9)
    pairs = [(i, j) for i, j in combinations(range(len(rows)), 2) if labels[i] != labels[j]]
    ordered = [(i, j) if labels[i] < labels[j] else (j, i) for i, j in pairs]
    similar = sum(cosine(plain[i], plain[j]) for i, j in pairs)
    apart = sum(divergence(plain[i], plain[j]) for i, j in ordered)
    assert cosine_similarity(sums) == pytest.approx(similar, abs=1e-9)
    assert kl_divergence(sums) == pytest.approx(apart, abs=1e-9)


@pytest.mark.slow
@settings(deadline=None)
@given(corpora, st.integers(0, 99), st.lists(st.floats(-3, 3), min_size=8, max_size=8))
def test_replacing_equals_counting_anew(corpus, index, vector):
    """After a replacement every score and objective is that of the new documents."""
    rows, classes = corpus
    vectors, labels, sums = scored(rows, classes, PositionalEncoding())
    index %= len(rows)
    after = vectors.copy()
    after[index] = vector
    sums.replace(int(labels[index]), vectors[index], after[index])
    anew = LabelSums(after, labels, classes)
    assert sums.scores(after, labels) == pytest.approx(anew.scores(after, labels), abs=1e-9)
    assert cosine_similarity(sums) == pytest.approx(cosine_similarity(anew), abs=1e-9)
    assert kl_divergence(sums) == pytest.approx(kl_divergence(anew), abs=1e-9)


@pytest.mark.slow
@given(st.lists(document, min_size=1, max_size=5))
def test_a_text_alone_has_the_vector_it_has_in_the_corpus(texts):
    tokens = number_texts(texts, lowered_words)
    space = surface_space(tokens, PositionalEncoding())
    assert space.vectors(texts) == pytest.approx(surface_vectors(tokens, space), abs=1e-12)


def test_an_unknown_word_weighs_as_one_of_one_document():
    space = surface_space(number_texts(["a b", "a c"], lowered_words), PositionalEncoding())
    assert space.vectors(["a new"]) == pytest.approx(space.vectors(["a b"]))


def test_distributions_add_up():
    """The softmax of ĝ is a distribution, also for large entries."""
    shares = np.exp(log_distribution(np.array([[1000.0, 0.0], [-3.0, 2.0]])))
    assert shares.sum(axis=1) == pytest.approx(1)
