"""The verdict on differences, and what weakens them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from augkit.core.results import Comparison, OneLabel, Result, Score, Spread
from augkit.evaluation.metrics.accuracy import Accuracy
from augkit.evaluation.metrics.fairscore import Fairscore
from augkit.evaluation.verdict import (
    certainty,
    comparison_caveats,
    mixed_headline,
    tone,
    verdict,
    with_replacement,
)

METRICS = {"accuracy": Accuracy, "fairscore": Fairscore}
CONSTANT = OneLabel("bad", 9, 9, 0.5)


def change(metric, value, low, high, n=500, **more):
    """A clear p, so that the interval decides."""
    difference = Score(f"{metric} difference", value, low, high, n)
    direction = METRICS[metric].direction
    comparison = Comparison(metric, direction, metric, difference, 0.0, "a", "b", "t")
    return replace(comparison, **more)


def measured(metric, score, train="a", **more):
    """The main score of a classifier."""
    result = Result(metric, METRICS[metric].direction, train, "t", {score.name: score})
    return replace(result, **more)


GAIN = change("accuracy", 0.1, 0.05, 0.15)


@pytest.mark.parametrize(
    ("comparison", "heading"),
    [
        (GAIN, "improved"),
        (change("accuracy", -0.1, -0.15, -0.05), "worse"),
        (change("accuracy", 0.1, -0.05, 0.25), "no clear change"),
        (change("fairscore", -0.1, -0.15, -0.05), "improved"),
        (change("fairscore", 0.1, 0.05, 0.15), "worse"),
    ],
)
def test_a_change_counts_where_its_interval_excludes_0(comparison, heading):
    """Up is good for accuracy and bad for fairscore."""
    found = verdict([comparison])
    assert [key for key in ("improved", "worse", "no clear change") if found[key]] == [heading]


@pytest.mark.parametrize(
    ("low", "p", "outcome"),
    [
        (0.01, 0.05, "clear"),
        (0.01, 0.0501, "clear alone, not after Holm's correction"),
        (0.0, 0.001, "not clear"),
        (-0.01, 0.5, "not clear"),
    ],
)
def test_the_interval_and_the_corrected_p_make_a_difference_clear(low, p, outcome):
    """Both are needed; 0 at the end of the interval is in it."""
    assert certainty(low, 0.2, p) == outcome


@pytest.mark.parametrize(("train", "heading"), [("b", "changed"), ("a", "improved")])
def test_one_label_for_all_rows_is_no_improvement(train, heading):
    """After the change; before it, the change is away from it."""
    score = Score("accuracy", 0.5, 0.4, 0.6, 9)
    found = verdict([measured("accuracy", score, train, one_label=CONSTANT), GAIN])
    assert [key for key in found if key != "caveats" and found[key]] == [heading]


@pytest.mark.parametrize(("low", "heading"), [(0.05, "not decided"), (-0.05, "no clear change")])
def test_a_weak_test_set_decides_nothing(low, heading):
    """Whatever the p-value; the reason is in the same line."""
    weak = "all rows of t have the label 'happy': weak evidence"
    found = verdict([change("accuracy", 0.1, low, 0.15, weak_test=(weak,))])
    (sentence,) = found[heading]
    assert not found["improved"]
    assert sentence.endswith(f", but {weak}") == (heading == "not decided")
    assert weak in found["caveats"]


@pytest.mark.parametrize(
    ("comparison", "outcome"),
    [
        (GAIN, "b is better"),
        (change("accuracy", -0.1, -0.15, -0.05), "a is better"),
        (change("fairscore", -0.1, -0.15, -0.05), "b is better"),
        (change("fairscore", 0.1, 0.05, 0.15), "a is better"),
        (change("accuracy", 0.1, -0.05, 0.25), "no clear difference"),
        (replace(GAIN, weak_test=("few",)), "not decided: few"),
        (
            replace(GAIN, p_corrected=0.2),
            "no clear difference (clear alone, not after Holm's correction: p = 0.200)",
        ),
    ],
)
def test_a_reference_has_its_own_line(comparison, outcome):
    """A better reference is no improvement by the run; the line says which of both is better."""
    found = verdict([replace(comparison, is_reference=True)])
    (sentence,) = found["reference"]
    assert sentence.endswith(f"): {outcome}")
    assert not any(found[key] for key in ("improved", "worse", "no clear change"))


def test_the_caveats_of_one_comparison_name_no_run():
    """So that the same caveat of several runs is one line; other test sets have their own."""
    score = Score("accuracy", 0.5, 0.4, 0.6, 9)
    result = measured("accuracy", score, "b", one_label=CONSTANT)
    comparison = change("accuracy", 0.1, 0.05, 0.15, n=9)
    few, predicts = comparison_caveats(comparison, [result, replace(result, test="u")])
    assert "fewer than 100 rows were compared on t" in few
    assert predicts.startswith("the result's classifier predicts 'bad' for 9 of 9 rows of t")


def test_few_rows_and_many_comparisons_are_warned_of():
    """Both are caveats."""
    found = verdict([change("accuracy", 0.1, 0.05, 0.15, n=20)] * 3)
    assert any("fewer than 100 rows" in line for line in found["caveats"])
    assert any("3 comparisons" in line for line in found["caveats"])


@pytest.mark.parametrize(("rows", "warned"), [(22, True), (100, False)])
def test_few_perturbed_rows_are_warned_of(rows, warned):
    """Of a single classifier too: only the rows that were perturbed count."""
    found = verdict([measured("fairscore", Score("changed_rows", 0.0, 0.0, 0.2, rows))])
    caveat = "only 22 rows of t could be perturbed: weak evidence"
    assert (caveat in found["caveats"]) == warned


def test_the_range_over_seeds_names_their_rows():
    """Seeds trained on fewer rows need not contain the change; saved ones have all rows."""
    for of, title in (("without a tenth of the rows", "2 seeds without a tenth of the rows"),
                      ("each seed", "2 seeds")):  # fmt: skip
        seeds = Spread((0.2, 0.3), of)
        (line,) = verdict([replace(GAIN, over_seeds=seeds)])["improved"]
        assert line.endswith(f"500 rows; {title}: +20.0 to +30.0)")


LOSS = change("accuracy", -0.1, -0.15, -0.05)
RENAMED = "improved, but a new shortcut took its place"
REVERSED = "improved, but the shortcut now points the other way"


@pytest.mark.parametrize(
    ("replaced", "heading", "colour"),
    [("", "improved", "good"), ("renamed", RENAMED, "caveat"), ("reversed", REVERSED, "caveat")],
)
def test_green_only_where_nothing_took_the_place_of_a_shortcut(replaced, heading, colour):
    """What improved has the heading that says so; nothing else changes its own."""
    before = verdict([GAIN, change("accuracy", 0.1, -0.05, 0.25)])
    after = with_replacement(before, replaced)
    assert after[heading] == before["improved"]
    assert tone(heading) == colour
    assert [key for key in after if tone(key) == "good" and after[key]] == ["improved"][
        : not replaced
    ]
    assert after["no clear change"] == before["no clear change"]
    assert with_replacement(after, replaced) == after


def test_a_loss_is_a_loss_whatever_took_the_place_of_a_shortcut():
    """Nothing improved: no heading says that it did."""
    assert with_replacement(verdict([LOSS]), "renamed") == verdict([LOSS])
    assert tone("worse") == "bad"


@pytest.mark.parametrize(
    ("records", "replaced", "together"),
    [
        ([GAIN, LOSS], "", "Better on some test sets, worse on others"),
        (
            [GAIN, LOSS],
            "renamed",
            "Better on some test sets, worse on others, and a new shortcut took its place",
        ),
        ([GAIN], "renamed", ""),
        ([LOSS], "", ""),
    ],
)
def test_test_sets_that_contradict_each_other_have_a_headline(records, replaced, together):
    """One sentence for all; where they agree, their heading says it."""
    assert mixed_headline(with_replacement(verdict(records), replaced)) == together
