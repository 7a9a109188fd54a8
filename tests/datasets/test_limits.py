"""What is too large is refused, and what is no array of objects."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.datasets.load import load_examples
from augkit.datasets.readers import files
from augkit.datasets.readers.blocks import read_lines

MB = 1 << 20
BOMBS = {
    "line.jsonl.gz": (b'{"text": "', b"a", "line 1: a line of over 16 MB"),
    "cell.csv.gz": (b"text,label\n", b"a", "line 2: a line of over 16 MB"),
    "cells.tsv.gz": (b"text\tlabel\n", b"a\t", "line 2: a line of over 16 MB"),
    "object.json.gz": (b'[{"text": "', b"a", "a JSON array of over 512 MB"),
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
        load_examples(name)
    except DataError as error:
        print(str(error).replace("\\n", " "))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits memory as Linux does")
def test_four_gigabytes_of_one_cell_are_refused_within_one_of_memory(tmp_path):
    """Gzip files of 4 MB, each a line or an array of 4 GB."""
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


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("rows.jsonl", "line 1: a line"),
        ("rows.csv", "line 2: a line"),
        ("lines.csv", "line [0-9]+: a cell"),
        ("cells.csv", "row 1: a row"),
        ("rows.parquet", "from row 1 on, column 'text': a cell"),
    ],
)
@pytest.mark.slow
def test_a_cell_of_over_16_megabytes_is_refused(tmp_path, name, what):
    path = tmp_path / name
    text = "good " * (17 * MB // 5)
    if name == "rows.jsonl":
        path.write_text(json.dumps({"text": text}))
    elif name == "rows.csv":
        path.write_text(f"text,label\n{text},b\n")
    elif name == "lines.csv":
        path.write_text('text,label\n"' + text.replace(" ", "\n") + '",b\n')
    elif name == "cells.csv":
        half = text[: 9 * MB].replace(" ", "\n")
        path.write_text(f'text,label\n"{half}","{half}"\n')
    else:
        pq.write_table(pa.table({"text": [text]}), path)
    with pytest.raises(DataError, match=rf"{re.escape(name)}, {what} of over 16 MB.*divide it"):
        load_examples(path)


def test_a_json_array_that_is_too_large_says_how_to_write_it(tmp_path, monkeypatch):
    monkeypatch.setattr("augkit.datasets.readers.blocks.MOST_AT_ONCE", MB)
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"text": "a" * MB}]))
    with pytest.raises(DataError, match=r"over 1 MB is too large.*jq -c"):
        load_examples(path)
    assert files.MOST_AT_ONCE == 512 * MB


ROWS = st.lists(
    st.dictionaries(
        st.sampled_from(["text", "label", "na\u00efve"]),
        st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text('[]{},"\\ ')),
    ),
    max_size=5,
)


@pytest.mark.slow
@given(ROWS, st.sampled_from([None, 0, 3]))
@settings(deadline=None, max_examples=60)
def test_an_array_is_read_as_it_is(tmp_path_factory, rows, indent):
    """Whatever its spaces and numbers; what an object lacks is null."""
    path = tmp_path_factory.mktemp("array") / "rows.json"
    path.write_text(json.dumps(rows, indent=indent, ensure_ascii=False) + "\n", "utf-8")
    columns = dict.fromkeys(name for row in rows for name in row)
    read = [row for block in read_lines(path) for row in block.rows()]
    assert read == [columns | row for row in rows]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1]", "it begins as a JSON array, and is none of objects"),
        ("[,{}]", "it begins as a JSON array, and is none of objects"),
        ("[{},]", "line 1, column [45]: this is not JSON"),
        ('[{"a": 1},\n 5]', "row 2: expected a JSON object, found number"),
        ("[{} {}]", "line 1, column 5: this is not JSON: Expecting ',' delimiter, near '{}]'"),
        ("[{}]]", "line 1, column 5: this is not JSON: Extra data"),
        ("[{}] x", "line 1, column 6: this is not JSON: Extra data"),
        ("[{}]\n[{}]", "line 2, column 1: this is not JSON: Extra data"),
        ('[{"a": 1},\n{"a" 3}]', "line 2, column 6: this is not JSON: Expecting ':'"),
        ('[{"a": trux}]', "line 1, column 8: this is not JSON: Expecting value"),
        ('[{"a": %s}]' % ("1" * 9000), "a number too long"),
    ],
)
def test_what_is_no_array_of_objects_is_refused(tmp_path, text, words):
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        list(read_lines(path))


@pytest.mark.slow
def test_an_array_that_is_cut_off_is_said_to_be_cut(tmp_path):
    """Wherever it is cut, within a character too."""
    rows = [{"text": "x" * n + "\u00e9\n", "is": n % 2 == 0, "n": -n, "no": None} for n in range(3)]
    path = tmp_path / "rows.json"
    for is_ascii in (True, False):
        whole = json.dumps(rows, indent=1, ensure_ascii=is_ascii).encode()
        for end in range(1, len(whole)):
            path.write_bytes(whole[:end])
            with pytest.raises(DataError) as caught:
                list(read_lines(path))
            message = str(caught.value)
            place = re.match(rf"{path}, line (\d+): the file ends within", message)
            assert place, (whole[:end], message)
            assert int(place[1]) in {whole[:end].count(b"\n") + back for back in (0, 1)}


@pytest.mark.parametrize("depth", [100, 101, 5000])
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


@pytest.mark.slow
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
