"""The closed forms against the equations as they are printed, in plain loops."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.razor.class_sums import ClassSums, log_distribution
from augkit.augmenters.razor.shortcut_space import (
    Encoding,
    document_vectors,
    shortcut_space,
    tokenised,
)

document = st.lists(st.sampled_from("a b c d e not".split()), max_size=6).map(" ".join)
corpora = st.integers(2, 4).flatmap(
    lambda kinds: st.lists(
        st.tuples(document, st.integers(0, kinds - 1)), min_size=1, max_size=10
    ).map(lambda rows: (rows, kinds))
)
encodings = st.builds(Encoding, st.sampled_from([2, 8]), st.sampled_from(["paper", "usual"]))


def feature(words, documents, encoding):
    """Eq. 7-10 as printed; a document of one word is divided by 1, an empty one is 0."""
    total = [0.0] * encoding.dimensions
    for place, word in enumerate(words, start=1):
        holders = sum(word in other for other in documents)
        weight = words.count(word) / len(words) * math.log(len(documents) / holders)
        for k in range(encoding.dimensions):
            power = 2 * (k if encoding.exponent == "paper" else k // 2) / encoding.dimensions
            wave = math.cos if k % 2 else math.sin
            total[k] += weight * wave(place / 10000**power)
    return [value / max(len(words) - 1, 1) for value in total]


def cosine(one, other):
    """0 where one of them has no length."""
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def divergence(one, other):
    """KL of the two after softmax."""
    p, q = ([math.exp(x) / sum(map(math.exp, v)) for x in v] for v in (one, other))
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def scored(rows, kinds, encoding):
    """Vectors, labels and sums by augkit."""
    tokens = tokenised([text for text, _ in rows])
    vectors = document_vectors(tokens, shortcut_space(tokens, encoding))
    labels = np.array([label for _, label in rows])
    return vectors, labels, ClassSums(vectors, labels, kinds)


@settings(deadline=None)
@given(corpora, encodings)
def test_closed_forms_equal_the_double_loop(corpus, encoding):
    """Features, scores and both objectives, for any labels, empty and repeated documents."""
    rows, kinds = corpus
    vectors, labels, sums = scored(rows, kinds, encoding)
    documents = [text.split() for text, _ in rows]
    plain = [feature(words, documents, encoding) for words in documents]
    assert vectors == pytest.approx(np.array(plain), abs=1e-12)
    for place, (_, label) in enumerate(rows):
        others = [plain[j] for j, (_, other) in enumerate(rows) if other != label]
        mean = sum(cosine(plain[place], other) for other in others) / max(len(others), 1)
        expected = 1 - mean if others else 0.0
        assert sums.scores(vectors, labels)[place] == pytest.approx(expected, abs=1e-9)
    pairs = [(i, j) for i, j in combinations(range(len(rows)), 2) if labels[i] != labels[j]]
    ordered = [(i, j) if labels[i] < labels[j] else (j, i) for i, j in pairs]
    similar = sum(cosine(plain[i], plain[j]) for i, j in pairs)
    apart = sum(divergence(plain[i], plain[j]) for i, j in ordered)
    assert sums.similarity() == pytest.approx(similar, abs=1e-9)
    assert sums.divergence() == pytest.approx(apart, abs=1e-9)


@settings(deadline=None)
@given(corpora, st.integers(0, 99), st.lists(st.floats(-3, 3), min_size=8, max_size=8))
def test_replacing_equals_counting_anew(corpus, place, vector):
    """After a replacement every score and objective is that of the new documents."""
    rows, kinds = corpus
    vectors, labels, sums = scored(rows, kinds, Encoding())
    place %= len(rows)
    after = vectors.copy()
    after[place] = vector
    sums.replace(int(labels[place]), vectors[place], after[place])
    anew = ClassSums(after, labels, kinds)
    assert sums.scores(after, labels) == pytest.approx(anew.scores(after, labels), abs=1e-9)
    assert sums.similarity() == pytest.approx(anew.similarity(), abs=1e-9)
    assert sums.divergence() == pytest.approx(anew.divergence(), abs=1e-9)


@given(st.lists(document, min_size=1, max_size=5))
def test_a_text_alone_has_the_vector_it_has_in_the_corpus(texts):
    """Candidates are mapped as documents are."""
    tokens = tokenised(texts)
    space = shortcut_space(tokens, Encoding())
    assert space.vectors(texts) == pytest.approx(document_vectors(tokens, space), abs=1e-12)


def test_an_unknown_word_weighs_as_one_of_one_document():
    """A candidate may bring a word that no document holds."""
    space = shortcut_space(tokenised(["a b", "a c"]), Encoding())
    assert space.vectors(["a new"]) == pytest.approx(space.vectors(["a b"]))


def test_distributions_add_up():
    """The softmax of ĝ is a distribution, also for large entries."""
    shares = np.exp(log_distribution(np.array([[1000.0, 0.0], [-3.0, 2.0]])))
    assert shares.sum(axis=1) == pytest.approx(1)
