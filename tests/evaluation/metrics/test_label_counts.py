"""Macro-F1 and Matthews against their definitions and against scikit-learn."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, matthews_corrcoef

from augkit.core.errors import DataError
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.label_counts import MacroF1, Matthews

macro_f1, matthews = MacroF1().score, Matthews().score

label = st.sampled_from(["neg", "neutral", "pos"])
answers = st.lists(st.tuples(label, label), min_size=1, max_size=40)


def predictions(rows):
    return [PredictedPair(answer, gold=gold) for gold, answer in rows]


def slow_f1(rows):
    """Precision and recall of each label that occurs, by counting."""
    found = []
    for one in {label for row in rows for label in row}:
        right = sum(gold == answer == one for gold, answer in rows)
        said, true = sum(a == one for _, a in rows), sum(g == one for g, _ in rows)
        precision, recall = right / said if said else 0, right / true if true else 0
        found.append(2 * precision * recall / (precision + recall) if right else 0)
    return sum(found) / len(found)


def slow_matthews(rows):
    """Pearson's correlation of indicator vectors, covariances summed over labels."""
    n, labels = len(rows), {label for row in rows for label in row}

    def covariance(first, second):
        total = 0
        for one in labels:
            x, y = [row[first] == one for row in rows], [row[second] == one for row in rows]
            total += sum(a * b for a, b in zip(x, y, strict=True)) / n - sum(x) / n * sum(y) / n
        return total

    spread = math.sqrt(max(covariance(0, 0), 0) * max(covariance(1, 1), 0))
    return covariance(0, 1) / spread if spread > 1e-12 else 0.0


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call imports scipy
@given(answers)
def test_macro_f1_is_its_definition(rows):
    """The value equals a count by hand and scikit-learn's, and lies in its interval's range."""
    (score,) = macro_f1(predictions(rows))
    golds, said = zip(*rows, strict=True)
    assert score.value == pytest.approx(slow_f1(rows), abs=1e-9)
    assert score.value == pytest.approx(f1_score(golds, said, average="macro"), abs=1e-9)
    assert 0 <= score.low <= score.high <= 1
    assert score.n == len(rows)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call imports scipy
@given(answers)
def test_matthews_is_its_definition(rows):
    """The value equals the correlation of indicators and, with two labels or more, scikit-learn."""
    (score,) = matthews(predictions(rows))
    golds, said = zip(*rows, strict=True)
    assert score.value == pytest.approx(slow_matthews(rows), abs=1e-9)
    if len({*golds, *said}) > 1:
        assert score.value == pytest.approx(matthews_corrcoef(golds, said), abs=1e-9)
    assert -1 <= score.low <= score.high <= 1


@settings(deadline=None, max_examples=20)  # the first call imports scipy
@given(answers, st.randoms())
def test_the_order_of_rows_does_not_matter(rows, rng):
    """A shuffled test set has the same scores and intervals."""
    shuffled = rng.sample(rows, len(rows))
    assert macro_f1(predictions(shuffled)) == macro_f1(predictions(rows))
    assert matthews(predictions(shuffled)) == matthews(predictions(rows))


def test_a_rare_label_counts_as_much_as_a_common_one():
    """Always answering the common label is right nine times in ten and has half an F1."""
    rows = predictions([("common", "common")] * 90 + [("rare", "common")] * 10)
    assert macro_f1(rows)[0].value == pytest.approx(0.5 * 2 * 90 / 190)
    assert matthews(rows)[0].value == 0


def test_perfect_answers_leave_room_below():
    """Thirty right answers are no proof of perfection."""
    for score in (
        *macro_f1(predictions([("a", "a"), ("b", "b")] * 15)),
        *matthews(predictions([("a", "a")] * 9)),
    ):
        assert score.low < score.value <= score.high


def test_rows_without_a_true_label_play_no_part():
    """Unlabelled rows are left out; nothing but them is an error."""
    rows = [*predictions([("a", "a"), ("b", "a")]), PredictedPair("b")]
    assert macro_f1(rows) == macro_f1(rows[:2])
    for metric in (macro_f1, matthews):
        with pytest.raises(DataError, match="no row has a true label"):
            metric(rows[2:])
