"""What a million and a billion rows would cost with each method: one JSON line.

    python -m lab.scaling [--methods eda,panda] [--sizes 2000,4000,8000]

Each method runs on some sizes of the bundled reviews (numbered, so that all rows differ) in one
process, without the page. Of each run the CPU time, the peak memory and the size of the folder are
taken. A method that neither learns nor sees all rows together does a row after the other: its time
is a + b·n. Of the others it is fitted as a + b·n^c; ``exponent`` c comes from the steps between
three sizes, and below 1.1 it counts as 1. Memory is that of the smallest size and the 16 bytes a
row of the first look at a dataset; with methods that learn, a line. Calls and tokens of methods
that ask a model come from ``estimate``, which goes through a sample with made-up answers; money is
that of ``--model`` by the price list. What is worked out from a fit is no measurement.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

from lab.command_line import argument, arguments, print_line

QUICK = "swap eda mask-words mask-phrase random-edit".split()
SLOW = "panda coba".split()
CORPUS = "razor".split()
ASKING = "paraphrase auggpt coba panda".split()
SIZES = {
    "quick": (10_000, 20_000, 40_000),
    "slow": (1_000, 2_000, 4_000),
    "corpus": (500, 1_000, 2_000),
}
TARGETS = (10**6, 10**9)
SURVEY_BYTES = 16.0
"""A row in the first look at a dataset: eight bytes, and as many while repeats are looked for."""
RUN = """
import sys
from augkit.runs.execute import augment_dataset
augment_dataset(sys.argv[1], method=sys.argv[2], out=__import__("pathlib").Path(sys.argv[3]),
                workers=1)
"""


@dataclass(frozen=True)
class Run:
    """What one run took."""

    rows: int
    cpu: float
    peak: int
    disk: int
    variants: int


def main() -> None:
    """Measure, fit and print."""
    options = arguments(
        __doc__,
        argument("--methods", default=",".join([*QUICK, *SLOW, *CORPUS])),
        argument("--sizes", help="rows, by commas; default: by how quick a method is"),
        argument("--model", default="gpt-4o-mini"),
    )
    result: dict[str, Any] = {"benchmark": "scaling", "cores": os.cpu_count(), "offline": {}}
    with tempfile.TemporaryDirectory() as place:
        for method in options.methods.split(","):
            sizes = options.sizes.split(",") if options.sizes else sizes_of(method)
            runs = [measured(method, int(size), Path(place)) for size in sizes]
            result["offline"][method] = summary(method, runs)
            print(method, json.dumps(result["offline"][method]), file=sys.stderr, flush=True)
        rows = write_rows(Path(place, "rows.jsonl"), 400)
        result["asking"] = {method: asked(method, rows, options.model) for method in ASKING}
    print_line(result)


def sizes_of(method: str) -> Sequence[int]:
    """Sizes that take a method some seconds."""
    kind = "quick" if method in QUICK else "corpus" if method in CORPUS else "slow"
    return SIZES[kind]


def write_rows(path: Path, rows: int) -> Path:
    """The bundled reviews, over and over, each time with another number."""
    from augkit.datasets.load import load_dataset

    known = load_dataset("reviews-demo:train+test+challenge")
    with path.open("w", encoding="utf-8") as file:
        for number in islice(count(), rows):
            row = known[number % len(known)]
            text = f"{row.fields['text']} No. {number}"
            file.write(json.dumps({"text": text, "label": row.label}) + "\n")
    return path


def measured(method: str, rows: int, place: Path) -> Run:
    """One run in a process of its own."""
    path = write_rows(place / f"{rows}.jsonl", rows)
    out = place / f"{method}-{rows}"
    process = subprocess.Popen([sys.executable, "-c", RUN, str(path), method, str(out)])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{method} on {rows} rows ended with {process.returncode}")
    accepted = json.loads((out / "manifest.json").read_text())["counts"]["accepted"]
    disk = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    return Run(rows, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, disk, accepted)


def summary(method: str, runs: Sequence[Run]) -> dict[str, Any]:
    """The fit, and what follows from it."""
    first, last = runs[0], runs[-1]
    exponent = growth(method, runs)
    each = (last.cpu - first.cpu) / (last.rows**exponent - first.rows**exponent)
    fixed = max(0.0, first.cpu - each * first.rows**exponent)
    memory = max(SURVEY_BYTES, (last.peak - first.peak) / (last.rows - first.rows))
    if row_by_row(method):
        memory = SURVEY_BYTES
    return {
        "sizes": [run.rows for run in runs],
        "cpu_seconds": [round(run.cpu, 2) for run in runs],
        "peak_mb": [round(run.peak / 1e6) for run in runs],
        "fixed_seconds": round(fixed, 2),
        "rows_per_cpu_second": round((last.rows - first.rows) / (last.cpu - first.cpu)),
        "exponent": round(exponent, 2),
        "memory_bytes_per_row": round(memory),
        "disk_bytes_per_row": round(last.disk / last.rows),
        "variants_per_row": round(last.variants / last.rows, 2),
        "worked_out": {
            f"{target:.0e}": {
                "cpu_hours": rounded((fixed + each * target**exponent) / 3600),
                "memory_gb": rounded((first.peak + memory * (target - first.rows)) / 1e9),
                "disk_gb": rounded(target * last.disk / last.rows / 1e9),
            }
            for target in TARGETS
        },
    }


def row_by_row(method: str) -> bool:
    """Whether a method neither learns from the corpus nor sees all rows together."""
    from augkit.core import registry

    found = registry.find("augmenters", method)
    return found.learns is None and found.scope == "example"


def growth(method: str, runs: Sequence[Run]) -> float:
    """The exponent c of a + b·n^c; 1 where a method cannot have another, or nearly has it."""
    if len(runs) < 3 or row_by_row(method):
        return 1.0
    one, two, three = runs[0], runs[1], runs[-1]
    steps = (three.cpu - two.cpu) / max(1e-9, two.cpu - one.cpu)
    # With sizes n, 2n, 4n the two steps of n^c stand to each other as 2^c.
    exponent = math.log(max(steps, 1e-9)) / math.log(three.rows / two.rows)
    return exponent if exponent > 1.1 else 1.0


def asked(method: str, rows: Path, model: str) -> dict[str, Any]:
    """Calls, tokens and money per row of a method that asks a model."""
    from augkit.core.config import validate
    from augkit.runs.estimate import estimate
    from augkit.runs.settings import RunSettings

    given: dict[str, Any] = {"method": method, "dataset": str(rows), "llm": f"openai:{model}"}
    if method == "panda":
        given["options"] = {"perturber": "llm"}
    found = estimate(validate(RunSettings, given))
    calls = number(str(found["calls"]).split()[1])
    read, written = (number(str(found["tokens"]).split()[place]) for place in (1, 4))
    money = str(found["money"])
    usd = float(money.split("$")[1]) if "$" in money else math.nan
    per_row = {"calls": calls / 400, "tokens_read": read / 400, "tokens_written": written / 400}
    return {name: rounded(value) for name, value in per_row.items()} | {
        "usd_per_million_rows": rounded(usd / 400 * 1e6),
        "usd_per_billion_rows": rounded(usd / 400 * 1e9),
    }


def number(text: str) -> float:
    """A number with commas."""
    return float(text.replace(",", ""))


def rounded(value: float) -> float:
    """Three digits that count."""
    return float(f"{value:.3g}")


if __name__ == "__main__":
    main()
