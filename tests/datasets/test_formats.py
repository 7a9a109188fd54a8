"""What spreadsheets and other programs write is read, or refused where a guess is not safe."""

import datetime as dt
import gzip
import json
import logging
import sys
from decimal import Decimal

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augkit.core.errors import DataError, MissingExtra
from augkit.datasets.choices.load import load_choices
from augkit.datasets.load import load_dataset, load_examples

ROWS = [('A film, long; slow.\nStill "good".', "pos"), ("Dull\tindeed.", "neg")]

# --- tables of text --------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", [",.csv", ";.csv", "\t.csv", "\t.tsv", ";.csv.gz"])
def test_a_fully_quoted_table_is_read(tmp_path, name, start, end):
    """As Excel writes it: semicolons in Europe, a byte-order mark, and line breaks in cells."""
    lines = []
    for cells in [(" Text", "LABEL "), *ROWS]:
        quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
        lines.append(name[0].join(quoted))
    content = start + (end.join(lines) + end).encode()
    path = tmp_path / f"rows{name[1:]}"
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert [(row.fields["text"], row.label) for row in load_dataset(path)] == ROWS
    assert list(load_dataset(path)[0].columns) == ["Text", "LABEL"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("text;label\na, b;c\n", {"text": "a, b"}),
        ("text\tlabel\na, b; c\td\n", {"text": "a, b; c"}),
        ("text,label\na;b,c\n", {"text": "a;b"}),
        ('"text";"note, long"\n"a";"b"\n', {"text": "a"}),
        ('text,"a;b"\nc,d\n', {"text": "c"}),
        # The second row has two cells with semicolons alone.
        ("text;note, long\na;b\n", {"text": "a"}),
        ("text\na\n", {"text": "a"}),
    ],
)
def test_the_first_rows_show_what_separates_the_cells(tmp_path, text, fields):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    assert load_dataset(path)[0].fields == fields


def test_a_semicolon_that_cannot_be_read_is_told_as_one(tmp_path):
    """The error is that of the second row, and not that commas do not fit."""
    path = tmp_path / "rows.csv"
    path.write_text('"text";"label"\n"a";"b";"c"\n')
    with pytest.raises(DataError, match="line 2: expected 2 columns as in the first row, found 3"):
        load_examples(path)


@pytest.mark.parametrize(
    ("columns", "fields", "label"),
    [
        (["Text", "Label"], {"text": "0"}, "1"),
        (["SENTENCE", "Sentiment"], {"text": "0"}, "1"),
        (["Premise", "HYPOTHESIS", "Gold_Label"], {"premise": "0", "hypothesis": "1"}, "2"),
        (["Question", "Answer", "Class"], {"question": "0", "answer": "1"}, "2"),
        # A name with the usual letters goes before those with other ones.
        (["Text", "text", "Label", "class"], {"text": "1"}, "3"),
        (["Text", "text", "Note"], {"text": "1"}, None),
    ],
)
def test_names_of_columns_are_guessed_in_any_case(tmp_path, columns, fields, label):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({name: str(place) for place, name in enumerate(columns)}))
    (row,) = load_dataset(path)
    assert (row.fields, row.label) == (fields, label)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (["Text", "TEXT"], "Could not guess the text column.*--text-column NAME"),
        (["Text", "Review"], "It could be Text or Review. Choose one: --text-column Text"),
        (
            ["text", "Label", "LABEL"],
            "It could be Label or LABEL. Choose one: --label-column Label",
        ),
    ],
)
def test_two_columns_that_fit_are_named(tmp_path, columns, words):
    path = tmp_path / "rows.csv"
    path.write_text(",".join(columns) + "\n" + ",".join("x" for _ in columns))
    with pytest.raises(DataError, match=words):
        load_examples(path)


# --- workbooks -------------------------------------------------------------------------------


def workbook(path, *sheets):
    """Write a workbook with these sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Sheet {number}")
        for cells in rows:
            sheet.append(cells)
    book.save(path)


def test_a_workbook_is_read_as_its_csv_would_be(tmp_path):
    """Numbers are texts, what is empty is an empty text, and empty rows are none."""
    path = tmp_path / "rows.xlsx"
    cells = [
        (5, "5"),
        (5.0, "5"),
        (0.1 + 0.2, "0.3"),
        (True, "TRUE"),
        (None, ""),
        (dt.datetime.fromisoformat("2024-05-01"), "2024-05-01"),
        (dt.datetime.fromisoformat("2024-05-01 10:30"), "2024-05-01 10:30:00"),
        ("007", "007"),
        (" #N/A", " #N/A"),
    ]
    rows = [(f"text {place}", "a", value) for place, (value, _) in enumerate(cells)]
    workbook(path, [(" Text ", "label", "note", None), (), *rows[:4], (None, ""), *rows[4:]])
    found = load_dataset(path)
    assert [row.fields["text"] for row in found] == [text for text, *_ in rows]
    assert [row.columns["note"] for row in found] == [written for _, written in cells]
    assert list(found[0].columns) == ["Text", "label", "note"]


def test_numbers_are_labels_of_a_workbook(tmp_path):
    path = tmp_path / "rows.xlsx"
    workbook(path, [("text", "label"), ("a", 1), ("b", 0.0), ("c", 2.5)])
    assert [row.label for row in load_dataset(path)] == ["1", "0", "2.5"]


def test_the_value_of_a_formula_is_read(tmp_path):
    """Excel stores it; what only writes formulas has none, and the cell is empty."""
    path = tmp_path / "rows.xlsx"
    workbook(path, [("text", "label"), ("a", "=1+1")])
    assert load_dataset(path)[0].columns["label"] == ""
    part = "xl/worksheets/sheet1.xml"
    rewrite_part(
        path, part, lambda xml: xml.replace(b"<v />", b"<v>2</v>").replace(b"<v/>", b"<v>2</v>")
    )
    assert load_dataset(path)[0].label == "2"


def rewrite_part(path, name, change):
    """Change a part of a workbook."""
    from zipfile import ZipFile

    with ZipFile(path) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    parts[name] = change(parts[name])
    with ZipFile(path, "w") as archive:
        for part, content in parts.items():
            archive.writestr(part, content)


def test_the_first_of_several_sheets_is_read_and_said(tmp_path, caplog):
    """Once, however often the file is read."""
    path = tmp_path / "rows.xlsx"
    workbook(path, [("text",), ("a",)], [("text",), ("b",)])
    with caplog.at_level(logging.WARNING):
        assert [row.fields["text"] for row in load_dataset(path)] == ["a"]
    (record,) = caplog.records
    assert "of its 2 sheets only the first, 'Sheet 1', is read" in record.getMessage()


@pytest.mark.parametrize(
    ("sheets", "words"),
    [
        ([[]], "there are no rows"),
        ([[("text", "label")]], "there are no rows"),
        ([[("Report of May",), (), ("text", "label")]], "row 3 of the sheet: expected 1 columns"),
        ([[("text", "text"), ("a", "b")]], "each once; repeated: 'text'"),
        ([[("note",), ("a",)]], "Could not guess the text column. Columns: note"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, sheets, words):
    path = tmp_path / "rows.xlsx"
    workbook(path, *sheets)
    with pytest.raises(DataError, match=words):
        load_examples(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda xml: xml.replace(b'<row r="2"', b'<row r="999999999999"'),
        lambda xml: xml.replace(b'"A1:B2"', b'"A1:XFD1048576"'),
        lambda xml: xml.replace(b'"A1:B2"', b'"A1:A1"'),
    ],
    ids=["a row far away", "a sheet too large", "a sheet too small"],
)
def test_a_wrong_size_in_a_workbook_costs_nothing(tmp_path, change):
    """Neither rows that are not there, nor those that are."""
    path = tmp_path / "rows.xlsx"
    workbook(path, [("text", "label"), ("a", "b")])
    rewrite_part(path, "xl/worksheets/sheet1.xml", change)
    if change(b'<row r="2"') == b'<row r="2"':
        assert [row.label for row in load_dataset(path)] == ["b"]
    else:
        with pytest.raises(DataError, match="there are no rows"):
            load_examples(path)


def test_a_workbook_that_is_too_large_when_unpacked_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("augkit.datasets.readers.xlsx.MOST_AT_ONCE", 1 << 20)
    path = tmp_path / "rows.xlsx"
    workbook(path, [("text",), *(("a" * 30_000,) for _ in range(60))])
    rewrite_part(path, "xl/worksheets/sheet1.xml", lambda xml: xml + b" " * (1 << 20))
    with pytest.raises(DataError, match="an unpacked workbook of over 1 MB"):
        load_examples(path)


def test_a_workbook_without_its_library_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "rows.xlsx"
    workbook(path, [("text",), ("a",)])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(
        MissingExtra, match=r"pip install 'augkit\[xlsx\]'. Or save the sheet as CSV"
    ):
        load_examples(path)


# --- types of columns ------------------------------------------------------------------------

BYTES = [
    pa.array([b"a", b"b"]),
    pa.array([b"ab", b"cd"], pa.binary(2)),
    pa.array([b"a", b"b"], pa.large_binary()),
    pa.array([b"a", b"b"]).dictionary_encode(),
    pa.array([[b"a"], [b"b"]]),
    pa.array([{"bytes": b"a", "path": "x"}] * 2),
]
OTHERS = [
    pa.array([dt.datetime.fromisoformat("2024-01-02"), None]),
    pa.array([dt.date(2024, 1, 2), None]),
    pa.array([dt.timedelta(1), None]),
    pa.array([Decimal("1.50"), Decimal("2.50")]),
]


def table(tmp_path, **columns):
    """Write a table of texts and labels, with these columns in their place."""
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"text": ["one", "two"], "label": ["a", "b"], **columns}), path)
    return path


@pytest.mark.parametrize("values", BYTES, ids=lambda values: str(values.type))
@pytest.mark.parametrize("column", ["text", "label"])
def test_bytes_are_neither_texts_nor_labels(tmp_path, column, values):
    """The message has the file, the column, its type, and what to do."""
    path = table(tmp_path, **{column: values})
    kind = str(values.type).replace("item", "element")  # as Parquet calls it
    message = (
        f"rows.parquet: the column '{column}' holds bytes ({kind}), not text. "
        f"Choose another column: --{column}-column NAME"
    )
    with pytest.raises(DataError) as caught:
        load_examples(path)
    assert message in str(caught.value)


@pytest.mark.slow
def test_bytes_are_refused_wherever_a_table_comes_from(tmp_path):
    """A frame, a dataset in memory, and the texts of choices."""
    import datasets

    rows = [{"text": b"a", "label": "x"}]
    for spec in (pd.DataFrame(rows), datasets.Dataset.from_list(rows)):
        with pytest.raises(DataError, match="'text' holds bytes"):
            load_examples(spec)
    path = tmp_path / "choices.parquet"
    pq.write_table(pa.table({"prompt": ["a"], "chosen": [b"b"], "rejected": [b"c"]}), path)
    with pytest.raises(DataError, match="'chosen' holds bytes"):
        load_choices(path)


def test_bytes_in_another_column_are_hexadecimal_digits(tmp_path):
    """Pictures beside the texts are no reason to refuse them."""
    path = table(tmp_path, picture=pa.array([b"\x00\xff", None]))
    assert [row.columns["picture"] for row in load_dataset(path)] == ["00ff", None]


@pytest.mark.parametrize("values", OTHERS, ids=lambda values: str(values.type))
def test_dates_times_and_decimals_are_labels_and_no_texts(tmp_path, values):
    assert load_dataset(table(tmp_path, label=values))[0].label
    with pytest.raises(DataError, match=r"'text' holds (dates or times|decimals) \(.*not text"):
        load_examples(table(tmp_path, text=values))


@pytest.mark.parametrize(
    ("values", "label"),
    [
        (pa.array([1, 2]), "1"),
        (pa.array([1.0, None]), "1.0"),
        (pa.array([True, False]), "true"),
        (pa.array([["a"], []]), '["a"]'),
        (pa.array([{"a": 1}] * 2), '{"a": 1}'),
        (pa.nulls(2), None),
        (pa.array(["x", "y"]).dictionary_encode(), "x"),
        (pa.array(["x", "y"], pa.large_string()), "x"),
    ],
    ids=lambda values: str(getattr(values, "type", values)),
)
def test_labels_of_every_type_are_what_json_would_give(tmp_path, values, label):
    assert load_dataset(table(tmp_path, label=values))[0].label == label


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (pa.array([1, 2]), "'text' holds numbers"),
        (pa.array([1.5, None]), "'text' holds numbers"),
        (pa.array([True, False]), "'text' holds numbers"),
    ],
)
def test_numbers_are_no_texts(tmp_path, values, words):
    with pytest.raises(DataError, match=words):
        load_examples(table(tmp_path, text=values))
