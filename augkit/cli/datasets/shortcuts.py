"""``augkit shortcuts``: what gives the label away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from augkit.cli import options


@options.takes(options.SelectionOptions, options.ReadingOptions)
def command(
    dataset: Annotated[
        str | None, Option("--dataset", "-d", help="a name, a hub id or a file; NAME:SPLIT")
    ] = None,
    run: Annotated[
        Path | None, Option(help="a finished run folder: before and after, instead of --dataset")
    ] = None,
    against: Annotated[
        str | None, Option(help="a second dataset: what changed from --dataset to this")
    ] = None,
    by: Annotated[
        str | None, Option(help="the finder: `augkit list finders`; default: tokens")
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option("--set", help="a setting of the finder: key=value; repeat for more"),
    ] = None,
    out: Annotated[
        Path | None, Option("--out", "-o", help="a folder for survey.json and more")
    ] = None,
    id_column: options.IdColumn = None,
    as_json: options.AsJson = False,
    **shared: Any,
) -> None:
    """Find what gives the label of a dataset away: words, positions, structures.

    Examples:

        augkit shortcuts --dataset claims-demo

        augkit shortcuts --dataset snli --by tokens --set ngrams=3 --set top=40

        augkit shortcuts --run runs/razor-claims-demo

        augkit shortcuts --dataset a.csv --against b.csv --json

        augkit shortcuts --dataset snli --by razor-definition

    A strong association is not yet a shortcut: "excellent" gives the label of a review away by
    right. Whether a word should is for you to judge.
    """
    given = options.given_settings(locals())
    from augkit.cli.terminal import progress
    from augkit.commands.shortcuts import shortcuts, survey_settings
    from augkit.core.config import parse_settings
    from augkit.report.terminal import print_survey

    given |= {
        "options": parse_settings(settings or []),
        "reading": options.take(given, (*options.READING, "id_column")),
    }
    chosen = survey_settings(given)
    with progress():
        survey = shortcuts(chosen)
    print_survey(survey, chosen.subject, as_json=as_json)
