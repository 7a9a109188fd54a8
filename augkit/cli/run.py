"""``augkit run``: augment a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from augkit.cli.options import (
    CONNECTION,
    AnswerColumns,
    BaseUrl,
    Batch,
    BatchWait,
    Budget,
    Cache,
    DataFolder,
    DryRun,
    EditColumns,
    EditRoles,
    Engine,
    Examples,
    IdColumn,
    LabelColumn,
    LabelOrder,
    Llm,
    Prices,
    Prompts,
    Quotes,
    RayAddress,
    SpanColumns,
    Subset,
    TagNames,
    TextColumns,
    Track,
    given_settings,
    take,
)

if TYPE_CHECKING:
    from augkit.runs.evaluation.settings import EvaluateSettings
    from augkit.runs.settings import RunSettings


def command(
    method: Annotated[
        str | None, Option("--method", "-m", help="a name of `augkit list methods`; default: coba")
    ] = None,
    dataset: Annotated[
        str | None,
        Option(
            "--dataset",
            "-d",
            help="a name (`augkit list datasets`), a hub id, or a jsonl/csv/tsv/parquet file; "
            "NAME:SPLIT selects a split, NAME:A+B joins two; default: reviews-demo",
        ),
    ] = None,
    find: Annotated[
        str | None, Option(help="a finder (`augkit list finders`) that marks what to change")
    ] = None,
    classifier: Annotated[
        Path | None, Option(help="a folder of `augkit train`, for --find attribution")
    ] = None,
    text_columns: TextColumns = None,
    edit_columns: EditColumns = None,
    edit_roles: EditRoles = None,
    span_columns: SpanColumns = None,
    answer_columns: AnswerColumns = None,
    tag_names: TagNames = None,
    label_column: LabelColumn = None,
    label_order: LabelOrder = None,
    id_column: IdColumn = None,
    subset: Subset = None,
    quotes: Quotes = None,
    llm: Llm = None,
    judge_llm: Annotated[str | None, Option(help="a second model that judges the variants")] = None,
    prompts: Prompts = None,
    examples: Examples = None,
    base_url: BaseUrl = None,
    budget: Budget = None,
    prices: Prices = None,
    cache: Cache = None,
    batch: Batch = None,
    batch_wait: BatchWait = None,
    limit: Annotated[
        int | None, Option("--limit", "-n", help="augment only the first rows")
    ] = None,
    seed: Annotated[int | None, Option(help="default: 0")] = None,
    mix: Annotated[
        str | None, Option(help="append, replace or balance; default: the method's")
    ] = None,
    per_row: Annotated[
        int | None, Option(help="most variants of a row in the training set; default: 3")
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option(
            "--set",
            help="a setting of the method: KEY=VALUE; of the finder: find.KEY=VALUE; of the checks "
            "of an LLM's texts: text_gates.KEY=VALUE, judge.KEY=VALUE; repeatable",
        ),
    ] = None,
    gates: Annotated[
        list[str] | None, Option("--gate", help="a filter of `augkit list gates`; repeat for more")
    ] = None,
    config: Annotated[
        Path | None, Option(help="settings in a YAML file; options override it")
    ] = None,
    out: Annotated[
        Path | None, Option("--out", "-o", help="run folder; default: runs/METHOD-DATASET")
    ] = None,
    evaluate: Annotated[
        bool, Option("--evaluate", help="then evaluate a classifier before and after")
    ] = False,
    test: Annotated[
        list[str] | None,
        Option(help="test set for --evaluate; default: the dataset's other splits"),
    ] = None,
    log_exchanges: Annotated[
        bool | None,
        Option("--log-exchanges", help="write all prompts and answers to exchanges.jsonl"),
    ] = None,
    resume: Annotated[bool, Option("--resume", help="resume an interrupted run")] = False,
    dry_run: DryRun = False,
    workers: Annotated[
        int | None, Option("--workers", "-w", help="processes; with an LLM server: calls in flight")
    ] = None,
    engine: Engine = None,
    ray_address: RayAddress = None,
    track: Track = None,
    data_folder: DataFolder = None,
) -> None:
    """Augment a dataset: make variants, filter them, and write a new training set.

    The run folder holds `dataset.jsonl` (ready for any trainer), `variants.jsonl` (with edits and
    provenance), `rejected.jsonl` (with reasons) and `manifest.json`.

    Examples:

        augkit run --method eda --dataset reviews-demo

        augkit run --method panda --dataset reviews-demo --evaluate

        augkit run -m swap -d my.csv --text-column review --label-column stars

        augkit run -m panda -d squad.jsonl --span-column answers --edit-column context

        augkit run -m eda -d reviews-demo --set copies=3 --set alpha=0.2 --mix balance

        augkit run -m mask-words -d claims-demo --find tokens --set find.top=40

        augkit run -m paraphrase -d reviews-demo --llm openai:gpt-4o-mini --budget 0.50

        augkit run -m paraphrase --llm openai:any --base-url http://localhost:8000/v1 --dry-run

    Exit codes: 0 done, 2 invalid input, 3 budget exhausted, 4 back end failed, 5 a batch is not
    answered yet. After 3, 4 and 5, continue with `--resume`.
    """
    given = given_settings(
        locals(), "config", "out", "evaluate", "test", "resume", "dry_run", "track"
    )
    from augkit.core.config import parse_settings
    from augkit.report.summary import print_estimate
    from augkit.runs.estimate import estimate
    from augkit.runs.evaluation.scores import planned_tests
    from augkit.runs.settings import merge_settings
    from augkit.runs.trackers.record import run_logger

    options = parse_settings(settings or [])
    connection = {**take(given, CONNECTION), "workers": workers}
    find_options = {"name": find, "options": options.pop("find", {})}
    given |= {name: options.pop(name, {}) for name in ("text_gates", "judge")}
    given |= {"find": find_options, "options": options, "connection": connection}
    chosen = merge_settings(given, config, resume=resume, out=out)
    if dry_run:
        print_estimate(estimate(chosen))
        return
    evaluation = planned_tests(chosen, test or ()) if evaluate or test else None
    log = run_logger(track or ())
    folder = _execute(chosen, out, resume=resume)
    if evaluation is not None:
        _evaluate(evaluation(folder))
    _write_report(folder, chosen.data_folder)
    log(folder)


def _execute(chosen: RunSettings, out: Path | None, *, resume: bool) -> Path:
    from augkit.cli.terminal import progress
    from augkit.report.summary import print_summary
    from augkit.runs.execute import run

    with progress() as on_progress:
        folder = run(chosen, out, resume=resume, on_progress=on_progress)
    print_summary(folder)
    return folder


def _evaluate(settings: EvaluateSettings) -> None:
    from augkit.report.terminal import print_scores
    from augkit.runs.evaluation.scores import evaluate_run

    print_scores(evaluate_run(settings), as_json=False)


def _write_report(folder: Path, data_folder: Path | None) -> None:
    from augkit.report.page.write import write_page
    from augkit.runs.commands.shortcuts import compare_run

    compare_run(folder, data_folder)
    write_page(folder)
