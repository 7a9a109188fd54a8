"""What CoBA with a language model costs: calls a document, and the run's rate against the client's.

    python -m benchmarks.speed.coba_llm [--rows 150] [--workers 32] [--rounds 3] [--latency 0.05]

A loopback server (a process of its own, ``--latency`` seconds an answer) gives made-up answers
that fit what was asked, so that every step is taken.
``augkit run --method coba`` asks it about bundled pairs and
reviews; the bare openai client sends as many requests with as many threads, in turns, so that a
busy machine slows both. Loading the parser and learning are done before the clock starts. Prints
one JSON line a dataset; ``efficiency`` is run / bare, of the medians. No text made here means
anything.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openai import DefaultHttpxClient, OpenAI

from augkit.core.progress import reporting_to
from augkit.llm.settings import ConnectOptions
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from benchmarks.command_line import argument, arguments, print_line

SERVER = Path(__file__).parents[2] / "tests" / "faults" / "server.py"
DATASETS = ("nli-demo", "reviews-demo")
# Made-up words are short and keep nothing: the checks that would spare calls are switched off.
OPTIONS = {"calls": "steps", "shortest": 0.0, "min_spurious": 0.0, "min_label": 0.0}


def run_rate(url: str, dataset: str, rows: int, workers: int, seed: int) -> tuple[float, int]:
    """Calls per second of a run, while it augments, and the calls it made."""
    times: list[float] = []

    def on_progress(work: str, _done: int, _total: int) -> None:
        if work == "augmenting rows":
            times.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        settings = RunSettings(
            method="coba",
            dataset=dataset,
            limit=rows,
            seed=seed,
            options=OPTIONS,
            llm="openai:tiny",
            workers=workers,
            connection=ConnectOptions(base_url=url, workers=workers),
        )
        with reporting_to(on_progress):
            out = run(settings, Path(folder) / "run")
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    calls = int(manifest["cost"]["calls"])
    # The first report of rows comes before the first row, after the fit.
    return calls / (times[-1] - times[0]), calls


def bare_rate(url: str, calls: int, workers: int) -> float:
    """Requests per second of the client alone."""
    prompt = "Reword this sentence, and answer with the sentence alone. " * 30
    with OpenAI(
        api_key="none", base_url=url, max_retries=0, http_client=DefaultHttpxClient()
    ) as client:

        def ask(number: int) -> str | None:
            messages = [{"role": "user", "content": f"{prompt} {number}"}]
            answer = client.chat.completions.create(model="tiny", messages=messages)
            return answer.choices[0].message.content

        with ThreadPoolExecutor(workers) as pool:
            began = time.perf_counter()
            answers = list(pool.map(ask, range(calls)))
            seconds = time.perf_counter() - began
    if not all(answers):
        raise SystemExit("the bare client got an empty answer")
    return calls / seconds


def measure(url: str, dataset: str, rows: int, workers: int, rounds: int) -> dict[str, object]:
    """The medians over rounds; the first round warms up and does not count."""
    rates: dict[str, list[float]] = {"run": [], "bare": []}
    calls = 0
    for turn in range(-1, rounds):
        rate, calls = run_rate(url, dataset, rows, workers, turn + 1)
        measured = {"run": rate, "bare": bare_rate(url, calls, workers)}
        for name, value in measured.items() if turn >= 0 else ():
            rates[name].append(value)
    medians = {name: statistics.median(values) for name, values in rates.items()}
    return {
        "benchmark": "coba_llm",
        "dataset": dataset,
        "rows": rows,
        "workers": workers,
        "calls_per_row": round(calls / rows, 2),
        "run_per_second": round(medians["run"], 1),
        "bare_per_second": round(medians["bare"], 1),
        "efficiency": round(medians["run"] / medians["bare"], 3),
    }


def main() -> None:
    """Print one line a dataset."""
    asked = arguments(
        __doc__,
        argument("--rows", type=int, default=150),
        argument("--workers", type=int, default=32),
        argument("--rounds", type=int, default=3),
        argument("--latency", type=float, default=0.05),
    )
    command = [sys.executable, str(SERVER), "--port", "0", "--latency", str(asked.latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        try:
            for dataset in DATASETS:
                print_line(measure(url, dataset, asked.rows, asked.workers, asked.rounds))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
