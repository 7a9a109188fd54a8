"""Cells, lines and files that are too large are refused before they are in memory."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.datasets.load import load_examples, open_dataset
from augkit.datasets.readers import arrow, blocks
from augkit.datasets.readers.parquet_pages import text_columns

MB = 1 << 20
BOMBS = {
    "line.jsonl.gz": (b'{"text": "', b"a", "line 1: a line of over 16 MB.*--max-cell"),
    "cell.csv.gz": (b"text,label\n", b"a", "line 2: a line of over 16 MB"),
    "lines.csv.gz": (b'text,label\n"', b"a\n", "line [0-9]+: a cell of over 1 MB"),
    "cells.csv.gz": (b"text,label\n", b'"\n",', "line [0-9]+: a row of over 4 MB"),
    "wide.csv.gz": (b"text,label\n", b"a,", "line 2: a line of over 16 MB"),
    "cell.tsv.gz": (b"text\tlabel\n", b"a", "line 2: a line of over 16 MB"),
    "object.json.gz": (b'[{"text": "', b"a", "row 1: an object of over 16 MB"),
    "spaces.json.gz": (b"[", b" ", "empty space of over 1 MB"),
    "lists.json.gz": (b"[", b"[],", "begins as a JSON array, and is none of objects"),
    "token.conll.gz": (b"", b"a", "line 1: a line of over 16 MB"),
    "empty-lines.jsonl.gz": (b"", b"\n", "empty lines of over 1 MB"),
    "tokens.conll.gz": (b"", b"ab O\n", "line [0-9]+: a sentence of over 1 MB"),
}
READ = """
import resource, sys
from pathlib import Path
from augkit.core.errors import DataError
from augkit.datasets.load import load_examples
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + (1 << 30)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for name in sys.argv[1:]:
    try:
        # What is slow to read comes with the smallest limit.
        load_examples(name, max_cell=1 if "s." in name else 16)
    except DataError as error:
        print(str(error).replace("\\n", " "))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits memory as Linux does")
def test_four_gigabytes_of_one_cell_are_refused_within_one_of_memory(tmp_path):
    """Gzip files of 4 MB, each a line, a cell, an array or a sentence of 4 GB."""
    paths = []
    for name, (start, filling, _) in BOMBS.items():
        member = gzip.compress(filling * (MB // len(filling)), mtime=0)
        paths.append(tmp_path / name)
        paths[-1].write_bytes(gzip.compress(start, mtime=0) + member * 4096)
    command = [sys.executable, "-c", READ, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    messages = done.stdout.splitlines()
    assert len(messages) == len(BOMBS)
    for path, message, (*_, words) in zip(paths, messages, BOMBS.values(), strict=True):
        assert message.startswith(str(path))
        assert re.search(words, message), message


@pytest.mark.parametrize("ending", ["jsonl", "csv", "json", "parquet"])
def test_the_limit_of_a_cell_can_be_set(tmp_path, ending):
    """A cell of 2 MB is refused with a limit of 1, and read with one of 3."""
    text = "good " * (2 * MB // 5)
    path = tmp_path / f"rows.{ending}"
    if ending == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"text": ["a", text], "label": ["a", "b"]}), path)
    else:
        row = json.dumps({"text": text, "label": "b"})
        written = {"jsonl": row, "json": f"[{row}]", "csv": f"text,label\n{text},b\n"}
        path.write_text(written[ending])
    with pytest.raises(DataError, match=rf"rows\.{ending}.* of over 1 MB.*--max-cell"):
        load_examples(path, max_cell=1)
    assert load_examples(path, max_cell=3)[-1].fields["text"] == text


def test_the_limit_does_not_affect_the_result():
    """A manifest does not have it, and a run can be resumed with another one."""
    from augkit.runs.repeat import resume_command
    from augkit.runs.settings import RunSettings

    chosen = RunSettings(max_cell=20)
    assert "max_cell" not in chosen.recorded()
    assert resume_command(chosen, Path("out")) == "augkit run --resume --out out --max-cell 20"


@pytest.mark.slow
def test_the_limit_is_a_setting_of_the_command_line_and_of_files(tmp_path, monkeypatch):
    """As an option of a command, and as a key of ``--config``."""
    from typer.testing import CliRunner

    from augkit.cli.app import app

    monkeypatch.chdir(tmp_path)
    rows = [{"text": "good film " * 10 * number, "label": "ab"[number % 2]} for number in range(9)]
    rows[8]["text"] = "good " * (2 * MB // 5)
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("run.yaml").write_text("method: eda\ndataset: rows.jsonl\nmax_cell: 1\n")
    refused = "rows.jsonl, line 9: a line of over 1 MB"
    for words in (
        "run -m eda -d rows.jsonl --max-cell 1",
        "run --config run.yaml",
        "check rows.jsonl --max-cell 1",
    ):
        done = CliRunner().invoke(app, words.split())
        assert refused in str(done.exception)
    words = "run --config run.yaml --max-cell 3 --limit 2 --dry-run"
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 0, done.output


def test_a_page_that_does_not_fit_into_memory_is_refused(tmp_path, monkeypatch):
    """Its size is in its header, and nothing of it is read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"text": ["a" * 3 * MB], "label": ["b"]}), path, compression="zstd")
    monkeypatch.setattr(arrow, "_MOST_PAGE", 2)
    assert path.stat().st_size < 5000
    with pytest.raises(DataError, match="row group 1, column 'text': a page, and perhaps a cell"):
        load_examples(path, max_cell=1)


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_the_largest_page_has_the_longest_cell(tmp_path, dictionary, version):
    """Where every cell has a page of its own, the largest page is the longest cell."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "rows.parquet"
    texts = [chr(97 + number) * (100_000 * number) for number in range(8)]
    options = {"data_page_size": 1, "write_batch_size": 1, "data_page_version": version}
    pq.write_table(pa.table({"text": texts}), path, use_dictionary=dictionary, **options)
    (column,) = text_columns(path)
    overhead = column.largest_page - 700_000
    assert 0 <= overhead < (MB if dictionary else 100)  # a dictionary has several cells
    assert (column.group, column.name) == (1, "text")


def test_few_rows_are_read_at_a_time_where_cells_may_be_large(tmp_path, monkeypatch):
    """A large text that many rows share is not in memory as often."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "rows.parquet"
    table = pa.table({"text": ["a" * 2 * MB] * 30})
    pq.write_table(table, path, dictionary_pagesize_limit=8 * MB)
    assert path.stat().st_size < MB
    monkeypatch.setattr(arrow, "_BATCH_BYTES", 8 * MB)
    sizes = [block.count for block in open_dataset(path).blocks()]
    assert sum(sizes) == 30
    assert max(sizes) == 3


ROWS = st.lists(
    st.dictionaries(
        st.sampled_from(["text", "label", "naïve"]),
        st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text('[]{},"\\ ')),
    ),
    max_size=5,
)


@given(ROWS, st.sampled_from([None, 0, 3]), st.integers(1, 40))
@settings(deadline=None, max_examples=60)
def test_an_array_that_is_read_in_pieces_is_the_array(tmp_path_factory, rows, indent, size):
    """Whatever its spaces, and wherever a piece ends."""
    path = tmp_path_factory.mktemp("array") / "rows.json"
    path.write_text(json.dumps(rows, indent=indent, ensure_ascii=False) + "\n", "utf-8")
    before = blocks.BLOCK_BYTES
    blocks.BLOCK_BYTES = size
    try:
        assert list(blocks._objects(path, 1)) == rows
    finally:
        blocks.BLOCK_BYTES = before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1]", "it begins as a JSON array, and is none of objects"),
        ("[,{}]", "it begins as a JSON array, and is none of objects"),
        ("[{},]", "line 1, column 5: .*an object must begin here, near '\\]'"),
        ('[{"a": 1},\n 5]', "line 2, column 2: .*an object must begin here, near '5\\]'"),
        ("[{} {}]", "line 1, column 5: .*a comma or \\] is missing"),
        ("[{}]]", "line 1, column 5: .*the array ended before this"),
        ("[{}] x", "line 1, column 6: .*the array ended before this"),
        ("[{}]\n[{}]", "line 2, column 1: .*the array ended before this"),
        ('[{"a": 1},\n{"a" 3}]', "line 2, column 6: this is not JSON: Expecting ':'"),
        ('[{"a": trux}]', "line 1, column 8: this is not JSON: Expecting value"),
    ],
)
def test_what_is_no_array_of_objects_is_refused(tmp_path, text, words):
    """With the line and the column at which it goes wrong."""
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        list(blocks._objects(path, 1))


def test_an_array_that_is_cut_off_is_said_to_be_cut(tmp_path):
    """Wherever it is cut, within a character too, with one place whatever is read at a time."""
    rows = [{"text": "x" * n + "\u00e9\n", "is": n % 2 == 0, "n": -n, "no": None} for n in range(9)]
    path, before = tmp_path / "rows.json", blocks.BLOCK_BYTES
    for is_ascii in (True, False):
        whole = json.dumps(rows, indent=1, ensure_ascii=is_ascii).encode()
        for end in range(1, len(whole)):
            path.write_bytes(whole[:end])
            messages = set()
            for size in (3, 50, before):
                blocks.BLOCK_BYTES = size
                with pytest.raises(DataError) as caught:
                    list(blocks._objects(path, 1))
                messages.add(str(caught.value))
            blocks.BLOCK_BYTES = before
            (message,) = messages
            place = re.match(rf"{path}, line (\d+)(?:, column \d+)?: the file ends within", message)
            assert place, (whole[:end], message)
            assert int(place[1]) in {whole[:end].count(b"\n") + back for back in (0, 1)}


@pytest.mark.parametrize("depth", [100, 101, 400, 990, 5000])
@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_values_are_nested_no_deeper_than_other_code_bears(tmp_path, depth, ending):
    """The limit is the same for rows and for settings."""
    path = tmp_path / f"rows.{ending}"
    row = '{"text": "a", "more": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"
    path.write_text(f"[{row}]" if ending == "json" else row)
    if depth <= 100:
        assert len(load_examples(path)) == 1
    else:
        with pytest.raises(DataError, match=rf"rows\.{ending}.*(nested|begins as)"):
            load_examples(path)


def test_a_header_of_a_hundred_thousand_columns_takes_no_minute(tmp_path):
    """And a message does not list them all."""
    path = tmp_path / "rows.csv"
    names = [f"c{number}" for number in range(100_000)]
    path.write_text(",".join(names) + "\n" + ",".join("a" * 100_000) + "\n")
    with pytest.raises(DataError, match=r"c28, c29 and 99,970 more") as caught:
        load_examples(path)
    assert len(str(caught.value)) < 1000
    path.write_text(",".join([*names, "c7"]) + "\n")
    with pytest.raises(DataError, match="repeated: 'c7'"):
        load_examples(path)
