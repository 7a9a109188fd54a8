"""``evaluate`` on labels that are numbers: a regressor, measured by its correlation."""

import json

import pytest

from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.core.errors import DataError
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

GRADES = {"great": 1.5, "good": 0.75, "poor": -0.5, "awful": -1.25}


def graded(count):
    words = list(GRADES)
    for number in range(count):
        first, second = words[number % 4], words[number // 4 % 4]
        grade = 2.5 + GRADES[first] + GRADES[second] + number % 7 / 20
        yield {"text": f"the {first} film {number} had a {second} cast", "label": f"{grade:.2f}"}


@pytest.fixture
def files(write_rows):
    rows = list(graded(96))
    return str(write_rows(rows[:64], "train.jsonl")), str(write_rows(rows[64:], "test.jsonl"))


def test_labels_on_a_scale_are_learnt_as_numbers(files, tmp_path):
    """Pearson's and Spearman's correlation; the predictions are numbers near the labels."""
    train, test = files
    values = {"train": train, "tests": (test,), "metrics": ("pearson",), "out": tmp_path / "out"}
    (record,) = evaluate_run(evaluation_settings(values)).records
    assert list(record.scores) == ["pearson", "spearman"]
    assert record.scores["pearson"].value > 0.95
    assert record.model["learner"] == "ridge"
    assert len(record.seeds.values) == 3
    lines = (tmp_path / "out" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    for line in map(json.loads, lines):
        (predicted,) = line["predicted"].values()
        assert float(predicted) == pytest.approx(float(line["label"]), abs=1)


def test_a_run_is_compared_with_its_originals(files, tmp_path):
    """Two regressors on the same test rows, and their difference."""
    train, test = files
    settings = RunSettings(method="swap", dataset=train, options={"pairs": [["film", "show"]]})
    folder = run(settings, tmp_path / "run")
    values = {"run": folder, "tests": (test,), "metrics": ("pearson",), "seeds": 0}
    first, second, difference = evaluate(evaluation_settings(values))
    assert min(first.scores["pearson"].value, second.scores["pearson"].value) > 0.9
    assert difference.score == "pearson"


@pytest.mark.parametrize("metrics", [("accuracy",), ("fairscore",), ("pearson", "accuracy")])
def test_classes_are_not_made_of_a_scale(files, metrics):
    """A metric of labels that agree or change is refused, alone or beside Pearson's."""
    train, test = files
    with pytest.raises(DataError, match=r"regression task.*--metric pearson"):
        evaluate(evaluation_settings({"train": train, "tests": (test,), "metrics": metrics}))


def test_correlation_is_not_made_of_classes(files, write_rows):
    """Labels that are names are refused, of the training rows and of test rows."""
    train, _ = files
    rows = [{"text": f"a {word} film {n}", "label": word} for n in range(9) for word in GRADES]
    named = str(write_rows(rows, "named.jsonl"))
    values = {"train": named, "tests": (named,), "metrics": ("pearson",)}
    with pytest.raises(DataError, match=r"is not a number.*accuracy, macro-f1 or matthews"):
        evaluate(evaluation_settings(values))
    with pytest.raises(DataError, match=r"different labels: .* against awful, good, great, poor"):
        evaluate(evaluation_settings(values | {"train": train}))


@pytest.mark.slow
def test_sts_b_is_a_regression_task(data_folder):
    """Words alone say little about how alike two sentences are, but more than nothing."""
    values = {
        "train": "stsb",
        "tests": ("stsb:dev",),
        "metrics": ("pearson",),
        "seeds": 0,
        "reading": {"data_folder": data_folder},
    }
    (record,) = evaluate(evaluation_settings(values))
    assert 0.1 < record.scores["pearson"].low < record.scores["pearson"].high < 0.4
