"""Runs on a Ray of three nodes, one of which is killed: the same bytes?

    python -m lab.ray_nodes [--rows 1000000] [--method swap] [--kills 3] [--heads 2]
        [--place DIR] [--seed 0]

Three raylets on this machine, each with one processor, and ``augkit run --set engine=ray`` on them.
``--kills`` runs lose a node that is at work: SIGKILL of its raylet and of all its processes, by
turns before the first result, when a random share of the dataset is written, and at the end;
another node then takes its place. ``--heads`` runs lose the head, by turns its server alone and
all its processes; they must end with a sentence, and are resumed in one process. All must give the
bytes of one process, of which the rows are those of ``lab.streaming``. Prints one JSON line.
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
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from lab.command_line import argument, arguments, print_line
from lab.processes import descendants
from lab.streaming import reviews, write_rows, written

FILES = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl")
MOMENTS = ("before the first result", "in the middle", "at the end")
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

    def at_work(self) -> list[list[int]]:
        """The nodes, without the head, that have a task."""
        return [node for node in self.others if any(map(is_at_work, all_below(node)))]

    def kill_node(self, draw: random.Random) -> None:
        """SIGKILL the processes of a node, but not of the head: of one at work, if there is one."""
        node = draw.choice(self.at_work() or self.others)
        self.others.remove(node)
        kill_all(node)

    def kill_head(self, *, whole: bool) -> None:
        """SIGKILL the server of the head, or all processes of the head."""
        kill_all(self.head if whole else [self.server])

    def start(self, *words: object) -> subprocess.Popen[str]:
        """An augkit command on this cluster."""
        ray = ("--set", "engine=ray", "--set", f"ray_address={self.address}")
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


def all_below(pids: list[int]) -> list[int]:
    """The processes below some."""
    return [child for pid in pids for child in descendants(pid)]


def is_at_work(pid: int) -> bool:
    """Whether a process is a worker of Ray that has a task; Ray names it by the task."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::_work")
    except OSError:  # it has ended
        return False


def kill_all(pids: list[int]) -> None:
    """SIGKILL processes and all below them."""
    for pid in [*pids, *all_below(pids)]:
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
        argument("--kills", type=int, default=3),
        argument("--heads", type=int, default=2),
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
        ended(start(*offline, place / "here"))
        with three_nodes() as nodes:
            moments = islice(cycle(MOMENTS), options.kills)
            result["nodes"] = [
                about | node_lost(nodes, offline, place, draw, moment) for moment in moments
            ]
        result["head"] = [
            about | head_lost(offline, place, draw, whole=bool(number % 2))
            for number in range(options.heads)
        ]
    print_line(result)


def node_lost(
    nodes: Nodes, offline: tuple[object, ...], place: Path, draw: random.Random, moment: str
) -> dict[str, Any]:
    """A run of an offline method that loses a node at a moment."""
    out = place / f"lost-{time.monotonic_ns()}"
    shares = {MOMENTS[0]: 0.0, MOMENTS[1]: draw.uniform(0.2, 0.8), MOMENTS[2]: 0.9}
    share = shares[moment]
    size = share * (place / "here" / "dataset.jsonl").stat().st_size
    began = time.perf_counter()
    process = nodes.start(*offline, out)
    # Before the first result a node must be at work; later it may also hold results.
    killed = wait_until(
        lambda: written(out) >= size and (share > 0 or bool(nodes.at_work())), process
    )
    at_share = written(out) / (place / "here" / "dataset.jsonl").stat().st_size
    if killed:
        nodes.kill_node(draw)
    ended(process)
    figures = {
        "moment": moment,
        "at_share": round(at_share, 2) if killed else None,
        "seconds": round(time.perf_counter() - began, 1),
        "same_bytes": same(place / "here", out),
    }
    print(json.dumps(figures), file=sys.stderr, flush=True)
    remove(out)
    if killed:
        nodes.add()
    return figures


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
        ended(start("run", "--resume", "--set", "engine=local", "-o", out))
    figures = {
        "killed": "the whole head" if whole else "the server of the head",
        "at_share": round(share, 2) if killed else None,
        "seconds_to_end": round(seconds, 1),
        "exit_code": process.returncode,
        "sentence": "continue with: augkit run --resume" in complained,
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
