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


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A file with 5,000 rows."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    with path.open("w") as file:
        for number in range(ROWS):
            row = {"text": f"She saw film {number} with him.", "label": "ab"[number % 2]}
            file.write(json.dumps({**row, "note": "-" * 100}) + "\n")
    return path


@pytest.fixture(scope="module")
def whole(run_augkit, rows, tmp_path_factory):
    """The files of a run that was not stopped."""
    out = tmp_path_factory.mktemp("whole") / "out"
    assert run_augkit("run", "-m", "eda", "-d", rows, "--workers", 1, "--out", out).code == 0
    return contents(out)


def contents(out):
    return [(out / f"{name}.jsonl").read_bytes() for name in ("dataset", "variants", "rejected")]


@pytest.mark.parametrize(
    ("number", "group", "code"),
    [
        (signal.SIGTERM, False, 143),
        (signal.SIGINT, True, 130),
        (signal.SIGKILL, False, -signal.SIGKILL),
    ],
)
def test_a_stopped_run_leaves_no_process(  # noqa: PLR0917 - fixtures
    augkit, started, rows, whole, tmp_path, number, group, code
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
    resumed = augkit("run", "--resume", "--out", out, "--workers", 1)
    assert resumed.code == 0, resumed.err
    assert contents(out) == whole
    assert len(whole[0].splitlines()) > ROWS


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
    process = started("sweep", study, "--out", tmp_path / "out", "--trials", 2)
    wait_for(lambda: list(tmp_path.glob("out/trials/*/manifest.json")), process)
    process.send_signal(signal.SIGTERM)
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 143
    assert "repeat the command" in complained
    assert "Traceback" not in complained
    assert gone(process.pid)
