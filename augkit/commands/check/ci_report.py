"""Reports for continuous integration: JUnit XML and SARIF 2.1.0."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from augkit import __version__
from augkit.commands.check.contract import CheckContract
from augkit.commands.check.finding import CheckReport, CheckRun, Finding
from augkit.commands.check.rows import Location
from augkit.core.types import digest
from augkit.text.printable import printable

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PAGE = "https://github.com/augkit/augkit/blob/main/docs/how-to/check.md"


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
            "\n  ".join(map(printable, [one.message, *map(str, report.where(one))]))
            for one in check.failed
        )
    elif check.skipped:
        ET.SubElement(case, "skipped", message=printable(check.summary))
    else:
        ET.SubElement(case, "system-out").text = printable(check.summary)


def sarif_report(reports: Sequence[CheckReport]) -> str:
    """A log with one run: a rule for each check, a result for each finding that is not known."""
    rules = [_rule(name) for name in _descriptions()]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    driver = {
        "name": "augkit",
        "version": __version__,
        "informationUri": _PAGE,
        "rules": rules,
    }
    results = [
        _result(report, finding, index)
        for report in reports
        for check in report.checks
        for finding in check.failed
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _descriptions() -> dict[str, str]:
    """Check → what it is about."""
    other = {"alpha", "no_new_shortcuts", "worse_by"}
    fields = CheckContract.model_fields.items()
    return {name: str(field.description) for name, field in fields if name not in other}


def _rule(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": name.title().replace("_", ""),
        "shortDescription": {"text": _descriptions()[name]},
        "helpUri": _PAGE,
        "defaultConfiguration": {"level": "error"},
    }


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
    source = report.source if place is None else place.source
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(source)}}
    if place is not None and place.unit == "line":
        physical["region"] = {"startLine": place.number}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place is not None and place.unit != "line":
        location["message"] = {"text": f"{place.unit} {place.number}"}
    return location


def _uri(source: str) -> str:
    """A file inside the working folder by its relative path, as code hosts expect."""
    path, here = Path(source), Path.cwd()
    inside = path.is_absolute() and path.is_relative_to(here)
    shown = path.relative_to(here) if inside else path
    return quote(shown.as_posix(), errors="replace")
