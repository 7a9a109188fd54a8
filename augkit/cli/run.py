"""``augkit run``: augment a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, without_dry_run, words_given

if TYPE_CHECKING:
    from augkit.commands.evaluate.settings import EvaluateSettings
    from augkit.core.errors import RowsOpen
    from augkit.runs.settings import RunSettings


@options.made_from(
    "augkit.runs.settings:RunSettings",
    "data dataset method llm base_url budget text_columns label_column span_columns "
    "answer_columns edit_columns settings out cue mix find limit sample seed workers evaluate test "
    "config dry_run resume",
    owner="of the method (of the finder: find.KEY=VALUE)",
)
def command(
    values: dict[str, Any],
    data: Annotated[
        str | None,
        Argument(
            help="a file, a name (`augkit list datasets`) or a hub id; NAME:SPLIT; default: "
            "reviews-demo"
        ),
    ] = None,
    dataset: options.DatasetName = None,
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
    cue: Annotated[
        list[str] | None,
        Option(help="a word, phrase or sign that the method is to remove (razor); repeatable"),
    ] = None,
    resume: Annotated[bool, Option("--resume", help="resume an interrupted run")] = False,
    dry_run: options.DryRun = False,
) -> None:
    """Augment a dataset: make variants, filter them, and write a new training set.

    The run folder holds `dataset.jsonl` (ready for any trainer), `variants.jsonl` (with edits and
    provenance), `rejected.jsonl` (with reasons) and `manifest.json`.

    Examples:

        augkit run reviews-demo --method eda

        augkit run reviews-demo --method panda --evaluate

        augkit run my.csv -m swap --text-column review --label-column stars

        augkit run squad.jsonl -m panda --span-column answers

        augkit run reviews-demo -m eda --set copies=3 --set alpha=0.2 --mix balance

        augkit run claims-demo -m mask-words --find tokens --set find.top=40 --mix replace

        augkit run reviews.csv -m razor --cue "on a tuesday"

        augkit run reviews-demo -m paraphrase --llm openai:gpt-4o-mini --budget 0.50

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

    given = options.run_settings(values)
    given["dataset"] = options.one_dataset(data, dataset)
    if cue:
        given["options"]["cues"] = cue
    chosen = _merge(given, config, out, resume=resume)
    if cue:
        _check_takes_cues(chosen.method)
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


def _merge(
    given: dict[str, Any], config: Path | None, out: Path | None, *, resume: bool
) -> RunSettings:
    """The settings given, of the file and of a resumed run together."""
    from augkit.runs.settings import AddressNeeded, merge_settings
    from augkit.text.printable import shell_line

    try:
        return merge_settings(given, config, resume=resume, out=out)
    except AddressNeeded as error:
        error.continue_with = shell_line(["augkit", *words_given(), "--base-url", error.address])
        raise


def _check_takes_cues(method: str) -> None:
    """Raise an error where the method has no setting for cues, also in one of several steps."""
    from augkit.core import registry
    from augkit.core.errors import ConfigError

    if "," in method or "cues" not in registry.find("augmenters", method).Config.model_fields:
        raise ConfigError(
            f"--cue: '{method}' cannot be told a cue; razor can. For a step of several methods: "
            "--method compose --set how=union --set 'steps=[{method: razor, options: {cues: "
            "[WORDS]}}, symmetric]'"
        )


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
