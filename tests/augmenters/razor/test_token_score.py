"""The token score against plain counting, and on a planted word."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.english.rewriting.marks import find_marks

document = st.lists(st.sampled_from("a b c D not".split()), max_size=5).map(" ".join)
corpora = st.integers(2, 3).flatmap(
    lambda classes: st.lists(
        st.tuples(document, st.integers(0, classes - 1)), min_size=1, max_size=8
    ).map(lambda rows: (rows, classes))
)


def features(text):
    """Words, pairs of neighbours, the words at the ends, and marks."""
    found = text.lower().split()
    pairs = pairwise(found)
    ends = {("first", found[0]), ("last", found[-1])} if found else set()
    marks = {("mark", mark) for mark in find_marks(text)}
    return {("token", word) for word in found} | {("pair", pair) for pair in pairs} | ends | marks


def plain_score(text, label, others, shares):
    """The score by its definition; ``others`` are all other documents with their labels."""
    sides = [0.0, 0.0]
    for feature in features(text):
        under = [other for words, other in others if feature in features(words)]
        spread = math.sqrt(len(under) * shares[label] * (1 - shares[label]))
        if spread:
            z = (under.count(label) - len(under) * shares[label]) / spread
            sides[int(z < 0)] += z**4
    return sides[0] ** 0.25 - sides[1] ** 0.25


def made(rows, classes):
    labels = np.array([label for _, label in rows])
    return FeatureCounts([text for text, _ in rows], labels, classes, marks=True), labels


@pytest.mark.slow
@settings(deadline=None)
@given(corpora)
def test_scores_are_what_the_definition_says(corpus):
    """Counted without the document itself, for any labels and empty or repeated documents."""
    rows, classes = corpus
    counts, labels = made(rows, classes)
    shares = np.bincount(labels, minlength=classes) / len(labels)
    scores = counts.scores(labels)
    for index, (text, label) in enumerate(rows):
        others = rows[:index] + rows[index + 1 :]
        expected = plain_score(text, label, others, shares)
        assert scores[index] == pytest.approx(expected, abs=1e-9)
        again = counts.candidate_scores([text], label, text)
        assert again == pytest.approx([expected], abs=1e-9)


@pytest.mark.slow
@settings(deadline=None)
@given(corpora, st.lists(st.tuples(st.integers(0, 99), document), max_size=4))
def test_replacing_equals_counting_anew(corpus, changes):
    """After replacements, also with new words, candidates score as in the new corpus."""
    rows, classes = corpus
    counts, _ = made(rows, classes)
    rows = list(rows)
    for number, text in changes:
        index = number % len(rows)
        before, label = rows[index]
        counts.replace(label, before, f"{text} new")
        rows[index] = (f"{text} new", label)
    anew, _ = made(rows, classes)
    for text, label in rows:
        expected = anew.candidate_scores([text, "new b"], label, text)
        got = counts.candidate_scores([text, "new b"], label, text)
        assert got == pytest.approx(expected, abs=1e-9)
    strengths = [(one.kind, one.feature, one.label, one.z) for one in counts.strongest(99, 1)]
    present = [(k, f, n, z) for k, f, n, z in strengths if z > 0]
    expected = [(o.kind, o.feature, o.label, o.z) for o in anew.strongest(99, 1) if o.z > 0]
    assert sorted(present) == sorted(expected)


def planted(seed, rows=2000):
    """Random words; "indeed" in 60 % of one label's texts and 2 % of the other's."""
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(300)]
    texts, labels = [], []
    for number in range(rows):
        found = rng.choices(words, k=rng.randint(5, 15))
        label = number % 2
        if rng.random() < (0.6 if label else 0.02):
            found[rng.randrange(len(found))] = "indeed"
        texts.append(" ".join(found))
        labels.append(label)
    return texts, np.array(labels)


def test_what_a_candidate_brings_in_is_seen():
    """A candidate with the planted word is told by the z that the word would have."""
    texts, labels = planted(1)
    counts = FeatureCounts(texts, labels, 2, marks=True)
    largest = counts.max_new_z(["w1 indeed", "w1 w2"], 1, "w1")
    assert largest[0] > 10
    assert largest[1] < 3


@pytest.mark.slow
@settings(deadline=None)
@given(corpora)
def test_largest_are_the_largest_z_of_what_is_not_rare(corpus):
    """Counted without the document; a feature of fewer than five documents is no giveaway."""
    rows, classes = corpus
    rows = rows * 3
    counts, labels = made(rows, classes)
    shares = np.bincount(labels, minlength=classes) / len(labels)
    largest = counts.max_z(labels)
    for index, (text, label) in enumerate(rows):
        others = rows[:index] + rows[index + 1 :]
        expected = 0.0
        for feature in features(text):
            under = [other for words, other in others if feature in features(words)]
            spread = math.sqrt(len(under) * shares[label] * (1 - shares[label]))
            if spread and len(under) + 1 >= 5:
                z = (under.count(label) - len(under) * shares[label]) / spread
                expected = max(expected, z)
        assert largest[index] == pytest.approx(expected, abs=1e-9)


def test_what_is_beyond_chance_grows_with_what_is_tried():
    """One test at one in forty is the usual 1.96; more tests ask for more."""
    few, _ = made([("a", 0), ("a", 1)] * 5, 2)
    many, _ = made([("a b c d", 0), ("a b c d", 1)] * 5, 2)
    tried = 2 * 3
    assert few.critical_z(0.025 * tried) == pytest.approx(1.96, abs=1e-3)
    assert many.critical_z(0.01) > few.critical_z(0.01)


def test_a_text_is_rid_of_a_giveaway_or_not():
    """A giveaway that stays does not count, nor does a word that was none."""
    rows = [("it is not red", 0), ("it is red", 1)] * 20
    counts, _ = made(rows, 2)
    texts = ["it is blue", "it was not red", "it is not red now"]
    assert counts.lost_one(texts, 0, "it is not red", 4.0).tolist() == [True, True, False]
    assert "not" in {one.feature for one in counts.giveaways("it is not red", 0, 4.0)}
    assert not len(counts.giveaways("it is not red", 1, 4.0))
