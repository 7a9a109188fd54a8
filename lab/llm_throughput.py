"""Requests per second and CPU-seconds of the whole LLM stack against the bare openai client.

Both ask the same loopback server (a process of its own) with the same number of threads, in turns,
so that a busy machine slows both. The stack starts with cold caches, writes every call and reply
to sqlite, and has a cache that runs share. Prints one JSON line for texts and for pairs of texts,
with each number of threads; ratios are stack / bare, of the medians.

    python -m lab.llm_throughput [--workers 32 8] [--latency 0.05] [--requests 600] [--rounds 3]
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
from itertools import cycle, islice, product
from pathlib import Path
from typing import NamedTuple

from openai import DefaultHttpxClient, OpenAI

from augkit import load_dataset
from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm
from lab.command_line import argument, arguments, print_line

ROWS = {"texts": "reviews-demo", "pairs": "nli-demo"}
"""What a request is about, and the bundled dataset whose rows are asked about."""
SERVER = Path(__file__).parents[1] / "tests" / "faults" / "server.py"


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


def stack(url: str, prompts: list[str], workers: int) -> Pace:
    """The whole stack, from cold caches."""
    with tempfile.TemporaryDirectory() as folder:
        options = ConnectOptions(
            base_url=url,
            workers=workers,
            cache=Path(folder) / "shared.sqlite",
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
    """Every number of threads, in turns."""
    options = arguments(
        __doc__,
        argument("--latency", type=float, default=0.05, help="of the server, in seconds"),
        argument("--workers", type=int, nargs="+", default=[32, 8], help="numbers of threads"),
        argument("--requests", type=int, default=600),
        argument("--rounds", type=int, default=3),
    )
    command = [sys.executable, str(SERVER), "--latency", str(options.latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        try:
            for rows, workers in product(ROWS, options.workers):
                ways = {"bare": partial(bare, workers=workers)}
                ways["stack"] = partial(stack, workers=workers)
                texts = texts_of(rows, options.requests)
                medians = compared(ways, url, texts, options.rounds)
                line = {"benchmark": "llm_throughput", **vars(options)}
                line |= {"workers": workers, "rows": rows}
                print_line(line | beside(medians["bare"], medians["stack"]))
        finally:
            server.terminate()


def texts_of(rows: str, requests: int) -> list[str]:
    """The texts of so many rows, from the first again where there are fewer."""
    examples = load_dataset(ROWS[rows])
    return ["\n".join(one.fields.values()) for one in islice(cycle(examples), requests)]


def compared(ways: Mapping[str, Way], url: str, texts: list[str], rounds: int) -> dict[str, Pace]:
    """The medians of each way; the first round warms them up and is left out."""
    paces: dict[str, list[Pace]] = {name: [] for name in ways}
    for turn in range(-1, rounds):
        prompts = [f"Reword row {turn}-{n}: {text}" for n, text in enumerate(texts)]
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
