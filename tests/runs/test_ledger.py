import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DiskFull
from augkit.runs.ledger import FILES, Chunk, Counts, Ledger, disk_errors, recorded_progress


def chunk(number, rows=1):
    lines = tuple(f"{name} {number}\n".encode() for name in "vrd")
    return Chunk(lines, Counts(rows, 0, rows, 0, reasons=Counter("x"), labels=Counter("a")))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "work").mkdir()
    return tmp_path


def contents(folder):
    return [(folder / name).read_bytes() for name in FILES]


def test_a_reopened_ledger_continues_where_it_was(folder):
    """Files and totals after closing and opening again are those of one sitting."""
    for number in range(3):
        with Ledger(folder) as ledger:
            ledger.append(chunk(number))
    assert contents(folder)[0] == b"v 0\nv 1\nv 2\n"
    assert recorded_progress(folder).counts.read == 3
    assert recorded_progress(folder).counts.reasons == {"x": 3}


def test_a_reopened_ledger_goes_back_to_the_first_open_row(folder):
    """What follows an open row is done again; the seconds that it took stay counted."""
    left_open = Chunk((b"", b"", b"d 2\n"), Counts(1, 1, open=1, failed_calls=Counter("x")))
    with Ledger(folder) as ledger:
        for each in (chunk(0), chunk(1), left_open, chunk(3)):
            ledger.append(each)
    seconds = recorded_progress(folder).seconds
    assert recorded_progress(folder).counts.open == 1
    with Ledger(folder) as ledger:
        assert ledger.progress.counts.read == 2
        assert recorded_progress(folder).counts.read == 2
        assert contents(folder) == [f"{name} 0\n{name} 1\n".encode() for name in "vrd"]
        ledger.append(chunk(2))
    assert recorded_progress(folder).counts.open == 0
    assert recorded_progress(folder).seconds >= seconds
    with Ledger(folder) as ledger:
        assert ledger.progress.counts.read == 3


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([*FILES, "work/progress.jsonl"]),
    st.integers(0, 400) | st.binary(max_size=9).map(lambda junk: junk.replace(b"\n", b" ")),
)
def test_whatever_a_kill_leaves_behind_the_result_is_the_same(tmp_path_factory, name, harm):
    """A file cut short, or with half a line at its end, is brought back to the last whole chunk."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "work").mkdir()
    with Ledger(folder) as ledger:
        for number in range(5):
            ledger.append(chunk(number))
    path = folder / name
    if isinstance(harm, int):
        os.truncate(path, max(0, path.stat().st_size - harm))
    else:
        with path.open("ab") as file:
            file.write(harm)
    with Ledger(folder) as ledger:
        for number in range(ledger.progress.counts.read, 5):
            ledger.append(chunk(number))
    assert contents(folder) == [
        "".join(f"{letter} {number}\n" for number in range(5)).encode() for letter in "vrd"
    ]


def test_a_full_disk_is_an_error_with_the_folder_and_the_cure(tmp_path):
    """ENOSPC becomes a DiskFull that names the folder and --resume."""
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(DiskFull, match=r"no space left.*--resume"),
        disk_errors(tmp_path),
    ):
        full.write(b"x")


def test_other_errors_of_the_disk_pass_unchanged(tmp_path):
    """Only a full disk is reworded."""
    with pytest.raises(FileNotFoundError), disk_errors(tmp_path):
        (tmp_path / "none").read_bytes()
