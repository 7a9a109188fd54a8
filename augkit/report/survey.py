"""A survey on a terminal: tables and notes for people, one JSON object for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from augkit.core.survey import Survey, Table
from augkit.report.tables import print_rows


def print_survey(survey: Survey, subject: Mapping[str, Any], *, as_json: bool) -> None:
    """Print a survey; ``subject`` says of which dataset and by which finder."""
    if as_json:
        record = {**subject, **survey.record()}
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(", ".join(f"{key}: {value}" for key, value in survey.about.items()) + "\n")
    for table in survey.tables:
        _print_table(table)
    for warning in survey.warnings:
        sys.stdout.write(f"Note: {warning}\n")


def _print_table(table: Table) -> None:
    sys.stdout.write(f"\n{table.title}\n")
    if not table.rows:
        sys.stdout.write("  nothing\n")
        return
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    print_rows(rows, json_lines=False)
