"""Cross features of pairs: a word of the first text with a word of the second."""

import numpy as np
import pytest

from augkit.attribution.linear import explain_linear
from augkit.core.types import example
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.classifiers.ngrams import CrossVocabulary, cross_terms
from augkit.models.classifiers.settings import LinearConfig

ANIMALS = ("dog", "cat", "horse", "goat", "duck", "lion")
ROWS = [
    example({"premise": f"A {a} ran.", "hypothesis": f"The {b}."}, "same" if a == b else "other")
    for number, a in enumerate(ANIMALS)
    for b in (a, ANIMALS[number - 1])
]


def trained(rows=ROWS, **settings):
    """A linear classifier of pairs."""
    return train_linear(rows, LinearConfig(ngrams=1, min_df=1, **settings))


def test_the_features_of_two_texts():
    """By a slow definition: a word of the second is in the first, or meets what is new there."""
    first, second = ["a", "dog", "runs"], ["a", "cat", "runs", "cat"]
    expected = []
    for word in second:
        if word in first:
            expected += ["=", f"=\t{word}"]
        else:
            others = [other for other in first if other not in second]
            expected += ["!", f"!\t{word}", *(f"{other}\t{word}" for other in others)]
    assert [term for term, _ in cross_terms(first, second)] == expected


def test_a_relation_of_words_is_learnt_by_cross_features_alone():
    """Each word alone goes with both labels as often."""
    right = []
    for cross in (True, False):
        classifier = trained(ROWS[:8], cross=cross, features="counts")
        labels = [classifier.labels[number] for number in classifier.predict(ROWS[8:]).argmax(1)]
        right.append(sum(a == row.label for a, row in zip(labels, ROWS[8:], strict=True)))
    assert right[0] == len(ROWS[8:]) > right[1]


@pytest.mark.parametrize("features", ["counts", "binary", "tfidf"])
def test_contributions_add_up_to_the_score(features):
    """The words of both texts and the bias give the score of the label, less the mean."""
    classifier = trained(cross=True, features=features)
    labels = [str(row.label) for row in ROWS]
    contributions = classifier.contributions(ROWS, labels)
    scores = np.log(classifier.predict(ROWS))
    centred = scores - scores.mean(axis=1, keepdims=True)
    wanted = [centred[n, classifier.labels.index(label)] for n, label in enumerate(labels)]
    explained = explain_linear(classifier, ROWS, labels)
    added = [sum(word.weight for word in e.words) + e.rest for e in explained]
    np.testing.assert_allclose(np.array(added) + contributions.bias, wanted, atol=1e-8)


def test_saved_and_read(tmp_path):
    classifier = trained(cross=True)
    classifier.save(tmp_path)
    again = LinearClassifier.load(tmp_path)
    assert isinstance(again.vocabularies[-1], CrossVocabulary)
    np.testing.assert_array_equal(again.predict(ROWS), classifier.predict(ROWS))


def test_single_texts_have_none():
    """The setting changes nothing there."""
    rows = [example(f"The {animal}.", "ab"[n % 2]) for n, animal in enumerate(ANIMALS)]
    both = [trained(rows, cross=cross).predict(rows) for cross in (True, False)]
    np.testing.assert_array_equal(*both)
