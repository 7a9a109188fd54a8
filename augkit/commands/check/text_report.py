"""Reports as text for people and as one JSON object for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from augkit.commands.check.finding import CheckReport, CheckRun, Finding
from augkit.text.printable import printable, shown_p

_SHOWN = 10
"""Findings of one check that are listed; JSON, JUnit and SARIF have all."""


def text_report(reports: Sequence[CheckReport]) -> str:
    """A line for each check, its findings below it, and the result at the end."""
    return "\n".join(line for report in reports for line in _lines(report)) + "\n"


def json_report(reports: Sequence[CheckReport]) -> str:
    """One object; several datasets are a list under ``results``."""
    records = [report.record() for report in reports]
    passed = all(report.passed for report in reports)
    record = records[0] if len(records) == 1 else {"passed": passed, "results": records}
    return json.dumps(record, indent=1) + "\n"


def _lines(report: CheckReport) -> Iterator[str]:
    labels = ", ".join(f"{name} {count:,}" for name, count in report.about["labels"].items())
    left_out = report.about["left_out"]
    without = f"; {left_out:,} without a label or a text left out" if left_out else ""
    yield printable(f"{report.data}: {report.about['rows']:,} rows ({labels}{without})")
    for check in report.checks:
        yield from _check_lines(report, check)
    failed = [check for check in report.checks if check.failed]
    count = sum(len(check.failed) for check in failed)
    known = sum(len(check.findings) for check in report.checks) - count
    skipped = sum(check.skipped for check in report.checks)
    more = f"; {skipped} skipped" if skipped else ""
    more += f"; {known:,} known in the baseline" if known else ""
    if failed:
        found = "1 finding" if count == 1 else f"{count:,} findings"
        yield f"FAILED: {len(failed)} of {len(report.checks)} checks, {found}{more}"
    else:
        yield f"passed: {len(report.checks) - skipped} checks{more}"


def _check_lines(report: CheckReport, check: CheckRun) -> Iterator[str]:
    status = "FAIL" if check.failed else "skip" if check.skipped else "ok"
    yield printable(f"{status:<4} {check.name}: {check.summary}")
    for finding in check.failed[:_SHOWN]:
        yield printable(f"       {_shown(report, finding)}")
    if len(check.failed) > _SHOWN:
        yield f"       and {len(check.failed) - _SHOWN:,} more (--format json lists all)"


def _shown(report: CheckReport, finding: Finding) -> str:
    p = "" if finding.p is None else f", {shown_p(finding.p)}"
    places = report.where(finding)
    numbers = ", ".join(str(place.number) for place in places[:3])
    where = f" [{places[0].unit} {numbers}]" if places else ""
    return f"{finding.message}{p}{where}"
