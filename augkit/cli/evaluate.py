"""``augkit evaluate``: train classifiers, score them and compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from augkit.cli import options


@options.takes(options.SelectionOptions, options.ConnectionOptions, options.ReadingOptions)
def command(
    run: Annotated[Path | None, Argument(help="a finished run folder; or pass --train")] = None,
    train: Annotated[
        str | None,
        Option(
            help="a dataset or run folder to train on; beside RUN, a reference that its result is "
            "compared with"
        ),
    ] = None,
    classifiers: Annotated[
        list[Path] | None,
        Option(
            "--classifier",
            help="a folder of `augkit train`, instead of training; pass two to compare them",
        ),
    ] = None,
    train_on: Annotated[
        str | None, Option(help="of a run: originals, result or both (default: both)")
    ] = None,
    tests: Annotated[
        list[str] | None, Option("--test", help="a test set, as in sst2:dev; repeat for more")
    ] = None,
    ood: Annotated[
        list[str] | None, Option(help="a dataset out of distribution; repeat for more")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        Option("--metric", help="`augkit list metrics`; default: accuracy; repeat for more"),
    ] = None,
    method: Annotated[
        str | None,
        Option("--method", "-m", help="the method that perturbs test rows; default: panda"),
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option(
            "--set",
            help="a setting of the method (method.axes=[gender]) or of the model "
            "(model.strength=1); repeat for more",
        ),
    ] = None,
    model_kind: Annotated[
        str | None,
        Option(
            "--model",
            help="linear (default), encoder:PATH or transformers:PATH, a folder or a hub id; an "
            "LLM that is measured itself: llm:openai:NAME, llm:transformers:PATH",
        ),
    ] = None,
    interval: Annotated[str | None, Option(help="of shares: exact (default) or bootstrap")] = None,
    seeds: Annotated[
        int | None,
        Option(
            help="train this many more models, each without a random tenth of the training rows, "
            "and show the spread of their scores; default: 3"
        ),
    ] = None,
    llm: options.Llm = None,
    out: Annotated[
        Path | None,
        Option(
            "--out",
            "-o",
            help="folder of scores.json and predictions.jsonl; default: RUN; of an LLM also of its "
            "replies, to continue there (default: one under runs/)",
        ),
    ] = None,
    id_column: Annotated[
        str | None, Option(help="column of the test sets with a unique id for each row")
    ] = None,
    workers: options.Workers = None,
    prompts: options.Prompts = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
    **shared: Any,
) -> None:
    """Score classifiers with intervals and compare them: does the new data help?

    With a RUN folder two classifiers are trained, one on its originals and one on its
    `dataset.jsonl`, and compared on the same test rows. `--train` alone trains one; beside a RUN it
    is a reference that the run's result is compared with, as the dataset without the shortcut, or
    another run. With `--classifier` those that `augkit train` saved are scored, and two are
    compared. `--limit` and `--sample` choose rows of each test set.

    Examples:

        augkit evaluate runs/eda-reviews-demo --test reviews-demo:test --test reviews-demo:challenge

        augkit evaluate runs/razor-train --train deleted.csv --test test.csv --test challenge.csv

        augkit evaluate --train sst2 --test sst2:dev --metric fairscore --json

        augkit evaluate --train a.csv --test b.csv --metric fairscore -m swap
            --set method.pairs=[[he,she]]

        augkit evaluate runs/coba-imdb --metric quality

        augkit evaluate --classifier plain --classifier poe --test snli:test --test snli:test_hard

        augkit evaluate --model llm:openai:gpt-4o-mini --test sst2:dev --metric fairscore
            --budget 1.00

    An LLM is asked for the label of each text, with the labels in two orders. After a stop, the
    same command continues, and no reply is paid for twice. Where its server failed in some
    questions, the scores of the others are shown and the exit code is 4.

    `predictions.jsonl` has the label that each classifier gives to each test row.

    `--json` prints one record, or `{"verdict": ..., "results": [...]}` where there are several.
    """
    given = options.given_settings(locals(), "dry_run")
    from augkit.cli.terminal import progress
    from augkit.commands.evaluate.evaluate_llm import estimate_llm
    from augkit.commands.evaluate.scores import evaluate_run, scores_files
    from augkit.commands.evaluate.settings import evaluation_settings
    from augkit.commands.tested_llm import check_complete
    from augkit.core.config import parse_sections
    from augkit.models.classifiers.linear import LinearConfig
    from augkit.report.summary import print_estimate
    from augkit.report.terminal import print_scores, print_written

    chosen = parse_sections(settings or [], {"method": (), "model": LinearConfig.model_fields})
    given |= {
        "options": chosen["method"],
        "model": chosen["model"],
        "reading": options.take(given, options.READING),
        "connection": options.take(given, options.ASKING),
    }
    checked = evaluation_settings(given)
    if dry_run:
        print_estimate(estimate_llm(checked))
        return
    with progress():
        scores = evaluate_run(checked)
    print_scores(scores, as_json=as_json)
    print_written(scores_files(checked))
    check_complete(scores["results"][-1].get("llm") if scores["results"] else None)
