"""Columns that edits would make untrue are named before the work starts."""

import json

import pytest

import augkit
from augkit.core.errors import DataError
from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.find import guarded_schema

TEXT = "Jane Austen saw a film."
TOKENS = ["Jane", "Austen", "saw", "a", "film."]


def warned(tmp_path, columns, **options):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(columns) + "\n", encoding="utf-8")
    dataset = open_dataset(path, ReadOptions(**options))
    return guarded_schema("rows", next(dataset.blocks()).rows(), dataset.schema)[1]


@pytest.mark.parametrize(("column", "place"), [("answer_start", 18), ("end", "22")])
def test_a_number_that_is_the_place_of_another_column_is_refused(tmp_path, column, place):
    """Where an answer begins, or ends, in a text that edits would make longer or shorter."""
    row = {"question": "What?", "context": TEXT, "answer": "film", column: place}
    with pytest.raises(DataError, match=f"'{column}' looks like the place of 'answer' in 'context"):
        warned(tmp_path, row)
    assert warned(tmp_path, row, edit_columns=["question"]) == []
    for other in (2, "9" * 5000):
        another = row | {column: other}
        assert not any(column in warning for warning in warned(tmp_path, another))


@pytest.mark.parametrize(
    ("columns", "option"),
    [
        ({"text": TEXT, "ents": [{"start": 0, "end": 4}]}, "--span-column ents"),
        ({"text": TEXT, "ents": {"text": ["film"], "answer_start": [18]}}, "--span-column ents"),
        ({"text": TEXT, "ents": [[0, 4, "PER"]]}, "--span-column ents"),
        ({"text": TEXT, "toks": TOKENS}, "--text-column toks"),
        ({"tokens": TOKENS, "ner": ["B-P", "I-P", "O", "O", "O"]}, "--span-column ner"),
        ({"tokens": TOKENS, "ner": [1, 2, 0, 0, 0]}, "--span-column ner"),
        ({"tokens": TOKENS, "ner": ["B-P", "O", "O", "O", "O", "O"]}, "--span-column ner"),
        ({"text": TEXT, "ner": ["B-P", "I-P", "O", "O", "O"]}, "--span-column ner"),
    ],
)
def test_the_error_names_the_option(tmp_path, columns, option):
    """Offsets, tokens and tags of tokens are recognised, and refused."""
    with pytest.raises(DataError, match=f"{option}, or remove the column"):
        warned(tmp_path, columns)


@pytest.mark.parametrize("quote", ["Jane Austen", ["Jane", "film"]])
def test_what_another_column_quotes_does_not_change(tmp_path, quote):
    """The warning names the option; without it variants that change a quote are rejected."""
    (message,) = warned(tmp_path, {"text": TEXT, "name": quote})
    assert message.startswith("Warning: ")
    assert message.endswith("--answer-column name")
    rows = [{"text": TEXT, "name": quote}, {"text": "A film by Emma.", "name": "Emma"}]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pairs = {"pairs": [["Jane", "Joan"], ["Emma", "Ella"], ["film", "movie"]]}
    out = augkit.augment_dataset(path, "swap", tmp_path / "out", options=pairs)
    lines = (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["reason"] for line in lines] == ["span touched"] * 2


def test_one_row_with_a_tag_too_many_does_not_hide_the_tags(write_rows):
    """Numbers beside the tokens of nearly all rows are tags."""
    rows = [{"tokens": TOKENS, "ner": [1, 2, 0, 0, 0]}] * 9 + [{"tokens": TOKENS, "ner": [0] * 6}]
    with pytest.raises(DataError, match=r"add span_columns=\['ner'\]"):
        augkit.augment_dataset(write_rows(rows), "swap")


def test_tokens_that_stay_may_have_tags(tmp_path):
    """Tags of a locked text stay true, and so do values beside the options of a question."""
    row = {"tokens": TOKENS, "ner": ["O"] * 5, "question": "Who saw it?"}
    texts = ["tokens", "question"]
    assert warned(tmp_path, row, text_columns=texts, edit_columns=["question"]) == []
    options = {"question": "Who saw it?", "options": ["Jane.", "Emma."], "scores": [1, 0]}
    assert warned(tmp_path, options, text_columns=["question", "options"]) == []


@pytest.mark.parametrize(
    "columns",
    [
        {"text": TEXT, "label": "film", "id": 7, "title": "Emma", "tags": ["novel"]},
        {"text": TEXT, "votes": [3, 4], "meta": {"start": "now"}, "number": "4", "empty": []},
    ],
)
def test_other_columns_are_no_reason_to_warn(tmp_path, columns):
    assert warned(tmp_path, columns) == []


def test_a_declared_column_gives_no_warning(tmp_path):
    row = {"text": TEXT, "ents": [[0, 4, "PER"]], "name": "Jane"}
    assert warned(tmp_path, row, span_columns=["ents"], answer_columns=["name"]) == []


def test_a_text_that_stays_gives_no_warning(tmp_path):
    row = {"premise": TEXT, "hypothesis": "It rains.", "name": "Jane"}
    assert warned(tmp_path, row, edit_columns=["hypothesis"]) == []


def test_a_frame_gives_a_warning_of_python():
    """Not a line on the terminal."""
    double = augkit.as_map(augkit.create("swap"))
    with pytest.warns(UserWarning, match=r"answer_columns=\['name'\]"):
        double({"text": [TEXT], "name": ["Jane"]})
