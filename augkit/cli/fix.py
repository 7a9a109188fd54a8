"""``augkit fix``: find, break and prove in one command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, reading_flags, without_dry_run
from augkit.text.screen import show, show_json

if TYPE_CHECKING:
    from augkit.commands.fix.results import Fixed
    from augkit.commands.fix.run import Found
    from augkit.commands.fix.settings import FixSettings
    from augkit.shortcuts.cues import Cue


@options.made_from(
    "augkit.commands.fix.settings:FixSettings",
    "data cues out test challenge text_columns label_column group_column limit llm base_url budget "
    "settings yes dry_run as_json",
    argument="data",
)
def command(
    values: dict[str, Any],
    yes: Annotated[
        bool, Option("--yes", "-y", help="ask nothing: take all likely shortcuts")
    ] = False,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the shortcuts of a dataset, break each by its kind, and prove it.

    A name, a signature or a sign is deleted or exchanged; opinions are turned by coba; for a field
    that gives the label away alone there are weights, and a hard and an easy part to test on;
    preference pairs and multiple choice lose items. Each kind has its own proof, on rows that the
    classifier has not seen. The end is a file to train on, a page, and the commands that repeat
    each step.

    Examples:

        augkit fix tickets.csv

        augkit fix tickets.csv --text-column message --label-column queue --cue marta

        augkit fix preferences.jsonl --cue characters

        augkit fix reviews.csv --dry-run

    In a terminal it asks which cues are shortcuts. After a stop, the same command continues.

    Exit code 0: done, also where there is nothing to fix; 2: the data or a setting is wrong; 3 or
    4: the budget or the server of a language model left something unfinished.
    """
    from augkit.commands.fix.run import find_in, fix_dataset, fix_found
    from augkit.commands.fix.settings import FixSettings
    from augkit.commands.fix.text import choice_lines, found_lines, result_lines
    from augkit.core.config import validate
    from augkit.datasets.choices.load import holds_choices
    from augkit.report.summary import print_estimate

    settings = validate(FixSettings, values, "fix settings")
    if dry_run:
        from augkit.commands.fix.estimate import estimate_fix

        print_estimate(estimate_fix(settings))
        without_dry_run()
        return
    columns = reading_flags(values.get("reading", {}))
    if as_json or holds_choices(settings.data, settings.reading):
        with progress():
            result = fix_dataset(settings)
        if as_json:
            show_json(result.record())
            raise typer.Exit(result.exit_code)
        show(str(result))
        _end(result, settings, columns)
    with progress():
        found = find_in(settings)
    show("\n".join(found_lines(found.about)))
    _show_costs(found)
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not (yes or settings.cues)
    answer = _ask(found) if asks and found.listed else None
    with progress():
        result = fix_found(found, answer)
    lines = [*choice_lines(result), *result_lines(result)]
    if lines:
        show("\n".join(lines))
    _end(result, settings, columns)


def _end(result: Fixed, settings: FixSettings, columns: Sequence[str]) -> None:
    """The command that comes next, and the exit code."""
    if result.train_on is not None:
        next_line("augkit", "check", str(result.train_on), *columns)
    elif not result.endings:
        next_line("augkit", "shortcuts", settings.data, *columns)
    raise typer.Exit(result.exit_code)


def _show_costs(found: Found) -> None:
    """What a language model would cost, before it is asked anything."""
    from augkit.commands.fix.estimate import estimate_offers

    kind = "opinions" if len(found.rows.fields) == 1 else "field alone"
    for method, cost in estimate_offers(found.settings, [kind]).items():
        show(f"{method} would take {cost} (--budget limits it)")


def _ask(found: Found) -> Sequence[Cue]:
    """Ask which cues are shortcuts: numbers, nothing for all that are listed, or none."""
    from augkit.core.errors import ConfigError

    shown = found.listed
    usual = " ".join(str(number) for number in range(1, len(shown) + 1))
    while True:
        try:
            answer = typer.prompt("Which of them are shortcuts? Numbers, or none", default=usual)
        except typer.Abort:  # the end of the input; Ctrl-C is a signal
            show("")
            raise ConfigError(
                "no answer, so nothing was done. To be asked nothing: --yes, or --cue NAME"
            ) from None
        words = answer.replace(",", " ").split()
        if words == ["none"]:
            return []
        if words and all(word.isdecimal() and 0 < int(word) <= len(shown) for word in words):
            return [shown[int(word) - 1] for word in dict.fromkeys(words)]
        show(f"Please give numbers from 1 to {len(shown)}, or none.")
