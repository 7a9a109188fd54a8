"""``augkit audit``: your own cases, decided for each group of people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from augkit.cli import options


@options.takes(options.ConnectionOptions)
def command(
    template: Annotated[
        Path | None, Argument(help="a YAML file: texts with slots, a question, axes")
    ] = None,
    model: Annotated[
        str | None, Option("--model", "-m", help="the LLM that decides: llm:openai:NAME")
    ] = None,
    answers: Annotated[
        Path | None,
        Option(help="JSON lines {scenario, axis, group, answer}, instead of a model"),
    ] = None,
    axes: Annotated[
        list[str] | None, Option("--axis", help="gender, race, age, or a file; repeatable")
    ] = None,
    orders: Annotated[int | None, Option(help="orders of the two answers; default: 2")] = None,
    draws: Annotated[
        int | None, Option(help="sampled answers, where there are no log-probabilities")
    ] = None,
    seed: Annotated[int | None, Option(help="for ages and names that are drawn")] = None,
    out: Annotated[
        Path | None,
        Option("--out", "-o", help="the folder of the results; default: runs/audit-NAME"),
    ] = None,
    fail_on_alarm: Annotated[
        bool, Option("--fail-on-alarm", help="exit code 1 where a comparison raises an alarm")
    ] = False,
    workers: options.Workers = None,
    prompts: options.Prompts = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
    **shared: Any,
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

    Without a model and answers, `questions.jsonl` is written, for any system to answer.

    Exit codes: 0 done, also with an alarm (`--fail-on-alarm`: 1), 2 bad input, 3 budget exhausted,
    4 back end failed, in some questions or in all.
    """
    given = options.given_settings(locals(), "dry_run", "fail_on_alarm")
    given["connection"] = options.take(given, options.ASKING)
    from augkit.cli.terminal import progress
    from augkit.commands.audit.run import AuditSettings, estimate_audit, run_audit
    from augkit.commands.audit.text import print_audit
    from augkit.commands.report_page import write_page
    from augkit.commands.tested_llm import check_complete
    from augkit.core.config import validate
    from augkit.report.summary import print_estimate

    chosen = validate(AuditSettings, given, "audit")
    if dry_run:
        print_estimate(estimate_audit(chosen))
        return
    with progress():
        record = run_audit(chosen)
    if "comparisons" in record:
        write_page(Path(record["folder"]))
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False))
    else:
        print_audit(record)
    check_complete(record.get("llm"))
    if fail_on_alarm and any(one["alarm"] for one in record.get("comparisons", ())):
        raise typer.Exit(1)
