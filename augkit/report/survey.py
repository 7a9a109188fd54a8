"""Survey on a terminal: warnings and tables for people, one JSON object for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from augkit.core.survey import Survey, Table
from augkit.report.tables import print_rows


def print_findings(findings: Survey, asked: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a survey found; ``asked`` says of what, and by which way."""
    if as_json:
        told = {**asked, **findings.record()}
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(", ".join(f"{key}: {value}" for key, value in findings.about.items()) + "\n")
    for table in findings.tables:
        _print_table(table)
    for warning in findings.warnings:
        sys.stdout.write(f"Note: {warning}\n")


def _print_table(table: Table) -> None:
    sys.stdout.write(f"\n{table.title}\n")
    if not table.rows:
        sys.stdout.write("  nothing\n")
        return
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    print_rows(rows, json_lines=False)
