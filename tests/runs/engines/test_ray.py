"""What a command knows of its Ray cluster, without Ray; ``tests/faults`` has a real one."""

import itertools
import pickle
import socket
import subprocess
import sys
from types import SimpleNamespace

import pytest

from augkit.core.errors import BackendFailed, MissingExtra, UnknownName
from augkit.runs.engines import ray as engine

ENDS = """
import os
from augkit.runs.engines.ray import _last_words
with _last_words("continue with: augkit run --resume --out 'my runs/ä'"):
    {}
"""


@pytest.fixture
def head():
    """A server on the loopback that stands for the head."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.fixture
def cluster(head, monkeypatch):
    """A cluster at that head with one processor, which is looked at once in ten seconds."""
    resources = {"CPU": 1.0}
    context = SimpleNamespace(gcs_address=f"127.0.0.1:{head.getsockname()[1]}")
    ray = SimpleNamespace(cluster_resources=lambda: resources, get_runtime_context=lambda: context)
    monkeypatch.setattr(engine, "import_ray", lambda: ray)
    clock = SimpleNamespace(monotonic=itertools.count(0, 10).__next__)
    monkeypatch.setattr(engine, "time", clock)
    return SimpleNamespace(engine=engine.RayCluster(None), resources=resources)


def look(cluster, times):
    for _ in range(times):
        cluster.engine._look()


def test_a_silent_head_is_given_up_before_ray_ends_the_command(cluster, head):
    """Ray does so after 60 seconds, we after more than half of them."""
    look(cluster, times=1)
    head.close()
    look(cluster, times=3)
    with pytest.raises(BackendFailed, match=r"127.*has not answered for 40 s.*engine=local"):
        look(cluster, times=1)


def test_a_cluster_without_nodes_is_given_up_after_minutes(cluster):
    """Another machine may be on its way; where it comes, the minutes are counted anew."""
    cluster.resources.clear()
    look(cluster, times=29)
    cluster.resources["CPU"] = 1.0
    look(cluster, times=1)
    cluster.resources.clear()
    look(cluster, times=30)
    with pytest.raises(BackendFailed, match="no node of it has had a processor for 310 seconds"):
        look(cluster, times=1)


@pytest.mark.slow
@pytest.mark.parametrize(("end", "speaks"), [("os._exit(1)", True), ("pass", False)])
def test_a_command_that_ray_ends_has_last_words(end, speaks):
    """Ray ends the process without an error: another one says how to go on."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS.format(end)],
        stderr=subprocess.PIPE, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ("continue with: augkit run --resume --out 'my runs/ä'" in done.stderr) == speaks


@pytest.mark.parametrize("error", [UnknownName("method", "edda", ["eda"]), MissingExtra("nn", "x")])
def test_an_error_comes_back_from_a_worker_as_it_was(error):
    """Its constructor takes other things than the message; where it is from stays with it."""
    error.continue_with = "augkit run"
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.continue_with == "augkit run"
