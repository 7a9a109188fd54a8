"""``augkit run --batch`` as a user starts it: it stops, is killed, and is resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from unittest import mock

import pytest

pytestmark = pytest.mark.slow

ROWS = [{"text": f"The film number {n} was quite good.", "label": "ab"[n % 2]} for n in range(12)]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    file = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return file


@pytest.fixture
def command(end, rows, tmp_path):
    return lambda *more: arguments(rows, end, tmp_path / "out", *more)


def arguments(rows, end, out, *more):
    """A run of two steps, paraphrases and their verification."""
    return [
        "run", "--method", "paraphrase", "--dataset", str(rows),
        "--llm", "openai:gpt-4o-mini", "--base-url", end.url, "--out", str(out),
        "--set", "judge.by=llm", "--set", "judge.rows=0", "--set", "text_gates.enabled=false",
        *more,
    ]  # fmt: skip


KEY = {"OPENAI_API_KEY": "sk-a-secret-that-is-long"}


@pytest.fixture(scope="module")
def run(run_augkit):
    """Run the command in this process; its exit code and all that it printed."""

    def run(arguments):
        with mock.patch.dict(os.environ, KEY):
            done = run_augkit(*arguments)
        return done.code, done.out + done.err

    return run


def finished(out, end):
    """All rows are answered, every request was submitted and served once, at half the price."""
    manifest = json.loads((out / "manifest.json").read_text())
    cost = manifest["cost"]
    assert manifest["status"] == "done"
    assert manifest["counts"]["read"] == len(ROWS)
    assert len(end.submitted()) == len(set(end.submitted())) == len(end.served) == cost["calls"]
    assert cost["unsettled"] == 0
    full = (cost["prompt_tokens"] * 0.15 + cost["completion_tokens"] * 0.60) / 1e6
    assert cost["usd"] == pytest.approx(full / 2)
    assert end.direct == []
    return (out / "dataset.jsonl").read_bytes()


@pytest.fixture(scope="module")
def single_calls(run, another_end, rows):
    """The dataset of a run without batches."""
    out = rows.parent / "single"
    code, said = run(arguments(rows, another_end, out))
    assert code == 0, said
    return (out / "dataset.jsonl").read_bytes()


def test_a_run_stops_at_each_batch_and_is_resumed(run, command, end, tmp_path, single_calls):
    """Exit code 5 and a message until all steps are done; the same data as by single calls."""
    out = tmp_path / "out"
    code, said = run(command("--batch"))
    while code == 5:
        assert f"batch_{len(end.batches) - 1} (in_progress" in said
        assert "--resume" in said
        assert "sk-a-secret" not in said
        status = json.loads((out / "manifest.json").read_text())["status"]
        assert status == "waiting for a batch"
        end.finish()
        code, said = run(command("--resume"))
    assert code == 0, said
    assert finished(out, end) == single_calls
    assert len(end.batches) >= 2


@pytest.mark.usefixtures("hide_torch")
@pytest.mark.parametrize("moment", ["POST batches", "GET files"])
def test_a_killed_run_submits_nothing_twice(  # noqa: PLR0917 - fixtures
    run, command, end, tmp_path, single_calls, moment
):
    """SIGKILL while the server has a call and has not answered it yet."""
    end.automatic = True
    end.hold = moment
    process = subprocess.Popen(
        [sys.executable, "-m", "augkit", *command("--batch-wait")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **KEY},
    )
    assert end.held.wait(300)
    process.send_signal(signal.SIGKILL)
    process.wait()
    end.hold = ""
    end.released.set()
    code, said = run(command("--batch-wait", "--resume"))
    assert code == 0, said
    assert finished(tmp_path / "out", end) == single_calls
