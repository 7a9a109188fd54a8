from pathlib import Path

import pytest

from augkit.core.errors import DataError
from augkit.datasets.columns import find_schema
from augkit.datasets.load import load_dataset, open_dataset
from augkit.datasets.named import bundled_folder, bundled_names, known_datasets
from augkit.datasets.scan import scan_dataset
from augkit.datasets.settings import ReadOptions

SMALL = 400_000
"""Files up to this size are surveyed whole; of the others the first block is read."""


def splits_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl*"))


def test_every_named_dataset_is_well_formed():
    """All files under named/ load; bundled sets come first and have their rows in the package."""
    found = list(known_datasets().values())
    assert [dataset.bundled for dataset in found[:4]] == [True] * 4
    assert not any(dataset.bundled for dataset in found[4:])
    assert {"sst2", "imdb", "snli", "mnli", "qqp", "fever", "hans", "paws"} <= set(known_datasets())
    for dataset in found:
        assert dataset.task
        assert dataset.description
        assert dataset.fields
        assert dataset.hub is None or "/" in dataset.hub
        if not dataset.bundled:
            assert dataset.paper
            assert dataset.licence
            assert dataset.home or dataset.hub


@pytest.mark.parametrize("name", ["reviews-demo", "claims-demo", "nli-demo"])
def test_bundled_datasets_open_without_anything_else(name):
    known = known_datasets()[name]
    for path in splits_in(bundled_folder(name)):
        dataset = open_dataset(f"{name}:{path.stem}")
        found = scan_dataset(dataset)
        assert dataset.source == "bundled"
        assert list(dataset.schema.fields) == list(known.fields)
        assert set(found.labels) == set(known.label_names)
        assert found.rows > 0
    assert open_dataset(name).name == f"{name}:train"


def test_roles_are_declared_for_columns_without_them(tmp_path):
    """text_a and text_b of a fever file are the evidence and the claim; the columns stay."""
    (tmp_path / "fever").mkdir()
    row = '{"text_a": "It is.", "text_b": "It is not.", "label": "REFUTES", "n": 1}'
    (tmp_path / "fever" / "dev.jsonl").write_text(row)
    (found,) = load_dataset("fever:dev", data_folder=tmp_path)
    assert found.fields == {"evidence": "It is.", "claim": "It is not."}
    assert found.columns["n"] == 1


def test_the_data_folder_comes_first(tmp_path):
    (tmp_path / "reviews-demo").mkdir()
    (tmp_path / "reviews-demo" / "train.jsonl").write_text('{"text": "mine", "label": "positive"}')
    dataset = open_dataset("reviews-demo", ReadOptions(data_folder=tmp_path))
    assert dataset.source == str(tmp_path / "reviews-demo" / "train.jsonl")
    assert open_dataset("reviews-demo:test", ReadOptions(data_folder=tmp_path)).source == "bundled"


def test_python_reads_the_variable_of_the_command_line(tmp_path, monkeypatch):
    """``AUGKIT_DATA`` names the data folder where no argument does."""
    for folder in ("one", "two"):
        (tmp_path / folder / "mine").mkdir(parents=True)
        row = f'{{"text": "{folder}", "label": "a"}}'
        (tmp_path / folder / "mine" / "train.jsonl").write_text(row)
    monkeypatch.setenv("AUGKIT_DATA", str(tmp_path / "one"))
    assert load_dataset("mine")[0].fields["text"] == "one"
    assert load_dataset("mine", data_folder=tmp_path / "two")[0].fields["text"] == "two"


def test_numbers_of_a_named_dataset_become_names(tmp_path):
    (tmp_path / "sst2").mkdir()
    (tmp_path / "sst2" / "train.jsonl").write_text('{"sentence": "fine", "label": 1}')
    dataset = open_dataset("sst2", ReadOptions(data_folder=tmp_path))
    assert load_dataset("sst2", data_folder=tmp_path)[0].label == "positive"
    assert dataset.schema.encode_label("negative") == 0


def test_a_table_s_numbers_become_names_too(tmp_path):
    """Digits in a text column are numbers where the names are known, and stay digits outside."""
    known = known_datasets()["sst2"]
    schema = find_schema("t", [{"text": "fine", "label": "1"}], ReadOptions(), known, {})
    assert schema.read_label("1") == "positive"
    assert schema.encode_label("negative") == "0"


def test_the_hub_s_name_of_a_split_means_ours(tmp_path):
    """``validation`` finds the file called ``dev``, and the dataset has one name."""
    (tmp_path / "sst2").mkdir()
    (tmp_path / "sst2" / "dev.jsonl").write_text('{"text": "fine", "label": "positive"}')
    assert open_dataset("sst2:validation", ReadOptions(data_folder=tmp_path)).name == "sst2:dev"


def test_a_missing_split_lists_those_there_are(tmp_path):
    (tmp_path / "fever").mkdir()
    (tmp_path / "fever" / "dev.jsonl").write_text("{}")
    (tmp_path / "fever" / "test.jsonl.gz").write_bytes(b"")
    with pytest.raises(DataError, match=r"no split 'train' in .*there are: dev, test\. Choose"):
        open_dataset("fever", ReadOptions(data_folder=tmp_path))
    with pytest.raises(DataError, match="'dev' in the bundled data; there are: challenge, test"):
        open_dataset("reviews-demo:dev")


def test_a_dataset_of_the_data_folder_alone_says_so():
    """Where there is no folder, the error says how to provide one, and what needs none."""
    with pytest.raises(DataError, match=r"read from the data folder.*AUGKIT_DATA.*reviews-demo"):
        open_dataset("fever")


@pytest.mark.slow
def test_every_split_in_the_data_folder_opens(data_folder):
    """Each split of each named dataset that this machine has is read under its roles."""
    options = ReadOptions(data_folder=data_folder)
    opened = 0
    for known in known_datasets().values():
        for path in splits_in(data_folder / known.name):
            dataset = open_dataset(f"{known.name}:{path.name.split('.jsonl')[0]}", options)
            assert list(dataset.schema.fields) == list(known.fields)
            assert dataset.schema.label == "label"
            opened += 1
            if path.stat().st_size < SMALL:
                labels = set(scan_dataset(dataset).labels)
                assert labels <= set(known.label_names) or not known.label_names
    assert opened >= 20
    assert bundled_names() == ["claims-demo", "nli-demo", "pairs-demo", "reviews-demo"]
