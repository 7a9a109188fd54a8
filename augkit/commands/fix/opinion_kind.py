"""The kind "opinions": where labels are opinions, coba turns them in texts that stay as they are.

A classifier that reads the opinion is right on a text and on the same text turned round. The proof
tests it on rows that coba turned and that it has not seen, with and without such rows in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from augkit.commands.fix.endings import Ending, Verdict, per_cent, shown_points
from augkit.commands.fix.made_rows import MadeRows, NotMade, make_rows
from augkit.commands.fix.mark_proof import FOLDS, TESTED
from augkit.commands.fix.reader import (
    Reader,
    balanced_accuracy,
    balanced_difference,
    is_right,
)
from augkit.commands.fix.work import Work
from augkit.core.arrays import Flags
from augkit.core.progress import report_progress
from augkit.core.types import Example
from augkit.lexicons.opinions import is_of_opinions
from augkit.models.folds import assign_folds
from augkit.text.printable import counted

METHOD = "coba"
_FAR_BELOW = 0.1
"""How far below ordinary rows turned rows are, for the opinion not to be read."""
_LEAST_TURNED = 40
_COST = 0.01
_CLEAR = 2.0


def opinions_of(work: Work) -> list[str]:
    """The method that turns opinions, where the labels are opinions; nothing elsewhere."""
    if work.is_pair or work.findings.task != "opinion":
        return []
    if is_of_opinions(work.examples).verdict != "opinions":
        return []
    return [METHOD]


def fix_opinions(work: Work, methods: Sequence[str]) -> tuple[Sequence[Example], Ending]:
    """Have the opinions turned, and measure whether that makes a classifier read them."""
    made = make_rows(work, methods[0])
    if isinstance(made, NotMade):
        return work.examples, _not_turned(made)
    report_progress("training with and without turned rows")
    ending = _proved(work, made)
    if ending.verdict != "reads better":
        return work.examples, ending
    return [*work.examples, *(variant for _, variant in made.variants)], ending


def _not_turned(made: NotMade) -> Ending:
    if made.exit_code:
        headline = f"Stopped: {made.reason}. The same command continues."
        return Ending("opinions", "stopped", headline, exit_code=made.exit_code)
    return Ending("opinions", "not testable", f"Opinions were not turned: {made.reason}")


def _proved(work: Work, turned: MadeRows) -> Ending:
    done = f"The opinion was turned in {counted(len(turned.variants), 'text')} ({METHOD})."
    if len(turned.variants) < _LEAST_TURNED:
        headline = "Not testable: too few texts could be turned."
        return Ending(
            "opinions", "not testable", headline, done, commands={"repeat": turned.command}
        )
    figures = _measure(work, turned)
    ordinary = figures["ordinary"]
    turned_change = figures["turned"]
    verdict = _verdict(ordinary, turned_change)
    gain = shown_points(turned_change["change"], turned_change["error"])
    loss = shown_points(ordinary["change"], ordinary["error"])
    headlines = {
        "reads better": f"Reads the opinion better, by our own turned rows: {gain} points there, "
        f"{loss} on ordinary rows.",
        "reads already": "A linear classifier reads the opinion already: turned rows are not far "
        "below ordinary ones, and training on them adds nothing clear. Train without them.",
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
        files={name: turned.file},
        commands={"repeat": turned.command},
    )


def _verdict(ordinary: dict[str, float], turned: dict[str, float]) -> Verdict:
    if turned["change"] <= 0 or turned["change"] < _CLEAR * turned["error"]:
        reads = turned["before"] > ordinary["before"] - _FAR_BELOW
        return "reads already" if reads else "no help"
    # That turned rows are near ordinary ones before says little: on IMDb reviews, where they were,
    # people's revisions gained 22 points by them.
    return "reads better" if ordinary["change"] >= -_COST else "trade"


def _measure(work: Work, turned: MadeRows) -> dict[str, dict[str, float]]:
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
