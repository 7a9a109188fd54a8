"""The score of the authors' program against plain loops over words and positions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.razor.released_score import ReleasedScore

DIMENSIONS = 4
document = st.lists(st.sampled_from("a b c d not".split()), max_size=6).map(" ".join)
corpora = st.lists(st.tuples(document, st.integers(0, 2)), min_size=1, max_size=8)


def encoded(position):
    """The usual sine and cosine of a position, which is counted from 0."""
    angles = [position / 10000 ** (2 * (k // 2) / DIMENSIONS) for k in range(DIMENSIONS)]
    return [math.cos(angle) if k % 2 else math.sin(angle) for k, angle in enumerate(angles)]


def vector(word, words):
    """How often the word stands there, times the encodings of all its positions."""
    values = [words.count(word) / len(words)] * DIMENSIONS
    for position, present in enumerate(words):
        if present == word:
            values = [a * b for a, b in zip(values, encoded(position), strict=True)]
    return values


def cosine(first, second):
    """0 where one of them has no length."""
    lengths = math.hypot(*first) * math.hypot(*second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / lengths if lengths else 0.0


def expected(text, label, rows):
    """1 minus the mean over the vocabulary of the cosine with the mean of other labels."""
    vocabulary = sorted({word for row, _ in rows for word in row.split()})
    others = [row.split() for row, name in rows if name != label]
    total, words = 0.0, text.split()
    for word in vocabulary:
        vectors = [vector(word, other) for other in others if word in other]
        if word in words and vectors:
            mean = [sum(column) / len(others) for column in zip(*vectors, strict=True)]
            total += cosine(vector(word, words), mean)
    return 1 - total / max(len(vocabulary), 1)


def made_of(rows):
    labels = np.array([label for _, label in rows])
    return ReleasedScore([text for text, _ in rows], labels, 3, DIMENSIONS), labels


@pytest.mark.slow
@settings(deadline=None)
@given(corpora, document)
def test_it_equals_the_loop_over_words(rows, text):
    """For documents of the corpus, empty ones too, and for any other text."""
    score, labels = made_of(rows)
    values = [expected(row, label, rows) for row, label in rows]
    assert score.corpus_scores(labels) == pytest.approx(values, abs=1e-9)
    assert score.scores([text], np.array([1])) == pytest.approx([expected(text, 1, rows)], abs=1e-9)


@pytest.mark.slow
@settings(deadline=None)
@given(corpora, st.integers(0, 99), document)
def test_replacing_equals_counting_anew(rows, place, text):
    """With words of the corpus alone: its vocabulary is that of the round."""
    score, _ = made_of(rows)
    place %= len(rows)
    vocabulary = {word for row, _ in rows for word in row.split()}
    text = " ".join(word for word in text.split() if word in vocabulary)
    before, label = rows[place]
    score.replace(label, before, text)
    after = [*rows[:place], (text, label), *rows[place + 1 :]]
    if {word for row, _ in after for word in row.split()} != vocabulary:
        return
    texts, labels = [row for row, _ in after], np.array([name for _, name in after])
    anew, _ = made_of(after)
    assert score.scores(texts, labels) == pytest.approx(anew.corpus_scores(labels), abs=1e-9)
