"""``augkit audit``: your own cases, decided for each group of people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, without_dry_run
from augkit.text.screen import show_json


@options.made_from(
    "augkit.commands.audit.settings:AuditSettings",
    "template model answers judge axes base_url budget settings out fail_on_alarm dry_run as_json",
    argument="template",
)
def command(
    values: dict[str, Any],
    fail_on_alarm: Annotated[
        bool, Option("--fail-on-alarm", help="exit code 1 where a comparison raises an alarm")
    ] = False,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Does a system decide cases differently when only the group of a person differs?

    Each text of the template is rewritten for every group (gender, race, age), with grammar that
    agrees, and decided for all of them. The result has rates by group, differences within the same
    case with intervals, a correction for many comparisons, and a page with the pairs that differ
    most.

    Examples:

        augkit audit loan.yaml --model llm:openai:gpt-4o-mini --axis gender --budget 0.50

        augkit audit loan.yaml --out cases

        augkit audit loan.yaml --answers answered.jsonl

        augkit audit --judge verdicts.jsonl

    Without a model and answers, `questions.jsonl` is written, for any system to answer.

    With `--judge` the verdicts of a judge of answers are audited: does it prefer the first answer,
    the longer one, Markdown, its own family? With a model too, it is asked about pairs that differ
    in one feature only, made of these answers.

    Exit codes: 0 done, also with an alarm (`--fail-on-alarm`: 1), 2 bad input, 3 budget exhausted,
    4 back end failed, in some questions or in all.
    """
    from augkit.commands.audit.judges.text import print_judges
    from augkit.commands.audit.run import estimate_audit, run_audit
    from augkit.commands.audit.settings import AuditSettings
    from augkit.commands.audit.text import print_audit
    from augkit.commands.report_page import write_page
    from augkit.commands.tested_llm import check_complete
    from augkit.core.config import validate
    from augkit.core.results import read_answers
    from augkit.report.summary import print_estimate

    settings = validate(AuditSettings, values, "audit")
    if dry_run:
        print_estimate(estimate_audit(settings))
        without_dry_run()
        return
    with progress():
        record = run_audit(settings)
    tested = record.get("effects" if settings.judge else "comparisons", ())
    if tested or settings.judge:
        write_page(Path(record["folder"]))
    if as_json:
        show_json(record)
    elif settings.judge:
        print_judges(record)
    else:
        print_audit(record)
    if not as_json:
        _next(record, answered="comparisons" in record or settings.judge is not None)
    check_complete(read_answers(record.get("llm")))
    if fail_on_alarm and any(comparison["alarm"] for comparison in tested):
        raise typer.Exit(1)


def _next(record: Mapping[str, Any], *, answered: bool) -> None:
    """The command after an audit: its page; of questions, the audit of their answers."""
    from augkit.commands.audit.run import QUESTIONS

    folder = record["folder"]
    if answered:
        next_line("augkit", "report", folder, "--open")
    else:
        next_line("augkit", "audit", "--answers", f"{folder}/{QUESTIONS}")
