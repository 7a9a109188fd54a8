import random

import pytest

from augkit.commands.check.contract import CheckContract
from augkit.commands.check.run import check_data, run_checks
from augkit.commands.check.shortcuts import find_in_rows
from augkit.core.errors import DataError
from augkit.datasets.settings import ReadOptions
from tests.data import random_texts

TESTS = {"duplicates": False, "conflicting_labels": False}


def test_a_test_set_needs_no_labels(write_rows):
    """Only its texts are compared: without the label's column, or with empty labels."""
    train = write_rows([{"text": f"Text {n}.", "stars": n % 2} for n in range(40)], "train.jsonl")
    for number, extra in enumerate(({}, {"stars": None}, {"stars": 1})):
        rows = [{"text": text, **extra} for text in ("text 3.", "Another.")]
        test = str(write_rows(rows, f"test-{number}.jsonl"))
        contract = CheckContract().with_options(None, test)
        report = check_data(str(train), contract, ReadOptions(label_column="stars"))
        (leakage,) = [check for check in report.checks if check.name == "leakage"]
        assert leakage.summary.startswith("1 of 2 test texts are in this dataset (50.0%)")
    with pytest.raises(DataError, match="no column 'star'"):
        check_data(str(train), contract, ReadOptions(label_column="star"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "labels"),
    [
        (40, ["x", "y"]),
        (200, ["x", "y"]),
        (200, ["x"] * 15 + ["y"]),
        (400, [f"label {number}" for number in range(12)]),
    ],
)
def test_the_alarm_rate_on_data_without_a_shortcut(checked_rows, size, labels):
    """At most 5 % at any size and number of labels; 20 datasets with random labels each."""
    contract = CheckContract.model_validate(TESTS)
    alarms = 0
    for seed in range(20):
        rng = random.Random(seed)
        rows = checked_rows(random_texts(size, rng), [rng.choice(labels) for _ in range(size)])
        found = find_in_rows(rows, contract)
        alarms += any(check.failed for check in run_checks(rows, contract, found))
    assert alarms <= 3  # were the rate 5 %, more than 3 of 20 would have a chance of 1.6 %


@pytest.mark.slow
def test_the_alarm_rate_of_a_field_alone(checked_rows):
    """The same for the accuracy of a field, whatever its limit."""
    contract = CheckContract.model_validate(
        TESTS | {"shortcuts": False, "field_accuracy": {"limit": 0}}
    )
    alarms = 0
    for seed in range(8):
        rng = random.Random(seed)
        fields = {name: random_texts(100, rng) for name in ("a", "b")}
        rows = checked_rows(fields, [rng.choice("xy") for _ in range(100)])
        found = find_in_rows(rows, contract)
        alarms += any(check.failed for check in run_checks(rows, contract, found))
    assert alarms <= 2


def test_rows_that_cannot_be_used_are_counted(write_rows):
    """Rows without a label or a text are left out, and lines are those of the file."""
    rows = [{"text": f"a lorem {number}", "label": "xy"[number % 2]} for number in range(6)]
    empty = [{"text": " ", "label": "xy"[number % 2]} for number in range(4)]
    path = write_rows([{"text": None, "label": "x"}, {"text": "a"}, *rows, *empty])
    contract = CheckContract.model_validate({"forbidden_words": {"words": ["lorem 3"]}})
    report = check_data(path, contract)
    assert (report.about["rows"], report.about["left_out"]) == (6, 6)
    failed = {check.name for check in report.checks if check.failed}
    assert not failed & {"duplicates", "conflicting_labels"}
    (finding,) = next(one for one in report.checks if one.name == "forbidden_words").findings
    assert [place.number for place in report.where(finding)] == [6]


def test_fairscore(checked_rows):
    """A classifier that follows "he" and "she" fails; one that follows another word does not."""
    texts = [
        f"{'He' if number % 2 else 'She'} saw film {number} and {'liked' if number % 3 else 'left'}"
        for number in range(120)
    ]
    only = {"shortcuts": False, "field_accuracy": False} | TESTS
    contract = CheckContract.model_validate(only | {"fairscore": {"rows": 20}})
    by_pronoun = checked_rows(texts, ["xy"[number % 2] for number in range(120)])
    (check,) = run_checks(by_pronoun, contract, find_in_rows(by_pronoun, contract))
    assert check.failed
    assert all(texts[row] for row in check.failed[0].rows)
    by_verb = checked_rows(texts, ["xy"[number % 3 == 0] for number in range(120)])
    (check,) = run_checks(by_verb, contract, find_in_rows(by_verb, contract))
    assert not check.failed
