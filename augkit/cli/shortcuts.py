"""``augkit shortcuts``: what gives the label away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from augkit.cli.options import AsJson, DataFolder, LabelColumn, TextColumns, reading


def command(
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", "-d", help="a name, a hub id or a file; NAME:SPLIT"),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", help="a finished run folder: before and after, instead of --dataset"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="a second dataset: what changed from --dataset to this"),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="the finder: `augkit list finders`; default: tokens"),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="at most this many rows, sampled by --seed")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="default: 0")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="a setting of the finder: key=value; repeat for more"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="a folder for survey.json and more")
    ] = None,
    text_column: TextColumns = None,
    label_column: LabelColumn = None,
    data_folder: DataFolder = None,
    as_json: AsJson = False,
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
    from augkit.core.config import parse_settings
    from augkit.report.survey import print_survey
    from augkit.runs.commands.shortcuts import settings_of, shortcuts

    chosen = settings_of(
        {
            "dataset": dataset,
            "against": against,
            "run": run,
            "by": by,
            "options": parse_settings(settings or []),
            "limit": limit,
            "seed": seed,
            "out": out,
            "reading": reading(text_column, label_column, data_folder),
        }
    )
    print_survey(shortcuts(chosen), chosen.subject, as_json=as_json)
