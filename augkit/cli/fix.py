"""``augkit fix``: find, break and prove in one command."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, reading_flags

if TYPE_CHECKING:
    from augkit.commands.fix.cues import Cue


@options.made_from(
    "augkit.commands.fix.settings:FixSettings",
    "data cues out test challenge methods yes dry_run as_json llm base_url budget prices cache "
    "parts challenge_rows group_column seed text_columns label_column limit sample subset quotes "
    "data_folder",
    argument="data",
)
def command(
    values: dict[str, Any],
    yes: Annotated[
        bool, Option("--yes", "-y", help="ask nothing: take the likely shortcuts that are strong")
    ] = False,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the shortcuts of a dataset, break them with the methods that fit, and prove it.

    It holds a test part out, builds a challenge set in which the cue points the wrong way, tries
    the methods, and compares them with the rows as they are and with simply deleting the cue. The
    end is a file to train on, a page, and the commands that repeat each step.

    Examples:

        augkit fix tickets.csv

        augkit fix tickets.csv --text-column message --label-column queue --cue marta

        augkit fix reviews.csv --dry-run

        augkit fix reviews.csv --llm openai:gpt-4o-mini --budget 2.00

    In a terminal it asks which cues are shortcuts. After a stop, the same command continues:
    finished runs are used again.

    Exit code 0: done, also where there is nothing to fix; 2: the data or a setting is wrong.
    """
    from augkit.commands.fix.run import estimate_fix, fix_dataset
    from augkit.commands.fix.settings import FixSettings
    from augkit.core.config import validate
    from augkit.report.summary import print_estimate

    settings = validate(FixSettings, values, "fix settings")
    if dry_run:
        print_estimate(estimate_fix(settings))
        return
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not (yes or as_json or settings.cues)
    with progress():
        result = fix_dataset(settings, _ask if asks else None)
    if as_json:
        typer.echo(json.dumps(result.record(), ensure_ascii=False))
        return
    typer.echo(str(result))
    columns = reading_flags(values.get("reading", {}))
    if result.train_on is not None:
        next_line("augkit", "check", str(result.train_on), *columns)
    elif not result.chosen:
        next_line("augkit", "shortcuts", "--dataset", settings.data, *columns)


def _ask(cues: Sequence[Cue]) -> Sequence[Cue]:
    """Ask which cues are shortcuts: numbers, nothing for the likely and strong ones, or none."""
    from augkit.commands.fix.text import numbered_cues
    from augkit.commands.split import strong_cues

    movable = [cue for cue in cues if cue.words or cue.sign]
    usual = strong_cues(cues)
    typer.echo("What gives the label away (the strongest first):")
    for line in numbered_cues(movable):
        typer.echo(line)
    default = " ".join(str(movable.index(cue) + 1) for cue in usual) or "none"
    while True:
        answer = typer.prompt("Which are shortcuts? Numbers, or none", default=default)
        words = answer.replace(",", " ").split()
        if words == ["none"]:
            return []
        if all(word.isdecimal() and 0 < int(word) <= len(movable) for word in words):
            return [movable[int(word) - 1] for word in dict.fromkeys(words)]
        typer.echo(f"Please give numbers from 1 to {len(movable)}, or none.")
