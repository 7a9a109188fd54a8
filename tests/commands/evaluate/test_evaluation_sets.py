"""Test sets with other column names than the training rows."""

from __future__ import annotations

import pytest

from augkit.commands.evaluate.evaluation_sets import reading_for, with_fields
from augkit.commands.evaluate.scores import evaluate_run, planned_tests
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.core.edits import LabelledSpan
from augkit.core.errors import DataError
from augkit.core.types import example
from augkit.datasets.settings import ReadOptions
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

PAIRS = [(f"A big dog number {n} ran.", "It slept." if n % 2 else "It ran.") for n in range(24)]


def pairs(first, second):
    """The rows with these names of their columns."""
    return [{first: a, second: b, "same": str("ran" in b)} for a, b in PAIRS]


def test_a_test_set_of_pairs_is_matched_by_position(write_rows, tmp_path, capsys):
    """A run on premise and hypothesis, tested on text_a and text_b: one line says it."""
    train, test = (
        write_rows(pairs("premise", "hypothesis"), "a.jsonl"),
        write_rows(pairs("text_a", "text_b"), "b.jsonl"),
    )
    settings = RunSettings(method="swap", dataset=str(train), label_column="same")
    evaluation = planned_tests(settings, [str(test)])
    folder = run(settings, tmp_path / "out")
    scores = evaluate_run(evaluation(folder))
    assert "text_a, text_b are taken for premise, hypothesis" in capsys.readouterr().err
    assert scores.records[0].scores["accuracy"].value == 1.0


def test_a_test_set_is_read_as_the_run_was(write_rows, tmp_path):
    """Also by ``evaluate RUN``: the columns and roles of the run, without naming them again."""

    def chats(role):
        return [
            {"said": [{"role": role, "content": a}, {"role": "tool", "content": "x"}], "same": b}
            for a, b in PAIRS
        ]

    train, test = (
        write_rows(chats("assistant"), "a.jsonl"),
        write_rows(chats("assistant"), "b.jsonl"),
    )
    columns = {"text_columns": ["said"], "label_column": "same", "edit_roles": ["assistant"]}
    folder = run(RunSettings(method="swap", dataset=str(train), **columns), tmp_path / "out")
    scores = evaluate_run(EvaluateSettings(run=folder, tests=(str(test),), seeds=0))
    record = scores.records[0]
    assert (record.rows.test, record.rows.left_out_of_test) == (24, 0)


def test_columns_that_a_test_set_does_not_have_are_not_asked_for(write_rows):
    """What was given for it counts; without that its own columns are found."""
    path = str(write_rows([{"text": "a", "label": "b"}]))
    of_run = RunSettings(method="swap", text_columns=("review",), label_column="stars")
    given = ReadOptions()
    assert reading_for(path, given, of_run) is given
    of_run = RunSettings(method="swap", label_column="label")
    assert reading_for(path, given, of_run).label_column == "label"
    given = ReadOptions(label_column="text", text_columns=("label",))
    as_run = {"edit_roles": of_run.edit_roles}
    assert reading_for(path, given, of_run) == given.model_copy(update=as_run)


def test_fields_keep_their_spans():
    """A span and what must not change go with their field."""
    row = example({"a": "x", "b": "y"}, "l", spans=[LabelledSpan("b", 0, 1)], locked=["a"])
    (found,) = with_fields([row], ("premise", "hypothesis"), "the run", "rows")
    assert dict(found.fields) == {"premise": "x", "hypothesis": "y"}
    assert [span.field for span in found.spans] == ["hypothesis"]
    assert found.locked == {"premise"}


@pytest.mark.parametrize("fields", [("text",), ("b", "c"), ("c", "a"), ("a", "b", "c")])
def test_fields_that_do_not_fit_are_an_error(fields):
    """Another number of them, or one of the same name at another place."""
    with pytest.raises(DataError, match="different text fields"):
        with_fields([example({"a": "x", "b": "y"})], fields, "the run", "rows")
