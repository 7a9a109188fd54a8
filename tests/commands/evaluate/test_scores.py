"""``run --evaluate``: scores.json and the verdict."""

from __future__ import annotations

import json

import pytest

from augkit.commands.evaluate.scores import evaluate_run, planned_tests
from augkit.commands.evaluate.settings import create_metric, evaluation_settings
from augkit.commands.evaluate.verdict import comparison_caveats, verdict
from augkit.core.errors import ConfigError
from augkit.core.results import Survey
from augkit.report.shortcut_lines import shortcut_lines
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings


def test_a_run_is_measured_on_the_other_splits(tmp_path):
    """The bundled dataset's test splits are found, and scores.json holds what is returned."""
    settings = RunSettings(method="eda", dataset="reviews-demo", limit=40)
    measured = planned_tests(settings, ())
    folder = run(settings, tmp_path / "run")
    names = {"field": "text", "kind": "token", "feature": "inn", "label": "bad"}
    after = {"rows": 9, "share": 0.8, "q": 0.01}
    Survey(rows=[{**names, "rows": 9, "share": 0.9, "after": after}]).save(folder / "shortcuts")
    found = evaluate_run(measured(folder))
    assert list(found["verdict"])[-2:] == ["shortcuts", "caveats"]
    assert found["verdict"]["shortcuts"] == shortcut_lines(folder) != []
    tests = {record["test"] for record in found["results"]}
    assert tests == {"reviews-demo:challenge", "reviews-demo:test"}
    assert json.loads((folder / "scores.json").read_text(encoding="utf-8")) == found


def test_scores_that_are_replaced_are_named(tmp_path, caplog):
    """A repeated evaluation is silent; one of other test sets says which scores are gone."""
    folder = run(RunSettings(method="eda", dataset="reviews-demo", limit=40), tmp_path / "run")

    def measure(*splits, train=None):
        tests = [f"reviews-demo:{split}" for split in splits]
        evaluate_run(
            evaluation_settings({"run": folder, "tests": tests, "seeds": 0, "train": train})
        )
        said = [one.getMessage() for one in caplog.records if "replaced" in one.getMessage()]
        caplog.clear()
        return said

    assert measure("test") == measure("test") == measure("test", "challenge") == []
    assert measure("challenge") == [
        f"{folder / 'scores.json'}: the earlier scores are replaced (accuracy on reviews-demo:test)"
    ]
    assert measure("challenge", train="reviews-demo") == []
    (said,) = measure("challenge")
    assert said.endswith("(accuracy of reviews-demo on reviews-demo:challenge)")


def test_a_file_needs_its_test_set_named(write_rows):
    """No split can be guessed for a file, and a missing test set is an error before the run."""
    rows = write_rows([{"text": "Good.", "label": "1"}, {"text": "Bad.", "label": "0"}])
    settings = RunSettings(dataset=str(rows))
    with pytest.raises(ConfigError, match="--test DATASET"):
        planned_tests(settings, ())
    with pytest.raises(Exception, match="absent"):
        planned_tests(settings, ["absent.jsonl"])


def change(metric, value, low, high, n=500):
    return {
        "metric": metric,
        "direction": create_metric(metric).direction,
        "score": metric,
        "difference": {"value": value, "low": low, "high": high, "n": n},
        "from": "a",
        "to": "b",
        "test": "t",
    }


@pytest.mark.parametrize(
    ("record", "heading"),
    [
        (change("accuracy", 0.1, 0.05, 0.15), "improved"),
        (change("accuracy", -0.1, -0.15, -0.05), "worse"),
        (change("accuracy", 0.1, -0.05, 0.25), "no clear change"),
        (change("fairscore", -0.1, -0.15, -0.05), "improved"),
        (change("fairscore", 0.1, 0.05, 0.15), "worse"),
    ],
)
def test_a_change_counts_where_its_interval_excludes_0(record, heading):
    """Up is good for accuracy and bad for fairscore."""
    found = verdict([record])
    assert [key for key in ("improved", "worse", "no clear change") if found[key]] == [heading]


@pytest.mark.parametrize(("train", "heading"), [("b", "changed"), ("a", "improved")])
def test_one_label_for_all_rows_is_no_improvement(train, heading):
    """After the change; before it, the change is away from it."""
    about = {"label": "bad", "rows": 9, "of": 9, "right": 0.5}
    scores = {"accuracy": {"value": 0.5, "low": 0.4, "high": 0.6, "n": 9}}
    own = {"metric": "accuracy", "train": train, "test": "t", "one_label": about, "scores": scores}
    found = verdict([own, change("accuracy", 0.1, 0.05, 0.15)])
    assert [key for key in found if key != "caveats" and found[key]] == [heading]


@pytest.mark.parametrize(("low", "heading"), [(0.05, "not decided"), (-0.05, "no clear change")])
def test_a_weak_test_set_decides_nothing(low, heading):
    """Whatever the p-value; the reason is in the same line."""
    weak = "all rows of t have the label 'happy': weak evidence"
    found = verdict([{**change("accuracy", 0.1, low, 0.15), "weak_test": [weak]}])
    (sentence,) = found[heading]
    assert not found["improved"]
    assert sentence.endswith(f", but {weak}") == (heading == "not decided")
    assert weak in found["caveats"]


@pytest.mark.parametrize(
    ("record", "outcome"),
    [
        (change("accuracy", 0.1, 0.05, 0.15), "b is better"),
        (change("accuracy", -0.1, -0.15, -0.05), "a is better"),
        (change("fairscore", -0.1, -0.15, -0.05), "b is better"),
        (change("fairscore", 0.1, 0.05, 0.15), "a is better"),
        (change("accuracy", 0.1, -0.05, 0.25), "no clear difference"),
        ({**change("accuracy", 0.1, 0.05, 0.15), "weak_test": ["few"]}, "not decided: few"),
        (
            {**change("accuracy", 0.1, 0.05, 0.15), "p_corrected": 0.2},
            "no clear difference (clear alone, not after Holm's correction: p = 0.200)",
        ),
    ],
)
def test_a_reference_has_its_own_line(record, outcome):
    """A better reference is no improvement by the run; the line says which of both is better."""
    found = verdict([{**record, "reference": True}])
    (sentence,) = found["reference"]
    assert sentence.endswith(f"): {outcome}")
    assert not any(found[key] for key in ("improved", "worse", "no clear change"))


def test_the_caveats_of_one_comparison_name_no_run():
    """So that the same caveat of several runs is one line; other test sets have their own."""
    about = {"label": "bad", "rows": 9, "of": 9, "right": 0.5}
    scores = {"accuracy": {"value": 0.5, "low": 0.4, "high": 0.6, "n": 9}}
    one = {"metric": "accuracy", "train": "b", "test": "t", "one_label": about, "scores": scores}
    difference = change("accuracy", 0.1, 0.05, 0.15, n=9)
    few, predicts = comparison_caveats(difference, [one, {**one, "test": "u"}, difference])
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
    scores = {"changed_rows": {"value": 0.0, "low": 0.0, "high": 0.2, "n": rows}}
    found = verdict([{"metric": "fairscore", "train": "a", "test": "t", "scores": scores}])
    caveat = "only 22 rows of t could be perturbed: weak evidence"
    assert (caveat in found["caveats"]) == warned


def test_the_range_over_seeds_names_their_rows():
    """Seeds trained on fewer rows need not contain the change; saved ones have all rows."""
    for of, title in (("without a tenth of the rows", "2 seeds without a tenth of the rows"),
                      ("each seed", "2 seeds")):  # fmt: skip
        seeds = {"values": [0.2, 0.3], "of": of}
        (line,) = verdict([{**change("accuracy", 0.1, 0.05, 0.15), "over_seeds": seeds}])[
            "improved"
        ]
        assert line.endswith(f"500 rows; {title}: +20.0 to +30.0)")


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
    found = evaluated(write_rows, rare, ["bad"] * 7 + ["good"] * 3)
    (line,) = [line for line in found["verdict"]["caveats"] if "predicts" in line]
    train, test = (found["results"][0][side] for side in ("train", "test"))
    right = "always that label is right for 70.0 %"
    assert line == f"{train} predicts 'bad' for 10 of 10 rows of {test}: {right}"
    same = evaluated(write_rows, rare, ["bad"] * 10)
    assert not any("predicts" in line for line in same["verdict"]["caveats"])
    (line,) = [line for line in same["verdict"]["caveats"] if "have the label" in line]
    assert line == f"all rows of {test} have the label 'bad': weak evidence"


def test_copies_in_a_test_set_are_warned_of_once(write_rows):
    """Each copy counts as a row, though it shows nothing new."""
    train = write_rows([{"text": f"row {n}", "label": "ab"[n % 2]} for n in range(20)], "a.jsonl")
    test = write_rows(
        [{"text": f"row {n % 4}", "label": "ab"[n % 2]} for n in range(20)], "b.jsonl"
    )
    values = {"train": str(train), "tests": (str(test),), "metrics": ("accuracy", "macro-f1")}
    found = evaluate_run(evaluation_settings(values | {"seeds": 0}))
    (line,) = [line for line in found["verdict"]["caveats"] if "different texts" in line]
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
    found = [json.loads(line) for line in lines]
    assert [(one["row_id"], one["label"]) for one in found] == [
        (row["key"], row["label"]) for row in test if row["label"]
    ]
    assert all(test[one["row"] - 1]["key"] == one["row_id"] for one in found)
    both = ("run (originals)", "run (result)")
    assert all(one["predicted"] == dict.fromkeys(both, one["label"]) for one in found)
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
    found = evaluate_run(evaluation_settings({"train": train, "tests": tests, "seeds": 0}))
    (said,) = [line for line in found["verdict"]["caveats"] if "was trained on" in line]
    assert said.startswith(f"{train} was trained on the texts of 7 of 37 rows of {tests[0]}")
    assert [one["rows"].get("in_train") for one in found["results"]] == [7, None]
