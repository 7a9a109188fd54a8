"""Servers of the tests' own, and runs as processes."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.fixture
def serve(faults):
    """Start servers that behave as asked, ``serve(latency=0.02)``, and end with the test."""
    servers = []

    def start(**behaviour):
        servers.append(faults.FaultServer(faults.Behaviour(**behaviour)).__enter__())
        return servers[-1]

    yield start
    for server in servers:
        server.__exit__()


@pytest.fixture(scope="session")
def start_augkit():
    """Start ``augkit`` with arguments as a process."""

    def start(*arguments, code=("-m", "augkit"), **more):
        return subprocess.Popen(
            [sys.executable, *code, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )

    return start
