"""``augkit evaluate``: train classifiers, score them and compare them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, without_dry_run

if TYPE_CHECKING:
    from augkit.commands.evaluate.settings import EvaluateSettings


@options.made_from(
    "augkit.commands.evaluate.settings:EvaluateSettings",
    "data tests metrics train classifiers model_kind method settings seeds limit text_columns "
    "label_column llm base_url budget out dry_run as_json",
    argument="data",
    first="run",
    owner="of the method (method.axes=[gender]) or of the model (model.strength=1)",
)
def command(
    values: dict[str, Any],
    model_kind: Annotated[
        str | None,
        Option(
            "--model",
            help="linear (default), encoder:PATH or transformers:PATH, a folder or a hub id; an "
            "LLM that is measured itself: llm:openai:NAME, llm:transformers:PATH. Of choices, a "
            "reward model of these kinds, or yours: module:function",
        ),
    ] = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Score classifiers with intervals and compare them: does the new data help?

    With several files a classifier is trained on each, and compared with that of the first on the
    same test rows: balanced accuracy where their labels are skewed. With a run folder one is
    trained on its originals and one on its `dataset.jsonl`; beside it, `--train` names a reference
    that the result is compared with, as the dataset without the shortcut, or another run. One file
    alone is measured. With `--classifier` those that `augkit train` saved are scored, and two are
    compared. `--limit` and `--sample` choose rows of each test set.

    Examples:

        augkit evaluate train.csv fixed.csv --test test.csv

        augkit evaluate runs/eda-reviews-demo --test reviews-demo:test --test reviews-demo:challenge

        augkit evaluate runs/razor-train --train deleted.csv --test test.csv --test challenge.csv

        augkit evaluate sst2 --test sst2:dev --metric fairscore --json

        augkit evaluate a.csv --test b.csv --metric fairscore -m swap
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
    from augkit.commands.evaluate.scores import estimate_llm, evaluate_run, scores_files
    from augkit.commands.evaluate.settings import evaluation_settings
    from augkit.commands.tested_llm import check_complete, check_perturbed
    from augkit.core.config import check_sections
    from augkit.models.classifiers.settings import LinearConfig
    from augkit.report.summary import print_estimate
    from augkit.report.terminal import print_scores, print_written

    keys = {"method": (), "model": LinearConfig.model_fields}
    sections = check_sections(values.pop("options"), keys)
    values |= {"options": sections["method"], "model": sections["model"], "model_kind": model_kind}
    checked = evaluation_settings(values)
    if dry_run:
        print_estimate(estimate_llm(checked))
        without_dry_run()
        return
    with progress():
        evaluation = evaluate_run(checked)
    print_scores(evaluation, as_json=as_json)
    print_written(scores_files(checked))
    if not as_json:
        _next(checked)
    check_complete(evaluation.results[-1].llm if evaluation.results else None)
    check_perturbed(evaluation.results)


def _next(settings: EvaluateSettings) -> None:
    """The command after an evaluation: the page of a run, a closer look at the rows trained on."""
    if settings.data:
        next_line("augkit", "check", settings.data[-1])
    elif settings.run is not None:
        next_line("augkit", "report", str(settings.run))
    elif isinstance(settings.train, str):
        next_line("augkit", "shortcuts", settings.train)
    else:
        next_line("augkit", "list", "metrics")
