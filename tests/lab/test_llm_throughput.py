"""The benchmark of calls to a language model, on a few of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_it_finds_its_server_and_prints_both_speeds():
    """The server is a process of its own; the bare client and augkit both ask it."""
    few = ["--workers", "2", "--requests", "6", "--rounds", "1", "--latency", "0"]
    command = [sys.executable, "-m", "lab.llm_throughput", *few]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["rows"] for line in lines] == ["texts", "pairs"]
    assert all(line["bare_per_second"] > 0 and line["stack_per_second"] > 0 for line in lines)
