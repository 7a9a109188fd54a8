"""The best line of a study: which it is, and how sure that is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from augkit.commands.sweep.best import (
    BestLine,
    RivalLine,
    read_comparisons,
    shown_best,
    write_comparisons,
)
from augkit.commands.sweep.settings import SweepSettings, Trial
from augkit.core.results import Evaluation, PredictedPair, Result, Survey
from augkit.evaluation.metrics.accuracy import Accuracy
from augkit.evaluation.statistics.significance import mcnemar
from augkit.runs.settings import RunSettings


@pytest.fixture
def trial(tmp_path):
    """A finished trial whose originals are right in the first half of the rows."""

    def made(method, seed, right):
        name = f"{method}-{seed}"
        (tmp_path / name).mkdir()
        lines = [
            {
                "test": "d:test",
                "row": number,
                "label": "yes",
                "predicted": {
                    f"{name} (originals)": "yes" if 2 * number < len(right) else "no",
                    f"{name} (result)": "yes" if one == "1" else "no",
                },
            }
            for number, one in enumerate(right)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / name / "predictions.jsonl").write_text(text, encoding="utf-8")
        return Trial(name, method, RunSettings(dataset="d", seed=seed), (), {}), tmp_path / name

    return made


def study(metric):
    """A study of the dataset of these trials, by one metric and the default classifier."""
    return SweepSettings(methods=["eda"], datasets=["d"], metrics=[metric])


def pairs(right):
    """Predictions that are right where there is a 1."""
    return [PredictedPair("yes" if one == "1" else "no", gold="yes") for one in right]


def test_one_seed_has_the_statistics_of_an_evaluation(trial, tmp_path):
    """The interval and p-value of two classifiers on the same rows; Holm counts the rivals."""
    good, bad = "1" * 18 + "00", "01" * 10
    done = [trial("bad", 0, bad), trial("good", 0, good)]
    (found,) = write_comparisons(tmp_path, done, study("accuracy"))
    assert (found.best, found.value, found.rows, found.seeds) == ("good", 0.9, 20, 1)
    others = {other.method: other for other in found.others}
    (expected,) = Accuracy().compare(pairs(bad), pairs(good))
    bad_line = others["bad"]
    score = expected.score
    difference = (bad_line.difference, bad_line.low, bad_line.high)
    assert difference == (score.value, score.low, score.high)
    assert bad_line.p == pytest.approx(expected.p)
    originals = [number < 10 for number in range(20)]
    against = mcnemar(originals, [one == "1" for one in good])
    assert others["originals"].p_corrected == pytest.approx(2 * min(bad_line.p, against))
    (line,) = read_comparisons(tmp_path)
    assert line == found


def test_seeds_are_means_of_rows_and_not_more_rows(trial, tmp_path):
    """The same predictions in three seeds are no more evidence than in one."""
    right = "1" * 15 + "00000"
    once = write_comparisons(tmp_path, [trial("m", 0, right)], study("accuracy"))
    thrice = [trial("m", seed, right) for seed in (1, 2, 3)]
    (found,) = write_comparisons(tmp_path, thrice, study("accuracy"))
    assert found == replace(once[0], seeds=3)


def test_only_seeds_and_rows_that_all_have_are_compared(trial, tmp_path):
    """A failed trial takes its seed from the comparison; nothing in common: no comparison."""
    done = [trial("a", 0, "1111"), trial("a", 1, "0000"), trial("b", 0, "111")]
    (found,) = write_comparisons(tmp_path, done, study("accuracy"))
    assert (found.seeds, found.rows) == (1, 3)
    assert write_comparisons(tmp_path, [*done[1:2], *done[2:]], study("accuracy")) == []


def test_a_metric_without_values_of_rows_has_no_comparison(trial, tmp_path):
    """Macro-F1 is no mean over rows."""
    assert write_comparisons(tmp_path, [trial("a", 0, "1101")], study("macro-f1")) == []


def test_the_best_line_has_what_is_left_of_shortcuts(trial, tmp_path):
    """Of its own trials, each finding once; the originals have none."""
    done = [trial("good", 0, "1" * 20), trial("good", 1, "1" * 20), trial("bad", 0, "0" * 20)]
    for one, path in done:
        figures = {"kind": "token", "field": "text", "label": "no", "rows": 9, "share": 0.9}
        left = {"rows": 9, "share": 0.9}
        row = {**figures, "feature": f"{one.method}by", "fate": "left", "after": left}
        Survey(rows=[row], about={}).save(path / "shortcuts")
    (found,) = write_comparisons(tmp_path, [done[0], done[2]], study("accuracy"))
    assert found.shortcuts == ("still has a shortcut of the originals: goodby (no)",)
    (found,) = write_comparisons(tmp_path, done[:2], study("accuracy"))
    assert len(found.shortcuts) == 1
    (found,) = write_comparisons(tmp_path, done[2:], study("accuracy"))
    assert (found.best, found.shortcuts) == ("originals", ())


def test_a_weak_test_set_decides_nothing(trial, tmp_path):
    """As in the verdict of a run."""
    done = [trial("a", 0, "1" * 20)]
    other = Result("accuracy", "higher", "a", "other", {})
    weak = replace(other, test="d:test", weak_test=("d:test has 4 different texts",))
    evaluation = Evaluation({}, [other, weak])
    (done[0][1] / "scores.json").write_text(json.dumps(evaluation.as_json()))
    (found,) = write_comparisons(tmp_path, done, study("accuracy"))
    assert "not decided: d:test has 4 different texts" in next(shown_best([found], 1))


@pytest.mark.parametrize(
    ("low", "p", "certain", "outcome"),
    [
        (0.02, 0.01, ", clearly the best", "), clear (p = 0.010)"),
        (0.02, 0.087, ", but not clearly", "), clear alone, not after Holm's correction (p = 0.08"),
        (-0.02, 0.3, ", but not clearly better than any other", "), not clear (p = 0.300)"),
    ],
)
def test_a_line_says_how_sure_it_is(low, p, certain, outcome):
    """The interval and the corrected p decide, and where nothing is clear, that is said."""
    others = (RivalLine("eda", 0.74, 0.09, low, 0.16, p, p),) * 3
    left = "still has a shortcut of the originals: 'branch' (bad)"
    line = BestLine("accuracy", "d", "d:test", (), "razor", 0.829, 1200, 1, others, (left,))
    first, shortcut, second, more = shown_best([line], 1)
    assert first.startswith(f"Best accuracy on d:test (1,200 rows): razor 0.829{certain}")
    but = "" if "not clearly" in certain else "but "
    assert shortcut == f"  {but}its result {left}"
    assert second.startswith("  against eda 0.740: +9.0 points (95 % interval ")
    assert outcome in second
    assert more == "  and 2 more: comparisons.json"
    weak = "all rows of d:test have the label 'a': weak evidence"
    title = next(shown_best([replace(line, weak_test=(weak,))], 1))
    assert title.endswith(f"0.829, not decided: {weak}")
