"""One file of answers and several runs: at once, killed, damaged, full, and by a wrong clock."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVER = Path(__file__).with_name("server.py")
ROWS = 60
TOMORROW = 86_400


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The rows, the variants and the cache of a finished run, for the tests to copy."""
    place = tmp_path_factory.mktemp("recorded")
    path = place / "rows.jsonl"
    lines = (json.dumps({"text": f"Film {i} was good.", "label": "ab"[i % 2]}) for i in range(20))
    path.write_text("\n".join(lines), encoding="utf-8")
    with served() as url:
        ends_well(asking(path, url, place / "out", place / "cache.sqlite"))
    return path, variants(place / "out"), (place / "cache.sqlite").read_bytes()


@contextmanager
def served():
    """A server that counts, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, SERVER, "--port", "0", "--latency", "0.03"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    process.kill()
    process.communicate()


@pytest.fixture
def url():
    """A server of the test's own."""
    with served() as address:
        yield address


@pytest.fixture
def rows(write_rows):
    return write_rows([{"text": f"Film {i} was good.", "label": "ab"[i % 2]} for i in range(ROWS)])


def stats(url):
    with urllib.request.urlopen(f"{url}/stats") as answer:
        return json.load(answer)


def asking(rows, url, out, cache):
    command = [
        sys.executable, "-m", "augkit", "run", "-m", "paraphrase", "-d", rows, "--workers", 4,
        "--llm", "openai:tiny", "--base-url", url, "--out", out, "--cache", cache, "--resume",
    ]  # fmt: skip
    return subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def ended(process):
    """The exit code and what was complained of."""
    _, complained = process.communicate(timeout=600)
    return process.returncode, complained


def ends_well(process):
    code, complained = ended(process)
    assert code == 0, complained


def variants(out):
    return (out / "variants.jsonl").read_bytes()


def test_two_runs_at_once_pay_for_no_answer_twice(rows, url, tmp_path):
    """Two runs that ask the same begin together: each question is asked once, both are whole."""
    outs = [tmp_path / "one", tmp_path / "two"]
    runs = [asking(rows, url, out, tmp_path / "cache.sqlite") for out in outs]
    assert [ended(run)[0] for run in runs] == [0, 0]
    seen = stats(url)
    assert seen["calls"] == len(seen["questions"]) == ROWS
    one, two = map(variants, outs)
    assert one == two
    costs = [json.loads((out / "manifest.json").read_text())["cost"] for out in outs]
    assert sum(cost["calls"] for cost in costs) == ROWS
    assert sum(cost["cached"] for cost in costs) == ROWS


def test_a_run_that_was_killed_holds_nobody_up(rows, url, tmp_path):
    """What a killed run was asking is asked by the other; only calls in flight are paid again."""
    cache = tmp_path / "cache.sqlite"
    killed, other = (asking(rows, url, tmp_path / name, cache) for name in ("one", "two"))
    while stats(url)["calls"] < 15:
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    ends_well(other)
    assert len(stats(url)["questions"]) == ROWS
    assert stats(url)["calls"] <= ROWS + 4
    ends_well(asking(rows, url, tmp_path / "one", cache))
    assert stats(url)["calls"] <= ROWS + 4
    assert variants(tmp_path / "one") == variants(tmp_path / "two")


@pytest.mark.parametrize("damage", ["overwritten", "cut", "other", "text"])
def test_a_damaged_cache_is_told_and_costs_no_row(recorded, url, tmp_path, damage):
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
    code, complained = ended(asking(rows, url, out, cache))
    assert "Traceback" not in complained
    if damage == "text":
        assert code == 0, complained
    else:
        assert code == 2
        assert "cache.sqlite" in complained
        assert "Delete it" in complained
        for left in tmp_path.glob("cache.sqlite*"):
            left.unlink()
        ends_well(asking(rows, url, out, cache))
    assert variants(out) == expected


def test_a_clock_that_was_set_back_changes_nothing(rows, url, tmp_path):
    """Files and records of tomorrow: a killed run goes on, and nothing is asked again."""
    cache, out = tmp_path / "cache.sqlite", tmp_path / "one"
    process = asking(rows, url, out, cache)
    while stats(url)["calls"] < 20:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    for file in (cache, out / "work" / "llm.sqlite"):
        with sqlite3.connect(file) as records:
            records.execute("UPDATE replies SET created = created + ?", [TOMORROW])
        records.close()
    later = time.time() + TOMORROW
    for path in [tmp_path, *tmp_path.rglob("*")]:
        os.utime(path, (later, later))
    ends_well(asking(rows, url, out, cache))
    ends_well(asking(rows, url, tmp_path / "whole", cache))
    assert variants(out) == variants(tmp_path / "whole")
    assert stats(url)["calls"] <= ROWS + 4
