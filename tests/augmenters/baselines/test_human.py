"""Human counterfactuals: revisions joined from a file by a key."""

import csv

import pytest

from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example

FILM = example("A fine film.", "positive", columns={"pair_id": "a"})


def test_a_row_gets_the_revision_of_its_key(write_rows):
    """The revision brings its own label, and the contract says that it is another one."""
    file = write_rows([{"text": "A dull film.", "label": "negative", "pair_id": "a"}])
    (pair,) = create("human", file=file)([FILM])
    assert (pair.variant.fields["text"], pair.variant.label) == ("A dull film.", "negative")
    assert pair.provenance.contract == "flipped"
    assert [edit.before for edit in pair.provenance.edits] == ["fine"]


def test_several_revisions_come_in_the_order_of_the_file(write_rows):
    """``copies`` is the most of them."""
    rows = [
        {"text": f"Film {n}.", "label": label, "pair_id": "a"}
        for n, label in enumerate(["positive", "negative", "positive"])
    ]
    pairs = list(create("human", file=write_rows(rows), copies=2)([FILM]))
    assert [pair.variant.fields["text"] for pair in pairs] == ["Film 0.", "Film 1."]
    assert [pair.provenance.contract for pair in pairs] == ["kept", "flipped"]


def test_keys_are_compared_as_text_in_any_kind_of_file(tmp_path):
    """A number in the dataset finds the same number in a CSV file."""
    path = tmp_path / "revised.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text", "label", "n"], ["Dull.", "negative", 7]])
    row = example("Fine.", "positive", columns={"n": 7})
    assert [pair.variant.label for pair in create("human", file=path, key="n")([row])] == [
        "negative"
    ]


def test_the_fields_of_a_pair_are_matched_by_name_or_by_order(write_rows):
    parent = example(
        {"premise": "A man sleeps.", "hypothesis": "He rests."},
        "entailment",
        columns={"pair_id": "p"},
    )
    named = {"hypothesis": "He runs.", "premise": "A man sleeps.", "label": "contradiction"}
    other = {"text_a": "A man runs.", "text_b": "He rests.", "label": "contradiction"}
    for number, row in enumerate((named, other)):
        file = write_rows([{**row, "pair_id": "p"}], f"{number}.jsonl")
        (pair,) = create("human", file=file)([parent])
        assert list(pair.variant.fields) == ["premise", "hypothesis"]
        assert "run" in "".join(pair.variant.fields.values())


@pytest.mark.parametrize(
    ("columns", "reason"), [({}, "no key"), ({"pair_id": "z"}, "no revision in the file")]
)
def test_a_row_without_a_counterpart_is_refused(write_rows, columns, reason):
    file = write_rows([{"text": "Dull.", "label": "negative", "pair_id": "a"}])
    (rejection,) = create("human", file=file).outcomes([example("Fine.", columns=columns)])
    assert rejection.reason == reason


def test_a_pair_is_not_joined_to_a_single_text(write_rows):
    file = write_rows([{"text": "Dull.", "label": "negative", "pair_id": "p"}])
    parent = example({"premise": "A.", "hypothesis": "B."}, "neutral", columns={"pair_id": "p"})
    (rejection,) = create("human", file=file).outcomes([parent])
    assert rejection.reason == "other fields"
    assert "premise, hypothesis" in rejection.detail


def test_a_missing_file_or_key_is_an_error_before_any_row(tmp_path, write_rows):
    with pytest.raises(ConfigError, match="file: is missing"):
        create("human")
    with pytest.raises(DataError, match=r"none\.jsonl"):
        create("human", file=tmp_path / "none.jsonl")
    with pytest.raises(DataError, match="no row has a value in the column 'pair_id'"):
        create("human", file=write_rows([{"text": "Dull.", "label": "negative"}]))
