"""Columns that edits would make untrue are named before the work starts."""

from __future__ import annotations

import json

import pytest

import augkit
from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.find import undeclared_columns

TEXT = "Jane Austen saw a film."
TOKENS = ["Jane", "Austen", "saw", "a", "film."]


def warned(tmp_path, columns, **options):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(columns) + "\n", encoding="utf-8")
    dataset = open_dataset(path, ReadOptions(**options))
    return list(undeclared_columns(next(dataset.blocks()).rows(), dataset.schema))


@pytest.mark.parametrize(
    ("columns", "option"),
    [
        ({"text": TEXT, "ents": [{"start": 0, "end": 4}]}, "--span-column ents"),
        ({"text": TEXT, "ents": {"text": ["film"], "answer_start": [18]}}, "--span-column ents"),
        ({"text": TEXT, "ents": [[0, 4, "PER"]]}, "--span-column ents"),
        ({"text": TEXT, "name": "Jane Austen"}, "--answer-column name"),
        ({"text": TEXT, "names": ["Jane", "film"]}, "--answer-column names"),
        ({"text": TEXT, "toks": TOKENS}, "--text-column toks"),
        ({"tokens": TOKENS, "ner": ["B-P", "I-P", "O", "O", "O"]}, "--span-column ner"),
        ({"tokens": TOKENS, "ner": [1, 2, 0, 0, 0]}, "--span-column ner"),
    ],
)
def test_the_warning_names_the_option(tmp_path, columns, option):
    """Offsets, quotes, tokens and tags of tokens are recognised."""
    (message,) = warned(tmp_path, columns)
    assert message.startswith("Warning: ")
    assert message.endswith(option)


@pytest.mark.parametrize(
    "columns",
    [
        {"text": TEXT, "label": "film", "id": 7, "title": "Emma", "tags": ["novel"]},
        {"text": TEXT, "votes": [3, 4], "meta": {"start": "now"}, "number": "4", "empty": []},
    ],
)
def test_other_columns_are_no_reason_to_warn(tmp_path, columns):
    """The label, numbers, names that do not occur."""
    assert warned(tmp_path, columns) == []


def test_a_declared_column_gives_no_warning(tmp_path):
    """It follows the edits."""
    row = {"text": TEXT, "ents": [[0, 4, "PER"]], "name": "Jane"}
    assert warned(tmp_path, row, span_columns=["ents"], answer_columns=["name"]) == []


def test_a_text_that_stays_gives_no_warning(tmp_path):
    """What quotes a locked text stays true."""
    row = {"premise": TEXT, "hypothesis": "It rains.", "name": "Jane"}
    assert warned(tmp_path, row, edit_columns=["hypothesis"]) == []


def test_a_frame_gives_a_warning_of_python():
    """Not a line on the terminal."""
    double = augkit.as_map(augkit.create("swap"))
    with pytest.warns(UserWarning, match="--answer-column name"):
        double({"text": [TEXT], "name": ["Jane"]})
