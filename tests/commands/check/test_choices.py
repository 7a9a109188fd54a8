"""``augkit check`` on choices: what is planted is found, and what is not passes."""

import json
import random

import pytest
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.commands.check.blind_accuracy import blind_accuracy
from augkit.commands.check.choice_features import check_item_features
from augkit.commands.check.choice_rows import load_checked_choices
from augkit.commands.check.contract import AssociationSection, CheckContract, load_contract
from augkit.commands.check.run import check_data
from augkit.commands.shortcut_settings import ShortcutSettings
from augkit.commands.shortcuts import shortcuts
from augkit.core.errors import ConfigError, DataError
from augkit.datasets.settings import ReadOptions
from augkit.testing.datasets import check_dataset

NO_MODEL = CheckContract(blind_accuracy=None)


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pairs(size, random_texts, change=lambda chosen, rejected: (chosen, rejected), seed=0):
    """Pairs of random texts, which ``change`` makes unlike."""
    rng = random.Random(seed)
    texts = random_texts(2 * size, rng)
    rows = []
    for number in range(size):
        chosen, rejected = change(texts[2 * number], texts[2 * number + 1])
        rows.append({"prompt": f"Prompt {number}?", "chosen": chosen, "rejected": rejected})
    return rows


def longer(chosen, rejected):
    return chosen + " and so on and on and on and on and on", rejected


@pytest.fixture
def planted(tmp_path, random_texts):
    return write(tmp_path / "long.jsonl", pairs(80, random_texts, longer))


def failed(report):
    return {check.name for check in report.checks if check.failed}


def test_pairs_without_a_shortcut_pass(tmp_path, random_texts):
    path = write(tmp_path / "pairs.jsonl", pairs(120, random_texts))
    report = check_data(path)
    assert report.passed
    assert report.about["candidates"] == {"2": 120}


def test_a_ruler_is_found_and_named(planted):
    report = check_data(planted)
    checks = {check.name: check for check in report.checks}
    assert {"length", "tokens", "blind_accuracy"} <= failed(report)
    message = checks["length"].findings[0].message
    assert "the winner has more characters in 100.0% of 80 items" in message or (
        "the winner has more words" in message
    )
    assert "by one feature at best 100.0%" in checks["blind_accuracy"].summary
    assert report.where(checks["length"].findings[0])[0].number == 1


def test_a_mark_at_the_end_is_said_in_a_sentence(tmp_path, random_texts):
    """The message is a sentence: the winner ends with a mark."""
    rows = pairs(80, random_texts, lambda chosen, rejected: (chosen + "!", rejected + "?"))
    report = check_data(str(write(tmp_path / "prefs.jsonl", rows)), NO_MODEL)
    said = [finding.message for check in report.checks for finding in check.findings]
    assert any(message.startswith("the winner ends with !") for message in said), said
    assert any(message.startswith("the winner does not end with ?") for message in said), said


def test_the_prompt_cannot_confound(tmp_path, random_texts):
    """Long prompts' answers are long in winners and losers alike: nothing to find in lengths."""
    rng = random.Random(3)
    rows = pairs(100, random_texts)
    for row in rows:
        more = " word" * rng.choice([0, 40])
        row["chosen"] += more
        row["rejected"] += more
    assert "length" not in failed(check_data(write(tmp_path / "a.jsonl", rows), NO_MODEL))


def test_repeated_prompts_count_as_one(tmp_path, random_texts):
    """Forty pairs of three prompts are too few, whatever they show; a group works alike."""
    rows = pairs(40, random_texts, longer)
    for number, row in enumerate(rows):
        row["topic"] = f"topic {number % 3}"
    path = write(tmp_path / "topics.jsonl", rows)
    assert "length" in failed(check_data(path, NO_MODEL))
    grouped = NO_MODEL.model_copy(update={"group_column": "topic"})
    assert "length" not in failed(check_data(path, grouped))
    for row in rows:
        row["prompt"] = row["topic"]
    assert "length" not in failed(check_data(write(path, rows), NO_MODEL))


def test_the_group_column_works_from_the_command_line_yaml_and_python(tmp_path, random_texts):
    rows = [{**row, "topic": "t"} for row in pairs(40, random_texts, longer)]
    path = write(tmp_path / "topics.jsonl", rows)
    contract = tmp_path / "contract.yaml"
    contract.write_text("blind_accuracy: false\ngroup_column: topic\n", encoding="utf-8")
    assert load_contract(contract).group_column == "topic"
    for arguments in (["--contract", str(contract)], ["--group-column", "topic"]):
        answer = CliRunner().invoke(app, ["check", str(path), *arguments])
        assert answer.exit_code == 0, answer.output
        assert "too few prompts or groups to find any: 1" in answer.output
    wrong = CliRunner().invoke(app, ["check", str(path), "--group-column", "topics"])
    assert isinstance(wrong.exception, DataError)
    assert "Did you mean 'topic'" in str(wrong.exception)
    check_dataset(path, CheckContract(group_column="topic"))


@pytest.mark.parametrize("report_format", ["text", "json", "junit", "sarif"])
def test_every_report_names_the_check_and_the_line(planted, report_format):
    arguments = ["check", str(planted), "--format", report_format]
    answer = CliRunner().invoke(app, arguments)
    assert answer.exit_code == 1
    assert "length" in answer.output
    assert "the winner has more" in answer.output
    if report_format == "sarif":
        results = json.loads(answer.output)["runs"][0]["results"]
        region = results[0]["locations"][0]["physicalLocation"].get("region")
        assert region == {"startLine": 1}
    elif report_format == "json":
        assert json.loads(answer.output)["candidates"] == {"2": 80}
    else:
        assert "line 1" in answer.output


def test_a_baseline_accepts_what_is_known(planted, tmp_path):
    baseline = tmp_path / "known.json"
    first = CliRunner().invoke(app, ["check", str(planted), "--write-baseline", str(baseline)])
    assert first.exit_code == 0, first.output
    again = CliRunner().invoke(app, ["check", str(planted), "--baseline", str(baseline)])
    assert again.exit_code == 0
    with pytest.raises(AssertionError, match="the winner has more"):
        check_dataset(planted)


def test_the_place_of_the_winner_is_checked_where_the_data_decides_it(tmp_path, random_texts):
    rng = random.Random(0)
    texts = random_texts(400, rng)
    rows = [
        {
            "question": f"Question {number}?",
            "options": texts[4 * number : 4 * number + 4],
            "answer": "ABCD"[1 if number % 3 else rng.randrange(4)],
        }
        for number in range(100)
    ]
    report = check_data(write(tmp_path / "quiz.jsonl", rows), NO_MODEL)
    (place,) = [check for check in report.checks if check.name == "winner_place"]
    assert "the winner is at place 2" in place.findings[0].message
    rng.shuffle(rows)
    even = [{**row, "answer": "ABCD"[n % 4]} for n, row in enumerate(rows)]
    assert check_data(write(tmp_path / "even.jsonl", even), NO_MODEL).passed


def test_equal_empty_repeated_and_contradicting_items_are_listed(tmp_path, random_texts):
    rows = pairs(20, random_texts)
    rows[3]["rejected"] = rows[3]["chosen"] + " "
    rows[5]["rejected"] = " "
    swapped = {**rows[7], "chosen": rows[7]["rejected"], "rejected": rows[7]["chosen"]}
    rows += [rows[6], swapped]
    report = check_data(write(tmp_path / "rows.jsonl", rows), NO_MODEL)
    lines = {
        check.name: [place.number for place in report.where(check.findings[0])]
        for check in report.checks
        if check.findings
    }
    assert lines == {
        "equal_candidates": [4],
        "empty_candidates": [6],
        "duplicates": [21],
        "conflicting_labels": [8, 22],
    }


def test_test_items_in_the_data_are_leakage(tmp_path, random_texts):
    rows = pairs(20, random_texts)
    test = write(tmp_path / "test.jsonl", rows[4:6])
    path = write(tmp_path / "train.jsonl", rows)
    answer = CliRunner().invoke(app, ["check", str(path), "--test", str(test)])
    assert answer.exit_code == 1
    assert "2 of 2 test texts are in this dataset" in answer.output


def test_what_is_allowed_is_not_reported_and_fields_are_checked(planted):
    rows = load_checked_choices(planted, ReadOptions(), None)
    allowed = AssociationSection(allow=("characters", "words", "sentences", "lines"))
    run, _ = check_item_features("length", rows, allowed, 0.05)
    assert not run.findings
    assert run.summary.startswith("0 features")
    with pytest.raises(ConfigError, match="no text field 'premise'"):
        check_item_features("length", rows, AssociationSection(fields=("premise",)), 0.05)


def test_columns_named_by_the_user_are_labelled_rows(tmp_path, random_texts):
    rows = [{**row, "label": n % 2} for n, row in enumerate(pairs(40, random_texts))]
    path = write(tmp_path / "rows.jsonl", rows)
    report = check_data(path, None, ReadOptions(label_column="label", text_columns=("chosen",)))
    assert report.about["labels"] == {"0": 20, "1": 20}


def test_ties_alone_cannot_be_checked(tmp_path):
    row = {"prompt": "p", "response_a": "x", "response_b": "y", "winner": "tie"}
    with pytest.raises(DataError, match="no row has a winner and a loser"):
        check_data(write(tmp_path / "ties.jsonl", [row] * 3))


def test_blind_accuracy_has_few_alarms_on_relabelled_pairs(tmp_path, random_texts):
    """Of 60 sets in which the winner is drawn, p is at most 0.1 in 13 at the most (p < 0.01)."""
    alarms = 0
    for seed in range(60):
        rows = pairs(40, random_texts, seed=seed)
        path = write(tmp_path / "drawn.jsonl", rows)
        checked = load_checked_choices(path, ReadOptions(), None)
        alarms += blind_accuracy(checked, range(len(checked))).p <= 0.1
    assert alarms <= 13


def test_a_habit_is_found_in_the_items_that_differ_in_it(tmp_path, random_texts):
    """Lists in a third of the pairs, three in four of them in the winner: alone it finds few."""
    rows = pairs(300, random_texts)
    for number, row in enumerate(rows[:100]):
        side = "chosen" if number % 4 else "rejected"
        row[side] = "- " + row[side]
    path = write(tmp_path / "lists.jsonl", rows)
    report = check_data(path, NO_MODEL)
    (run,) = [check for check in report.checks if check.name == "format"]
    messages = [finding.message for finding in run.findings]
    assert any("has more list items in 75.0% of 100 items" in message for message in messages)
    loose = NO_MODEL.model_copy(update={"format": AssociationSection(limit=0.6)})
    assert "format" not in failed(check_data(path, loose))


def test_every_rank_of_a_score_counts(tmp_path, random_texts):
    """The best text never has the most marks, but of two texts the better one mostly has more."""
    rng, rows = random.Random(0), []
    for number in range(40):
        texts = [text.replace("!", ".") for text in random_texts(4, rng)]
        texts = [text + "!" * marks for text, marks in zip(texts, (2, 3, 1, 0), strict=True)]
        rows.append({"prompt": f"P {number}", "completions": texts, "scores": [9, 3, 2, 1]})
    report = check_data(write(tmp_path / "scored.jsonl", rows), NO_MODEL)
    assert report.about["candidates"] == {"4": 40}
    (run,) = [check for check in report.checks if check.name == "format"]
    (finding,) = [one for one in run.findings if "more exclamation" in one.message]
    assert "in 83.3% of 240 items" in finding.message
    assert report.where(finding)[0].number == 1


def test_items_are_called_items(tmp_path, random_texts):
    rows = pairs(20, random_texts)
    rows += [rows[0], {**rows[1], "chosen": rows[1]["rejected"], "rejected": rows[1]["chosen"]}]
    answer = CliRunner().invoke(app, ["check", str(write(tmp_path / "a.jsonl", rows))])
    assert "items repeat an earlier item" in answer.output
    assert "items have the candidates of an item with another winner" in answer.output
    assert "label" not in answer.output.replace("conflicting_labels", "")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"answer": 4}, "line 2: the winner '4' is none of the 2 candidates"),
        ({"options": ["yes"]}, "line 2: a choice needs two candidates, and there is 1"),
        ({"options": "yes"}, "line 2: options is not a list of texts"),
    ],
)
def test_a_row_that_holds_no_choice_is_an_error_with_its_line(tmp_path, changed, message):
    row = {"question": "q", "options": ["yes", "no"], "answer": 1}
    path = write(tmp_path / "bad.jsonl", [row, {**row, **changed}])
    answer = CliRunner().invoke(app, ["check", str(path)])
    assert answer.exit_code != 0
    assert message in str(answer.exception)


def test_shortcuts_take_a_group_column(tmp_path, random_texts):
    rows = [{**row, "topic": "t"} for row in pairs(40, random_texts, longer)]
    path = write(tmp_path / "topics.jsonl", rows)
    arguments = ["shortcuts", "--dataset", str(path), "--json", "--group-column", "topic"]
    alone = CliRunner().invoke(app, arguments[:4])
    assert "has more words" in alone.output
    grouped = CliRunner().invoke(app, arguments)
    assert grouped.exit_code == 0, grouped.output
    assert "has more words" not in grouped.output
    settings = ShortcutSettings(dataset=str(path), group_column="topic")
    assert not shortcuts(settings).rows
    wrong = CliRunner().invoke(app, ["shortcuts", "--dataset", "reviews-demo", *arguments[4:]])
    assert "--group-column goes with choices" in str(wrong.exception)


def test_shortcuts_compare_no_two_files_of_choices(tmp_path, random_texts):
    path = str(write(tmp_path / "a.jsonl", pairs(20, random_texts)))
    answer = CliRunner().invoke(app, ["shortcuts", "--dataset", path, "--against", path])
    assert "--against compares labelled rows" in str(answer.exception)
