"""``evaluate`` on labels that are numbers: a regressor, measured by its correlation."""

import json

import pytest

from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import evaluation_settings

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


@pytest.mark.slow
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
