"""What the screen says: shortcuts apart from words of the task, in few lines."""

from __future__ import annotations

import json
from random import Random

import pytest

from augkit.commands.check.contract import CheckContract
from augkit.commands.check.reports import render_report
from augkit.commands.check.run import check_data
from augkit.core.errors import ConfigError
from tests.data import random_texts

GOOD, BAD = ("great", "lovely", "excellent"), ("awful", "terrible", "dreadful")


def reviews(count: int, seed: int = 0) -> list[dict[str, str]]:
    """Made-up reviews whose labels are opinions; a signature closes some of one label."""
    rng = Random(seed)
    rows = []
    for number, text in enumerate(random_texts(count, rng, longest=10)):
        label = "positive" if number % 2 else "negative"
        words = [*text.split(), rng.choice(GOOD if number % 2 else BAD), f"x{number}"]
        rng.shuffle(words)
        rows.append({"text": " ".join(words), "label": label})
    return rows


def signed(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The same with a signature in every tenth row of one label."""
    return [
        {**row, "text": f"{row['text']} -- agent : marta"} if n % 20 == 1 else row
        for n, row in enumerate(rows)
    ]


def lines_of(path, contract=None) -> list[str]:
    """The screen, line by line."""
    return render_report([check_data(path, contract)], "text").splitlines()


def test_all_is_well_in_five_lines(write_rows):
    """Words of opinion are words of the task, and nothing fails."""
    lines = lines_of(write_rows(reviews(800)))
    assert len(lines) == 5
    assert lines[0].endswith("800 rows, 2 labels (negative 50%, positive 50%)")
    assert lines[1].startswith("No likely shortcut (")
    assert "a cue in 20 rows would be seen" in lines[1]
    assert lines[2].startswith("Words of the task: ")
    assert set(lines[2].removeprefix("Words of the task: ").split(", ")) == {*GOOD, *BAD}
    assert lines[3:] == ["Repeated rows: 0. Same text with two labels: 0.", "OK"]


def test_a_signature_is_one_finding_with_its_reason(write_rows):
    """How many rows, how pure, the base, why, and rows that show it; JSON has the same."""
    report = check_data(write_rows(signed(reviews(800))))
    lines = render_report([report], "text").splitlines()
    place = lines.index("FAIL  1 likely shortcut")
    assert lines[place + 1] == "  '-- agent : marta'  positive  40 of 40 rows (5.0%), base 50%"
    assert lines[place + 2].startswith("      always at the same end of the text")
    assert lines[place + 2].endswith("[line 2, 22, 42]")
    assert lines[-1] == "FAILED: 1 cue in 5.0% of the rows"
    record = json.loads(render_report([report], "json"))
    (finding,) = (f for check in record["checks"] for f in check["findings"])
    figures = {name: finding[name] for name in ("label", "n", "of_label", "phrase")}
    phrase = "-- agent : marta"
    assert figures == {"label": "positive", "n": 40, "of_label": 40, "phrase": phrase}
    words = {word["feature"] for word in record["words_of_the_task"]}
    assert words == {*GOOD, *BAD}


def test_a_small_set_is_not_testable_and_never_passes(write_rows):
    """The screen says how many rows of one label would be needed."""
    lines = lines_of(write_rows(reviews(60)))
    assert "Not testable: 60 rows; a cue would need 20 of 20 rows of one label" in lines
    assert lines[-1] == "Nothing failed, but there are too few rows to see a shortcut."


def test_what_is_allowed_passes(write_rows):
    """By the name of the feature that leads a cue, or its phrase; as is a check turned off."""
    path = write_rows(signed(reviews(800)))
    for section in ({"allow": ["-- Agent : Marta"]}, False):
        contract = CheckContract.model_validate({"shortcuts": section})
        assert check_data(path, contract).passed


def test_a_baseline_names_any_feature_of_a_cue(write_rows, tmp_path):
    """What leads a cue may change with the rows: 'marta' or 'agent'."""
    path, known = write_rows(signed(reviews(800))), tmp_path / "known.json"
    check_data(path, write_baseline_to=known)
    contract = CheckContract(no_new_shortcuts=known)
    report = check_data(path, contract)
    assert report.passed
    assert "1 shortcut known in the baseline" in render_report([report], "text")
    record = json.loads(known.read_text("utf-8"))
    record["shortcuts"][0]["feature"] = "token: agent"
    known.write_text(json.dumps(record), encoding="utf-8")
    assert check_data(path, contract).passed


def test_contracts_and_baselines_from_before_have_one_clear_sentence(write_rows, tmp_path):
    """They speak of checks that labelled rows have no more."""
    path, known = write_rows(reviews(100)), tmp_path / "known.json"
    with pytest.raises(ConfigError, match=r"contract: tokens, length: .*one check now"):
        check_data(path, CheckContract.model_validate({"tokens": 0.3, "length": False}))
    entry = {"check": "tokens", "field": "text", "feature": "a", "label": "b", "value": 0.3}
    known.write_text(json.dumps({"version": 1, "shortcuts": [entry]}), encoding="utf-8")
    with pytest.raises(ConfigError, match="written by an earlier augkit"):
        check_data(path, CheckContract(no_new_shortcuts=known))


def test_a_word_of_one_field_alone_does_not_fail_unless_it_is_a_rule(write_rows):
    """Of two fields a field alone decides; a word that is nearly always of one label fails."""
    rng = Random(2)
    rows = []
    for number in range(600):
        label = rng.choice(["yes", "no"])
        claim = f"{random_texts(1, rng)[0]} x{number}"
        weak = "perhaps" if rng.random() < (0.2 if label == "yes" else 0.05) else ""
        rule = "never" if label == "no" and number % 8 == 0 else ""
        text = f"{rng.randint(0, 10**6)} {random_texts(1, rng)[0]}"
        rows.append({"premise": text, "hypothesis": f"{claim} {weak} {rule}", "label": label})
    report = check_data(write_rows(rows), CheckContract(field_accuracy=None))
    (finding,) = (finding for check in report.checks for finding in check.failed)
    assert finding.feature == "token: never"
    assert any(cue.feature.name == "perhaps" for cue in report.found.shortcuts)
    text = render_report([report], "text")
    assert "of one field alone:" in text
    assert "'perhaps'" in text
