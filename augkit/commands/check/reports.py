"""Reports: text, JSON, and JUnit XML and SARIF 2.1.0 for continuous integration."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote
from xml.etree import ElementTree as ET

from augkit.commands.check.contract import CheckContract
from augkit.commands.check.finding import CheckReport, CheckRun, Finding
from augkit.commands.check.rows import Location
from augkit.commands.check.screen import text_report
from augkit.core.types import digest
from augkit.text.printable import printable

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PAGE = "https://github.com/augkit/augkit/blob/main/docs/how-to/check.md"


def render_report(
    reports: Sequence[CheckReport],
    report_format: Literal["text", "json", "junit", "sarif"],
    *,
    everything: bool = False,
) -> str:
    """The reports of one or more datasets as text; ``everything`` is for people: all findings."""
    if report_format == "text":
        return text_report(reports, everything=everything)
    writers = {"json": json_report, "junit": junit_report, "sarif": sarif_report}
    return writers[report_format](reports)


def json_report(reports: Sequence[CheckReport]) -> str:
    """One object; several datasets are a list under ``results``."""
    records = [report.record() for report in reports]
    passed = all(report.passed for report in reports)
    record = records[0] if len(records) == 1 else {"passed": passed, "results": records}
    return json.dumps(record, indent=1) + "\n"


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
    path = Path(report.source if place is None else place.source)
    here = Path.cwd()
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
