"""``run --evaluate``: scores.json and the verdict."""

from __future__ import annotations

import json
from random import Random

import pytest

from augkit.commands.evaluate.scores import evaluate_run, planned_tests
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.commands.shortcuts import compare_run
from augkit.core.results import Survey, read_evaluation
from augkit.evaluation.run_effects import shortcut_lines
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings


def test_a_run_is_measured_on_the_other_splits(tmp_path):
    """The bundled dataset's test splits are found, and scores.json holds what is returned."""
    settings = RunSettings(method="eda", dataset="reviews-demo", limit=40)
    measured = planned_tests(settings, ())
    folder = run(settings, tmp_path / "run")
    names = {"field": "text", "kind": "token", "feature": "inn", "label": "bad"}
    figures = {"rows": 9, "share": 0.9, "fate": "left", "after": {"rows": 9, "share": 0.8}}
    Survey(rows=[{**names, **figures}]).save(folder / "shortcuts")
    evaluation = evaluate_run(measured(folder))
    assert list(evaluation.verdict)[-2:] == ["shortcuts", "caveats"]
    assert evaluation.verdict["shortcuts"] == shortcut_lines(folder) != []
    tests = {record.test for record in evaluation.records}
    assert tests == {"reviews-demo:challenge", "reviews-demo:test"}
    written = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert written == evaluation.as_json() == read_evaluation(folder).as_json()


def _rows(count, cued):
    """Texts whose signal is right in four of five rows, and a cue that goes with one label."""
    draw = Random(count)
    for n in range(count):
        label = ("bad", "good")[n % 2]
        signal = label if draw.random() < 0.8 else draw.choice(("bad", "good"))
        cue = "zed " if label == cued and draw.random() < 0.95 else ""
        fill = " ".join(draw.choice("abcdefghij") * 3 for _ in range(4))
        yield {"text": f"{cue}{fill} {signal} {n}.", "label": label}


def test_a_masked_cue_is_an_improvement_with_a_new_shortcut(write_rows, tmp_path):
    """The mask gives the label away as the cue did: scores.json and the screen say so."""
    train = write_rows(_rows(400, "bad"), "train.jsonl")
    challenge = write_rows(_rows(200, "good"), "challenge.jsonl")
    options = {"words": ["zed"]}
    settings = RunSettings(method="mask-words", dataset=str(train), options=options, mix="replace")
    folder = run(settings, tmp_path / "run")
    compare_run(folder, None)
    evaluation = evaluate_run(planned_tests(settings, [str(challenge)])(folder))
    assert evaluation.verdict["improved"] == []
    (line,) = evaluation.verdict["improved, but a new shortcut took its place"]
    assert "accuracy on " in line
    assert any(
        line.startswith("new: a word in capitals (bad)") for line in evaluation.verdict["shortcuts"]
    )


@pytest.mark.slow
def test_scores_that_are_replaced_are_named(tmp_path, caplog):
    """A repeated evaluation is silent; one of other test sets says which scores are gone."""
    folder = run(RunSettings(method="eda", dataset="reviews-demo", limit=40), tmp_path / "run")

    def measure(*splits, train=None):
        tests = [f"reviews-demo:{split}" for split in splits]
        evaluate_run(
            evaluation_settings({"run": folder, "tests": tests, "seeds": 0, "train": train})
        )
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return [message for message in messages if "replaced" in message]

    assert measure("test") == measure("test") == measure("test", "challenge") == []
    assert measure("challenge") == [
        f"{folder / 'scores.json'}: the earlier scores are replaced (accuracy on reviews-demo:test)"
    ]
    assert measure("challenge", train="reviews-demo") == []
    (message,) = measure("challenge")
    assert message.endswith("(accuracy of reviews-demo on reviews-demo:challenge)")


def evaluated(write_rows, train_labels, test_labels):
    """The caveats of a classifier that has nothing but the label counts to go by."""
    train, test = (
        write_rows([{"text": f"{name} {n}", "label": label} for n, label in enumerate(labels)],
                   f"{name}.jsonl")
        for name, labels in (("train", train_labels), ("test", test_labels))
    )  # fmt: skip
    values = {"train": str(train), "tests": (str(test),), "metrics": ("accuracy", "macro-f1")}
    return evaluate_run(evaluation_settings(values | {"seeds": 0}))


def test_one_label_for_every_row_is_warned_of_once(write_rows):
    """The share that is right without a classifier is stated; one true label is no reason."""
    rare = ["bad"] * 19 + ["good"]
    evaluation = evaluated(write_rows, rare, ["bad"] * 7 + ["good"] * 3)
    (line,) = [line for line in evaluation.verdict["caveats"] if "predicts" in line]
    train, test = evaluation.results[0].train, evaluation.results[0].test
    right = "always that label is right for 70.0 %"
    assert line == f"{train} predicts 'bad' for 10 of 10 rows of {test}: {right}"
    same = evaluated(write_rows, rare, ["bad"] * 10)
    assert not any("predicts" in line for line in same.verdict["caveats"])
    (line,) = [line for line in same.verdict["caveats"] if "have the label" in line]
    assert line == f"all rows of {test} have the label 'bad': weak evidence"


def test_copies_in_a_test_set_are_warned_of_once(write_rows):
    """Each copy counts as a row, though it shows nothing new."""
    train = write_rows([{"text": f"row {n}", "label": "ab"[n % 2]} for n in range(20)], "a.jsonl")
    test = write_rows(
        [{"text": f"row {n % 4}", "label": "ab"[n % 2]} for n in range(20)], "b.jsonl"
    )
    values = {"train": str(train), "tests": (str(test),), "metrics": ("accuracy", "macro-f1")}
    evaluation = evaluate_run(evaluation_settings(values | {"seeds": 0}))
    (line,) = [line for line in evaluation.verdict["caveats"] if "different texts" in line]
    assert "4 different texts in 20 rows" in line


@pytest.mark.parametrize("of_run", [None, "key"])
def test_every_prediction_is_written_with_its_row(of_run, write_rows, tmp_path):
    """A line per test row: its number, the user's id, its label, and that of each classifier.

    The id column is named for the test sets, or is that of the run.
    """
    rows = [
        {"text": f"A {word} film, number {n}.", "label": label, "key": f"{word}-{n}"}
        for n in range(30)
        for word, label in (("fine", "good"), ("dull", "bad"))
    ]
    test = [*rows[:6], {"text": "No label.", "label": None, "key": "x"}, *rows[40:50]]
    test = [{**row, "text": f"So: {row['text']}"} for row in test]
    values = {"tests": [str(write_rows(test, "test.jsonl"))], "seeds": 0}
    dataset = str(write_rows(rows))
    settings = RunSettings(method="swap", dataset=dataset, id_column=of_run)
    folder = run(settings, tmp_path / "run")
    values |= {} if of_run else {"id_column": "key"}
    evaluate_run(evaluation_settings(values | {"run": folder}))
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    predictions = [json.loads(line) for line in lines]
    assert [(line["row_id"], line["label"]) for line in predictions] == [
        (row["key"], row["label"]) for row in test if row["label"]
    ]
    assert all(test[line["row"] - 1]["key"] == line["row_id"] for line in predictions)
    both = ("run (originals)", "run (result)")
    assert all(line["predicted"] == dict.fromkeys(both, line["label"]) for line in predictions)
    train = {"train": str(tmp_path / "rows.jsonl"), "out": tmp_path / "elsewhere"}
    evaluate_run(evaluation_settings(values | train))
    assert len((tmp_path / "elsewhere" / "predictions.jsonl").read_text().splitlines()) == 16
    assert (tmp_path / "elsewhere" / "scores.json").is_file()


def test_test_rows_that_were_trained_on_are_counted(write_rows):
    """Whatever their case and spaces; a test set of new texts has no such caveat."""
    rows = [{"text": f"Text {n} is {'ab'[n % 2]}.", "label": "ab"[n % 2]} for n in range(40)]
    new = [{**row, "text": f"New {row['text']}"} for row in rows]
    seen = [*new[:30], *({**row, "text": row["text"].upper() + " "} for row in rows[:7])]
    tests = [str(write_rows(seen, "seen.jsonl")), str(write_rows(new, "new.jsonl"))]
    train = str(write_rows(rows))
    evaluation = evaluate_run(evaluation_settings({"train": train, "tests": tests, "seeds": 0}))
    (caveat,) = [line for line in evaluation.verdict["caveats"] if "was trained on" in line]
    assert caveat.startswith(f"{train} was trained on the texts of 7 of 37 rows of {tests[0]}")
    assert [result.rows.in_train for result in evaluation.results] == [7, 0]
