"""Runs on a Ray of three nodes, one of which is killed: the same bytes, and nothing paid twice?

    python -m benchmarks.release.ray_nodes [--rows 1000000] [--method swap] [--kills 10]
        [--asking 3] [--heads 2] [--calls 600] [--place DIR] [--seed 0]

Three raylets on this machine, each with one processor, and ``augkit run --engine ray`` on them.
``--kills`` runs of an offline method lose a node: SIGKILL of its raylet and of all its processes
when a random share of the dataset is written; another node then takes its place. ``--asking`` runs
ask ``--calls`` questions of a local HTTP server that counts them, eight at a time, and lose a node
after a random number of calls. ``--heads`` runs lose the head, by turns its server alone and all
its processes; they must end with a sentence, and are resumed in one process. All must give the
bytes of one process, of which the rows are those of ``benchmarks.speed.streaming``. Prints one
JSON line.
"""

from __future__ import annotations

import filecmp
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.faults import server_module
from benchmarks.speed.streaming import descendants, reviews, write_rows, written

FILES = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl")
IN_FLIGHT = 8
CLUSTER = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from ray.cluster_utils import Cluster
def tried(start):  # Ray gives a node 30 seconds, which a busy machine may not have
    for left in (4, 3, 2, 1, 0):
        try:
            return start()
        except Exception:
            if not left:
                raise
size = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
head = {**size, "include_dashboard": False}
cluster = tried(lambda: Cluster(initialize_head=True, head_node_args=head))
show = lambda node: [p.process.pid for kind in node.all_processes.values() for p in kind]
server = cluster.head_node.all_processes["gcs_server"][0].process.pid
print("cluster", cluster.address, server, *show(cluster.head_node), flush=True)
for line in sys.stdin:
    print("node", *show(tried(lambda: cluster.add_node(**size))), flush=True)
"""


@dataclass
class Nodes:
    """A Ray on this machine: the processes of its head and of its other nodes."""

    process: subprocess.Popen[str]
    environment: dict[str, str]
    address: str
    server: int
    """The process of the head that knows the cluster."""
    head: list[int]
    others: list[list[int]] = field(default_factory=list)

    def add(self) -> None:
        """Start a node."""
        self.process.stdin.write("add\n")
        self.process.stdin.flush()
        self.others.append([int(word) for word in told(self.process, "node")])

    def kill_node(self, draw: random.Random) -> None:
        """SIGKILL the processes of a node, but not of the head."""
        kill_all(self.others.pop(draw.randrange(len(self.others))))

    def kill_head(self, *, whole: bool) -> None:
        """SIGKILL the server of the head, or all processes of the head."""
        kill_all(self.head if whole else [self.server])

    def start(self, *words: object) -> subprocess.Popen[str]:
        """An augkit command on this cluster."""
        ray = ("--engine", "ray", "--ray-address", self.address)
        return start(*words, *ray, env=self.environment)


@contextmanager
def three_nodes(**settings: str) -> Iterator[Nodes]:
    """A head and two more nodes, with a token that only this process knows.

    ``settings`` are further environment variables of the cluster and its commands.
    """
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    environment = {**os.environ, **token, **settings}
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        address, server, *head = told(process, "cluster")
        nodes = Nodes(process, environment, address, int(server), [int(pid) for pid in head])
        nodes.add()
        nodes.add()
        yield nodes
    finally:
        kill_all([process.pid])
        process.communicate()


def told(process: subprocess.Popen[str], word: str) -> list[str]:
    """The words of the next line that begins with that word."""
    line = next(line for line in process.stdout if line.startswith(word))
    return line.split()[1:]


def kill_all(pids: list[int]) -> None:
    """SIGKILL processes and all below them."""
    below = [child for pid in pids for child in descendants(pid)]
    for pid in [*pids, *below]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def start(*words: object, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """An augkit command whose complaints can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", "augkit", *map(str, words)],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> str:
    """What a command complained of; the end of this program where it failed."""
    complained = process.communicate()[1]
    if process.returncode:
        sys.exit(f"exit code {process.returncode}: {complained}")
    return complained


def wait_until(reached: Callable[[], bool], process: subprocess.Popen[str]) -> bool:
    """Whether a point was reached before the command ended."""
    while process.poll() is None:
        if reached():
            return True
        time.sleep(0.02)
    return False


def same(here: Path, there: Path) -> bool:
    """Whether two runs wrote the same bytes."""
    return all(filecmp.cmp(here / name, there / name, shallow=False) for name in FILES)


def main() -> None:
    """Measure and print."""
    options = arguments(
        __doc__,
        argument("--rows", type=int, default=1_000_000),
        argument("--method", default="swap"),
        argument("--kills", type=int, default=10),
        argument("--asking", type=int, default=3),
        argument("--heads", type=int, default=2),
        argument("--calls", type=int, default=600),
        argument("--place", help="a folder with room for the files; default: a temporary one"),
        argument("--seed", type=int, default=0),
    )
    draw = random.Random(options.seed)
    result: dict[str, Any] = {"benchmark": "ray_nodes", "seed": options.seed}
    with tempfile.TemporaryDirectory(dir=options.place) as folder:
        place = Path(folder)
        rows = write_rows(place / "rows.jsonl", options.rows, reviews())
        offline = ("run", "-m", options.method, "-d", rows, "-o")
        about = {"method": options.method, "rows": options.rows}
        if options.kills or options.heads:
            ended(start(*offline, place / "here"))
        if options.kills or options.asking:
            with three_nodes() as nodes:
                lost = [
                    about | node_lost(nodes, offline, place, draw) for _ in range(options.kills)
                ]
                asked = [
                    calls_lost(nodes, options.calls, place, draw) for _ in range(options.asking)
                ]
            result |= {"nodes": lost, "model": asked}
        result["head"] = [
            about | head_lost(offline, place, draw, whole=bool(number % 2))
            for number in range(options.heads)
        ]
    print_line(result)


def node_lost(
    nodes: Nodes, offline: tuple[object, ...], place: Path, draw: random.Random
) -> dict[str, Any]:
    """A run of an offline method that loses a node at a random moment."""
    out, share = place / f"lost-{time.monotonic_ns()}", draw.uniform(0.05, 0.95)
    size = share * (place / "here" / "dataset.jsonl").stat().st_size
    began = time.perf_counter()
    process = nodes.start(*offline, out)
    if killed := wait_until(lambda: written(out) > size, process):
        nodes.kill_node(draw)
    ended(process)
    figures = {
        "at_share": round(share, 2) if killed else None,
        "seconds": round(time.perf_counter() - began, 1),
        "same_bytes": same(place / "here", out),
    }
    print(json.dumps(figures), file=sys.stderr, flush=True)
    remove(out)
    if killed:
        nodes.add()
    return figures


def calls_lost(nodes: Nodes, questions: int, place: Path, draw: random.Random) -> dict[str, Any]:
    """A run with a language model that loses a node while calls are in flight."""
    faults = server_module()
    rows = write_rows(place / "asked.jsonl", questions, reviews())
    here, out = place / "asked-here", place / f"asked-{time.monotonic_ns()}"
    slow = faults.Behaviour(latency=0.2)
    with faults.FaultServer(slow) as first, faults.FaultServer(slow) as server:
        if not here.exists():
            ended(start(*asking(rows, first.url), here))
        at = draw.randrange(questions // 10, questions * 9 // 10)
        process = nodes.start(*asking(rows, server.url), out)
        if killed := wait_until(lambda: server.calls >= at, process):
            nodes.kill_node(draw)
        ended(process)
        cost = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["cost"]
        figures = {
            "questions": questions,
            "at_call": at if killed else None,
            "calls": server.calls,
            "asked_twice": sum(times > 1 for times in server.questions.values()),
            "asked_three_times": sum(times > 2 for times in server.questions.values()),
            "calls_counted": cost["calls"],
            "same_bytes": same(here, out),
        }
    print(json.dumps(figures), file=sys.stderr, flush=True)
    if killed:
        nodes.add()
    return figures


def asking(rows: Path, url: str) -> tuple[object, ...]:
    """A run that asks one question a row; the answers are made up, so no check is made."""
    return (
        "run", "-m", "paraphrase", "-d", rows, "--llm", "openai:tiny", "--base-url", url,
        "--workers", IN_FLIGHT, "--set", "text_gates.enabled=false", "--set", "judge.by=none", "-o",
    )  # fmt: skip


def head_lost(
    offline: tuple[object, ...], place: Path, draw: random.Random, *, whole: bool
) -> dict[str, Any]:
    """A run that loses the head, and is resumed without Ray."""
    out, share = place / f"head-{time.monotonic_ns()}", draw.uniform(0.05, 0.6)
    size = share * (place / "here" / "dataset.jsonl").stat().st_size
    with three_nodes() as nodes:
        process = nodes.start(*offline, out)
        killed = wait_until(lambda: written(out) > size, process)
        began = time.perf_counter()
        nodes.kill_head(whole=whole)
        complained = process.communicate()[1]
        seconds = time.perf_counter() - began
    if killed:
        ended(start("run", "--resume", "--engine", "local", "-o", out))
    figures = {
        "killed": "the whole head" if whole else "the server of the head",
        "at_share": round(share, 2) if killed else None,
        "seconds_to_end": round(seconds, 1),
        "exit_code": process.returncode,
        "sentence": "the Ray cluster is gone" in complained,
        "traceback": "Traceback" in complained,
        "same_bytes": same(place / "here", out),
    }
    print(json.dumps(figures), complained, file=sys.stderr, flush=True)
    remove(out)
    return figures


def remove(folder: Path) -> None:
    """Delete the files of a run: ten of them are several GB."""
    for name in FILES:
        (folder / name).unlink()


if __name__ == "__main__":
    main()
