"""CPU-seconds and memory of ``augkit check`` on 100,000 rows.

    AUGKIT_DATA=DIR python -m benchmarks.speed.check_speed [--rows 100000]
        [--dataset snli:train_100k]

One JSON line: rows, CPU-seconds of the whole command, the largest resident set in MB, and its exit
code.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions
from benchmarks.command_line import argument, arguments, print_line


def write(spec: str, rows: int, path: Path) -> int:
    """The first rows of a dataset as JSON Lines; their number."""
    folder = os.environ.get("AUGKIT_DATA")
    dataset = open_dataset(spec, ReadOptions(data_folder=Path(folder) if folder else None))
    found = (row for block in dataset.blocks() for row in block.rows())
    lines = [json.dumps(row) for row in islice(found, rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def main() -> None:
    """Check the rows in a process of its own."""
    asked = arguments(
        __doc__,
        argument("--rows", type=int, default=100_000),
        argument("--dataset", default="snli:train_100k"),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        written = write(asked.dataset, asked.rows, path)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-m", "augkit", "check", str(path), "-f", "json"],
            capture_output=True,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    record = json.loads(done.stdout)
    failed = [check["check"] for check in record["checks"] if not check["passed"]]
    print_line(
        {
            "dataset": asked.dataset,
            "rows": written,
            "checked": record["rows"],
            "cpu_seconds": round(cpu, 1),
            "max_rss_mb": round(after.ru_maxrss / 1024),
            "exit_code": done.returncode,
            "failed": failed,
        }
    )


if __name__ == "__main__":
    main()
