"""Runs on a real Ray whose workers, nodes or head are killed: the bytes of one process."""

import json
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.processes import descendants
from lab.ray_nodes import is_at_work, three_nodes

pytestmark = pytest.mark.slow

pytest.importorskip("ray")

ROWS = 2000
NOTE = "-" * 1500
"""A column that makes 2,000 rows thirteen blocks."""
FILES = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl")
HEAD = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
import ray
ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
print("address", ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""
SLOW = """
import time
from augkit.cli.app import main
from augkit.runs.ledger import Ledger

append = Ledger.append
def append_slowly(ledger, chunk):
    time.sleep(2)
    append(ledger, chunk)

Ledger.append = append_slowly
main()
"""
"""The command, which takes 26 seconds at least: the head is given up after ten."""
A_FAULT_IN_A_TASK = """
import sys
from augkit.core.errors import UnknownName
from augkit.runs.engines.ray import connect_ray
from augkit.runs.row_work import StepSpec
with connect_ray(sys.argv[1], None, "") as cluster:
    try:
        list(cluster.chunks(StepSpec("edda", "{}"), [None]))
    except UnknownName as error:
        print(error)
"""


@dataclass(frozen=True)
class Cluster:
    """A Ray with two processors: its address, its process, and the environment to join it in."""

    address: str
    pid: int
    environment: dict
    start_augkit: Callable

    def workers(self):
        """The processes that have a task."""
        return [pid for pid in descendants(self.pid) if is_at_work(pid)]

    def start(self, *arguments):
        """Start a command on it."""
        command = (*arguments, "--set", "engine=ray", "--set", f"ray_address={self.address}")
        return self.start_augkit(*command, env=self.environment)

    def run(self, *arguments):
        """Carry out a command on it: its exit code and what it complained of."""
        process = self.start(*arguments)
        _, complained = process.communicate(timeout=600)
        return process.returncode, complained


@pytest.fixture(scope="module")
def cluster(start_augkit, torchless):
    """A Ray in a process of its own, with a token that only this test knows."""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("finds the workers to kill in /proc")
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    environment = {**os.environ, **token, "PYTHONPATH": torchless}
    head = subprocess.Popen(
        [sys.executable, "-c", HEAD], env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    words = next(line for line in head.stdout if line.startswith("address"))
    yield Cluster(words.split()[1], head.pid, environment, start_augkit)
    head.communicate("")


def contents(folder):
    return [(folder / name).read_bytes() for name in FILES]


def written(folder):
    """Bytes of variants so far."""
    variants = folder / "variants.jsonl"
    return variants.stat().st_size if variants.exists() else 0


def wait_until(ready, process):
    """Whether it was ready before the command ended."""
    while process.poll() is None:
        if ready():
            return True
        time.sleep(0.02)
    return False


def ends_well(process):
    """Wait for the end of a run; it must be a good one."""
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 0, complained


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """A run of some seconds, without its folder."""
    rows = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    with rows.open("w", encoding="utf-8") as file:
        for number in range(ROWS):
            text = f"She gave row {number} to her brother."
            row = {"text": text, "label": "ab"[number % 2], "note": NOTE}
            file.write(json.dumps(row) + "\n")
    return ("run", "-m", "eda", "-d", rows, "--set", "copies=4", "-o")


@pytest.fixture(scope="module")
def here(run_augkit, command, tmp_path_factory):
    """The folder of that run in one process."""
    out = tmp_path_factory.mktemp("here") / "out"
    assert run_augkit(*command, out, "--workers", 1).code == 0
    return out


def kill_thrice(process, out, whole, victims, kill):
    """Kill one of those at work before the first result, in the middle and near the end."""
    kills = 0
    for share in (0.0, 0.3, 0.6):

        def ready(share=share):
            return written(out) >= share * written(whole) and victims()

        if wait_until(ready, process):
            kill()
            kills += 1
    assert kills  # on a busy machine the run may be done before the last of them


def test_killed_workers_leave_no_trace(cluster, command, here, tmp_path):
    """SIGKILL of workers at three moments: the bytes of one process."""
    out = tmp_path / "there"
    process = cluster.start(*command, out)

    def kill_worker():
        for worker in cluster.workers()[:1]:
            os.kill(worker, signal.SIGKILL)

    kill_thrice(process, out, here, cluster.workers, kill_worker)
    ends_well(process)
    assert contents(out) == contents(here)


def test_a_fitted_artifact_travels(augkit, cluster, tmp_path):
    """Workers get the artifact from Ray, not from the run folder."""
    arguments = ("run", "-m", "random-edit", "-d", "reviews-demo", "-o")
    assert augkit(*arguments, tmp_path / "here").code == 0
    code, complained = cluster.run(*arguments, tmp_path / "there")
    assert code == 0, complained
    assert list((tmp_path / "there" / "work" / "artifacts").iterdir())
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_ctrl_c_ends_the_run_as_with_other_engines(cluster, augkit, command, here, tmp_path):
    """Exit code 130 and how to go on; resumed in one process, the run gives the same bytes."""
    out = tmp_path / "out"
    process = cluster.start(*command, out)
    assert wait_until(lambda: written(out), process)
    process.send_signal(signal.SIGINT)
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 130, complained
    assert f"continue with: augkit run --resume --out {out} " in complained
    assert "--set engine=ray --set ray_address" in complained
    assert "Traceback" not in complained
    assert json.loads((out / "manifest.json").read_text())["status"] == "interrupted"
    assert augkit("run", "--resume", "--out", out, "--workers", 1).code == 0
    assert contents(out) == contents(here)


def test_an_error_in_a_task_reaches_the_user_as_it_is(cluster):
    """Not as an error of Ray's with the traceback of a worker in it."""
    done = subprocess.run(
        [sys.executable, "-c", A_FAULT_IN_A_TASK, cluster.address], env=cluster.environment,
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert re.fullmatch(r"no method 'edda'\. Did you mean 'eda'\?.*\n", done.stdout)


def test_calls_of_a_language_model_are_made_here(augkit, serve, write_rows, tmp_path):
    """With the bytes of the local engine, without a cluster, and several calls at a time."""
    rows = write_rows([{"text": f"The film {n} is good.", "label": "ab"[n % 2]} for n in range(40)])
    for engine in ("local", "ray"):
        server = serve(latency=0.02)
        done = augkit(
            "run", "-m", "paraphrase", "-d", rows, "--llm", "openai:tiny", "--workers", 8,
            "--base-url", server.url, "--set", "text_gates.enabled=false",
            "--set", "judge.by=none", "--set", f"engine={engine}", "--set", "ray_address=nowhere:1",
            "-o", engine,
        )  # fmt: skip
        assert done.code == 0, done.err
        assert server.calls == 40
        assert server.peak > 1
    assert contents(tmp_path / "local") == contents(tmp_path / "ray")


@pytest.mark.long
def test_trials_of_a_study_share_a_cluster(augkit, cluster, tmp_path):
    """Two trials at a time on two processors end, with the variants of the local engine."""
    study = tmp_path / "study.yaml"
    study.write_text(
        "methods: [swap, mask-words]\ndatasets: [reviews-demo]\nlimit: 40\n"
        "tests: {reviews-demo: [reviews-demo:test]}\n"
    )
    assert augkit("sweep", study, "--out", tmp_path / "here", "--trials", 1).code == 0
    code, complained = cluster.run("sweep", study, "--out", tmp_path / "there")
    assert code == 0, complained
    found = {
        folder: {
            path.parent.name: path.read_bytes()
            for path in tmp_path.glob(f"{folder}/trials/*/variants.jsonl")
        }
        for folder in ("here", "there")
    }
    assert len(found["here"]) == 2
    assert found["here"] == found["there"]


@pytest.fixture(scope="module")
def nodes(torchless):
    """A Ray of three nodes; commands give up a head that is silent for ten seconds."""
    with three_nodes(PYTHONPATH=torchless, RAY_gcs_rpc_server_reconnect_timeout_s="20") as found:
        yield found


@pytest.mark.long
def test_lost_nodes_leave_no_trace(nodes, command, here, tmp_path):
    """SIGKILL of all processes of a node at three moments; another one takes its place."""
    out, draw = tmp_path / "there", random.Random(0)
    process = nodes.start(*command, out)

    def kill_node():
        nodes.kill_node(draw)
        nodes.add()

    kill_thrice(process, out, here, nodes.at_work, kill_node)
    ends_well(process)
    assert contents(out) == contents(here)


@pytest.mark.long
@pytest.mark.parametrize("whole", [False, True])
def test_a_lost_head_ends_the_run_with_a_sentence(  # noqa: PLR0917 - fixtures
    start_augkit, torchless, augkit, command, here, tmp_path, whole
):
    """Lost before the first result: the folder is there, and the command that is named goes on.

    Where its node is lost with the head, Ray may end the command first, without an error.
    """
    out = tmp_path / "out"
    wait = {"RAY_gcs_rpc_server_reconnect_timeout_s": "20"}
    with three_nodes(PYTHONPATH=torchless, **wait) as nodes:
        there = ("--set", "engine=ray", "--set", f"ray_address={nodes.address}")
        process = start_augkit(*command, out, *there, code=("-c", SLOW), env=nodes.environment)
        assert wait_until(nodes.at_work, process)
        nodes.kill_head(whole=whole)
        _, complained = process.communicate(timeout=600)
    assert process.returncode == 4 or (whole and process.returncode == 1), complained
    assert f"continue with: augkit run --resume --out {out} " in complained
    assert "Traceback" not in complained
    status = json.loads((out / "manifest.json").read_text())["status"]
    assert status == {4: "back end failed", 1: "running"}[process.returncode]
    assert augkit("run", "--resume", "--out", out).code == 0
    assert contents(out) == contents(here)


@pytest.mark.parametrize(("address", "code", "words"), [
    ("ray://x:1", 2, "ray://x:1.*HOST:6379"),
    ("127.0.0.1:1", 4, "127.0.0.1:1: cannot connect.*'ray status'"),
])  # fmt: skip
def test_a_cluster_that_is_not_there_is_reported(augkit, tmp_path, address, code, words):
    """At once, and no folder is left in the way, nor named as one to continue."""
    done = augkit(
        "run", "-m", "eda", "-o", "out", "--set", "engine=ray", "--set", f"ray_address={address}"
    )
    assert done.code == code
    assert re.search(words, done.err)
    assert "--resume" not in done.err
    assert not (tmp_path / "out").exists()


def test_without_ray_the_command_to_install_it_is_shown(augkit, monkeypatch):
    """Where Ray is not installed: exit code 2 and the command that installs it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    done = augkit("run", "-m", "eda", "--set", "engine=ray", "-o", "out")
    assert done.code == 2
    assert "pip install 'augkit[ray]'" in done.err
