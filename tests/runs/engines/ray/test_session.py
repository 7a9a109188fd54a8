"""What a command knows of its cluster, without Ray: a head that falls silent, and last words."""

import socket
import subprocess
import sys

import pytest

from augkit.core.errors import BackendFailed
from augkit.runs.engines.ray.session import Link

ENDS = """
import os
from augkit.runs.engines.ray.session import _last_words
with _last_words():
    {}
"""


@pytest.fixture
def head():
    """A server on the loopback that stands for the head."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_a_silent_head_is_given_up_after_a_while(head, monkeypatch):
    """With Ray's own limit of 60 seconds a command waits for 25, and then fails for good."""
    monkeypatch.delenv("RAY_gcs_rpc_server_reconnect_timeout_s", raising=False)
    times = iter([0, 1, 6, 6, 30, 30, 56, 56])
    link = Link(f"127.0.0.1:{head.getsockname()[1]}", clock=lambda: next(times))
    assert not link.look()  # too soon
    assert link.look()
    head.close()
    assert not link.look()
    assert not link.is_lost
    with pytest.raises(BackendFailed, match=r"127\.0\.0\.1:.*for 50 seconds.*--engine local"):
        link.look()
    with pytest.raises(BackendFailed):
        link.look()
    assert link.is_lost


def test_a_longer_limit_of_ray_is_respected(head, monkeypatch):
    """A head that may take minutes to restart is waited for."""
    monkeypatch.setenv("RAY_gcs_rpc_server_reconnect_timeout_s", "300")
    times = iter([0, 200, 200, 266, 266])
    link = Link(f"127.0.0.1:{head.getsockname()[1]}", clock=lambda: next(times))
    head.close()
    assert not link.look()
    with pytest.raises(BackendFailed, match="266 seconds"):
        link.look()


@pytest.mark.slow
@pytest.mark.parametrize(("end", "speaks"), [("os._exit(1)", True), ("pass", False)])
def test_a_command_that_ray_ends_has_last_words(end, speaks):
    """Ray ends the process without an error: another one says how to go on."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS.format(end)], stderr=subprocess.PIPE, text=True, check=False
    )
    assert ("Finished work is kept: repeat the command" in done.stderr) == speaks
