"""``augkit check``: a dataset against its contract, for continuous integration."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line, reading_flags
from augkit.text.printable import counted
from augkit.text.screen import show, show_error


class ReportFormat(str, Enum):
    """What a report is written as."""

    text = "text"
    json = "json"
    junit = "junit"
    sarif = "sarif"


@options.made_from(
    "augkit.datasets.settings:ReadOptions",
    "data contract baseline write_baseline test group_column text_columns label_column settings "
    "report_format out show_all",
)
def command(
    values: dict[str, Any],
    data: Annotated[
        list[str],
        Argument(
            metavar="DATA",
            help="a file, a name or a hub id; NAME:SPLIT; each is checked",
        ),
    ],
    contract: Annotated[
        Path | None, Option("--contract", "-c", help="YAML file of limits; default: a strict one")
    ] = None,
    baseline: Annotated[
        Path | None, Option(help="known shortcuts, which pass; overrides no_new_shortcuts")
    ] = None,
    write_baseline: Annotated[
        Path | None, Option(help="write every shortcut that is found to this file; they pass")
    ] = None,
    test: Annotated[
        str | None, Option(help="the test set, for leakage; overrides the contract's")
    ] = None,
    report_format: Annotated[
        ReportFormat, Option("--format", "-f", help="of the report, or of --out")
    ] = ReportFormat.text,
    group_column: Annotated[
        str | None,
        Option(help="rows with one value in it belong together; overrides the contract's"),
    ] = None,
    out: Annotated[
        Path | None, Option("--out", "-o", help="a file for the report; text is printed as well")
    ] = None,
    show_all: Annotated[
        bool, Option("--all", help="print every finding, each below its check")
    ] = False,
) -> None:
    """Check a dataset for shortcuts, repeated rows and leakage. Exit code 1: something failed.

    Examples:

        augkit check train.jsonl --test test.jsonl

        augkit check train.jsonl --contract contract.yaml --format sarif --out check.sarif

        augkit check train.jsonl --write-baseline baseline.json

        augkit check train.jsonl --baseline baseline.json

    Exit code 0: all checks passed; 1: a check failed; 2: the data or the contract cannot be read.
    On data whose texts say nothing about the labels, the chance of a false alarm is at most 5 %.
    """
    from augkit.commands.check.contract import load_contract
    from augkit.commands.check.reports import render_report
    from augkit.commands.check.run import check_files
    from augkit.core.config import validate
    from augkit.datasets.settings import ReadOptions
    from augkit.report.terminal import print_lines

    reading = validate(ReadOptions, values, "check settings")
    chosen = load_contract(contract).with_options(baseline, test, group_column)
    reports = check_files(data, chosen, reading, write_baseline)
    if write_baseline is not None:
        known = sum(len(check.findings) - len(check.failed) for check in reports[0].checks)
        show_error(f"Written: {write_baseline} ({counted(known, 'known shortcut')})")
    shown = render_report(reports, report_format.value, everything=show_all)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(shown, encoding="utf-8")
        shown = render_report(reports, "text", everything=show_all)
    if out is not None or report_format.value == "text":
        print_lines(*shown.splitlines())
    else:
        show(shown.removesuffix("\n"))
    if report_format.value == "text" and len(data) == 1:
        _next(data[0], reports[0].passed, values)
    if not all(report.passed for report in reports):
        raise typer.Exit(1)


def _next(data: str, passed: bool, values: dict[str, Any]) -> None:
    """The command after a check: fix what failed, or look closer; a judge's habits are audited."""
    from augkit.datasets.choices.load import holds_choices, open_choices
    from augkit.datasets.settings import ReadOptions

    columns = reading_flags(values)
    reading = ReadOptions(**values)
    if passed:
        next_line("augkit", "shortcuts", data, *columns)
    elif holds_choices(data, reading) and any(
        choice.judge for choice in open_choices(data, reading).read(None, allow_empty=True)
    ):
        next_line("augkit", "audit", "--judge", data)
    else:
        next_line("augkit", "fix", data, *columns)
