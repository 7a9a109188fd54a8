"""One file of answers and several runs: at once, killed, and by a wrong clock."""

import json
import os
import sqlite3
import time

import pytest

pytestmark = [pytest.mark.usefixtures("hide_torch"), pytest.mark.slow]

ROWS = 60
TOMORROW = 86_400


@pytest.fixture
def server(serve):
    """A server of the test's own."""
    return serve(latency=0.03)


@pytest.fixture
def rows(write_rows):
    return write_rows([{"text": f"Film {i} was good.", "label": "ab"[i % 2]} for i in range(ROWS)])


def arguments(rows, server, out, cache):
    return [
        "run", "-m", "paraphrase", "-d", rows, "--workers", 4, "--llm", "openai:tiny",
        "--base-url", server.url, "--out", out, "--set", f"cache={cache}", "--resume",
        "--set", "text_gates.enabled=false", "--set", "judge.by=none",  # the answers are made up
    ]  # fmt: skip


def ends_well(process):
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 0, complained


def kill_after(process, server, calls):
    """SIGKILL a run once the server has seen so many calls."""
    while server.calls < calls:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    process.kill()
    process.communicate()


def variants(out):
    return (out / "variants.jsonl").read_bytes()


def test_what_two_runs_at_once_have_paid_for_is_paid_no_more(
    augkit, start_augkit, rows, server, tmp_path
):
    """Both are whole, also where they ask the same at the same moment; a third pays nothing."""
    outs = [tmp_path / "one", tmp_path / "two"]
    cache = tmp_path / "cache.sqlite"
    for run in [start_augkit(*arguments(rows, server, out, cache)) for out in outs]:
        ends_well(run)
    one, two = map(variants, outs)
    assert one == two
    costs = [json.loads((out / "manifest.json").read_text())["cost"] for out in outs]
    paid = sum(cost["calls"] for cost in costs)
    assert paid == server.calls
    assert paid + sum(cost["cached"] for cost in costs) == 2 * ROWS
    assert augkit(*arguments(rows, server, tmp_path / "three", cache)).code == 0
    assert server.calls == paid


def test_a_clock_that_was_set_back_changes_nothing(augkit, start_augkit, rows, server, tmp_path):
    """Files and records of tomorrow: a killed run goes on, and nothing is asked again."""
    cache, out = tmp_path / "cache.sqlite", tmp_path / "one"
    kill_after(start_augkit(*arguments(rows, server, out, cache)), server, 20)
    for file in (cache, out / "work" / "llm.sqlite"):
        with sqlite3.connect(file) as records:
            records.execute("UPDATE replies SET created = created + ?", [TOMORROW])
        records.close()
    later = time.time() + TOMORROW
    for path in [tmp_path, *tmp_path.rglob("*")]:
        os.utime(path, (later, later))
    for folder in (out, tmp_path / "whole"):
        assert augkit(*arguments(rows, server, folder, cache)).code == 0
    assert variants(out) == variants(tmp_path / "whole")
    assert server.calls <= ROWS + 4
