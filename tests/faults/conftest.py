"""Runs as processes."""

from __future__ import annotations

import subprocess
import sys

import pytest


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
