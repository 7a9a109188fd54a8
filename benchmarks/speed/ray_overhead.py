"""What Ray costs on one machine, and from which size it pays: one JSON line.

    python -m benchmarks.speed.ray_overhead [--methods eda,panda] [--sizes 2000,8000,32000]
        [--workers 2]

The same rows go through ``augkit run`` in one process, in ``--workers`` local processes, and on a
Ray that is there already, with as many workers; all three must write the same bytes. Taken are the
CPU-seconds of the command (of all its processes) and, on Ray, those of Ray's processes meanwhile,
which hardly depend on what else a machine does; ``seconds`` on the clock do. On an idle machine
a run in one process takes its CPU time, and one on Ray that of the command and a W-th of Ray's.
``pays_from_rows`` is where these two lines cross, for W workers and for 16. ``start_seconds`` is
what starting a Ray took besides.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.command_line import argument, arguments, print_line

HEAD = """
import os, sys, time
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
started = time.perf_counter()
import ray
ray.init(address="local", num_cpus=int(sys.argv[1]), include_dashboard=False, log_to_driver=False)
print("address", ray.get_runtime_context().gcs_address, time.perf_counter() - started, flush=True)
sys.stdin.read()
"""


def main() -> None:
    """Measure and print."""
    options = arguments(
        __doc__,
        argument("--methods", default="eda,panda"),
        argument("--sizes", default="2000,8000,32000"),
        argument("--workers", type=int, default=2),
    )
    sizes = [int(size) for size in options.sizes.split(",")]
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    environment = {**os.environ, **token}
    head = subprocess.Popen(
        [sys.executable, "-c", HEAD, str(options.workers)],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    line = next(line for line in head.stdout or () if line.startswith("address"))
    _, address, started = line.split()
    result: dict[str, Any] = {"benchmark": "ray_overhead", "workers": options.workers}
    result |= {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
    result["start_seconds"] = round(float(started), 1)
    ways = {
        "one process": ["--workers", "1"],
        "local": ["--workers", str(options.workers)],
        "ray": ["--engine", "ray", "--ray-address", address, "--workers", str(options.workers)],
    }
    with tempfile.TemporaryDirectory() as place:
        for method in options.methods.split(","):
            found = {
                way: [
                    timed(method, size, arguments, Path(place), environment, head.pid)
                    for size in sizes
                ]
                for way, arguments in ways.items()
            }
            result[method] = summary(sizes, found, options.workers)
            print(method, json.dumps(result[method]), file=sys.stderr, flush=True)
    head.communicate("")
    print_line(result)


def timed(  # noqa: PLR0913, PLR0917 - one place calls it
    method: str, rows: int, arguments: list[str], place: Path, environment: dict[str, str], ray: int
) -> dict[str, Any]:
    """One command: seconds, CPU-seconds of its processes and of Ray's, and what it wrote."""
    path = place / f"{rows}.jsonl"
    if not path.exists():
        write_rows(path, rows)
    out = place / f"{method}-{rows}-{time.monotonic_ns()}"
    before = cpu_below(ray)
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "augkit", "run", "-m", method, "-d", path, "-o", out, *arguments],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    on_ray = before
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        on_ray = {**on_ray, **cpu_below(ray)}
        time.sleep(0.1)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(ended[1])
    if process.returncode:
        sys.exit(f"{method} on {rows} rows ended with {process.returncode}")
    gained = sum(cpu - before.get(pid, 0.0) for pid, cpu in on_ray.items())
    written = [(out / name).read_bytes() for name in ("variants.jsonl", "dataset.jsonl")]
    command = ended[2].ru_utime + ended[2].ru_stime
    return {"seconds": seconds, "command": command, "ray": gained, "bytes": hash(tuple(written))}


def summary(
    sizes: list[int], found: dict[str, list[dict[str, Any]]], workers: int
) -> dict[str, Any]:
    """Figures by way, and from where Ray pays."""
    table: dict[str, Any] = {"sizes": sizes}
    for way, runs in found.items():
        table[way] = {"seconds": [round(run["seconds"], 1) for run in runs]}
        for part in ("command", "ray") if way == "ray" else ("command",):
            fixed, each = line_through(sizes, [run[part] for run in runs])
            table[way][f"cpu_seconds_of_{part}"] = [round(run[part], 2) for run in runs]
            table[way][f"{part}_fixed"] = round(fixed, 2)
            table[way][f"{part}_per_1000_rows"] = round(1000 * each, 3)
    table["same_bytes"] = all(
        len({found[way][place]["bytes"] for way in found}) == 1 for place in range(len(sizes))
    )
    table["pays_from_rows"] = {
        str(number): crossing(sizes, found, number) for number in (workers, 16)
    }
    return table


def crossing(sizes: list[int], found: dict[str, list[dict[str, Any]]], workers: int) -> int | None:
    """Rows from which a Ray of so many workers is quicker than one process; None: from none."""
    alone = line_through(sizes, [run["command"] for run in found["one process"]])
    times = [run["command"] + run["ray"] / workers for run in found["ray"]]
    there = line_through(sizes, times)
    saved = alone[1] - there[1]
    return round(max(0.0, there[0] - alone[0]) / saved) if saved > 0 else None


def line_through(sizes: list[int], seconds: list[float]) -> tuple[float, float]:
    """Least squares: fixed seconds, and seconds a row."""
    middle, mean = sum(sizes) / len(sizes), sum(seconds) / len(seconds)
    spread = sum((size - middle) ** 2 for size in sizes)
    slope = sum((s - middle) * (t - mean) for s, t in zip(sizes, seconds, strict=True)) / spread
    return mean - slope * middle, slope


def write_rows(path: Path, rows: int) -> None:
    """The bundled reviews, over and over, each time with another number."""
    from augkit.datasets.load import load_dataset

    known = load_dataset("reviews-demo:train+test+challenge")
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            row = known[number % len(known)]
            text = f"{row.fields['text']} No. {number}"
            file.write(json.dumps({"text": text, "label": row.label}) + "\n")


def cpu_below(root: int) -> dict[int, float]:
    """CPU-seconds of the processes below one (Linux)."""
    found = {}
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return {}
    for child in map(int, children):
        try:
            words = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[child] = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        found |= cpu_below(child)
    return found


if __name__ == "__main__":
    main()
