"""What functions of Python make of columns and of data in memory, beside the commands."""

from __future__ import annotations

import pandas as pd

import augkit
from augkit.commands.check.reports import text_report
from augkit.commands.report_page import write_page
from tests.data import numbered, verdicts


def test_check_says_which_columns_it_read(write_rows):
    """A column that gives the label away and is not read would be missed silently."""
    columns = {"question": "How many are in box {n}?", "context": "There are {n}.", "answer": "{n}"}
    rows = [dict(list(row.items())[1:]) for row in numbered(60, **columns)]
    lines = text_report([augkit.check(str(write_rows(rows)))]).splitlines()
    assert lines[1] == "Read: question, context and the label 'label'; not read: answer"


def test_one_name_stands_for_a_list_of_one(write_rows):
    """In Python and in YAML; a list that is written with commas stays one."""
    path = str(write_rows(numbered(4, note="it was number {n}")))
    (row, *_) = augkit.load_dataset(path, text_columns="note", label_column="label")
    assert row.fields == {"text": "it was number 0"}


def test_shortcuts_of_a_data_frame_are_those_of_its_file(write_rows):
    """As check, split and fix, it takes a dataset in memory."""
    rows = [{**row, "text": f"{row['text']} It is {row['label']}."} for row in numbered(60)]
    of_frame = augkit.shortcuts(pd.DataFrame(rows))
    assert of_frame.rows == augkit.shortcuts(str(write_rows(rows, "rows.jsonl"))).rows
    assert of_frame.rows[0]["feature"].split()[-1] in {"x", "y"}


def test_an_audit_of_a_judge_prints_in_python(write_rows, tmp_path):
    """And its page is written."""
    path = str(write_rows(verdicts(40), "v.jsonl"))
    assert "first" in str(augkit.audit(judge=path, out=tmp_path / "audit"))
    assert (tmp_path / "audit" / "report.html").is_file()


def test_a_folder_of_fix_has_its_page_already(tmp_path):
    """``augkit report`` makes no other."""
    (tmp_path / "fix.json").write_text("{}", encoding="utf-8")
    (tmp_path / "report.html").write_text("<p>", encoding="utf-8")
    assert write_page(tmp_path) == tmp_path / "report.html"
