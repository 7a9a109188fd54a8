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
    from augkit.commands.fix.parts import AnyCue
    from augkit.commands.fix.prepare import FoundCues


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
    end is a file to train on, a page, and the commands that repeat each step. It reads labelled
    rows, pairs of texts, preference pairs and multiple choice.

    Examples:

        augkit fix tickets.csv

        augkit fix tickets.csv --text-column message --label-column queue --cue marta

        augkit fix preferences.jsonl --cue characters

        augkit fix reviews.csv --dry-run

        augkit fix reviews.csv --llm openai:gpt-4o-mini --budget 2.00

    In a terminal it asks which cues are shortcuts. After a stop, the same command continues:
    finished runs are used again.

    Exit code 0: done, also where there is nothing to fix; 2: the data or a setting is wrong; 3 or
    4: the budget or the server of a language model left a method unfinished.
    """
    from augkit.commands.fix.prepare import find_shortcuts
    from augkit.commands.fix.run import estimate_fix, fix_found
    from augkit.commands.fix.settings import FixSettings
    from augkit.commands.fix.text import choice_lines, found_lines, result_lines
    from augkit.core.config import validate
    from augkit.report.summary import print_estimate

    settings = validate(FixSettings, values, "fix settings")
    if dry_run:
        print_estimate(estimate_fix(settings))
        without_dry_run()
        return
    with progress():
        found = find_shortcuts(settings)
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not (yes or as_json or settings.cues)
    if not as_json:
        show("\n".join(found_lines(found.about)))
    answer = _ask(found) if asks and found.cues else None
    with progress():
        result = fix_found(found, answer)
    stopped_with = max((method.exit_code for method in result.unfit), default=0)
    if as_json:
        show_json(result.record())
        raise typer.Exit(stopped_with)
    lines = (*(choice_lines(result) if answer is None else ()), *result_lines(result))
    if lines:
        show("\n".join(lines))
    columns = reading_flags(values.get("reading", {}))
    if result.train_on is not None:
        next_line("augkit", "check", str(result.train_on), *columns)
    elif not result.chosen and result.undecided:
        next_line("augkit", "fix", settings.data, "--cue", result.undecided[0].name, *columns)
    elif not result.chosen:
        next_line("augkit", "shortcuts", "--dataset", settings.data, *columns)
    raise typer.Exit(stopped_with)


def _ask(found: FoundCues) -> Sequence[AnyCue]:
    """Ask which cues are shortcuts: numbers, nothing for the likely and strong ones, or none."""
    from augkit.commands.fix.text import MOST_CUES
    from augkit.core.errors import ConfigError

    shown, strong = found.cues[:MOST_CUES], found.data.usual_cues(found.cues)
    usual = [str(number) for number, cue in enumerate(shown, 1) if cue in strong]
    while True:
        try:
            answer = typer.prompt(
                "Which of them are shortcuts? Numbers, or none", default=" ".join(usual) or "none"
            )
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
