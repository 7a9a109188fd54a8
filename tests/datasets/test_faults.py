"""Faults of a file or a schema: each stops with a message that names the place and the cure."""

import gzip
import json
import re
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augkit.core.errors import DataError, MissingExtra
from augkit.datasets.load import load_examples

ROW = b'{"text": "fine", "label": "a"}\n'


def fault(path, **options) -> str:
    with pytest.raises(DataError) as caught:
        load_examples(path, **options)
    message = str(caught.value)
    assert str(path) in message or path.name in message
    assert caught.value.exit_code == 2
    return message


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.jsonl", b"", "the file is empty"),
        ("blank.jsonl", b"\n \n", "there are no rows"),
        ("empty.jsonl.gz", gzip.compress(b"", mtime=0), "there are no rows"),
        ("header.csv", b"text,label\n", "no rows"),
        ("broken.jsonl", ROW * 2 + b'{"text": "cut\n', "line 3, column 10: this is not JSON"),
        ("two.jsonl", ROW[:-1] + ROW, "line 1, column 31: this is not JSON: Extra data"),
        ("deep.jsonl", b'{"text": ' + b"[" * 200_000, "line 1: .*nested too deeply"),
        ("number.jsonl", b'{"text": "a", "n": ' + b"1" * 9000 + b"}", "a number too long"),
        ("list.jsonl", ROW + b"[1, 2]\n", "line 2: expected a JSON object, found list"),
        ("null.jsonl", b"null\n", "line 1: expected a JSON object, found null"),
        ("array.json", b'[{"text": "a"},\n{"text": "b"}', "line 2: .*cut off here"),
        ("array.json", b'[{"text": "caf\xe9"}]', r"line 1 \(byte 14\).*WINDOWS-1252"),
        ("array.json", b'["a"]', "begins as a JSON array.*an array of objects"),
        ("ragged.csv", b"text,label\na,b\n\nc,d,e\n", "line 4: expected 2 columns.*found 3"),
        ("short.tsv", b"text\tlabel\na\tb\nc\n", "line 3: expected 2 columns.*found 1"),
        ("quote.tsv", b'text\tlabel\n"a" b\tc\n', "line 2: .*quotes=false"),
        ("open.csv", b'text,label\na,b\n"c,d\n', "line 3: .*quotes=false"),
        ("late.csv", b"\n\ntext,label\na,b,c\n", "line 4: expected 2 columns.*found 3"),
        ("twice.csv", b"text,text\na,b\n", "each once; repeated: 'text'"),
        ("cut.jsonl.gz", gzip.compress(ROW * 999, mtime=0)[:-20], "cut off or damaged"),
        ("cut.csv.gz", gzip.compress(b"text\n" + b"a\n" * 999, mtime=0)[:-9], "cut off or damaged"),
        ("plain.jsonl.gz", ROW, "not gzip data. Remove .gz from"),
        ("zipped.jsonl", gzip.compress(ROW, mtime=0), "looks like gzip-compressed data"),
        ("zipped.csv", gzip.compress(ROW, mtime=0), "looks like gzip-compressed data"),
        ("both.csv", b"a;b,c\n1;2,3\n", "has commas and semicolons.*in quotes"),
        ("bars.csv", b"text|label\na|b\n", r"only one column.*separated by '\|'"),
        ("text.parquet", ROW, "not a complete parquet file"),
        ("rows.jsonl", b"PAR1" + ROW, "looks like a parquet file"),
        (
            "old.xls",
            ROW,
            "an old or binary Excel workbook.*save the table as CSV UTF-8 or as .xlsx",
        ),
        ("rows.ods", ROW, "a spreadsheet that augkit does not read.*as .xlsx"),
        ("rows.docx", ROW, "a document. Put its texts into a table"),
        ("rows.pdf", ROW, "a document. Put its texts into a table"),
        ("rows.zip", ROW, "an archive. Unpack it"),
        ("rows.csv.xz", ROW, "compressed, and augkit reads only .gz"),
        ("rows.feather", ROW, "an Arrow file. Write the table as .parquet"),
        ("rows.csv", b"PK\x03\x04" + ROW, "its name must end with .xlsx"),
        ("rows.csv", b"\xd0\xcf\x11\xe0" + ROW, "an old Excel or Word file"),
        ("rows.csv", b"%PDF-1.7" + ROW, "a PDF. Put its texts"),
        ("rows.xlsx", ROW, "this workbook cannot be read: File is not a zip file.*as CSV UTF-8"),
        ("rows.txt", ROW, r"unknown file extension. Known: .jsonl"),
        ("latin.jsonl", ROW + '{"text": "caf\xe9"}\n'.encode("latin-1"), r"line 2 \(byte 44\)"),
        ("latin.jsonl", '{"text": "caf\xe9"}\n'.encode("latin-1"), "iconv -f WINDOWS-1252"),
        ("latin.csv", "text\na\ncaf\xe9\n".encode("latin-1"), r"line 3 \(byte 10\).*WINDOWS-1252"),
        ("odd.jsonl", b'{"text": "\x81\xff"}\n', "another encoding"),
        ("wide.jsonl", '{"text": "a"}\n'.encode("utf-16"), "UTF-16 text. Convert it: iconv"),
        ("wide.csv", "text\na\n".encode("utf-16-le"), "UTF-16 text without a byte-order mark"),
    ],
)
def test_an_error_names_the_place_and_the_cure_of_a_broken_file(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    message = fault(path)
    assert re.search(words, message), message


def test_damage_late_in_a_file_is_found_by_the_scan_dataset(tmp_path):
    """A bad line beyond the first block stops the run before anything is spent."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(ROW * 20_000 + b"{oops}\n" + ROW)
    assert "line 20001, column 2: this is not JSON" in fault(path)


def test_a_missing_file_suggests_the_one_that_is_there(tmp_path):
    (tmp_path / "reviews.jsonl").write_bytes(ROW)
    assert f"Did you mean {tmp_path / 'reviews.jsonl'}?" in fault(tmp_path / "review.jsonl")
    assert "and no folder" in fault(tmp_path / "nowhere" / "rows.jsonl")


def test_a_folder_is_not_a_file(tmp_path):
    assert "this is a folder" in fault(tmp_path)


def test_the_folder_of_a_run_names_its_rows(tmp_path, monkeypatch):
    """A run's folder looks like a hub's name, and is not looked for there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs/one").mkdir(parents=True)
    (tmp_path / "runs/one/dataset.jsonl").touch()
    assert "runs/one/dataset.jsonl" in fault("runs/one")


@pytest.mark.parametrize(
    ("row", "options", "words"),
    [
        ({"story": "a", "label": "b"}, {}, "story, label"),
        ({"text": "a", "review": "b"}, {}, "text or review. Choose one: --text-column text"),
        ({"text": "a", "premise": "b", "hypothesis": "c"}, {}, "premise/hypothesis or text"),
        ({"text": "a", "label": 1, "class": 2}, {}, "label or class. Choose one: --label-"),
        ({"text": "a"}, {"text_columns": ["txt"]}, "'txt' (--text-column). Did you mean 'text'"),
        ({"text": "a"}, {"label_column": "gold"}, "'gold' (--label-column)"),
        ({"text": "a"}, {"id_column": "key"}, "'key' (id_column)"),
        ({"text": "a", "augkit_id": "b"}, {}, "augkit_id"),
    ],
)
def test_ambiguous_columns_are_listed_with_the_flag(tmp_path, row, options, words):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row))
    assert words in fault(path, **options)


def test_a_damaged_page_of_a_parquet_file_is_an_error(tmp_path):
    """Damage inside the file is found by the survey, though its frame is whole."""
    path = tmp_path / "rows.parquet"
    texts = [f"text {number}" for number in range(5000)]
    pq.write_table(pa.table({"text": texts}), path, use_dictionary=False, compression="gzip")
    content = bytearray(path.read_bytes())
    content[2000:6000] = bytes(4000)
    path.write_bytes(content)
    assert "not a complete parquet file" in fault(path)


def test_parquet_without_its_library_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'augkit\[data\]'"):
        load_examples(path)


def test_quotes_can_be_plain_characters(tmp_path):
    """With quotes off, a cell that opens with a quote is read as it stands."""
    path = tmp_path / "rows.tsv"
    path.write_text('text\tlabel\n"good" film\tpositive\n"bad\tnegative\n')
    found = load_examples(path, quotes=False)
    assert [example.fields["text"] for example in found] == ['"good" film', '"bad']


def test_parts_whose_columns_differ_are_not_joined(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text": "x"}')
    (folder / "b.jsonl").write_text('{"review": "x"}')
    with pytest.raises(DataError, match=r"cannot be joined: .*\(review, no label and text"):
        load_examples("mine:a+b", data_folder=tmp_path)
