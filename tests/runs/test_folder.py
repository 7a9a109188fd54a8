from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.errors import OutputExists
from augkit.runs import folder as folders
from augkit.runs.manifest import DatasetRecord, Manifest, read_manifest

MANIFEST = Manifest(
    method="swap",
    config={},
    settings={},
    seed=0,
    mix="append",
    dataset=DatasetRecord(name="x", source="x", rows=1, digest="x"),
)


def test_names_count_up_and_the_latest_is_found(tmp_path):
    """A second run of the same name gets its own folder, and resume means the newest."""
    for expected in ("x", "x-2", "x-3"):
        path = folders.new_folder("x", tmp_path)
        assert path == tmp_path / expected
        folders.create_folder(path, MANIFEST)
    assert folders.latest_folder("x", tmp_path) == tmp_path / "x-3"


def test_a_new_folder_appears_with_its_manifest_or_not_at_all(tmp_path):
    """There is no moment at which a killed run leaves a folder that cannot be resumed."""
    folders.create_folder(tmp_path / "run", MANIFEST)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert read_manifest(tmp_path / "run") == MANIFEST


def test_where_there_is_no_run_the_first_name_is_the_latest(tmp_path):
    """Resuming before anything was written means starting."""
    assert folders.latest_folder("x", tmp_path) == tmp_path / "x"


def test_an_existing_folder_is_not_touched(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    with pytest.raises(OutputExists, match="--resume"):
        folders.create_folder(tmp_path / "mine", MANIFEST)
    assert (tmp_path / "mine" / "file").read_text() == "precious"


def test_a_file_in_the_way_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputExists, match="cannot be created"):
        folders.create_folder(tmp_path / "file" / "out", MANIFEST)


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_dataset_name_leads_out_of_the_folder(method, dataset):
    name = folders.default_name("m" + method, dataset)
    assert Path(name).name == name
    assert name not in {"", ".", ".."}


def _try_to_lock(path):
    try:
        with folders.locked(Path(path)):
            return "locked"
    except OutputExists as error:
        return str(error)


@pytest.mark.slow
def test_two_processes_cannot_write_one_run(tmp_path):
    """A second process on the same folder is told to wait."""
    folders.create_folder(tmp_path / "run", MANIFEST)
    with get_context("spawn").Pool(1) as pool, folders.locked(tmp_path / "run"):
        assert "another process" in pool.apply(_try_to_lock, (str(tmp_path / "run"),))
