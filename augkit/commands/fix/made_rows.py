"""Rows that a method makes of the rows, by a run in the folder of ``fix``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.commands.fix.work import Work
from augkit.core.errors import BackendFailed, BudgetExhausted, UserError
from augkit.core.progress import reporting_as
from augkit.core.types import Example
from augkit.datasets.rows import content_reader
from augkit.runs.execute import run
from augkit.runs.ledger import DATASET
from augkit.runs.plan import make_plan
from augkit.runs.records import read_dataset
from augkit.runs.repeat import SETTINGS_FILE
from augkit.runs.settings import RunSettings
from augkit.text.printable import shell_line

BY_RULES_ALONE = frozenset({"symmetric"})
"""Methods that a language model does not help."""


@dataclass(frozen=True)
class MadeRows:
    """What a method made.

    Attributes:
        rows: The rows, in their order.
        variants: What was made of them, each with the number of its row.
        file: All of these.
        command: What repeats the run.
    """

    rows: Sequence[Example]
    variants: Sequence[tuple[int, Example]]
    file: Path
    command: str


@dataclass(frozen=True)
class NotMade:
    """Why a method made nothing, and the exit code of what stopped it; 0: it does not fit."""

    reason: str
    exit_code: int = 0


def make_rows(work: Work, method: str) -> MadeRows | NotMade:
    """Run a method on the rows; a finished run in the folder is used again."""
    path = work.rows.write(work.train_file, work.examples)
    settings = _run_settings(work, path, method)
    where = work.folder / "runs" / method
    try:
        # What does not fit is said before a folder is made.
        with make_plan(settings):
            pass
        with reporting_as(method):
            folder = run(settings, where, resume=where.exists())
    except (BudgetExhausted, BackendFailed) as error:
        return NotMade(str(error).splitlines()[0], error.exit_code)
    except UserError as error:
        return NotMade(str(error).splitlines()[0])
    return _read(work, folder)


def _run_settings(work: Work, path: Path, method: str) -> RunSettings:
    settings = work.settings
    values: dict[str, Any] = {
        "method": method,
        "dataset": str(path),
        "seed": settings.seed,
        **work.rows.columns_of(path),
    }
    if settings.llm != "offline" and method not in BY_RULES_ALONE:
        values |= {"llm": settings.llm, "connection": settings.connection}
    return RunSettings(**values)


def _read(work: Work, folder: Path) -> MadeRows:
    """The rows of a run: the originals in their order, and the variants."""
    content = content_reader(work.rows.schema)
    rows: list[Example] = []
    number_of: dict[str, int] = {}
    variants: list[tuple[str, Example]] = []
    for row in read_dataset(folder):
        fields, label, _ = content(row)
        made = Example(fields, label, str(row["augkit_id"]))
        if row["augkit_parent"] is None:
            number_of[made.id] = len(rows)
            rows.append(made)
        else:
            variants.append((str(row["augkit_parent"]), made))
    known = [(number_of[parent], made) for parent, made in variants if parent in number_of]
    command = shell_line(["augkit", "run", "--config", str(folder / SETTINGS_FILE)])
    return MadeRows(rows, known, folder / DATASET, command)
