"""CPU-seconds and memory of ``augkit check`` and ``augkit shortcuts`` on 100,000 rows or more.

    AUGKIT_DATA=DIR python -m lab.check_speed [--rows 100000] [--dataset snli:train_100k]
        [--command check|shortcuts]
    python -m lab.check_speed --dataset pairs

A dataset with fewer rows is repeated, with the number of the copy added to the last text. ``pairs``
are random preference pairs of about 100 words a candidate. One JSON line: rows, CPU-seconds of the
whole command, the largest resident set in MB, and its exit code.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate, count, islice
from pathlib import Path
from typing import Any

from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions
from lab.command_line import argument, arguments, print_line
from lab.processes import cpu_of_children, memory_of_children

Row = dict[str, Any]
PAIRS = "pairs"
COMMON = "the of and to a in is it that for I may can not".split()


def rows_of(spec: str) -> Iterator[Row]:
    """The rows of a dataset, over and over."""
    folder = os.environ.get("AUGKIT_DATA")
    dataset = open_dataset(spec, ReadOptions(data_folder=Path(folder) if folder else None))
    column = list(dataset.schema.fields.values())[-1]
    for copy in count():
        for block in dataset.blocks():
            for row in block.rows():
                # The first copy is as it is.
                text = f"{row[column]} {copy}" if copy else row[column]
                yield {**row, column: text}


def pairs(rng: random.Random) -> Iterator[Row]:
    """Pairs of random texts by a Zipf model of words, some of them lists; no winner is better."""
    syllables = [first + second for first in "bcdfghjklmnprstvwz" for second in "aeiou"]
    drawn = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(30_000)]
    vocabulary = COMMON + drawn
    weights = list(accumulate(1 / (number + 2) for number in range(len(vocabulary))))

    def text() -> str:
        size = max(5, int(rng.gauss(100, 25)))
        words = rng.choices(vocabulary, cum_weights=weights, k=size)
        starts = range(0, size, 12)
        sentences = [" ".join(words[at : at + 12]).capitalize() + "." for at in starts]
        between = "\n- " if rng.random() < 0.2 else " "
        return between.join(sentences)

    for number in count():
        candidates = {"chosen": text(), "rejected": text()}
        words = rng.choices(vocabulary, cum_weights=weights, k=12)
        yield {"prompt": f"{number}: {' '.join(words)}?", **candidates}


def main() -> None:
    """Check the rows in a process of its own."""
    asked = arguments(
        __doc__,
        argument("--rows", type=int, default=100_000),
        argument("--dataset", default="snli:train_100k", help="a dataset, or pairs"),
        argument("--command", choices=("check", "shortcuts"), default="check"),
    )
    rows = pairs(random.Random(0)) if asked.dataset == PAIRS else rows_of(asked.dataset)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in islice(rows, asked.rows))
        command = ["check", str(path), "-f", "json"]
        if asked.command == "shortcuts":
            command = ["shortcuts", str(path), "--json"]
        before = cpu_of_children()
        done = subprocess.run(
            [sys.executable, "-m", "augkit", *command],
            capture_output=True,
            text=True,
            check=False,
        )
        cpu = cpu_of_children() - before
    record = json.loads(done.stdout)
    checks = record.get("checks", ())
    print_line(
        {
            "dataset": asked.dataset,
            "rows": asked.rows,
            "command": asked.command,
            "checked": record["rows"] if checks else asked.rows,
            "sampled": record.get("sampled"),
            "cpu_seconds": round(cpu, 1),
            "max_rss_mb": memory_of_children(),
            "exit_code": done.returncode,
            "failed": [check["check"] for check in checks if not check["passed"]],
        }
    )


if __name__ == "__main__":
    main()
