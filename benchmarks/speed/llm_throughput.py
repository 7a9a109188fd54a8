"""Requests per second and CPU-seconds of the whole LLM stack against the bare openai client.

Both ask the same loopback server (a process of its own) with the same number of threads, in turns,
so that a busy machine slows both. The stack starts with cold caches, and writes every call and
reply to sqlite. Prints one JSON line for each latency of the server, number of threads, and with
and without a cache that runs share; ratios are stack / bare, of the medians. ``--start`` lets the
stack begin with other numbers of calls in flight, each with a line of its own.

    python -m benchmarks.speed.llm_throughput [--latency 0.05,0.005] [--workers 32,8]
        [--cache both|yes|no] [--start 8,2] [--requests 600] [--rounds 5]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from openai import DefaultHttpxClient, OpenAI

from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm
from augkit.llm.wrappers import concurrency
from benchmarks.command_line import argument, arguments, print_line

SERVER = Path(__file__).parents[2] / "tests" / "faults" / "server.py"


class Pace(NamedTuple):
    """What a number of requests took."""

    per_second: float
    cpu_ms: float
    """Of a request, in this process."""


Way = Callable[[str, list[str]], Pace]
"""The address of the server and prompts → their pace."""


@contextmanager
def timed(requests: int) -> Iterator[list[Pace]]:
    """Append the pace of what is done within."""
    paces: list[Pace] = []
    began, cpu = time.perf_counter(), time.process_time()
    yield paces
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    paces.append(Pace(requests / seconds, 1000 * cpu / requests))


def bare(url: str, prompts: list[str], workers: int) -> Pace:
    """The client alone."""
    with OpenAI(
        api_key="none", base_url=url, max_retries=0, http_client=DefaultHttpxClient()
    ) as client:

        def ask(prompt: str) -> str | None:
            completion = client.chat.completions.create(
                model="tiny",
                messages=[{"role": "user", "content": prompt}],
                temperature=0.0,
                max_tokens=64,
            )
            return completion.choices[0].message.content

        with ThreadPoolExecutor(workers) as pool, timed(len(prompts)) as paces:
            answers = list(pool.map(ask, prompts))
    if not all(answers):
        raise SystemExit("the bare client got an empty answer")
    return paces[0]


def stack(url: str, prompts: list[str], workers: int, *, cache: bool, start: int) -> Pace:
    """The whole stack, from cold caches, with so many calls in flight at first."""
    concurrency.START = start
    with tempfile.TemporaryDirectory() as folder:
        options = ConnectOptions(
            base_url=url,
            workers=workers,
            cache=Path(folder) / "shared.sqlite" if cache else None,
            budget="1000000calls",
        )
        store = RunStore(Path(folder) / "run.sqlite")
        requests = [Request([Message("user", prompt)], max_tokens=64) for prompt in prompts]
        with open_llm("openai:tiny", options, store) as llm, timed(len(prompts)) as paces:
            replies = llm.generate(requests)
        spent = store.spent()
        store.close()
    if any(reply.fault for reply in replies) or spent.calls != len(prompts):
        raise SystemExit(f"the stack did not answer everything: {spent}")
    return paces[0]


def main() -> None:
    """Every setting, in turns."""
    options = arguments(
        __doc__,
        argument("--latency", default="0.05", help="seconds; several with commas"),
        argument("--workers", default="32", help="threads; several with commas"),
        argument("--cache", choices=["yes", "no", "both"], default="yes"),
        argument("--start", default=str(concurrency.START), help="calls; several with commas"),
        argument("--requests", type=int, default=600),
        argument("--rounds", type=int, default=5),
    )
    caches = {"yes": [True], "no": [False], "both": [True, False]}[options.cache]
    starts = [int(start) for start in options.start.split(",")]
    for latency in options.latency.split(","):
        command = [sys.executable, str(SERVER), "--port", "0", "--latency", latency]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
            try:
                for workers, cache in product(map(int, options.workers.split(",")), caches):
                    ways: dict[int, Way] = {0: partial(bare, workers=workers)} | {
                        start: partial(stack, workers=workers, cache=cache, start=start)
                        for start in starts
                    }
                    medians = compared(ways, url, options.requests, options.rounds)
                    setting = {"latency_s": float(latency), "workers": workers, "cache": cache}
                    setting |= {"requests": options.requests, "rounds": options.rounds}
                    for start in starts:
                        figures = beside(medians[0], medians[start])
                        about = {"benchmark": "llm_throughput", **setting, "start": start}
                        print_line({**about, **figures})
            finally:
                server.terminate()


def compared(ways: Mapping[int, Way], url: str, requests: int, rounds: int) -> dict[int, Pace]:
    """The medians of each way; the first round warms them up and is left out."""
    paces: dict[int, list[Pace]] = {name: [] for name in ways}
    for turn in range(-1, rounds):
        prompts = [f"Reword sentence {turn}-{n}." for n in range(requests)]
        measured = {name: way(url, prompts) for name, way in ways.items()}
        for name, pace in measured.items() if turn >= 0 else ():
            paces[name].append(pace)
    return {
        name: Pace(*map(statistics.median, zip(*values, strict=True)))
        for name, values in paces.items()
    }


def beside(alone: Pace, whole: Pace) -> dict[str, float]:
    """The client alone and the whole stack."""
    return {
        "bare_per_second": round(alone.per_second, 1),
        "stack_per_second": round(whole.per_second, 1),
        "ratio": round(whole.per_second / alone.per_second, 3),
        "bare_cpu_ms": round(alone.cpu_ms, 2),
        "stack_cpu_ms": round(whole.cpu_ms, 2),
        "cpu_ratio": round(whole.cpu_ms / alone.cpu_ms, 3),
    }


if __name__ == "__main__":
    main()
