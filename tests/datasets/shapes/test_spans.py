"""Spans by offsets, in every way that a column holds them."""

import json

import pytest

import augkit
from augkit.core.errors import DataError

TEXT = "A film by Jane Austen."
ENTITY = {"start": 10, "end": 21, "label": "PER", "id": 7, "text": "Jane Austen"}
SHAPES = {
    "objects": [ENTITY],
    "triples": [[10, 21, "PER"]],
    "other keys": [{"begin": 10, "stop": 21, "type": "PER"}],
    "squad": {"text": ["Jane Austen"], "answer_start": [10]},
    "one answer": {"text": "Jane Austen", "answer_start": 10},
    "lists of a hub dataset": {"start": [10], "end": [21], "label": ["PER"]},
    "json text": json.dumps([ENTITY]),
}


def augmented(value, text=TEXT, **columns):
    """The original and the variant, in which "film" became "motion picture"."""
    step = augkit.create("swap", pairs=[["film", "motion picture"]])
    rows = augkit.as_map(step, span_columns=["spans"], **columns)(
        {"text": [text], "spans": [value]}
    )
    return rows["text"], rows["spans"]


@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_every_way_to_write_a_span_moves_with_its_text(value):
    """The variant's column has the shape of the original, with offsets nine characters later."""
    texts, (kept, moved) = augmented(value)
    assert kept == value
    assert texts[1] == "A motion picture by Jane Austen."
    wanted = json.dumps(value).replace("10", "20").replace("21", "31")
    assert json.dumps(moved) == wanted


def test_a_span_whose_text_changes_says_the_new_text():
    """A replacement in kind inside a span: offsets and the quoted text follow."""
    value = [{"start": 2, "end": 6, "label": "WORK", "text": "film"}]
    _, (_, moved) = augmented(value)
    assert moved == [{"start": 2, "end": 16, "label": "WORK", "text": "motion picture"}]


@pytest.mark.parametrize("value", [None, [], {"text": [], "answer_start": []}, ""])
def test_a_row_without_spans_is_augmented(value):
    """No answer, no entity: nothing to move."""
    rows = {"text": [TEXT, TEXT], "spans": [value, []]}
    step = augkit.create("swap", pairs=[["film", "movie"]])
    made = augkit.as_map(step, span_columns=["spans"])(rows)
    assert made["spans"] == [value, value, [], []]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[10, 40, "PER"]], r"row 2: column 'spans': the span 10-40 is not inside 'text'.*drop it"),
        ([[4, 4, "PER"]], r"the span 4-4 is not inside"),
        ([{"start": 10, "end": 21, "text": "Austen"}], r"has 'Jane Austen' at 10, not 'Austen'"),
        ([{"label": "PER"}], r"has no offsets"),
        ({"text": ["a", "b"], "answer_start": [0]}, r"its lists differ in length"),
        (5, r"expected spans"),
    ],
)
def test_a_wrong_span_is_an_error_with_its_row(value, message):
    step = augkit.as_map(augkit.create("swap"), span_columns=["spans"])
    with pytest.raises(DataError, match=message):
        step({"text": [TEXT, TEXT], "spans": [[[10, 21, "PER"]], value]})


def test_a_wrong_span_in_a_file_names_the_line(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"text": TEXT, "spans": [[10, 21]]}, {"text": "Short.", "spans": [[10, 21]]}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(DataError, match=r"rows.jsonl, line 2: column 'spans': the span 10-21"):
        augkit.load_dataset(path, span_columns=["spans"])


def test_the_text_of_offsets_can_be_named():
    """Offsets of a pair refer to one of its texts."""
    columns = {"text_a": ["A film."], "text_b": [TEXT], "spans": [[[10, 21]]]}
    step = augkit.create("swap", pairs=[["film", "motion picture"]])
    with pytest.raises(DataError, match="which text do the offsets of 'spans' refer to"):
        augkit.as_map(step, span_columns=["spans"])(columns)
    made = augkit.as_map(step, span_columns=["spans=text_b"])(columns)
    assert made["spans"] == [[[10, 21]], [[20, 31]]]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("span", r"no column 'span' \(span_columns\). Did you mean 'spans'"),
        ("text", r"'text' is a text column and cannot be given with span_columns"),
        ("spans=body", r"no text 'body'. Texts: text"),
    ],
)
def test_a_wrong_column_is_an_error(wanted, message):
    step = augkit.as_map(augkit.create("swap"), span_columns=[wanted])
    with pytest.raises(DataError, match=message):
        step({"text": [TEXT], "spans": [[]]})


def test_spans_go_through_a_chain():
    step = augkit.chain(
        augkit.create("swap", pairs=[["film", "motion picture"]]),
        augkit.create("swap", pairs=[["motion", "moving"]]),
    )
    made = augkit.as_map(step, span_columns=["spans"])({"text": [TEXT], "spans": [[[10, 21]]]})
    assert made["text"][1] == "A moving picture by Jane Austen."
    assert made["spans"][1] == [[20, 31]]


def test_a_method_that_replaces_anything_leaves_spans_alone():
    """A function of the user's that rewrites a span is rejected with a reason."""
    shout = augkit.from_callable(lambda text: text.replace("Austen", "Doe"), "rename")
    span = augkit.LabelledSpan("text", 10, 21, "PER")
    (outcome,) = shout.outcomes([augkit.example(TEXT, spans=[span])])
    assert outcome.reason == "span touched"
    assert all(said in outcome.detail for said in ("'Jane Austen' (PER)", "'Jane Doe'"))
