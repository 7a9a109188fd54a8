"""``augkit evaluate``: train a classifier and measure it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from augkit.cli.options import (
    AsJson,
    BaseUrl,
    Budget,
    Cache,
    DataFolder,
    LabelColumn,
    Llm,
    ModelSettings,
    Prices,
    Quotes,
    Subset,
    TextColumns,
    reading,
)


def command(
    run: Annotated[
        Path | None, typer.Argument(help="a finished run folder; or give --train")
    ] = None,
    train: Annotated[
        str | None, typer.Option("--train", help="a dataset to train on, instead of a run")
    ] = None,
    classifier: Annotated[
        list[Path] | None,
        typer.Option(
            "--classifier",
            help="a folder of `augkit train`, instead of training; give two to compare them",
        ),
    ] = None,
    train_on: Annotated[
        str | None,
        typer.Option("--train-on", help="of a run: originals, result or both (default: both)"),
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option("--test", help="a dataset to measure on, as sst2:dev; repeat for more"),
    ] = None,
    foreign: Annotated[
        list[str] | None,
        typer.Option(
            "--foreign", help="for ood-auroc: a dataset of another distribution; repeat for more"
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="`augkit list metrics`; default: accuracy; repeat for more"),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option("--method", "-m", help="what perturbs the rows for fairscore; default: panda"),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="a setting of that method: key=value; repeat for more"),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", help="linear (default), encoder:PATH or transformers:PATH; PATH or a hub id"
        ),
    ] = None,
    model_settings: ModelSettings = None,
    interval: Annotated[
        str | None, typer.Option("--interval", help="of fairscore: exact (default) or bootstrap")
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            "--seeds",
            help="train this many more models, each without a random tenth of the training rows, "
            "and show how far their figures lie apart; default: 3",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="only the first rows of each test set")
    ] = None,
    llm: Llm = None,
    base_url: BaseUrl = None,
    budget: Budget = None,
    prices: Prices = None,
    cache: Cache = None,
    text_column: TextColumns = None,
    label_column: LabelColumn = None,
    subset: Subset = None,
    quotes: Quotes = None,
    data_folder: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Train a classifier and measure it, with intervals: does the new data help?

    With a RUN folder two classifiers are trained, one on its originals and one on its
    `dataset.jsonl`, and compared on the same test rows. With `--train` there is one; with
    `--classifier` those that `augkit train` saved are measured, and two are compared.

    Examples:

        augkit evaluate runs/eda-reviews-demo --test reviews-demo:test --test reviews-demo:challenge

        augkit evaluate --train sst2 --test sst2:dev --metric fairscore --json

        augkit evaluate --train a.csv --test b.csv --metric fairscore -m swap --set pairs=[[he,she]]

        augkit evaluate runs/coba-imdb --metric quality

        augkit evaluate --classifier plain --classifier poe --test snli:test --test snli:test_hard

    `--json` prints the record of one measurement, or `{"results": [...]}` where there are several.
    """
    from augkit.core.config import parse_settings
    from augkit.report.scores import print_scores
    from augkit.runs.evaluation.evaluate import settings_of
    from augkit.runs.evaluation.scores import evaluate_run

    connection = {"base_url": base_url, "budget": budget, "prices": prices, "cache": cache}
    chosen = {
        "run": run,
        "train": train,
        "classifiers": tuple(classifier or ()),
        "train_on": train_on,
        "tests": tuple(test or ()),
        "foreign": tuple(foreign or ()),
        "metrics": tuple(metric) if metric else None,
        "method": method,
        "options": parse_settings(settings or []),
        "model_kind": model,
        "model": parse_settings(model_settings or []),
        "interval": interval,
        "seeds": seeds,
        "limit": limit,
        "reading": reading(text_column, label_column, data_folder, subset, quotes),
        "llm": llm,
        "connection": connection,
    }
    print_scores(evaluate_run(settings_of(chosen)), as_json=as_json)
