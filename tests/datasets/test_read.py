import json

import pytest

from augkit.core.types import example_id
from augkit.datasets.load import load_dataset


def load(tmp_path, *rows, **options):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return load_dataset(path, **options)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (5, "text is not text: number"),
        (True, "text is not text: true or false"),
        (["a"], "text is not text: list"),
        ({"a": 1}, "text is not text: object"),
        (None, "text is missing"),
    ],
)
def test_a_row_without_text_is_a_fault_of_the_row(tmp_path, value, fault):
    bad, good = load(tmp_path, {"text": value}, {"text": "fine"})
    assert (bad.fault, good.fault) == (fault, "")
    assert bad.columns == {"text": value}


def test_a_row_without_the_column_is_a_fault_of_the_row(tmp_path):
    good, bad = load(tmp_path, {"text": "fine"}, {"note": "x"})
    assert (good.fault, bad.fault, bad.label) == ("", "text is missing", None)


def test_empty_texts_are_left_to_the_augmenter(tmp_path):
    """An empty text is a text; whether it can be augmented is judged later."""
    (found,) = load(tmp_path, {"text": ""})
    assert (found.fields, found.fault) == ({"text": ""}, "")


def test_the_number_five_is_no_repeat_of_the_text_five(tmp_path):
    """A faulty row never changes the id of a sound one."""
    sound = load(tmp_path, {"text": "5"})[0]
    assert sound in load(tmp_path, {"text": 5}, {"text": "5"})
    assert sound.id == example_id({"text": "5"}, None, "", 0)


@pytest.mark.parametrize(
    ("row", "fields"),
    [
        ({"review": "a"}, {"text": "a"}),
        ({"content": "a", "title": "t"}, {"text": "a"}),
        ({"premise": "a", "hypothesis": "b"}, {"premise": "a", "hypothesis": "b"}),
        ({"evidence": "a", "claim": "b"}, {"evidence": "a", "claim": "b"}),
        ({"text_a": "a", "text_b": "b"}, {"text_a": "a", "text_b": "b"}),
        ({"question": "a", "sentence": "b"}, {"question": "a", "sentence": "b"}),
        ({"question1": "a", "question2": "b"}, {"question1": "a", "question2": "b"}),
        ({"sentence1": "a", "sentence2": "b"}, {"sentence1": "a", "sentence2": "b"}),
    ],
)
def test_columns_tell_single_texts_from_pairs(tmp_path, row, fields):
    """A single text is the field ``text``; a pair keeps the names of its columns."""
    assert load(tmp_path, row)[0].fields == fields


def test_the_user_s_word_goes_before_the_names(tmp_path):
    """Flags choose the columns whatever they are called."""
    row = {"text": "a", "title": "b", "label": "x", "stars": 4}
    found = load(tmp_path, row, text_columns=["title"], label_column="stars")[0]
    assert (found.fields, found.label) == ({"text": "b"}, "4")
    pair = load(tmp_path, row, text_columns=["title", "text"])[0]
    assert pair.fields == {"title": "b", "text": "a"}


@pytest.mark.parametrize(
    ("raw", "label"),
    [("a", "a"), (1, "1"), (2.5, "2.5"), (True, "true"), (None, None), ("", None), ([1], "[1]")],
)
def test_labels_become_text(tmp_path, raw, label):
    assert load(tmp_path, {"text": "t", "label": raw})[0].label == label


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.csv", b"text;label\nA film, long.;x\nFine.;y\n"),
        (
            "rows.json",
            b' [{"text": "A film, long.", "label": "x"},\n{"text": "Fine.", "label": "y"}]',
        ),
        (
            "rows.jsonl",
            b'\xef\xbb\xbf[{"text":"A film, long.","label":"x"},{"text":"Fine.","label":"y"}]',
        ),
    ],
)
def test_semicolons_and_arrays_are_read(tmp_path, name, content):
    """A table with semicolons, as spreadsheets write it, and a JSON array of objects."""
    path = tmp_path / name
    path.write_bytes(content)
    rows = load_dataset(path)
    assert [(row.fields["text"], row.label) for row in rows] == [
        ("A film, long.", "x"),
        ("Fine.", "y"),
    ]
