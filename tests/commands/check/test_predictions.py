import random
from itertools import permutations
from operator import eq

import pytest
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.commands.check.contract import CheckContract, FieldAccuracySection, load_contract
from augkit.commands.check.predictions import check_field_accuracy, grouped_p, matching_p
from augkit.commands.check.run import check_data
from augkit.core.errors import ConfigError
from augkit.datasets.settings import ReadOptions
from tests.data import random_texts, write_jsonl


def test_p_is_that_of_all_orders():
    """The drawn p is close to the share of all orders of the labels with as many matches."""
    predicted, truth = list("aabbcca"), list("aabbcba")
    right = sum(a == b for a, b in zip(predicted, truth, strict=True))
    orders = list(permutations(truth))
    extreme = sum(
        sum(a == b for a, b in zip(predicted, order, strict=True)) >= right for order in orders
    )
    assert matching_p(predicted, truth, 0) == pytest.approx(extreme / len(orders), abs=0.01)


@pytest.mark.slow
def test_a_field_that_gives_the_label_away(checked_rows, rng):
    """The field with the word of the label fails, the other one does not."""
    labels = [rng.choice(["yes", "no"]) for _ in range(200)]
    claims = [
        f"{text} {'indeed' if label == 'yes' else 'never'}"
        for text, label in zip(random_texts(200, rng), labels, strict=True)
    ]
    rows = checked_rows({"evidence": random_texts(200, rng), "claim": claims}, labels)
    check = check_field_accuracy(rows, FieldAccuracySection(), 0.01)
    (finding,) = check.findings
    assert finding.field == "claim"
    assert finding.value > 0.3
    only = FieldAccuracySection(fields=("evidence",))
    assert not check_field_accuracy(rows, only, 0.01).findings
    with pytest.raises(ConfigError, match="no text field 'claims'"):
        check_field_accuracy(rows, FieldAccuracySection(fields=("claims",)), 0.01)


def test_too_little_to_train(checked_rows):
    """One field, few rows, or words that never repeat: nothing is found, nothing is raised."""
    rows = checked_rows(["a", "b"], ["yes", "no"])
    section = FieldAccuracySection()
    assert check_field_accuracy(rows, section, 0.01).skipped
    few = checked_rows({"a": ["x", "y"], "b": ["u", "v"]}, ["yes", "no"])
    assert not check_field_accuracy(few, section, 0.01).findings
    different = [f"x{number}" for number in range(100)]
    rows = checked_rows({"a": different, "b": different}, ["yes", "no"] * 50)
    assert not check_field_accuracy(rows, section, 0.01).findings


@pytest.mark.slow
def test_rows_are_sampled_by_content(checked_rows, rng):
    """A large dataset is sampled; the order of the rows does not matter."""
    labels = [rng.choice(["yes", "no"]) for _ in range(300)]
    texts = {"a": random_texts(300, rng), "b": random_texts(300, rng)}
    section = FieldAccuracySection(max_rows=100)
    order = rng.sample(range(300), 300)
    turned = {name: [column[n] for n in order] for name, column in texts.items()}
    first = check_field_accuracy(checked_rows(texts, labels), section, 0.01)
    rows = checked_rows(turned, [labels[n] for n in order])
    assert first.summary == check_field_accuracy(rows, section, 0.01).summary


def test_labels_are_dealt_out_group_by_group():
    """Against all ways: groups of one size exchange their labels, and each shuffles its own."""
    predicted = ["x", "y", "x", "x", "y"]
    truth = ["x", "y", "x", "y", "y"]
    groups = ["a", "a", "b", "b", "c"]
    ways = []
    for first, second in permutations([("x", "y"), ("x", "y")]):
        for order in permutations(first):
            for second_order in permutations(second):
                dealt = [*order, *second_order, "y"]
                ways.append(sum(map(eq, predicted, dealt)))
    right = sum(map(eq, predicted, truth))
    expected = sum(way >= right for way in ways) / len(ways)
    assert grouped_p(predicted, truth, groups, seed=1) == pytest.approx(expected, abs=0.02)


def test_two_answers_of_a_question_stay_together(checked_rows):
    """A word tells the right answer from the wrong one: it is found."""
    rng = random.Random(0)
    texts = random_texts(160, rng)
    questions = [f"Question {number // 2}?" for number in range(160)]
    answers = [f"{text} {'indeed' if n % 2 else 'never'}" for n, text in enumerate(texts)]
    labels = ["right" if n % 2 else "wrong" for n in range(160)]
    rows = checked_rows({"question": questions, "answer": answers}, labels)
    run = check_field_accuracy(rows, FieldAccuracySection(), 0.05)
    assert [finding.field for finding in run.findings] == ["answer"]


@pytest.mark.slow
def test_answers_without_a_shortcut_pass_though_they_come_in_pairs(checked_rows):
    """Which of two answers is right is drawn: at most 3 alarms in 20 sets at 5 %."""
    alarms = 0
    for seed in range(20):
        rng = random.Random(seed)
        answers = random_texts(80, rng)
        questions = [f"Question {number // 2}?" for number in range(80)]
        labels = [label for _ in range(40) for label in rng.sample(["right", "wrong"], 2)]
        rows = checked_rows({"question": questions, "answer": answers}, labels)
        section = FieldAccuracySection(limit=0, fields=("answer",))
        alarms += bool(check_field_accuracy(rows, section, 0.05).findings)
    assert alarms <= 3


def test_a_question_that_all_rows_share_joins_none_of_them(checked_rows, rng):
    """Held together they would be one block, and nothing could be tested."""
    labels = [rng.choice(["yes", "no"]) for _ in range(200)]
    texts = random_texts(200, rng)
    claims = [f"{text} {label * 2}" for text, label in zip(texts, labels, strict=True)]
    rows = checked_rows({"question": ["Is it so?"] * 200, "claim": claims}, labels)
    (finding,) = check_field_accuracy(rows, FieldAccuracySection(), 0.01).findings
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
    assert summaries[1].summary in " ".join(answer.output.split())
