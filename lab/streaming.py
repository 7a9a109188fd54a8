"""Short rows through ``augkit run``: rate, first row, memory, and a kill at half.

    python -m lab.streaming [--rows 1000000] [--method swap] [--kill]
        [--texts reviews|listed] [--place DIR]

``reviews`` are the bundled demo sentences, numbered so that all rows differ; about one in four
holds a listed word. ``listed`` are sentences of ten words with two listed words each, so that
every row gets a variant. The run reads a file, checks it, and writes variants with provenance and
the new dataset. Prints one JSON line. With ``--kill`` a second run is killed with SIGKILL when it
has written half of the rows, and resumed: ``same_bytes`` says whether its variants and its dataset
are those of the first.
``mb_by_quarter`` is the highest memory while each quarter of the dataset was written, and
``cpu_seconds`` are those of all processes of the first run.
"""

from __future__ import annotations

import filecmp
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from augkit.datasets.load import load_dataset
from augkit.lexicons.load import word_pairs
from lab.command_line import argument, arguments, print_line
from lab.processes import cpu_of_children, tree_memory


def main() -> None:
    """Measure and print."""
    options = arguments(
        __doc__,
        argument("--rows", type=int, default=1_000_000),
        argument("--texts", choices=["reviews", "listed"], default="reviews"),
        argument("--method", default="swap"),
        argument("--kill", action="store_true"),
        argument("--place", help="a folder with room for the files; default: a temporary one"),
    )
    with tempfile.TemporaryDirectory(dir=options.place) as place:
        texts = {"reviews": reviews, "listed": listed}[options.texts]
        rows = write_rows(Path(place, "rows.jsonl"), options.rows, texts())
        result: dict[str, object] = {"benchmark": "streaming", "texts": options.texts}
        result |= {"method": options.method, "rows": options.rows}
        result |= measure_run(rows, options.method)
        if options.kill:
            result |= measure_resume(rows, options.method, options.rows)
    print_line(result)


def write_rows(path: Path, rows: int, texts: Iterator[str]) -> Path:
    """Rows that all differ."""
    draw = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for text in islice(texts, rows):
            label = draw.choice(["positive", "negative"])
            file.write(json.dumps({"text": text, "label": label}) + "\n")
    return path


def reviews() -> Iterator[str]:
    """The bundled sentences, over and over, each time with another number."""
    rows = load_dataset("reviews-demo:train+test+challenge")
    for number in count():
        yield f"{rows[number % len(rows)].fields['text']} No. {number}"


def listed() -> Iterator[str]:
    """Sentences of ten words, two of them listed."""
    draw = random.Random(1)
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"]
    nouns = [first for first, _ in word_pairs("interchangeable")]
    for number in count():
        first, second = draw.sample(nouns, 2)
        yield f"{draw.choice(names)} said the {first} with the {second} was number {number}."


def start(rows: Path, method: str, out: Path, *more: str) -> subprocess.Popen[bytes]:
    """The command under test."""
    command = [sys.executable, "-m", "augkit", "run", "--method", method, "--dataset", str(rows)]
    return subprocess.Popen([*command, "--out", str(out), *more], stdout=subprocess.DEVNULL)


def measure_run(rows: Path, method: str) -> dict[str, object]:
    """Rows per second and peak memory of the whole command, as the shell would see them."""
    out, memory = rows.parent / "out", []
    cpu_before, started = cpu_of_children(), time.perf_counter()
    with start(rows, method, out) as process:
        first = 0.0
        while process.poll() is None:
            memory.append((written(out), tree_memory(process.pid)))
            if not first and memory[-1][0]:
                first = time.perf_counter() - started
            time.sleep(0.1)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(process.returncode)
    counts = json.loads((out / "manifest.json").read_text())["counts"]
    return {
        "accepted": counts["accepted"],
        "seconds": round(seconds, 1),
        "first_row_seconds": round(first, 1),
        "rows_per_second": round(counts["read"] / seconds),
        "cpu_seconds": round(cpu_of_children() - cpu_before, 1),
        "peak_mb": round(max(taken for _, taken in memory) / 1e6),
        "mb_by_quarter": by_quarter(memory, (out / "dataset.jsonl").stat().st_size),
    }


def by_quarter(memory: list[tuple[int, int]], size: int) -> list[int]:
    """The highest memory in MB while each quarter of the bytes of the dataset was written."""
    quarters = [0.0] * 4
    for done, taken in memory:
        if done:
            quarter = min(3, 4 * done // size)
            quarters[quarter] = max(quarters[quarter], taken / 1e6)
    return [round(quarter) for quarter in quarters]


def measure_resume(rows: Path, method: str, total: int) -> dict[str, object]:
    """A run killed at half of its rows and resumed, beside the one in ``out``."""
    whole, out = rows.parent / "out", rows.parent / "killed"
    half = (whole / "dataset.jsonl").stat().st_size // 2
    with start(rows, method, out) as process:
        while process.poll() is None and written(out) < half:
            time.sleep(0.05)
        process.kill()
    done = json.loads((out / "work" / "progress.jsonl").read_text().splitlines()[-2])
    began = time.perf_counter()
    with start(rows, method, out, "--resume") as process:
        pass
    if process.returncode:
        sys.exit(process.returncode)
    files = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl")
    return {
        "killed_at_share": round(done["counts"]["read"] / total, 2),
        "resume_seconds": round(time.perf_counter() - began, 1),
        "same_bytes": all(filecmp.cmp(whole / n, out / n, shallow=False) for n in files),
    }


def written(out: Path) -> int:
    """Bytes of the dataset so far."""
    try:
        return (out / "work" / "dataset.jsonl").stat().st_size
    except OSError:
        return 0


if __name__ == "__main__":
    main()
