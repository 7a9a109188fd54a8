"""A field alone, as the command reports it."""

import pytest
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.commands.check.contract import CheckContract, FieldAccuracySection, load_contract
from augkit.commands.check.run import check_data
from augkit.commands.check.shortcuts import check_field_accuracy
from augkit.core.errors import ConfigError
from augkit.datasets.settings import ReadOptions
from augkit.shortcuts.find import find_shortcuts
from tests.data import random_texts, write_jsonl


@pytest.mark.slow
def test_a_field_that_gives_the_label_away(checked_rows, rng):
    """The field with the word of the label fails and names it, the other one does not."""
    labels = [rng.choice(["yes", "no"]) for _ in range(200)]
    claims = [
        f"{text} {'indeed' if label == 'yes' else 'never'}"
        for text, label in zip(random_texts(200, rng), labels, strict=True)
    ]
    rows = checked_rows({"evidence": random_texts(200, rng), "claim": claims}, labels)
    found = find_shortcuts(rows.examples)
    (finding,) = check_field_accuracy(found, FieldAccuracySection(), 0.01).findings
    assert finding.field == "claim"
    assert finding.value > 0.3
    assert "indeed" in finding.message
    only = FieldAccuracySection(fields=("evidence",))
    assert not check_field_accuracy(found, only, 0.01).findings
    with pytest.raises(ConfigError, match="no text field 'claims'"):
        check_field_accuracy(found, FieldAccuracySection(fields=("claims",)), 0.01)


def test_one_field_or_few_rows_are_not_tested(checked_rows):
    """The check is skipped, and says why."""
    one = find_shortcuts(checked_rows(["a", "b"], ["yes", "no"]).examples)
    assert check_field_accuracy(one, FieldAccuracySection(), 0.01).skipped
    two = {"a": ["x", "y"], "b": ["u", "v"]}
    few = find_shortcuts(checked_rows(two, ["yes", "no"]).examples)
    run = check_field_accuracy(few, FieldAccuracySection(), 0.01)
    assert run.skipped
    assert "not testable: 2 rows" in run.summary


def test_a_question_that_all_rows_share_joins_none_of_them(checked_rows, rng):
    """Held together they would be one block, and nothing could be tested."""
    labels = [rng.choice(["yes", "no"]) for _ in range(200)]
    texts = random_texts(200, rng)
    claims = [f"{text} {label * 2}" for text, label in zip(texts, labels, strict=True)]
    rows = checked_rows({"question": ["Is it so?"] * 200, "claim": claims}, labels)
    found = find_shortcuts(rows.examples)
    (finding,) = check_field_accuracy(found, FieldAccuracySection(), 0.01).findings
    assert finding.field == "claim"


@pytest.mark.slow
def test_a_group_column_keeps_labelled_rows_together(tmp_path, rng):
    """One answer of each topic is in many rows: what is learnt from its twins is no shortcut."""
    answers = random_texts(40, rng)
    rows = []
    for number in range(200):
        topic = number % 40
        row = {"context": random_texts(1, rng)[0], "answer": f"{answers[topic]} {number}."}
        rows.append({**row, "topic": topic, "label": ("yes", "no")[topic % 2]})
    path = tmp_path / "rows.jsonl"
    write_jsonl(path, rows)
    contract = tmp_path / "contract.yaml"
    contract.write_text("group_column: topic\n", encoding="utf-8")
    reading = ReadOptions(text_columns=("context", "answer"), label_column="label")
    summaries = []
    for chosen in (CheckContract(), CheckContract(group_column="topic"), load_contract(contract)):
        report = check_data(path, chosen, reading)
        summaries.append(next(run for run in report.checks if run.name == "field_accuracy"))
    assert [len(run.findings) for run in summaries] == [1, 0, 0]
    arguments = ["--text-column", "context", "--text-column", "answer", "--label-column", "label"]
    answer = CliRunner().invoke(app, ["check", str(path), *arguments, "--group-column", "topic"])
    assert "No field gives the label alone" in " ".join(answer.output.split())
