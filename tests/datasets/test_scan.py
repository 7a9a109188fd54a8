import json
import pickle
import random
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.datasets.load import load_dataset, open_dataset
from augkit.datasets.rows import read_block
from augkit.datasets.scan import scan_block, scan_dataset
from augkit.datasets.settings import ReadOptions

FEW = st.sampled_from(["good", "bad", "", 5, None, "5", "ünï", "\u202e"])
ROWS = st.lists(
    st.fixed_dictionaries({"text": FEW, "label": st.sampled_from(["a", "b", None])}),
    min_size=1,
    max_size=60,
)


NAMED = ReadOptions(text_columns=("text",))
"""Rows of nothing but numbers are read as texts where the column is named."""


def write(folder, rows, name="rows.jsonl"):
    path = Path(folder, name)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def content_of(row):
    return json.dumps(dict(row), sort_keys=True)


def load(rows, **options):
    with tempfile.TemporaryDirectory() as folder:
        return load_dataset(write(folder, rows), text_columns=["text"], **options)


@pytest.mark.slow
@given(rows=ROWS)
@settings(max_examples=40)
def test_repeats_are_those_that_plain_counting_finds(rows):
    """Row number → occurrence, exactly where the same texts and label stood before."""
    with tempfile.TemporaryDirectory() as folder:
        found = scan_dataset(open_dataset(write(folder, rows), NAMED))
    seen: Counter[str] = Counter()
    expected = {}
    for number, row in enumerate(rows):
        key = content_of(row)
        if seen[key]:
            expected[number] = seen[key]
        seen[key] += 1
    assert found.repeats == expected
    assert found.rows == len(rows)
    assert found.labels == Counter(row["label"] for row in rows)


@pytest.mark.slow
@given(rows=ROWS, seed=st.integers(0, 99))
@settings(max_examples=30)
def test_ids_do_not_depend_on_the_order(rows, seed):
    shuffled = random.Random(seed).sample(rows, len(rows))
    first, second = load(rows), load(shuffled)
    assert len({example.id for example in first}) == len(rows)
    content = {(e.id, content_of(e.columns)) for e in first}
    assert content == {(e.id, content_of(e.columns)) for e in second}


@pytest.mark.slow
@given(rows=ROWS, keep=st.lists(st.booleans(), min_size=60, max_size=60))
@settings(max_examples=30)
def test_a_sub_sample_keeps_its_ids(rows, keep):
    """Every row that is left has an id it could have in the whole dataset, unique rows the same."""
    sample = [row for row, kept in zip(rows, keep, strict=False) if kept]
    if not sample:
        return
    whole, part = load(rows), load(sample)
    by_content = Counter(map(content_of, rows))
    ids = {(content_of(e.columns), e.id) for e in whole}
    assert {(content_of(e.columns), e.id) for e in part} <= ids
    once = [key for key, count in by_content.items() if count == 1]
    assert len({pair for pair in ids if pair[0] in once}) == len(once)


def test_the_digest_names_texts_and_labels_in_order(tmp_path):
    """Another text, label or order gives another digest; another column does not."""
    base = [{"text": "a", "label": "x"}, {"text": "b", "label": "y"}]
    digest = {
        name: scan_dataset(open_dataset(write(tmp_path, rows, f"{name}.jsonl"))).digest
        for name, rows in {
            "base": base,
            "again": [row | {"note": 1} for row in base],
            "order": base[::-1],
            "label": [base[0] | {"label": "y"}, base[1]],
        }.items()
    }
    assert digest["base"] == digest["again"]
    assert len(set(digest.values())) == 3


@pytest.mark.slow
def test_blocks_can_be_surveyed_and_read_in_other_processes(tmp_path):
    """Many blocks in worker processes give what one process gives, row numbers included."""
    rows = [{"text": f"row {number % 9000} {'x' * 60}", "label": "a"} for number in range(12_000)]
    dataset = open_dataset(write(tmp_path, rows))
    chunks = list(dataset.blocks())
    assert len(chunks) > 2
    assert [chunk.start for chunk in chunks[1:]] == [c.start + c.count for c in chunks[:-1]]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = scan_dataset(dataset, pool.map)
        read = partial(read_block, dataset.id_name, dataset.schema)
        parts = pool.map(read, chunks, [found.repeats_in(chunk) for chunk in chunks])
        examples = [example for part in parts for example in part]
    assert found == scan_dataset(dataset)
    assert len(found.repeats) == 3000
    assert examples == load_dataset(tmp_path / "rows.jsonl")


def test_joined_parts_are_numbered_through(tmp_path):
    """Row numbers go on over the splits of a joined dataset, so repeats across them are found."""
    folder = tmp_path / "mine"
    folder.mkdir()
    write(folder, [{"text": "a"}, {"text": "b"}], "one.jsonl")
    write(folder, [{"text": "b"}], "two.jsonl")
    dataset = open_dataset("mine:one+two", ReadOptions(data_folder=tmp_path))
    assert dataset.name == "mine:one+two"
    assert scan_dataset(dataset).repeats == {2: 1}


def test_a_block_survey_is_eight_bytes_a_row(tmp_path):
    """What a worker sends back is small, whatever the rows hold."""
    dataset = open_dataset(write(tmp_path, [{"text": "x" * 1000}] * 100))
    (block,) = dataset.blocks()
    part = scan_block(dataset.schema, block)
    assert len(part.contents) == 800
    assert len(pickle.dumps(part)) < 1500


def test_ids_of_a_column_do_not_depend_on_the_text():
    first = load([{"id": 1, "text": "a"}, {"id": 2, "text": "a"}], id_column="id")
    second = load([{"id": 2, "text": "b"}, {"id": "x", "text": "c"}], id_column="id")
    assert first[1].id == second[0].id
    assert len({first[0].id, first[1].id, second[1].id}) == 3


def test_a_repeated_id_names_both_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("augkit.datasets.readers.blocks.BLOCK_BYTES", 40)
    rows = [{"id": str(number % 7), "text": f"t{number}"} for number in range(8)]
    path = write(tmp_path, rows)
    with pytest.raises(DataError, match=r"line 8: the id '0' is also the id of .*line 1\."):
        load_dataset(path, id_column="id")


def test_a_missing_id_is_an_error_with_its_line(tmp_path):
    path = write(tmp_path, [{"id": "a", "text": "t"}, {"text": "u"}])
    with pytest.raises(DataError, match=r"line 2: the id column 'id' is empty"):
        load_dataset(path, id_column="id")


def test_a_number_without_a_name_is_an_error_with_its_row():
    import datasets

    label = datasets.Value("int64")
    features = datasets.Features({"text": datasets.Value("string"), "label": label})
    dataset = datasets.Dataset.from_dict({"text": ["a", "b"], "label": [0, 7]}, features=features)
    opened = open_dataset(dataset)
    named = type(opened.schema)(opened.schema.fields, "label", ("no", "yes"), "json")
    (block,) = opened.blocks()
    with pytest.raises(DataError, match="row 2: label 7 has no name; known: 0 no, 1 yes"):
        scan_block(named, block)


def test_columns_called_like_ours_are_refused_wherever_they_come(tmp_path):
    rows = [{"text": "x" * 100}] * 3000 + [{"text": "a", "augkit_id": "x"}]
    dataset = open_dataset(write(tmp_path, rows))
    with pytest.raises(DataError, match=r"line 3001: .*augkit_id.*Rename"):
        scan_dataset(dataset)


@pytest.mark.slow
def test_sst2_rows_have_unique_ids(data_folder):
    """The 67,349 rows of SST-2, with hundreds of repeated texts, get as many ids."""
    examples = load_dataset("sst2", data_folder=data_folder)
    assert len(examples) == len({example.id for example in examples}) == 67_349
    assert len({example.fields["text"] for example in examples}) == 67_349 - 371


def test_a_file_is_scanned_again_only_where_it_changed(tmp_path, monkeypatch):
    """The same file is read once; with another row, or another schema, it is read anew."""
    from augkit.datasets import scan

    scanned = []
    scan_anew = scan._scan
    monkeypatch.setattr(scan, "_scan", lambda *given: (scanned.append(given), scan_anew(*given))[1])
    row = {"text": "a", "label": "x", "other": "y"}
    path = write(tmp_path, [row, row])
    dataset = open_dataset(path, ReadOptions())
    first = scan_dataset(dataset)
    assert scan_dataset(open_dataset(path, ReadOptions())) is first
    assert len(scanned) == 1
    write(tmp_path, [row, row, row])
    assert scan_dataset(dataset).rows == 3
    assert scan_dataset(open_dataset(path, ReadOptions(label_column="other"))).labels["y"] == 3
    assert len(scanned) == 3
