"""``augkit check``: a dataset against its contract, for continuous integration."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line, reading_flags


class ReportFormat(str, Enum):
    """What a report is written as."""

    text = "text"
    json = "json"
    junit = "junit"
    sarif = "sarif"


@options.made_from(
    "augkit.datasets.settings:ReadOptions",
    "data contract baseline write_baseline test group_column report_format out text_columns "
    "label_column subset quotes data_folder",
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
    from augkit.datasets.settings import ReadOptions
    from augkit.report.terminal import print_lines

    reading = ReadOptions(**values)
    chosen = load_contract(contract).with_options(baseline, test, group_column)
    reports = check_files(data, chosen, reading, write_baseline)
    shown = render_report(reports, report_format.value)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(shown, encoding="utf-8")
        shown = render_report(reports, "text")
    if out is not None or report_format.value == "text":
        print_lines(*shown.splitlines())
    else:
        typer.echo(shown, nl=False)
    if report_format.value == "text" and len(data) == 1:
        _next(data[0], reports[0].passed, values)
    if not all(report.passed for report in reports):
        raise typer.Exit(1)


def _next(data: str, passed: bool, values: dict[str, Any]) -> None:
    """The command after a check: fix what failed, or look closer."""
    from augkit.datasets.choices.load import holds_choices
    from augkit.datasets.settings import ReadOptions

    columns = reading_flags(values)
    if passed or holds_choices(data, ReadOptions(**values)):
        next_line("augkit", "shortcuts", "--dataset", data, *columns)
    else:
        next_line("augkit", "fix", data, *columns)
