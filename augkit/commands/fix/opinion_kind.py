"""The kind "opinions": where labels are opinions, coba turns them in texts that stay as they are.

A classifier that reads the opinion is right on a text and on the same text turned round. The proof
tests it on rows that coba turned and that it has not seen, with and without such rows in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from augkit.commands.fix.endings import Ending, Verdict, per_cent, shown_points
from augkit.commands.fix.mark_proof import FOLDS, TESTED
from augkit.commands.fix.reader import (
    Reader,
    balanced_accuracy,
    balanced_difference,
    is_right,
)
from augkit.commands.fix.work import Work
from augkit.core.arrays import Flags
from augkit.core.errors import BackendFailed, BudgetExhausted, UserError
from augkit.core.progress import report_progress, reporting_as
from augkit.core.types import Example
from augkit.datasets.rows import content_reader
from augkit.lexicons.opinions import is_of_opinions
from augkit.models.folds import assign_folds
from augkit.runs.execute import run
from augkit.runs.ledger import DATASET
from augkit.runs.plan import make_plan
from augkit.runs.records import read_dataset
from augkit.runs.repeat import SETTINGS_FILE
from augkit.runs.settings import RunSettings
from augkit.text.printable import counted, shell_line

METHOD = "coba"
_FAR_BELOW = 0.1
"""How far below ordinary rows turned rows are, for the opinion not to be read."""
_LEAST_TURNED = 40
_COST = 0.01
_CLEAR = 2.0


@dataclass(frozen=True)
class Turned:
    """Rows, and those that coba turned, each with the number of the row that it is made of."""

    rows: Sequence[Example]
    variants: Sequence[tuple[int, Example]]


def opinions_of(work: Work) -> list[str]:
    """The method that turns opinions, where the labels are opinions; nothing elsewhere."""
    if work.is_pair or work.findings.task != "opinion":
        return []
    if is_of_opinions(work.examples).verdict != "opinions":
        return []
    return [METHOD]


def fix_opinions(work: Work, methods: Sequence[str]) -> tuple[Sequence[Example], Ending]:
    """Have the opinions turned, and measure whether that makes a classifier read them."""
    del methods
    path = work.rows.write(work.train_file, work.examples)
    settings = _run_settings(work, path)
    where = work.folder / "runs" / METHOD
    try:
        with make_plan(settings):
            pass
        with reporting_as(METHOD):
            folder = run(settings, where, resume=where.exists())
    except (BudgetExhausted, BackendFailed) as error:
        reason = str(error).splitlines()[0]
        headline = f"Stopped: {reason}. The same command continues."
        return work.examples, Ending("opinions", "stopped", headline, exit_code=error.exit_code)
    except UserError as error:
        reason = str(error).splitlines()[0]
        headline = f"Opinions were not turned: {reason}"
        return work.examples, Ending("opinions", "not testable", headline)
    turned = _read(work, folder)
    report_progress("training with and without turned rows")
    command = shell_line(["augkit", "run", "--config", str(folder / SETTINGS_FILE)])
    ending = _proved(work, turned, folder / DATASET, command)
    if ending.verdict != "reads better":
        return work.examples, ending
    return [*work.examples, *(variant for _, variant in turned.variants)], ending


def _run_settings(work: Work, path: Path) -> RunSettings:
    settings = work.settings
    values: dict[str, Any] = {
        "method": METHOD,
        "dataset": str(path),
        "seed": settings.seed,
        **work.rows.columns_of(path),
    }
    if settings.llm != "offline":
        values |= {"llm": settings.llm, "connection": settings.connection}
    return RunSettings(**values)


def _read(work: Work, folder: Path) -> Turned:
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
    return Turned(rows, known)


def _proved(work: Work, turned: Turned, path: Path, command: str) -> Ending:
    done = f"The opinion was turned in {counted(len(turned.variants), 'text')} ({METHOD})."
    if len(turned.variants) < _LEAST_TURNED:
        headline = "Not testable: too few texts could be turned."
        return Ending("opinions", "not testable", headline, done, commands={"repeat": command})
    figures = _measure(work, turned)
    ordinary, turned_change = figures["ordinary"], figures["turned"]
    verdict = _verdict(ordinary, turned_change)
    gain = shown_points(turned_change["change"], turned_change["error"])
    loss = shown_points(ordinary["change"], ordinary["error"])
    headlines = {
        "reads better": f"Reads the opinion better, by our own turned rows: {gain} points there, "
        f"{loss} on ordinary rows.",
        "reads already": "A linear classifier reads the opinion already: turned rows are not far "
        "below ordinary ones. Train without them.",
        "trade": f"A trade: {gain} points on turned rows, {loss} on ordinary ones.",
        "no help": f"No help: {gain} points on turned rows.",
    }
    table = [("accuracy, %", "as it is", "with turned rows")]
    for name, row in figures.items():
        after = f"{per_cent(row['after'])}  {shown_points(row['change'], row['error'])}"
        table.append((f"{name} rows", per_cent(row["before"]), after))
    name = "train on" if verdict == "reads better" else "with turned rows"
    return Ending(
        "opinions",
        verdict,
        headlines[verdict],
        done,
        table,
        figures=figures,
        files={name: path},
        commands={"repeat": command},
    )


def _verdict(ordinary: dict[str, float], turned: dict[str, float]) -> Verdict:
    if turned["before"] > ordinary["before"] - _FAR_BELOW:
        return "reads already"
    if turned["change"] <= 0 or turned["change"] < _CLEAR * turned["error"]:
        return "no help"
    return "reads better" if ordinary["change"] >= -_COST else "trade"


def _measure(work: Work, turned: Turned) -> dict[str, dict[str, float]]:
    """Balanced accuracy on held-out rows and on the turned ones of the same rows."""
    import numpy as np

    settings = work.settings
    rows = turned.rows
    folds = assign_folds(rows, FOLDS, settings.seed, None)
    tested: dict[str, list[Example]] = {"ordinary": [], "turned": []}
    right: dict[tuple[str, str], list[Flags]] = {}
    for fold in range(min(FOLDS, ceil(TESTED * FOLDS / len(rows)))):
        train = [row for row, number in zip(rows, folds, strict=True) if number != fold]
        more = [made for parent, made in turned.variants if folds[parent] != fold]
        held = {
            "ordinary": [row for row, number in zip(rows, folds, strict=True) if number == fold],
            "turned": [made for parent, made in turned.variants if folds[parent] == fold],
        }
        for name, part in (("before", train), ("after", [*train, *more])):
            reader = Reader([row.fields for row in part], [str(row.label) for row in part])
            for kind, examples in held.items():
                predicted = reader.predict([row.fields for row in examples])
                right.setdefault((kind, name), []).append(is_right(predicted, examples))
        for kind, examples in held.items():
            tested[kind] += examples
    figures = {}
    for kind, examples in tested.items():
        labels = [str(row.label) for row in examples]
        before, after = (np.concatenate(right[kind, name]) for name in ("before", "after"))
        change, error = balanced_difference(before, after, labels)
        figures[kind] = {
            "rows": len(examples),
            "before": balanced_accuracy(before, labels),
            "after": balanced_accuracy(after, labels),
            "change": change,
            "error": error,
        }
    return figures
