"""SIGTERM, Ctrl-C and SIGKILL: no process is left behind, and the run can be resumed."""

import json
import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes in /proc"),
    pytest.mark.usefixtures("hide_torch"),
]


ROWS = 5_000
"""Four blocks of 256 KB."""


def session_of(pid):
    """Processes of the session that a process began, itself included, that are not dead."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(session) == pid and state != "Z":
                found.append(int(entry.name))
    return found


HELD = """
import time
from augkit.cli.app import main
from augkit.runs.ledger import Ledger

append, chunks = Ledger.append, []
def append_and_wait(ledger, chunk):
    append(ledger, chunk)
    chunks.append(chunk)
    if len(chunks) == 2:
        print("half", flush=True)
        time.sleep(3600)

Ledger.append = append_and_wait
main()
"""
"""The command, held after two of four chunks: it cannot end before it is stopped."""


@pytest.fixture
def started(start_augkit):
    """Start ``augkit`` in a session of its own."""
    return partial(start_augkit, start_new_session=True)


def wait_for(condition, process):
    for _ in range(6000):
        if condition():
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    pytest.fail("it never came to that")


def gone(pid):
    """Whether the whole session ends."""
    for _ in range(6000):
        if not session_of(pid):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def rows(write_rows):
    return write_rows(
        [
            {"text": f"She saw film {i} with him.", "label": "ab"[i % 2], "note": "-" * 100}
            for i in range(ROWS)
        ]
    )


@pytest.mark.parametrize(
    ("number", "group", "code"),
    [
        (signal.SIGTERM, False, 143),
        (signal.SIGINT, True, 130),
        (signal.SIGKILL, False, -signal.SIGKILL),
    ],
)
def test_a_stopped_run_leaves_no_process(  # noqa: PLR0917 - fixtures
    started, rows, tmp_path, number, group, code
):
    """Its processes end however it is stopped at half; resumed, it gives a whole run's bytes."""
    out = tmp_path / "out"
    process = started(
        "run", "-m", "eda", "-d", rows, "--workers", 2, "--out", out, code=("-c", HELD)
    )
    assert process.stdout.readline() == "half\n"
    assert len(session_of(process.pid)) >= 3
    # A terminal sends Ctrl-C to every process of the group.
    (os.killpg if group else os.kill)(process.pid, number)
    _, complained = process.communicate(timeout=600)
    assert process.returncode == code
    assert gone(process.pid)
    assert "Traceback" not in complained
    manifest = json.loads((out / "manifest.json").read_text())
    if code > 0:
        assert "stopped" in complained
        assert f"continue with: augkit run --resume --out {out} --workers 2" in complained
        assert manifest["status"] == "interrupted"
    if number != signal.SIGINT:
        for arguments in (("--resume", "--out", out), ("-m", "eda", "-d", rows, "--out", "whole")):
            finished = started("run", *arguments, cwd=tmp_path)
            _, complained = finished.communicate(timeout=600)
            assert finished.returncode == 0, complained
        for name in ("dataset.jsonl", "variants.jsonl", "rejected.jsonl"):
            assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
        assert len((out / "dataset.jsonl").read_bytes().splitlines()) > ROWS


def test_ctrl_c_while_workers_start(started, rows, tmp_path):
    """A Ctrl-C that meets the worker processes at their imports ends the run as any other does."""
    out = tmp_path / "out"
    process = started("run", "-m", "eda", "-d", rows, "--workers", 2, "--out", out)
    # The command, Python's tracker of resources, and both workers, not yet settled in.
    wait_for(lambda: len(session_of(process.pid)) >= 4, process)
    os.killpg(process.pid, signal.SIGINT)
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 130
    assert gone(process.pid)
    assert "Traceback" not in complained
    assert "stopped" in complained


def test_a_stopped_study_leaves_no_process(started, tmp_path):
    """SIGTERM of a study with trials side by side ends them all, and says how to go on."""
    study = tmp_path / "study.yaml"
    study.write_text(
        "methods: [eda]\ndatasets: [reviews-demo]\nseeds: [0, 1, 2, 3, 4, 5]\n"
        "tests: {reviews-demo: [reviews-demo:test]}\nlimit: 20\n"
    )
    process = started("sweep", study, "--out", tmp_path / "out", "--workers", 2)
    wait_for(lambda: list(tmp_path.glob("out/trials/*/manifest.json")), process)
    process.send_signal(signal.SIGTERM)
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 143
    assert "repeat the command" in complained
    assert "Traceback" not in complained
    assert gone(process.pid)
