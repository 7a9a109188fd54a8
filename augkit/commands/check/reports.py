"""Reports: text for people, JSON, and JUnit XML and SARIF 2.1.0 for continuous integration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote
from xml.etree import ElementTree as ET

from augkit.commands.check.contract import CheckContract
from augkit.commands.check.finding import CheckReport, CheckRun, Finding
from augkit.commands.check.rows import Location
from augkit.core.types import digest
from augkit.text.printable import counted, printable, shown_p

_SHOWN = 10
"""Findings of one check that are listed; JSON, JUnit and SARIF have all."""
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PAGE = "https://github.com/augkit/augkit/blob/main/docs/how-to/check.md"


def render_report(
    reports: Sequence[CheckReport], report_format: Literal["text", "json", "junit", "sarif"]
) -> str:
    """The reports of one or more datasets as text."""
    writers = {"json": json_report, "junit": junit_report, "sarif": sarif_report}
    return writers.get(report_format, text_report)(reports)


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
    yield printable(f"{report.data}: {_counts(report.about)}")
    for check in report.checks:
        yield from _check_lines(report, check)
    failed = [check for check in report.checks if check.failed]
    count = sum(len(check.failed) for check in failed)
    known = sum(len(check.findings) for check in report.checks) - count
    skipped = sum(check.skipped for check in report.checks)
    more = f"; {skipped} skipped" if skipped else ""
    more += f"; {known:,} known in the baseline" if known else ""
    if failed:
        findings = counted(count, "finding")
        yield f"FAILED: {len(failed)} of {len(report.checks)} checks, {findings}{more}"
    else:
        yield f"passed: {len(report.checks) - skipped} checks{more}"


def _counts(about: Mapping[str, Any]) -> str:
    """How many rows of which label, or items of how many candidates."""
    left_out = about["left_out"]
    if sizes := about.get("candidates"):
        held = ", ".join(f"{count:,} of {size} candidates" for size, count in sizes.items())
        ties = f"; {left_out:,} without a winner left out" if left_out else ""
        return f"{about['rows']:,} items ({held}{ties})"
    labels = ", ".join(f"{name} {count:,}" for name, count in about["labels"].items())
    without = f"; {left_out:,} without a label or a text left out" if left_out else ""
    return f"{about['rows']:,} rows ({labels}{without})"


def _check_lines(report: CheckReport, check: CheckRun) -> Iterator[str]:
    status = "FAIL" if check.failed else "skip" if check.skipped else "ok"
    yield printable(f"{status:<4} {check.name}: {check.summary}")
    for finding in check.failed[:_SHOWN]:
        p = "" if finding.p is None else f", {shown_p(finding.p)}"
        places = report.where(finding)
        numbers = ", ".join(str(place.number) for place in places[:3])
        where = f" [{places[0].unit} {numbers}]" if places else ""
        yield printable(f"       {finding.message}{p}{where}")
    if len(check.failed) > _SHOWN:
        yield f"       and {len(check.failed) - _SHOWN:,} more (--format json lists all)"


def junit_report(reports: Sequence[CheckReport]) -> str:
    """A test suite for each dataset, a test case for each check."""
    root = ET.Element("testsuites", name="augkit check")
    for report in reports:
        failures = sum(bool(check.failed) for check in report.checks)
        suite = ET.SubElement(
            root,
            "testsuite",
            name=printable(report.data),
            tests=str(len(report.checks)),
            failures=str(failures),
            errors="0",
            skipped=str(sum(check.skipped for check in report.checks)),
        )
        for check in report.checks:
            _add_case(suite, report, check)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ET.Element, report: CheckReport, check: CheckRun) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=printable(report.data), name=check.name, time="0"
    )
    if check.failed:
        message = printable(check.failed[0].message)
        if len(check.failed) > 1:
            message += f" (and {len(check.failed) - 1:,} more)"
        failure = ET.SubElement(case, "failure", message=message, type=check.name)
        failure.text = "\n".join(
            "\n  ".join(map(printable, [finding.message, *map(str, report.where(finding))]))
            for finding in check.failed
        )
    elif check.skipped:
        ET.SubElement(case, "skipped", message=printable(check.summary))
    else:
        ET.SubElement(case, "system-out").text = printable(check.summary)


def sarif_report(reports: Sequence[CheckReport]) -> str:
    """A log with one run: a rule for each check, a result for each finding that is not known."""
    settings = {"alpha", "group_column", "no_new_shortcuts", "worse_by"}
    rules = [
        {
            "id": name,
            "name": name.title().replace("_", ""),
            "shortDescription": {"text": str(field.description)},
            "helpUri": _PAGE,
            "defaultConfiguration": {"level": "error"},
        }
        for name, field in CheckContract.model_fields.items()
        if name not in settings
    ]
    index = {str(rule["id"]): number for number, rule in enumerate(rules)}
    about = {"name": "augkit", "version": version("augkit"), "informationUri": _PAGE}
    results = [
        _result(report, finding, index)
        for report in reports
        for check in report.checks
        for finding in check.failed
    ]
    tool = {"driver": {**about, "rules": rules}}
    run = {"tool": tool, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(report: CheckReport, finding: Finding, index: Mapping[str, int]) -> dict[str, Any]:
    places: list[Location | None] = [*report.where(finding)] or [None]
    return {
        "ruleId": finding.check,
        "ruleIndex": index[finding.check],
        "level": "error",
        "message": {"text": printable(finding.message)},
        "locations": [_location(report, place) for place in places[:1]],
        "relatedLocations": [_location(report, place) for place in places[1:]],
        "partialFingerprints": {"augkitFinding/v1": digest(report.data, *finding.key)},
        "properties": {"value": finding.value, "limit": finding.limit, "p": finding.p},
    }


def _location(report: CheckReport, place: Location | None) -> dict[str, Any]:
    path, here = Path(report.source if place is None else place.source), Path.cwd()
    if path.is_absolute() and path.is_relative_to(here):
        path = path.relative_to(here)  # as code hosts expect
    uri = quote(path.as_posix(), errors="replace")
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if place is not None and place.unit == "line":
        physical["region"] = {"startLine": place.number}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place is not None and place.unit != "line":
        location["message"] = {"text": f"{place.unit} {place.number}"}
    return location
