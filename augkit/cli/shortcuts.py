"""``augkit shortcuts``: what gives the label away."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, reading_flags


@options.made_from(
    "augkit.commands.shortcut_settings:ShortcutSettings",
    "dataset run against by group_column explain draw classifier settings out id_column as_json "
    "limit sample max_rows seed text_columns label_column subset quotes data_folder",
)
def command(
    values: dict[str, Any],
    settings: Annotated[
        list[str] | None,
        Option("--set", help="a setting of the finder: key=value; repeat for more"),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Find what gives the label of a dataset away: words, positions, structures.

    Examples:

        augkit shortcuts --dataset claims-demo

        augkit shortcuts --dataset snli --by tokens --set top=40

        augkit shortcuts --run runs/razor-claims-demo

        augkit shortcuts --dataset a.csv --against b.csv --json

        augkit shortcuts --dataset snli --by razor-definition

        augkit shortcuts --dataset snli --by grammar --set fitted=found --explain rows.csv --draw

    A strong association is not yet a shortcut: "excellent" gives the label of a review away by
    right. Whether a word should is for you to judge.
    """
    from augkit.commands.shortcut_settings import ShortcutSettings
    from augkit.commands.shortcuts import shortcuts
    from augkit.core.config import parse_settings, validate
    from augkit.report.terminal import print_survey

    values |= {"options": parse_settings(settings or [])}
    checked = validate(ShortcutSettings, values, "shortcuts settings")
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
