"""The hub's local cache, and a hub that cannot be reached or knows no such dataset."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import datasets
import pytest

from augkit.core.errors import DataError
from augkit.datasets.load import load_dataset, open_dataset
from augkit.datasets.settings import ReadOptions


class Toy(datasets.GeneratorBasedBuilder):
    """Leaves in a cache what a visit to the hub would."""

    def _info(self):
        label = datasets.ClassLabel(names=["bad", "good"])
        features = datasets.Features({"sentence": datasets.Value("string"), "label": label})
        return datasets.DatasetInfo(features=features)

    def _split_generators(self, dl_manager):
        return [datasets.SplitGenerator(name) for name in ("train", "validation")]

    def _generate_examples(self):
        yield 0, {"sentence": "a fine film", "label": 1}
        yield 1, {"sentence": "who knows", "label": -1}


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hub")
    datasets.disable_progress_bars()
    for repository, subset in [("org/toy", "default"), ("nyu-mll/glue", "sst2")]:
        Toy(
            cache_dir=str(folder),
            dataset_name=repository.split("/")[1],
            repo_id=repository,
            config_name=subset,
            hash="abc123",
        ).download_and_prepare()
    return folder


def test_the_cache_needs_no_network(cache):
    """A dataset that was fetched once is read from the local cache, with its label names."""
    found = load_dataset("org/toy", hub_cache=cache)
    assert [(e.fields["text"], e.label) for e in found] == [
        ("a fine film", "good"),
        ("who knows", None),
    ]
    assert found[1].columns == {"sentence": "who knows", "label": -1}
    assert open_dataset("org/toy", ReadOptions(hub_cache=cache)).source == "hub org/toy@abc123"


def test_a_named_dataset_is_found_in_the_cache_under_its_own_splits(cache):
    """``sst2:dev`` is the split ``validation`` of one subset on the hub."""
    dataset = open_dataset("sst2:train+dev", ReadOptions(hub_cache=cache))
    assert dataset.name == "sst2:train+dev"
    found = load_dataset("sst2:train+dev", hub_cache=cache)
    assert [example.label for example in found] == ["positive", None, "positive", None]
    assert len({example.id for example in found}) == 4


def test_a_split_that_the_hub_has_not_is_an_error(cache):
    with pytest.raises(DataError, match=r"no split 'test' in hub .*there are: train, validation"):
        open_dataset("org/toy:test", ReadOptions(hub_cache=cache))


class Nothing(BaseHTTPRequestHandler):
    """Answers, but has no dataset."""

    def do_HEAD(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.end_headers()

    do_GET = do_HEAD  # noqa: N815 - the name that the server looks for

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Nothing) as found:
        Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


@pytest.fixture
def hub_at(monkeypatch, tmp_path) -> Callable[..., None]:
    """Take another address for the hub, as a process with HF_ENDPOINT does."""

    def use(endpoint: str, **more: object) -> None:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", endpoint)
        monkeypatch.setattr("datasets.config.HF_ENDPOINT", endpoint)
        monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "hub"))
        for name, value in more.items():
            monkeypatch.setattr(f"datasets.config.{name}", value)

    return use


def test_an_unreachable_hub_is_reported_with_what_is_bundled(cache, hub_at):
    hub_at("http://127.0.0.1:9")
    with pytest.raises(DataError) as raised:
        load_dataset("snli", hub_cache=cache)
    message = str(raised.value)
    assert "'stanfordnlp/snli'" in message
    assert "the hub (http://127.0.0.1:9) cannot be reached" in message
    assert "claims-demo, nli-demo, pairs-demo, reviews-demo" in message


@pytest.mark.slow
@pytest.mark.parametrize("dataset", ["sst2", "sst3"])
@pytest.mark.parametrize("has_folder", [False, True])
@pytest.mark.parametrize("has_extra", [True, False])
def test_a_run_without_data_names_the_extra_the_folder_and_the_bundled_sets(  # noqa: PLR0917
    has_extra, has_folder, dataset, augkit, hub_at, tmp_path, monkeypatch
):
    """In this order, whether the extra or the network is missing or the name misspelt."""
    (tmp_path / "data" / "cola").mkdir(parents=True)
    hub_at("http://127.0.0.1:9")
    if not has_extra:
        monkeypatch.setitem(sys.modules, "datasets", None)
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    if has_folder:
        monkeypatch.setenv("AUGKIT_DATA", str(tmp_path / "data"))
    done = augkit("run", "--method", "coba", "--dataset", dataset)
    assert (done.code, done.out) == (2, "")
    message = done.err
    # The library would wait for half a minute: it is not asked.
    assert "cannot be read from the hub" not in message
    ways = ["pip install 'augkit[data]'", "AUGKIT_DATA", "claims-demo, nli-demo, pairs-demo"]
    places = [message.index(way) for way in ways]
    assert places == sorted(places), message
    if dataset == "sst3":
        assert "no dataset 'sst3'. Did you mean 'sst2'?" in message
    else:
        assert "sst2/train.jsonl" in message
        assert ("needs an extra package" in message) == (not has_extra)
        assert ("no folder 'sst2' in the data folder" in message) == has_folder
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_offline_mode_is_respected(cache, server, hub_at):
    hub_at(server, HF_HUB_OFFLINE=True)
    with pytest.raises(DataError, match="cannot be reached"):
        load_dataset("snli", hub_cache=cache)


@pytest.mark.slow
def test_a_hub_that_has_no_such_dataset_is_quoted(server, tmp_path):
    """A hub that answers is asked, and its rejection is passed on.

    In a process of its own: the library keeps the address in more than one place when it starts.
    """
    code = "from augkit.datasets.load import load_dataset; load_dataset('snli')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "HF_ENDPOINT": server,
            "HF_HOME": str(tmp_path),
            "NO_PROXY": "127.0.0.1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    message = done.stderr[done.stderr.index("DataError") :]
    assert "'stanfordnlp/snli' cannot be read" in message
    assert "claims-demo" in message


def test_anything_else_in_memory_is_refused():
    """A dictionary of splits asks for a choice; other values are named."""
    splits = datasets.DatasetDict({"train": datasets.Dataset.from_dict({"text": ["a"]})})
    with pytest.raises(DataError, match=r"a DatasetDict is not a dataset.*Select one of"):
        open_dataset(splits)
    with pytest.raises(DataError, match="a int is not a dataset"):
        open_dataset(3)
