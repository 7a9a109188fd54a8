import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from augkit.commands.check.contract import CheckContract
from augkit.commands.check.reports import render_report
from augkit.commands.check.run import check_data

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8"))


@pytest.fixture
def reports(tmp_path, write_rows, monkeypatch):
    """A file that passes, and one with bad characters that fails in several ways."""
    monkeypatch.chdir(tmp_path)
    texts = [f"text number {number}" for number in range(60)]
    good = write_rows([{"text": t, "label": "xy"[n % 2]} for n, t in enumerate(texts)], "a.jsonl")
    rows = [
        {"text": f"{t} z\x00ppelin\x1b" if n % 2 else t, "label": "xy"[n % 2]}
        for n, t in enumerate(texts)
    ]
    bad = write_rows([*rows, *rows[:20]], "b c.jsonl")
    contract = CheckContract.model_validate({"forbidden_words": {"words": ["number 7"]}})
    return [check_data(good), check_data(bad, contract)]


def test_sarif_follows_its_schema(reports):
    """Rules, results, lines and addresses are as the standard has them."""
    log = json.loads(render_report(reports, "sarif"))
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert {"shortcuts", "duplicates", "forbidden_words"} <= {
        one["ruleId"] for one in run["results"]
    }
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "b%20c.jsonl"
    (word,) = (one for one in run["results"] if one["ruleId"] == "forbidden_words")
    assert word["locations"][0]["physicalLocation"]["region"] == {"startLine": 8}
    marks = [one["partialFingerprints"]["augkitFinding/v1"] for one in run["results"]]
    assert len(marks) == len(set(marks))


def test_junit_can_be_parsed(reports):
    """A suite for each dataset, a case for each check, a failure with its rows."""
    root = ET.fromstring(render_report(reports, "junit"))
    good, bad = root.findall("testsuite")
    assert (good.get("failures"), len(good.findall("testcase"))) == ("0", 4)
    skipped = good.findall("testcase[skipped]")
    names = ["shortcuts", "field_accuracy"]
    assert (good.get("skipped"), [one.get("name") for one in skipped]) == ("2", names)
    failed = {case.get("name"): case.find("failure") for case in bad.findall("testcase")}
    failed = {name: failure for name, failure in failed.items() if failure is not None}
    assert len(failed) == int(bad.get("failures"))
    assert "line 8" in failed["forbidden_words"].text


def test_json_and_text(reports):
    """JSON has all that a program needs; text has the same findings."""
    record = json.loads(render_report(reports, "json"))
    assert [one["passed"] for one in record["results"]] == [True, False]
    assert json.loads(render_report(reports[:1], "json"))["rows"] == 60
    text = render_report(reports, "text")
    assert "Not testable: 60 rows; a cue would need 20 of 20 rows of one label\n" in text
    assert "Nothing failed, but there are too few rows to see a shortcut." in text
    assert "passed" not in text
    assert [one["testable"] for one in record["results"]] == [False, True]
    assert " likely shortcut" in text
    assert "\x1b" not in text
