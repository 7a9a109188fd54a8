"""Models by folder, GGUF file and name; what is missing is an error before anything is loaded."""

import gc
import socket
import sys
import weakref

import pytest

from augkit.core.errors import BackendFailed, ConfigError, MissingExtra
from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.transformers.chat import connect
from augkit.llm.transformers.load import find_model, load_model


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def refused(*_, **__):
        pytest.fail("the network was used")

    monkeypatch.setattr(socket, "getaddrinfo", refused)


@pytest.mark.slow
def test_a_gguf_file_answers_as_the_folder_with_the_same_weights(folder, gguf_file):
    """Weights, tokenizer, chat template and end token come from the one file."""
    questions = [
        Request([Message("user", "abc" * n)], max_tokens=9, temperature=n % 2, seed=n)
        for n in range(4)
    ]
    of_file, of_folder = (
        connect(str(path), ConnectOptions()).generate(questions) for path in (gguf_file, folder)
    )
    assert [reply.text for reply in of_file] == [reply.text for reply in of_folder]
    assert [reply.cost for reply in of_file] == [reply.cost for reply in of_folder]


def test_the_identity_changes_with_the_file(tmp_path, gguf_file):
    """Other weights under the same name are another model for the cache."""
    copy = tmp_path / "model.gguf"
    copy.write_bytes(gguf_file.read_bytes())
    first = find_model(str(copy)).identity
    copy.write_bytes(gguf_file.read_bytes() + b"\0")
    assert find_model(str(copy)).identity != first


@pytest.mark.slow
def test_a_model_in_use_is_not_loaded_again(folder):
    """Model and judge of a run are then one; a model that nobody uses is released."""
    first = connect(str(folder), ConnectOptions())
    assert connect(f"{folder}/../{folder.name}", ConnectOptions()) is first
    former = weakref.ref(first)
    del first
    gc.collect()
    assert former() is None


def test_a_file_that_is_no_gguf_is_an_error(tmp_path):
    pytest.importorskip("gguf")
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"not a model" * 10)
    with pytest.raises(BackendFailed, match=r"broken\.gguf"):
        load_model(find_model(str(broken)))


@pytest.mark.parametrize(
    "name",
    ["", "./no-such-model", "/no/such/model", "~/none", "a/b/c", "x", "/tmp", "/no/model.gguf"],
)
def test_a_missing_folder_is_an_error_without_the_hub(name):
    """The hub is not asked, which could take half a minute."""
    with pytest.raises(ConfigError, match="no folder"):
        find_model(name)


def test_a_missing_package_is_an_error_with_the_extra(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"augkit\[nn\]"):
        find_model(str(folder))


def test_a_gguf_file_without_its_package_is_an_error_with_the_extra(tmp_path, monkeypatch):
    pytest.importorskip("transformers")
    monkeypatch.setitem(sys.modules, "gguf", None)
    file = tmp_path / "model.gguf"
    file.touch()
    with pytest.raises(MissingExtra, match=r"augkit\[local-llm\]"):
        find_model(str(file))
