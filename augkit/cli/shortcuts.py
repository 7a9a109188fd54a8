"""``augkit shortcuts``: what gives the label away."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Argument

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, reading_flags


@options.made_from(
    "augkit.commands.shortcut_settings:ShortcutSettings",
    "data by explain group_column text_columns label_column limit settings out as_json",
    owner="of the finder",
    first="dataset run against",
)
def command(
    values: dict[str, Any],
    data: Annotated[
        list[str],
        Argument(
            help="a file, a name, a hub id (NAME:SPLIT), or a finished run folder: before and "
            "after; of two files: what changed from the first to the second",
        ),
    ],
    as_json: options.AsJson = False,
) -> None:
    """Find what gives the label of a dataset away: words, positions, structures.

    Examples:

        augkit shortcuts claims-demo

        augkit shortcuts snli --by tokens --set top=40

        augkit shortcuts runs/razor-claims-demo

        augkit shortcuts a.csv b.csv --json

        augkit shortcuts snli --by razor-definition

        augkit shortcuts snli --by grammar --set fitted=found --explain rows.csv --set draw=true

    A strong association is not yet a shortcut: "excellent" gives the label of a review away by
    right. Whether a word should is for you to judge.
    """
    from augkit.commands.shortcut_settings import ShortcutSettings, subject_of
    from augkit.commands.shortcuts import shortcuts
    from augkit.core.config import validate
    from augkit.report.terminal import print_survey

    checked = validate(ShortcutSettings, values | subject_of(data), "shortcuts settings")
    with progress():
        survey = shortcuts(checked)
    print_survey(survey, checked.subject, as_json=as_json)
    if as_json:
        return
    if checked.run is not None:
        next_line("augkit", "report", str(checked.run))
    elif checked.dataset is not None:
        columns = reading_flags(values.get("reading", {}))
        command = "fix" if checked.against is None else "check"
        next_line("augkit", command, checked.against or checked.dataset, *columns)
