"""Runs on a real Ray whose workers, nodes or head are killed: the same bytes, no call twice."""

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

from benchmarks.release.ray_nodes import three_nodes

pytestmark = pytest.mark.slow

pytest.importorskip("ray")

CALLS = 8
ROWS = 300
FILES = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl")
HEAD = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
import ray
ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
print("address", ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True)
class Cluster:
    """A Ray with two processors: its address, its process, and the environment to join it in."""

    address: str
    pid: int
    environment: dict
    start_augkit: Callable

    def workers(self, kind):
        """The processes of the actors of a class."""
        return [pid for pid, name in descendants(self.pid) if name.startswith(f"ray::{kind}")]

    def start(self, *arguments):
        """Start a command on it."""
        command = (*arguments, "--engine", "ray", "--ray-address", self.address)
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


def descendants(pid):
    """Process ids and names below a process."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for child in children:
        try:
            name = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ").strip()
            yield int(child), name
            yield from descendants(child)
        except OSError:  # noqa: PERF203 - it has ended
            continue


def asking(rows, server):
    return (
        "run", "-m", "paraphrase", "-d", rows, "--llm", "openai:tiny", "--base-url", server.url,
        "--workers", CALLS,
        "--set", "text_gates.enabled=false", "--set", "judge.by=none",  # the answers are made up
    )  # fmt: skip


def contents(folder):
    return [(folder / name).read_bytes() for name in FILES]


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def kill_once(cluster, process, kind, ready):
    """SIGKILL a worker of that kind as soon as ``ready()``, however long that takes."""
    while not (ready() and (found := cluster.workers(kind))):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    os.kill(found[0], signal.SIGKILL)


def ends_well(process):
    """Wait for the end of a run; it must be a good one."""
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 0, complained


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A file with 300 rows."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    text = "The movie number {} was quite good, I think."
    lines = [json.dumps({"text": text.format(i), "label": "ab"[i % 2]}) for i in range(ROWS)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def here(run_augkit, faults, rows, tmp_path_factory):
    """What the local engine gives, with every question asked once."""
    out = tmp_path_factory.mktemp("here") / "out"
    with faults.FaultServer() as server:
        assert run_augkit(*asking(rows, server), "-o", out).code == 0
        assert server.calls == ROWS
    return contents(out)


def test_a_killed_worker_leaves_no_trace(augkit, cluster, write_rows, tmp_path):
    """An offline method, a worker of which is killed: the bytes of the local engine."""
    rows = write_rows(
        [
            {"text": f"She gave row {i} to her brother, who thanked her.", "label": "ab"[i % 2]}
            for i in range(6000)
        ]
    )
    arguments = ("run", "-m", "eda", "-d", rows, "--set", "copies=4", "-o")
    assert augkit(*arguments, tmp_path / "here").code == 0
    out = tmp_path / "there"
    process, variants = cluster.start(*arguments, out), out / "variants.jsonl"
    kill_once(
        cluster, process, "FunctionWorker", lambda: variants.exists() and variants.stat().st_size
    )
    ends_well(process)
    assert contents(out) == contents(tmp_path / "here")


@pytest.mark.parametrize("kind", ["ModelWorker", "StoreActor"])
def test_a_killed_worker_costs_only_the_calls_in_flight(  # noqa: PLR0917 - fixtures
    cluster, serve, rows, here, tmp_path, kind
):
    """SIGKILL of a worker, or of the store actor: the same bytes, and only its open calls again."""
    server, out = serve(hold_after=60), tmp_path / "out"
    process = cluster.start(*asking(rows, server), "-o", out)
    kill_once(cluster, process, kind, lambda: server.calls > 60)
    server.release()
    ends_well(process)
    assert contents(out) == here
    assert len(server.questions) == ROWS
    assert ROWS <= server.calls <= ROWS + CALLS
    assert max(server.questions.values()) <= 2
    # Calls whose end was not reported are counted, at their most: the budget holds.
    cost = manifest(out)["cost"]
    assert cost["calls"] - cost["unsettled"] <= server.calls <= cost["calls"]


def test_the_budget_holds_for_all_workers_together(cluster, serve, rows, here, tmp_path):
    """No call beyond the budget arrives; with more of it the run ends as a local one does."""
    server, out = serve(latency=0.005), tmp_path / "out"
    code, complained = cluster.run(*asking(rows, server), "-o", out, "--budget", "150calls")
    assert code == 3, complained
    assert "budget of 150 calls" in complained
    assert "Traceback" not in complained
    assert 150 - CALLS <= server.calls <= 150
    assert manifest(out)["status"] == "stopped at budget"
    code, complained = cluster.run("run", "--resume", "-o", out, "--budget", "1000calls")
    assert code == 0, complained
    assert server.calls == ROWS
    assert manifest(out)["cost"]["calls"] == ROWS
    assert contents(out) == here


def test_the_rate_holds_for_all_workers_together(cluster, serve, rows, tmp_path):
    """1,200 requests a minute: 80 calls take two seconds at least, and two workers share them."""
    server, config = serve(), tmp_path / "slow.yaml"
    config.write_text("connection: {requests_per_minute: 1200}\nlimit: 80\n")
    process = cluster.start(*asking(rows, server), "-o", tmp_path / "out", "--config", config)
    seen = []
    while process.poll() is None:
        seen.append((time.monotonic(), server.calls))
        time.sleep(0.05)
    _, complained = process.communicate()
    assert process.returncode == 0, complained
    assert server.calls == 80
    before = max(at for at, calls in seen if calls == 0)
    after = min([at for at, calls in seen if calls == 80], default=time.monotonic())
    # A bucket holds a second's worth; with a bucket for each of two workers it were two seconds.
    assert after - before >= (80 - 20) / 20 - 1


def test_a_fitted_artifact_travels(augkit, cluster, tmp_path):
    """Workers get the artifact from Ray, not from the run folder."""
    arguments = ("run", "-m", "random-edit", "-d", "reviews-demo", "-o")
    assert augkit(*arguments, tmp_path / "here").code == 0
    code, complained = cluster.run(*arguments, tmp_path / "there")
    assert code == 0, complained
    assert list((tmp_path / "there" / "work" / "artifacts").iterdir())
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_trials_of_a_study_share_a_cluster(augkit, cluster, tmp_path):
    """Two trials at a time on two processors end, with the variants of the local engine."""
    study = tmp_path / "study.yaml"
    study.write_text(
        "methods: [swap, mask-words]\ndatasets: [reviews-demo]\nlimit: 40\n"
        "tests: {reviews-demo: [reviews-demo:test]}\n"
    )
    assert augkit("sweep", study, "--out", tmp_path / "here", "--workers", 1).code == 0
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
    """A Ray of three nodes; commands give up a head that is silent for five seconds."""
    with three_nodes(PYTHONPATH=torchless, RAY_gcs_rpc_server_reconnect_timeout_s="40") as found:
        yield found


def wait_until(ready, process):
    while not ready():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)


def test_a_lost_node_leaves_no_trace(augkit, nodes, write_rows, tmp_path):
    """A node of three is killed and not replaced: the bytes of the local engine."""
    text = "She gave row {} to her brother, who thanked her, and then they both went home again."
    rows = write_rows([{"text": text.format(i), "label": "ab"[i % 2]} for i in range(9000)])
    arguments = ("run", "-m", "eda", "-d", rows, "--set", "copies=4", "-o")
    assert augkit(*arguments, tmp_path / "here").code == 0
    out = tmp_path / "there"
    process, variants = nodes.start(*arguments, out), out / "variants.jsonl"
    wait_until(lambda: variants.exists() and variants.stat().st_size, process)
    nodes.kill_node(random.Random(0))
    ends_well(process)
    assert contents(out) == contents(tmp_path / "here")
    nodes.add()


def test_a_lost_node_costs_only_the_calls_in_flight(nodes, serve, rows, here, tmp_path):
    """The other nodes ask again what a lost one was asking, and nothing else."""
    server, out = serve(hold_after=60), tmp_path / "out"
    process = nodes.start(*asking(rows, server), "-o", out)
    wait_until(lambda: server.calls > 60, process)
    nodes.kill_node(random.Random(0))
    server.release()
    ends_well(process)
    assert contents(out) == here
    assert len(server.questions) == ROWS
    assert ROWS <= server.calls <= ROWS + CALLS
    assert max(server.questions.values()) <= 2


def test_a_lost_head_ends_the_run_with_a_sentence(  # noqa: PLR0917 - fixtures
    run_augkit, nodes, serve, rows, here, tmp_path
):
    """Exit code 4 and how to go on; resumed without Ray, only calls in flight are made again."""
    server, out = serve(hold_after=60), tmp_path / "out"
    process = nodes.start(*asking(rows, server), "-o", out)
    wait_until(lambda: server.calls > 60, process)
    nodes.kill_head(whole=False)
    _, complained = process.communicate(timeout=600)
    assert process.returncode == 4, complained
    assert "the Ray cluster is gone" in complained
    assert "--resume" in complained
    assert "Traceback" not in complained
    assert manifest(out)["status"] == "back end failed"
    assert manifest(out)["cost"]["calls"] >= 60
    server.release()
    assert run_augkit("run", "--resume", "--engine", "local", "-o", out).code == 0
    assert contents(out) == here
    assert ROWS <= server.calls <= ROWS + CALLS


def test_a_cluster_that_is_not_there_is_reported(augkit, tmp_path):
    """A wrong address is answered with a right one, and no folder is left in the way."""
    done = augkit("run", "-m", "eda", "-o", "out", "--engine", "ray", "--ray-address", "ray://x:1")
    assert done.code == 2
    assert re.search("ray://x:1.*HOST:6379", done.err)
    assert not (tmp_path / "out").exists()


def test_without_ray_the_command_to_install_it_is_shown(augkit, monkeypatch):
    """Where Ray is not installed: exit code 2 and the command that installs it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    done = augkit("run", "-m", "eda", "--engine", "ray", "-o", "out")
    assert done.code == 2
    assert "pip install 'augkit[ray]'" in done.err
