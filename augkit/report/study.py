"""A study on a terminal: a line per finished trial, then one table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.report.tables import print_rows
from augkit.text.printable import printable


def print_trial(name: str, outcome: str, done: int, total: int) -> None:
    """One line per trial."""
    sys.stderr.write(f"{done}/{total} {name}: {printable(outcome)}\n")


def print_preview(estimates: Sequence[Mapping[str, object]]) -> None:
    """What a study would do, for each method and dataset, and in total."""
    sys.stdout.write("Dry run: nothing was written, nothing was spent.\n")
    print_rows([dict(row) for row in estimates], json_lines=False)


def print_study(
    folder: Path, summary: Sequence[Mapping[str, Any]], failures: Mapping[str, str]
) -> None:
    """The table over seeds, what failed, and where the files are."""
    print_rows([dict(row) for row in summary], json_lines=False)
    for name, reason in failures.items():
        sys.stdout.write(f"Failed: {name}: {printable(reason)}\n")
    sys.stdout.write(
        f"{folder}: report.html, results.csv, results.json, and each trial's own folder\n"
    )
