from pathlib import Path

import pytest

from augkit.core.errors import DataError
from augkit.datasets.lookup import NameSpec, parse_spec


@pytest.mark.parametrize(
    "spec",
    [
        "rows.jsonl",
        "data/rows.csv.gz",
        "C:\\data\\rows.jsonl",
        "C:/data/rows.jsonl",
        "C:\\data\\rows",
        "./train:dev",
        "../a:b/rows",
        "~/rows",
        "a/b/c",
        "a:b.jsonl",
        "rows.txt",
        "/tmp/x:train",
    ],
)
def test_paths_are_not_split_at_a_colon(spec):
    assert parse_spec(spec) == Path(spec).expanduser()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("sst2", NameSpec("sst2", ("train",))),
        ("sst2:dev", NameSpec("sst2", ("dev",))),
        ("snli:train_20k+dev", NameSpec("snli", ("train_20k", "dev"))),
        ("org/name", NameSpec("org/name", ("train",))),
        ("org/name-v1.0:test", NameSpec("org/name-v1.0", ("test",))),
        ("reviews-demo:test", NameSpec("reviews-demo", ("test",))),
    ],
)
def test_names_choose_splits(spec, expected):
    """NAME, NAME:SPLIT, NAME:A+B and hub ids."""
    assert parse_spec(spec) == expected


def test_a_file_that_is_there_is_a_path_whatever_its_name(tmp_path, monkeypatch):
    """An existing file called like a name with a split is the file."""
    monkeypatch.chdir(tmp_path)
    Path("sst2:dev").write_text("x")
    assert parse_spec("sst2:dev") == Path("sst2:dev")


def test_a_file_has_no_splits():
    """A split after a file's name is explained, not taken for a hub id."""
    with pytest.raises(DataError, match=r"a file has no splits.*':train'"):
        parse_spec("data/rows.jsonl:train")


@pytest.mark.parametrize("spec", ["", ":train", "sst2:", "sst2:a/b", "two words", "x" * 5000])
def test_what_is_neither_a_name_nor_a_path_is_refused(spec):
    with pytest.raises(DataError, match=r"is (not|neither) a dataset"):
        parse_spec(spec)
