"""Rows written in each format are read back as they were."""

import csv
import datetime as dt
import gzip
import json
import sys
import tempfile
from collections import Counter
from decimal import Decimal
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.datasets.load import load_dataset

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)  # NUL included
NO_NUL = "\0" if sys.version_info < (3, 11) else ""  # the csv of Python 3.10 cannot write it
TABLE_TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=NO_NUL), max_size=30
)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), ANY_TEXT)


def rows_of(text):
    label = st.sampled_from(["negative", "positive"])
    return st.lists(st.fixed_dictionaries({"text": text, "label": label}), min_size=1, max_size=20)


def read(name: str, content: bytes):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return load_dataset(path)


@pytest.mark.slow
@given(rows=rows_of(ANY_TEXT), extra=VALUES, ascii_only=st.booleans())
@settings(max_examples=60)
def test_json_lines_keep_every_column(rows, extra, ascii_only):
    rows = [row | {"extra": extra} for row in rows]
    lines = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows)
    for name in ("rows.jsonl", "rows.jsonl.gz"):
        found = read(name, lines.encode())
        assert [example.columns for example in found] == rows
        assert [example.fields["text"] for example in found] == [row["text"] for row in rows]
        assert [example.label for example in found] == [row["label"] for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t"), ("csv.gz", ",")])
@given(rows=rows_of(TABLE_TEXT))
@settings(max_examples=40)
def test_tables_keep_quotes_and_line_breaks(suffix, delimiter, rows):
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "plain")
        with plain.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["text", "label"], delimiter=delimiter, quoting=1)
            writer.writeheader()
            writer.writerows(rows)
        found = read(f"rows.{suffix}", plain.read_bytes())
    assert [dict(example.columns) for example in found] == rows


@pytest.mark.slow
@given(rows=rows_of(TABLE_TEXT), numbers=st.booleans())
@settings(max_examples=25, deadline=None)
def test_parquet_and_memory_agree(rows, numbers):
    if numbers:
        rows = [row | {"label": len(row["label"])} for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(pa.Table.from_pylist(rows), Path(folder, "rows.parquet"))
        from_file = load_dataset(Path(folder, "rows.parquet"))
    in_memory = load_dataset(datasets.Dataset.from_list(rows))
    assert [dict(example.columns) for example in from_file] == rows
    assert [dict(example.columns) for example in in_memory] == rows
    assert Counter(e.label for e in from_file) == Counter(str(row["label"]) for row in rows)


def test_formats_of_one_dataset_give_the_same_ids(tmp_path):
    rows = [{"text": f"film {number}", "label": "positive"} for number in range(5)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    cells = "".join(f"{row['text']},{row['label']}\n" for row in rows)
    (tmp_path / "a.csv").write_text(f"text,label\n{cells}")
    from_lines, from_table = (load_dataset(tmp_path / name) for name in ("a.jsonl", "a.csv"))
    assert [one.id for one in from_lines] == [one.id for one in from_table]
    assert len({one.id for one in from_lines}) == 5


def test_a_mark_at_the_start_crlf_and_blank_lines_are_no_rows(tmp_path):
    """BOM, CRLF, blank lines and a missing last line break change nothing."""
    text = '\ufeff{"text": "one"}\r\n\r\n  \r\n{"text": "two"}'
    (tmp_path / "rows.jsonl").write_bytes(text.encode())
    (tmp_path / "rows.csv").write_bytes("\ufefftext,n\r\none,1\r\n\r\ntwo,2".encode())
    for name in ("rows.jsonl", "rows.csv"):
        found = load_dataset(tmp_path / name)
        assert [example.fields for example in found] == [{"text": "one"}, {"text": "two"}]


def test_a_cell_of_a_megabyte_is_read(tmp_path):
    """Long fields are no fault of the file, in CSV either, whose module reads 128 kB by itself."""
    long = "word " * 200_000
    (tmp_path / "rows.csv").write_text(f"text,label\n{long},a\n")
    (tmp_path / "rows.jsonl").write_text(json.dumps({"text": long}))
    for name in ("rows.csv", "rows.jsonl"):
        assert load_dataset(tmp_path / name)[0].fields["text"] == long


def test_values_that_json_does_not_know_become_text(tmp_path):
    """Dates, decimals and bytes of a parquet file can be written as JSON later."""
    day = dt.date(2024, 1, 31)
    row = {"text": "a", "day": day, "price": Decimal("1.50"), "raw": b"\x01", "tags": [day, None]}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "rows.parquet")
    columns = load_dataset(tmp_path / "rows.parquet")[0].columns
    assert columns == {
        "text": "a",
        "day": "2024-01-31",
        "price": "1.50",
        "raw": "01",
        "tags": ["2024-01-31", None],
    }


def test_label_names_travel_in_memory_and_in_parquet(tmp_path):
    """Integer labels with declared names become names; the input's column keeps its numbers."""
    features = datasets.Features(
        {"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["no", "yes"])}
    )
    rows = {"text": ["a", "b", "c"], "label": [1, 0, -1]}
    dataset = datasets.Dataset.from_dict(rows, features=features)
    dataset.to_parquet(tmp_path / "rows.parquet")
    for found in (load_dataset(dataset), load_dataset(tmp_path / "rows.parquet")):
        assert [example.label for example in found] == ["yes", "no", None]
        assert [example.columns["label"] for example in found] == [1, 0, -1]


def test_a_selection_in_memory_is_read_in_its_order():
    dataset = datasets.Dataset.from_dict({"text": ["a", "b", "c"]}).select([2, 0])
    assert [example.fields["text"] for example in load_dataset(dataset)] == ["c", "a"]
