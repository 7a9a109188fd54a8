"""One file of answers and several runs: at once, killed, damaged, full, and by a wrong clock."""

import json
import os
import sqlite3
import time

import pytest

pytestmark = [pytest.mark.usefixtures("hide_torch"), pytest.mark.slow]

ROWS = 60
TOMORROW = 86_400


@pytest.fixture(scope="module")
def recorded(run_augkit, faults, tmp_path_factory):
    """The rows, the variants and the cache of a finished run, for the tests to copy."""
    place = tmp_path_factory.mktemp("recorded")
    path = place / "rows.jsonl"
    lines = (json.dumps({"text": f"Film {i} was good.", "label": "ab"[i % 2]}) for i in range(20))
    path.write_text("\n".join(lines), encoding="utf-8")
    with faults.FaultServer() as server:
        assert run_augkit(*arguments(path, server, place / "out", place / "cache.sqlite")).code == 0
    return path, variants(place / "out"), (place / "cache.sqlite").read_bytes()


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
        "--base-url", server.url, "--out", out, "--cache", cache, "--resume",
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


def test_two_runs_at_once_pay_for_no_answer_twice(start_augkit, rows, server, tmp_path):
    """Two runs that ask the same begin together: each question is asked once, both are whole."""
    outs = [tmp_path / "one", tmp_path / "two"]
    cache = tmp_path / "cache.sqlite"
    for run in [start_augkit(*arguments(rows, server, out, cache)) for out in outs]:
        ends_well(run)
    assert server.calls == len(server.questions) == ROWS
    one, two = map(variants, outs)
    assert one == two
    costs = [json.loads((out / "manifest.json").read_text())["cost"] for out in outs]
    assert sum(cost["calls"] for cost in costs) == ROWS
    assert sum(cost["cached"] for cost in costs) == ROWS


def test_a_run_that_was_killed_holds_nobody_up(augkit, start_augkit, rows, server, tmp_path):
    """What a killed run was asking is asked by the other; only calls in flight are paid again."""
    cache = tmp_path / "cache.sqlite"
    killed, other = (
        start_augkit(*arguments(rows, server, tmp_path / name, cache)) for name in ("one", "two")
    )
    kill_after(killed, server, 15)
    ends_well(other)
    assert len(server.questions) == ROWS
    assert server.calls <= ROWS + 4
    assert augkit(*arguments(rows, server, tmp_path / "one", cache)).code == 0
    assert server.calls <= ROWS + 4
    assert variants(tmp_path / "one") == variants(tmp_path / "two")


@pytest.mark.parametrize("damage", ["overwritten", "cut", "other", "text"])
def test_a_damaged_cache_is_reported_and_costs_no_row(augkit, recorded, server, tmp_path, damage):
    """A file changed by hand: exit code 2 with its name and the cure, or its answer asked again."""
    rows, expected, content = recorded
    cache, out = tmp_path / "cache.sqlite", tmp_path / "out"
    cache.write_bytes(content)
    if damage == "overwritten":
        cache.write_bytes(content[:4096] + b"?" * (len(content) - 4096))
    elif damage == "cut":
        cache.write_bytes(content[: len(content) // 2])
    elif damage == "other":
        cache.write_text("these are no answers")
    else:
        with sqlite3.connect(cache) as changed:
            changed.execute("UPDATE replies SET text = 'not what was asked for {'")
        changed.close()
    done = augkit(*arguments(rows, server, out, cache))
    assert "Traceback" not in done.err
    if damage == "text":
        assert done.code == 0, done.err
    else:
        assert done.code == 2
        assert "cache.sqlite" in done.err
        assert "Delete it" in done.err
        for left in tmp_path.glob("cache.sqlite*"):
            left.unlink()
        assert augkit(*arguments(rows, server, out, cache)).code == 0
    assert variants(out) == expected


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
