"""What commands say about columns: those they read, those they do not, those that fit better."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import augkit
from augkit.commands.check.reports import text_report
from augkit.commands.check.run import check_data
from augkit.core.errors import AugkitError, ConfigError, DataError
from augkit.datasets.likely_columns import likely_columns
from augkit.datasets.settings import ReadOptions

ANSWERS = [
    {
        "question": f"How many are in box {n}?",
        "context": f"There are {n} in the box.",
        "answer": str(n),
        "label": ("right", "wrong")[n % 2],
    }
    for n in range(60)
]
TOKENS = [{"tokens": ["Jane", "saw", str(n)], "tags": ["B-PER", "O", "O"]} for n in range(60)]
NOTES = [{"id": n, "note": f"it was number {n}", "kind": n % 2} for n in range(50)]


def test_check_says_which_columns_it_read(write_rows):
    """A column that gives the label away and is not read would be missed silently."""
    lines = text_report([check_data(str(write_rows(ANSWERS, "qa.jsonl")))]).splitlines()
    assert lines[1].strip() == "text: question, context; label: 'label'; not read: answer"


def test_rows_without_a_text_are_left_out(write_rows):
    """Empty texts are no repeated rows and no conflicting labels."""
    rows = [{"text": f"Text {n}.", "label": str(n % 2)} for n in range(40)]
    rows += [{"text": " ", "label": str(n % 2)} for n in range(10)]
    report = check_data(str(write_rows(rows, "rows.jsonl")))
    assert (report.about["rows"], report.about["left_out"]) == (40, 10)
    failed = {check.name for check in report.checks if check.failed}
    assert not failed & {"duplicates", "conflicting_labels"}


def test_tags_of_tokens_are_no_label(write_rows):
    """The error names the options that keep them true."""
    path = str(write_rows(TOKENS, "ner.jsonl"))
    with pytest.raises(DataError, match="--text-column tokens --span-column tags"):
        check_data(path, None, ReadOptions(label_column="tags"))
    with pytest.raises(DataError, match=r"text_columns=\['tokens'\], span_columns=\['tags'\]"):
        augkit.check(path, label_column="tags")
    assert likely_columns(TOKENS) == []


def test_columns_that_probably_fit_are_suggested(write_rows):
    """By check as by fix and split."""
    path = str(write_rows(NOTES, "notes.jsonl"))
    flags = "Perhaps: --text-column note --label-column kind"
    with pytest.raises(DataError, match=flags):
        check_data(path)
    with pytest.raises(DataError, match=r"Perhaps: text_columns=\[.note.\], label_column=.kind."):
        augkit.check(path)


def test_one_name_stands_for_a_list_of_one(write_rows):
    """In Python and in YAML; a list that is written with commas stays one."""
    path = str(write_rows(NOTES, "notes.jsonl"))
    (row, *_) = augkit.load_dataset(path, text_columns="note", label_column="kind")
    assert row.fields == {"text": "it was number 0"}


def test_shortcuts_of_a_data_frame_are_those_of_its_file(write_rows):
    """As check, split and fix, it takes a dataset in memory."""
    rows = [
        {"text": f"Text {n} {'good' if n % 2 else 'bad'}.", "label": str(n % 2)} for n in range(60)
    ]
    of_frame = augkit.shortcuts(pd.DataFrame(rows))
    assert of_frame.rows == augkit.shortcuts(str(write_rows(rows, "rows.jsonl"))).rows
    assert of_frame.rows[0]["feature"] in {"good", "bad"}


def test_an_audit_of_a_judge_prints_in_python(write_rows, tmp_path):
    """And its page is written."""
    rows = [
        {
            "prompt": f"Question {n}?",
            "response_a": f"Answer {n}.",
            "response_b": f"A much longer answer {n}.",
            "winner": "ab"[n % 3 == 0],
            "judge": "j",
        }
        for n in range(40)
    ]
    result = augkit.audit(judge=str(write_rows(rows, "v.jsonl")), out=tmp_path / "audit")
    assert "first" in str(result)
    assert (tmp_path / "audit" / "report.html").is_file()


def test_a_data_file_is_no_template_of_an_audit(write_rows):
    """The error names the options that take such files."""
    path = write_rows(NOTES, "verdicts.jsonl")
    with pytest.raises(ConfigError, match=r"audit\(judge=.*verdicts.jsonl"):
        augkit.audit(path)


def test_what_is_no_text_is_a_clear_error():
    """Of ``augment``."""
    with pytest.raises(TypeError, match="a text or a list of texts, not int"):
        augkit.create("swap").augment(5)


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    """By ``augkit report``; a folder of fix has its page already."""
    from augkit.commands.report_page import write_page

    with pytest.raises(AugkitError, match="there is no such folder"):
        write_page(tmp_path / "nothing")
    (tmp_path / "fix.json").write_text(json.dumps({}), encoding="utf-8")
    (tmp_path / "report.html").write_text("<p>", encoding="utf-8")
    assert write_page(tmp_path) == tmp_path / "report.html"
