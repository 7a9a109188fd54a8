"""CPU-seconds and memory of ``augkit check`` and ``augkit shortcuts`` on 100,000 rows or more.

    AUGKIT_DATA=DIR python -m benchmarks.speed.check_speed [--rows 100000]
        [--dataset snli:train_100k] [--command check|shortcuts]

A dataset with fewer rows is repeated, with the number of the copy added to the last text. One JSON
line: rows, CPU-seconds of the whole command, the largest resident set in MB, and its exit code.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions
from benchmarks.command_line import argument, arguments, print_line


def write(spec: str, rows: int, path: Path) -> int:
    """So many rows of a dataset as JSON Lines, repeated where it has fewer; their number."""
    folder = os.environ.get("AUGKIT_DATA")
    dataset = open_dataset(spec, ReadOptions(data_folder=Path(folder) if folder else None))
    column = list(dataset.schema.fields.values())[-1]
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for copy in count():  # the first one is as it is
            for row in (row for block in dataset.blocks() for row in block.rows()):
                if written == rows:
                    return written
                text = f"{row[column]} {copy}" if copy else row[column]
                file.write(json.dumps({**row, column: text}) + "\n")
                written += 1
            if not written:
                return 0
    return written


def main() -> None:
    """Check the rows in a process of its own."""
    asked = arguments(
        __doc__,
        argument("--rows", type=int, default=100_000),
        argument("--dataset", default="snli:train_100k"),
        argument("--command", choices=("check", "shortcuts"), default="check"),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        written = write(asked.dataset, asked.rows, path)
        command = ["check", str(path), "-f", "json"]
        if asked.command == "shortcuts":
            command = ["shortcuts", "--dataset", str(path), "--json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-m", "augkit", *command],
            capture_output=True,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    record = json.loads(done.stdout)
    checks = record.get("checks", ())
    print_line(
        {
            "dataset": asked.dataset,
            "rows": written,
            "command": asked.command,
            "checked": record["rows"] if checks else written,
            "sampled": record.get("sampled"),
            "cpu_seconds": round(cpu, 1),
            "max_rss_mb": round(after.ru_maxrss / 1024),
            "exit_code": done.returncode,
            "failed": [check["check"] for check in checks if not check["passed"]],
        }
    )


if __name__ == "__main__":
    main()
