"""A million short rows through ``augkit run --method swap``, beside one nlpaug call per row.

    python -m benchmarks.speed.streaming [--rows 1000000] [--texts reviews|listed] [--peer PYTHON]

``reviews`` are the bundled demo sentences, numbered so that all rows differ; about one in four
holds a listed word. ``listed`` are sentences of ten words with two listed words each, so that
every row gets a variant. ``--peer`` names a Python with nlpaug in it (its pins clash with
ours): it gets the same texts and word pairs, already in memory, and keeps nothing. Ours reads a
file, checks it, and writes variants with provenance and the new dataset. Prints one JSON line.
"""

from __future__ import annotations

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
from benchmarks.command_line import argument, arguments, print_line

PEER = """
import json, sys, time
import nlpaug.augmenter.word as naw
pairs = json.loads(sys.argv[2])
texts = [json.loads(line)["text"] for line in open(sys.argv[1], encoding="utf-8")]
augmenter = naw.ReservedAug(reserved_tokens=pairs, aug_p=1.0)
augmenter.augment(texts[0])
started = time.perf_counter()
for text in texts:
    augmenter.augment(text)
print(len(texts) / (time.perf_counter() - started))
"""


def main() -> None:
    """Measure and print."""
    options = arguments(
        __doc__,
        argument("--rows", type=int, default=1_000_000),
        argument("--texts", choices=["reviews", "listed"], default="reviews"),
        argument("--peer", help="a Python with nlpaug in it"),
        argument("--peer-rows", type=int, default=50_000),
    )
    with tempfile.TemporaryDirectory() as place:
        texts = {"reviews": reviews, "listed": listed}[options.texts]
        rows = write_rows(Path(place, "rows.jsonl"), options.rows, texts())
        result: dict[str, object] = {"benchmark": "streaming", "texts": options.texts}
        result |= {"rows": options.rows, **measure_run(rows)}
        if options.peer:
            few = write_rows(Path(place, "few.jsonl"), options.peer_rows, texts())
            peer = measure_peer(options.peer, few)
            result |= {
                "nlpaug_rows_per_second": round(peer),
                "ratio": round(result["rows_per_second"] / peer, 2),
            }
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


def measure_run(rows: Path) -> dict[str, float | int]:
    """Rows per second and peak memory of the whole command, as the shell would see them."""
    command = [sys.executable, "-m", "augkit", "run", "--method", "swap", "--dataset", str(rows)]
    started = time.perf_counter()
    with subprocess.Popen(
        [*command, "--out", str(rows.parent / "out")], stdout=subprocess.DEVNULL
    ) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, tree_memory(process.pid))
            time.sleep(0.1)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(process.returncode)
    counts = json.loads((rows.parent / "out" / "manifest.json").read_text())["counts"]
    return {
        "accepted": counts["accepted"],
        "seconds": round(seconds, 1),
        "rows_per_second": round(counts["read"] / seconds),
        "peak_mb": round(peak / 1e6),
    }


def tree_memory(root: int) -> int:
    """Resident bytes of a process and its descendants (Linux); shared pages count once."""
    total = 0
    for pid in [root, *descendants(root)]:
        try:
            smaps = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(smaps.split("\nPss:")[1].split()[0]) * 1024
    return total


def descendants(root: int) -> list[int]:
    """Process ids below a process."""
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return []
    found = [int(child) for child in children]
    return found + [pid for child in found for pid in descendants(child)]


def measure_peer(python: str, rows: Path) -> float:
    """Rows per second of one nlpaug call per row."""
    pairs = json.dumps([list(pair) for pair in word_pairs("interchangeable")])
    done = subprocess.run(
        [python, "-c", PEER, str(rows), pairs], capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


if __name__ == "__main__":
    main()
