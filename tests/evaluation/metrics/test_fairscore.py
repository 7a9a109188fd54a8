"""Fairscore and accuracy against counts by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.accuracy import Accuracy, accuracy_on_both_sides
from augkit.evaluation.metrics.base import PerturbedPredictions
from augkit.evaluation.metrics.fairscore import Fairscore, changed_shares

MAN = {"axis": "gender", "source": "man", "target": "woman"}
WOMAN = {"axis": "gender", "source": "woman", "target": "man"}
AGE = {"axis": "age", "source": "young", "target": "senior"}

# Counted by hand: 4 of 6 perturbed rows change, 9 rows in all; gender 3 of 4, age 1 of 2.
ROWS = [
    PredictedPair("pos", "neg", "pos", "pos", "a", MAN),
    PredictedPair("pos", "neg", "neg", "neg", "b", MAN),
    PredictedPair("neg", "neg", "neg", "neg", "c", MAN),
    PredictedPair("neg", "pos", "neg", "neg", "d", WOMAN),
    PredictedPair("pos", "neg", "pos", "pos", "e", AGE),
    PredictedPair("pos", "pos", "neg", "neg", "f", AGE),
    PredictedPair("pos", gold="pos", row="g"),
    PredictedPair("neg", gold="pos", row="h"),
    PredictedPair("neg", gold="neg", row="i"),
]

answers = st.sampled_from(["pos", "neg", "neutral"])
abouts = st.sampled_from([MAN, WOMAN, AGE, {}])
predicted = st.lists(
    st.builds(
        PredictedPair,
        original=answers,
        variant=st.one_of(st.none(), answers),
        gold=answers,
        variant_gold=answers,
        about=abouts,
    ),
    min_size=1,
    max_size=40,
)


def fairscore(rows, interval="exact", control=()):
    """All scores by name; a row without a variant could not be perturbed."""
    pairs = [row for row in rows if row.variant is not None]
    data = PerturbedPredictions(pairs, control, unchanged=len(rows) - len(pairs))
    scores = Fairscore(interval=interval).score(data)
    return {score.name: score for score in scores}


def by_axis(rows):
    """The scores of the axes."""
    return {name: score for name, score in fairscore(rows).items() if name.startswith("axis: ")}


def test_fairscore_equals_the_hand_count():
    """Both denominators, the axes and the attribute pairs of nine rows."""
    scores = fairscore(ROWS)
    assert {name: (round(score.value, 4), score.n) for name, score in scores.items()} == {
        "changed_rows": (0.6667, 6),
        "all_rows": (0.4444, 9),
        "axis: age": (0.5, 2),
        "axis: gender": (0.75, 4),
        "age, young -> senior": (0.5, 2),
        "gender, man -> woman": (0.6667, 3),
        "gender, woman -> man": (1.0, 1),
        "accuracy, original": (0.6667, 6),
        "accuracy, perturbed": (0.3333, 6),
    }


def test_accuracy_equals_the_hand_count():
    """All rows on the original side; both sides over the perturbed rows alone."""
    (score,) = Accuracy().score(ROWS)
    assert (score.value, score.n) == (6 / 9, 9)
    original, perturbed = accuracy_on_both_sides(ROWS)
    assert (original.name, original.value, original.n) == ("accuracy, original", 4 / 6, 6)
    assert (perturbed.name, perturbed.value, perturbed.n) == ("accuracy, perturbed", 2 / 6, 6)


@pytest.mark.slow
@settings(deadline=None)  # the first call imports scipy
@given(predicted)
def test_fairscore_is_the_plain_share(rows):
    """Against the definition, written as loops."""
    perturbed = [row for row in rows if row.variant is not None]
    if not perturbed:
        with pytest.raises(DataError, match="no row was perturbed"):
            fairscore(rows)
        return
    flips = 0
    for row in perturbed:
        if row.variant != row.original:
            flips += 1
    changed, every = list(fairscore(rows).values())[:2]
    assert changed.value == pytest.approx(flips / len(perturbed))
    assert every.value == pytest.approx(flips / len(rows))
    assert every.value <= changed.value
    for score in (changed, every):
        assert 0 <= score.low <= score.value <= score.high <= 1


@pytest.mark.slow
@settings(deadline=None)  # the first call imports scipy
@given(predicted.filter(lambda rows: any(row.variant for row in rows)))
def test_groups_add_up_to_the_whole(rows):
    """Changes counted by axis, and those without one, are all changes."""
    changed = fairscore(rows)["changed_rows"]
    grouped = sum(round(score.value * score.n) for score in by_axis(rows).values())
    unstated = sum(row.variant not in {None, row.original} for row in rows if not row.about)
    assert grouped + unstated == round(changed.value * changed.n)


def test_several_variants_of_a_row_count_as_one_row():
    """A row counts with the share of its variants that change, so no row outweighs another."""
    rows = [
        PredictedPair("a", "b", row="one"),
        PredictedPair("a", "a", row="one"),
        PredictedPair("a", "a", row="one"),
        PredictedPair("a", "b", row="two"),
        PredictedPair("a", row="three"),
    ]
    assert changed_shares(rows) == {"one": pytest.approx(1 / 3), "two": 1}
    changed, every = list(fairscore(rows).values())[:2]
    assert (changed.value, changed.n) == (pytest.approx(2 / 3), 2)
    assert (every.value, every.n) == (pytest.approx(4 / 9), 3)


def test_the_bootstrap_agrees_with_the_exact_interval():
    """With many rows the two intervals lie close together."""
    rows = [PredictedPair("a", "b" if number % 4 == 0 else "a") for number in range(800)]
    exact, drawn = (fairscore(rows, kind)["changed_rows"] for kind in ("exact", "bootstrap"))
    assert exact.value == drawn.value == 0.25
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), abs=0.01)


def test_the_control_is_subtracted_row_by_row():
    """Only rows with both count; equal changes leave nothing above the control."""
    control = [PredictedPair("pos", "neg", row=row) for row in "ab"]
    control += [PredictedPair("neg", "neg", row="c"), PredictedPair("neg", "neg", row="z")]
    scores = fairscore(ROWS, control=control)
    assert (scores["control"].value, scores["control"].n) == (0.5, 4)
    assert (scores["above_control"].value, scores["above_control"].n) == (0, 3)
    with pytest.raises(DataError, match="both a perturbed variant and a control"):
        fairscore(ROWS, control=control[-1:])


def test_rows_without_a_true_label_have_no_accuracy():
    """Fairscore needs no true label; accuracy does."""
    rows = [PredictedPair("a", "b"), PredictedPair("a", "a")]
    assert fairscore(rows)["changed_rows"].value == 0.5
    assert accuracy_on_both_sides(rows) == []
    with pytest.raises(DataError, match="no row has a true label"):
        Accuracy().score(rows)
