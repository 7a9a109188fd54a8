"""What ``augkit sweep`` prints."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.sweep.study_best import NOTE, best_lines
from augkit.commands.sweep.summary import sign_notes, summary_tables
from augkit.report.terminal import Record, print_lines, print_rows
from augkit.text.printable import printable

_OTHERS = 5
"""Lines shown of those that the best one is compared with."""


def print_trial(name: str, outcome: str, done: int, total: int) -> None:
    """One line per finished trial of a study."""
    sys.stderr.write(f"{done}/{total} {name}: {printable(outcome)}\n")


def print_study_estimate(estimates: Sequence[Record]) -> None:
    """What a study would do, for each method and dataset, and in total."""
    print_lines("Dry run: nothing was written, nothing was spent.")
    print_rows(estimates)


def print_study(
    folder: Path,
    summary: Sequence[Record],
    comparisons: Sequence[Mapping[str, Any]],
    caveats: Iterable[str],
    failures: Mapping[str, str],
) -> None:
    """A table for each test set, the best methods, caveats, what failed, where the files are."""
    for title, rows in summary_tables(summary).items():
        print_lines(f"\n{title}")
        print_rows(rows)
    print_lines(*sign_notes(summary))
    best = [printable(line) for line in best_lines(comparisons, _OTHERS)]
    print_lines(*(["", *best, NOTE, ""] if best else []))
    print_lines(*(f"Caveats: {printable(caveat)}" for caveat in caveats))
    print_lines(*(f"Failed: {name}: {printable(reason)}" for name, reason in failures.items()))
    print_lines(
        f"{folder}: report.html, results.csv, comparisons.json, and each trial's own folder"
    )
