"""Requests per second of the whole LLM stack against the bare openai client.

Both ask the same 50 ms loopback server (a process of its own) with the same number of threads, in
turns, so that a busy machine slows both. The stack starts with cold caches, and writes every call
and reply to sqlite. Prints one JSON line; ``ratio`` is stack / bare, of the medians.

    python -m benchmarks.speed.llm_throughput
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openai import DefaultHttpxClient, OpenAI

from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm
from benchmarks.command_line import argument, arguments, print_line

SERVER = Path(__file__).parents[2] / "tests" / "faults" / "server.py"


def bare(url: str, prompts: list[str], workers: int) -> float:
    """Requests per second of the client alone."""
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

        with ThreadPoolExecutor(workers) as pool:
            began = time.perf_counter()
            answers = list(pool.map(ask, prompts))
            seconds = time.perf_counter() - began
    if not all(answers):
        raise SystemExit("the bare client got an empty answer")
    return len(prompts) / seconds


def stack(url: str, prompts: list[str], workers: int) -> float:
    """Requests per second of the whole stack, from cold caches."""
    with tempfile.TemporaryDirectory() as folder:
        options = ConnectOptions(
            base_url=url,
            workers=workers,
            cache=Path(folder) / "shared.sqlite",
            budget="1000000calls",
        )
        store = RunStore(Path(folder) / "run.sqlite")
        requests = [Request([Message("user", prompt)], max_tokens=64) for prompt in prompts]
        with open_llm("openai:tiny", options, store) as llm:
            began = time.perf_counter()
            replies = llm.generate(requests)
            seconds = time.perf_counter() - began
        spent = store.spent()
        store.close()
    if any(reply.fault for reply in replies) or spent.calls != len(prompts):
        raise SystemExit(f"the stack did not answer everything: {spent}")
    return len(prompts) / seconds


def main() -> None:
    """Run both in turns and print the medians."""
    options = arguments(
        __doc__,
        argument("--workers", type=int, default=32),
        argument("--requests", type=int, default=600),
        argument("--rounds", type=int, default=5),
    )
    command = [sys.executable, str(SERVER), "--port", "0", "--latency", "0.05"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        rates: dict[str, list[float]] = {"bare": [], "stack": []}
        try:
            for turn in range(-1, options.rounds):
                prompts = [f"Reword sentence {turn}-{n}." for n in range(options.requests)]
                measured = {
                    "bare": bare(url, prompts, options.workers),
                    "stack": stack(url, prompts, options.workers),
                }
                for name, rate in measured.items() if turn >= 0 else ():
                    rates[name].append(rate)
        finally:
            server.terminate()
    medians = {name: round(statistics.median(values), 1) for name, values in rates.items()}
    result = {
        "benchmark": "llm_throughput",
        "workers": options.workers,
        "requests": options.requests,
        "rounds": options.rounds,
        "bare_per_second": medians["bare"],
        "stack_per_second": medians["stack"],
        "ratio": round(medians["stack"] / medians["bare"], 3),
    }
    print_line(result)


if __name__ == "__main__":
    main()
