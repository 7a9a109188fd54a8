"""``augkit check`` on choices: what is planted is found, and what is not passes."""

import json
import random

import pytest

from augkit.commands.check.blind_accuracy import blind_accuracy
from augkit.commands.check.choice_features import check_item_features
from augkit.commands.check.choice_rows import load_checked_choices
from augkit.commands.check.contract import AssociationSection, CheckContract
from augkit.commands.check.reports import render_report
from augkit.commands.check.run import check_data
from augkit.core.errors import ConfigError
from augkit.datasets.settings import ReadOptions
from augkit.testing.datasets import check_dataset
from tests.data import random_texts, write_jsonl

NO_MODEL = CheckContract(blind_accuracy=None)


def pairs(size, change=lambda chosen, rejected: (chosen, rejected), seed=0):
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


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A file of pairs in which the winner is always longer."""
    return write_jsonl(tmp_path_factory.mktemp("pairs") / "long.jsonl", pairs(80, longer))


@pytest.fixture(scope="module")
def report(planted):
    """The report on it, shared by the tests that only look at it."""
    return check_data(planted)


def failed(report):
    return {check.name for check in report.checks if check.failed}


@pytest.mark.slow
def test_pairs_without_a_shortcut_pass(tmp_path):
    path = write_jsonl(tmp_path / "pairs.jsonl", pairs(120))
    report = check_data(path)
    assert report.passed
    assert report.about["candidates"] == {"2": 120}


@pytest.mark.slow
def test_a_ruler_is_found_and_named(report):
    checks = {check.name: check for check in report.checks}
    assert {"length", "tokens", "blind_accuracy"} <= failed(report)
    message = checks["length"].findings[0].message
    assert "the winner has more characters in 100.0% of 80 items" in message or (
        "the winner has more words" in message
    )
    assert "by one feature at best 100.0%" in checks["blind_accuracy"].summary
    assert report.where(checks["length"].findings[0])[0].number == 1


def test_every_report_names_the_check_and_the_line(report):
    shown = {name: render_report([report], name) for name in ("text", "json", "junit", "sarif")}
    assert all("the winner has more" in text for text in shown.values())
    assert "line 1" in shown["text"]
    assert "line 1" in shown["junit"]
    assert json.loads(shown["json"])["candidates"] == {"2": 80}
    results = json.loads(shown["sarif"])["runs"][0]["results"]
    region = results[0]["locations"][0]["physicalLocation"].get("region")
    assert region == {"startLine": 1}


def test_a_mark_at_the_end_is_said_in_a_sentence(tmp_path):
    """The message is a sentence: the winner ends with a mark."""
    rows = pairs(80, lambda chosen, rejected: (chosen + "!", rejected + "?"))
    report = check_data(str(write_jsonl(tmp_path / "prefs.jsonl", rows)), NO_MODEL)
    said = [finding.message for check in report.checks for finding in check.findings]
    assert any(message.startswith("the winner ends with !") for message in said), said
    assert any(message.startswith("the winner does not end with ?") for message in said), said


def test_the_prompt_cannot_confound(tmp_path):
    """Long prompts' answers are long in winners and losers alike: nothing to find in lengths."""
    rng = random.Random(3)
    rows = pairs(100)
    for row in rows:
        more = " word" * rng.choice([0, 40])
        row["chosen"] += more
        row["rejected"] += more
    assert "length" not in failed(check_data(write_jsonl(tmp_path / "a.jsonl", rows), NO_MODEL))


@pytest.mark.slow
def test_prompts_and_groups_count_as_one(tmp_path, augkit):
    """Forty pairs of three prompts are too few, whatever they show; a group works alike.

    The group column is named on the command line, in YAML or in Python, of check and shortcuts.
    """
    rows = [{**row, "topic": f"t{n % 3}"} for n, row in enumerate(pairs(40, longer))]
    path = write_jsonl(tmp_path / "topics.jsonl", rows)
    assert "length" in failed(check_data(path, NO_MODEL))
    contract = tmp_path / "contract.yaml"
    contract.write_text("blind_accuracy: false\ngroup_column: topic\n", encoding="utf-8")
    for arguments in (["--contract", contract], ["--group-column", "topic"]):
        shown = augkit("check", path, *arguments)
        assert shown.code == 0, shown.out
        assert "too few prompts or groups to find any: 3" in shown.out
    check_dataset(path, CheckContract(group_column="topic"))
    survey = ("shortcuts", path, "--json")
    assert "has more words" in augkit(*survey).out
    assert json.loads(augkit(*survey, "--group-column", "topic").out)["rows"] == []
    prompts = [{**row, "prompt": row["topic"]} for row in rows]
    assert "length" not in failed(check_data(write_jsonl(path, prompts), NO_MODEL))


def test_what_is_wrong_with_items_is_listed(tmp_path):
    """Equal, empty, repeated and contradicting candidates, and items of the test set, by line."""
    rows = pairs(20)
    rows[3]["rejected"] = rows[3]["chosen"] + " "
    rows[5]["rejected"] = " "
    swapped = {**rows[7], "chosen": rows[7]["rejected"], "rejected": rows[7]["chosen"]}
    test = str(write_jsonl(tmp_path / "test.jsonl", rows[9:11]))
    rows += [rows[6], swapped]
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    report = check_data(path, NO_MODEL.with_options(None, test))
    lines = {
        check.name: [place.number for place in report.where(check.findings[0])]
        for check in report.checks
        if check.findings
    }
    assert lines == {
        "leakage": [10, 11],
        "equal_candidates": [4],
        "empty_candidates": [6],
        "duplicates": [21],
        "conflicting_labels": [8, 22],
    }
    shown = render_report([report], "text")
    assert "2 of 2 test texts are in this dataset" in shown
    assert "items repeat an earlier item" in shown
    assert "items have the candidates of an item with another winner" in shown
    assert "label" not in shown.replace("conflicting_labels", "")


@pytest.mark.slow
def test_a_baseline_accepts_what_is_known(planted, tmp_path, augkit):
    assert augkit("check", planted, "--write-baseline", "known.json").code == 0
    assert augkit("check", planted, "--baseline", "known.json").code == 0
    with pytest.raises(AssertionError, match="the winner has more"):
        check_dataset(planted)


def test_the_place_of_the_winner_is_checked_where_the_data_decides_it(tmp_path):
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
    report = check_data(write_jsonl(tmp_path / "quiz.jsonl", rows), NO_MODEL)
    (place,) = [check for check in report.checks if check.name == "winner_place"]
    assert "the winner is at place 2" in place.findings[0].message
    rng.shuffle(rows)
    even = [{**row, "answer": "ABCD"[n % 4]} for n, row in enumerate(rows)]
    assert check_data(write_jsonl(tmp_path / "even.jsonl", even), NO_MODEL).passed


def test_what_is_allowed_is_not_reported_and_fields_are_checked(planted):
    rows = load_checked_choices(planted, ReadOptions(), None)
    allowed = AssociationSection(allow=("characters", "words", "sentences", "lines"))
    run, _ = check_item_features("length", rows, allowed, 0.05)
    assert not run.findings
    assert run.summary.startswith("0 features")
    with pytest.raises(ConfigError, match="no text field 'premise'"):
        check_item_features("length", rows, AssociationSection(fields=("premise",)), 0.05)


def test_columns_named_by_the_user_are_labelled_rows(tmp_path):
    rows = [{**row, "label": n % 2} for n, row in enumerate(pairs(40))]
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    report = check_data(path, None, ReadOptions(label_column="label", text_columns=("chosen",)))
    assert report.about["labels"] == {"0": 20, "1": 20}


@pytest.mark.slow
def test_blind_accuracy_has_few_alarms_on_relabelled_pairs(tmp_path):
    """Of 30 sets in which the winner is drawn, p is at most 0.1 in 8 at the most (p < 0.01)."""
    alarms = 0
    for seed in range(30):
        rows = pairs(40, seed=seed)
        path = write_jsonl(tmp_path / "drawn.jsonl", rows)
        checked = load_checked_choices(path, ReadOptions(), None)
        alarms += blind_accuracy(checked, range(len(checked))).p <= 0.1
    assert alarms <= 8


def test_a_habit_is_found_in_the_items_that_differ_in_it(tmp_path):
    """Lists in a third of the pairs, three in four of them in the winner: alone it finds few."""
    rows = pairs(300)
    for number, row in enumerate(rows[:100]):
        side = "chosen" if number % 4 else "rejected"
        row[side] = "- " + row[side]
    path = write_jsonl(tmp_path / "lists.jsonl", rows)
    report = check_data(path, NO_MODEL)
    (run,) = [check for check in report.checks if check.name == "format"]
    messages = [finding.message for finding in run.findings]
    assert any("has more list items in 75.0% of 100 items" in message for message in messages)
    loose = NO_MODEL.model_copy(update={"format": AssociationSection(limit=0.6)})
    assert "format" not in failed(check_data(path, loose))


def test_every_rank_of_a_score_counts(tmp_path):
    """The best text never has the most marks, but of two texts the better one mostly has more."""
    rng, rows = random.Random(0), []
    for number in range(40):
        texts = [text.replace("!", ".") for text in random_texts(4, rng)]
        texts = [text + "!" * marks for text, marks in zip(texts, (2, 3, 1, 0), strict=True)]
        rows.append({"prompt": f"P {number}", "completions": texts, "scores": [9, 3, 2, 1]})
    report = check_data(write_jsonl(tmp_path / "scored.jsonl", rows), NO_MODEL)
    assert report.about["candidates"] == {"4": 40}
    (run,) = [check for check in report.checks if check.name == "format"]
    (finding,) = [one for one in run.findings if "more exclamation" in one.message]
    assert "in 83.3% of 240 items" in finding.message
    assert report.where(finding)[0].number == 1
