"""A report in the format that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from augkit.commands.check.ci_report import junit_report, sarif_report
from augkit.commands.check.finding import CheckReport
from augkit.commands.check.text_report import json_report, text_report

_WRITERS: dict[str, Callable[[Sequence[CheckReport]], str]] = {
    "text": text_report,
    "json": json_report,
    "junit": junit_report,
    "sarif": sarif_report,
}


def render_report(
    reports: Sequence[CheckReport], report_format: Literal["text", "json", "junit", "sarif"]
) -> str:
    """The reports of one or more datasets as text."""
    return _WRITERS[report_format](reports)
