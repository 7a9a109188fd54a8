"""``augkit run``: augment a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, without_dry_run, words_given

if TYPE_CHECKING:
    from augkit.commands.evaluate.settings import EvaluateSettings
    from augkit.core.errors import RowsOpen
    from augkit.runs.settings import RunSettings


@options.made_from(
    "augkit.runs.settings:RunSettings",
    "method dataset llm budget text_columns label_column settings out evaluate test mix find limit "
    "sample seed resume dry_run config data_folder base_url cache | classifier id_column "
    "keep_rest per_row gates log_exchanges workers subset quotes "
    "edit_columns edit_roles span_columns answer_columns tag_names label_order judge_llm prompts "
    "examples prices engine ray_address",
)
def command(
    values: dict[str, Any],
    settings: options.Settings = None,
    config: options.Config = None,
    out: Annotated[
        Path | None, Option("--out", "-o", help="run folder; default: runs/METHOD-DATASET")
    ] = None,
    evaluate: Annotated[
        bool, Option("--evaluate", help="then evaluate a classifier before and after")
    ] = False,
    test: Annotated[
        list[str] | None,
        Option(help="test set for --evaluate; default: the dataset's other splits; repeatable"),
    ] = None,
    resume: Annotated[bool, Option("--resume", help="resume an interrupted run")] = False,
    dry_run: options.DryRun = False,
) -> None:
    """Augment a dataset: make variants, filter them, and write a new training set.

    The run folder holds `dataset.jsonl` (ready for any trainer), `variants.jsonl` (with edits and
    provenance), `rejected.jsonl` (with reasons) and `manifest.json`.

    Examples:

        augkit run --method eda --dataset reviews-demo

        augkit run --method panda --dataset reviews-demo --evaluate

        augkit run -m swap -d my.csv --text-column review --label-column stars

        augkit run -m panda -d squad.jsonl --span-column answers

        augkit run -m eda -d reviews-demo --set copies=3 --set alpha=0.2 --mix balance

        augkit run -m mask-words -d claims-demo --find tokens --set find.top=40 --mix replace

        augkit run -m paraphrase -d reviews-demo --llm openai:gpt-4o-mini --budget 0.50

        augkit run -m paraphrase --llm openai:any --base-url http://localhost:8000/v1 --dry-run

    Exit codes: 0 done, 2 invalid input, 3 budget exhausted, 4 back end failed, or calls to it
    failed and some rows are open. After 3 and 4, continue with `--resume`.
    """
    from augkit.commands.evaluate.scores import planned_tests
    from augkit.commands.report_page import write_page
    from augkit.core.errors import BackendFailed, BudgetExhausted, Stopped
    from augkit.report.summary import print_estimate
    from augkit.runs.estimate import estimate
    from augkit.runs.repeat import resume_command
    from augkit.runs.settings import AddressNeeded, merge_settings
    from augkit.text.printable import shell_line

    run_settings = options.run_settings(values, settings)
    try:
        chosen = merge_settings(run_settings, config, resume=resume, out=out)
    except AddressNeeded as error:
        error.continue_with = shell_line(["augkit", *words_given(), "--base-url", error.address])
        raise
    if dry_run:
        print_estimate(estimate(chosen))
        without_dry_run()
        return
    evaluation = planned_tests(chosen, test or ()) if evaluate or test else None
    again = ["--evaluate"] if evaluate else []
    for spec in test or ():
        again += ["--test", spec]
    folder = None
    try:
        folder, open_rows = _run(chosen, out, resume=resume)
        _survey(folder, chosen.data_folder)
        if evaluation is not None and open_rows is None:
            _evaluate(evaluation(folder))
        write_page(folder)
        if open_rows is not None:
            raise open_rows
        _next(folder, chosen, evaluated=evaluation is not None)
    except (Stopped, BudgetExhausted, BackendFailed) as error:
        if isinstance(error, BudgetExhausted):
            again += ["--budget", "MORE"]
        if left := folder or error.run_folder:
            error.continue_with = resume_command(chosen, left, again)
        raise


def _run(settings: RunSettings, out: Path | None, *, resume: bool) -> tuple[Path, RowsOpen | None]:
    """The folder of the run, and the error of one that has open rows."""
    from augkit.core.errors import RowsOpen
    from augkit.runs.execute import run

    try:
        with progress():
            return run(settings, out, resume=resume), None
    except RowsOpen as error:
        if error.run_folder is None:
            raise
        return error.run_folder, error


def _survey(folder: Path, data_folder: Path | None) -> None:
    from augkit.commands.shortcuts import compare_run
    from augkit.report.summary import print_summary

    try:
        with progress():
            compare_run(folder, data_folder)
    finally:  # the run is complete, whatever happens to its survey
        print_summary(folder)


def _evaluate(settings: EvaluateSettings) -> None:
    from augkit.commands.evaluate.scores import evaluate_run, scores_files
    from augkit.report.terminal import print_scores, print_written

    with progress():
        scores = evaluate_run(settings)
    print_scores(scores, as_json=False)
    print_written(scores_files(settings))


def _next(folder: Path, settings: RunSettings, *, evaluated: bool) -> None:
    """The command after a run: measure it where its dataset has test splits, else its page."""
    from augkit.commands.evaluate.scores import chosen_tests
    from augkit.core.errors import ConfigError

    try:
        tests = () if evaluated else chosen_tests(settings, ())
    except ConfigError:
        tests = ()
    words = [word for test in tests for word in ("--test", test)]
    next_line("augkit", "evaluate" if tests else "report", str(folder), *words)
