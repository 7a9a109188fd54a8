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
from augkit.commands.check.groups import features_together
from augkit.commands.check.rows import Location
from augkit.core.errors import listed
from augkit.core.types import digest
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD
from augkit.text.printable import counted, printable, shown_labels, shown_p

_SHOWN = 10
"""Findings of one check that are listed; JSON, JUnit and SARIF have all."""
_MOST_GROUPS, _MOST_NAMES = 20, 3
"""Groups of words that are listed, as many of each label, and further names of a group."""
_FIRST = ("leakage", "duplicates", "conflicting_labels")
"""What makes all other figures wrong."""
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


def text_report(reports: Sequence[CheckReport], *, everything: bool = False) -> str:
    """A line for each check, leaked and repeated rows first, then words in groups, and the result.

    With ``everything`` each finding stands below its check.
    """
    lines = (line for report in reports for line in _lines(report, everything=everything))
    return "\n".join(map(printable, lines)) + "\n"


def json_report(reports: Sequence[CheckReport]) -> str:
    """One object; several datasets are a list under ``results``."""
    records = [report.record() for report in reports]
    passed = all(report.passed for report in reports)
    record = records[0] if len(records) == 1 else {"passed": passed, "results": records}
    return json.dumps(record, indent=1) + "\n"


def _lines(report: CheckReport, *, everything: bool) -> Iterator[str]:
    yield printable(f"{report.data}: {_counts(report.about)}")
    if "text_columns" in report.about:
        yield printable(f"     {_columns(report.about)}")
    if sampled := report.about.get("sampled"):
        unit = "items" if "candidates" in report.about else "rows"
        yield f"     features are tested on a sample of {sampled:,} {unit} (±: 95 % of samples)"
        yield f"     what repeats or conflicts is counted in all {unit}"
    for check in sorted(report.checks, key=lambda check: check.name not in _FIRST):
        yield from _check_lines(report, check, everything=everything)
    if not everything:
        yield from _group_lines(report)
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
    labels = shown_labels(about["labels"], noun="")
    without = f"; {left_out:,} without a label or a text left out" if left_out else ""
    return f"{about['rows']:,} rows ({labels}{without})"


def _columns(about: Mapping[str, Any]) -> str:
    """Which columns were read, and which were not."""
    texts, others = about["text_columns"], about["columns_not_read"]
    line = f"text: {listed(texts)}; label: '{about['label_column']}'"
    return f"{line}; not read: {listed(others)}" if others else line


def _check_lines(report: CheckReport, check: CheckRun, *, everything: bool) -> Iterator[str]:
    status = "FAIL" if check.failed else "skip" if check.skipped else "ok"
    findings = [finding for finding in check.failed if everything or not _is_grouped(finding)]
    yield printable(f"{status:<4} {check.name}: {check.summary}")
    shown = findings if everything else findings[:_SHOWN]
    for finding in shown:
        yield printable(f"       {finding.message}{_evidence(report, finding)}")
    if len(shown) < len(findings):
        yield f"       and {len(findings) - len(shown):,} more (--all lists all)"


def _is_grouped(finding: Finding) -> bool:
    """Whether it is about words of labelled rows, which may be many."""
    return finding.check in {"tokens", "ngrams", "position"} and finding.held != (0, 0)


def _evidence(report: CheckReport, finding: Finding) -> str:
    """The p-value and a few rows that show it."""
    p = "" if finding.p is None else f", {shown_p(finding.p)}"
    places = report.where(finding)
    numbers = ", ".join(str(place.number) for place in places[:3])
    return p + (f" [{places[0].unit} {numbers}]" if places else "")


def _group_lines(report: CheckReport) -> Iterator[str]:
    """Words that give a label away, in groups by label; the strongest groups and labels first."""
    findings = [finding for check in report.checks for finding in check.failed]
    findings = sorted(filter(_is_grouped, findings), key=lambda finding: -finding.value)
    if not findings:
        return
    by_label: dict[str, list[list[Finding]]] = {}
    for group in features_together(findings, report.sample):
        members = [findings[number] for number in group]
        by_label.setdefault(members[0].label, []).append(members)
    count = sum(map(len, by_label.values()))
    groups = "" if count == len(findings) else f" in {counted(count, 'group')}"
    yield f"Words that give the label away: {counted(len(findings), 'finding')}{groups}"
    most, shown = max(1, _MOST_GROUPS // len(by_label)), 0
    for label, label_groups in list(by_label.items())[:_MOST_GROUPS]:
        share = report.about["labels"][label] / report.about["rows"]
        yield printable(f"  {label} ({share:.0%} of all rows)")
        for members in label_groups[:most]:
            shown += 1
            yield printable(f"    {_group_line(report, members)}")
    if shown < len(findings):
        more = f"and {counted(count - shown, 'more group')}; " if shown < count else ""
        yield f"  {more}--all lists every finding"


def _group_line(report: CheckReport, members: Sequence[Finding]) -> str:
    """The strongest feature of a group, the next ones, and its figures."""
    first = members[0]
    place = f"{first.kind} " if first.kind in {FIRST_WORD, LAST_WORD} else ""
    where = f" in {first.field}" if len(report.sample) > 1 else ""
    names = [name for name in dict.fromkeys(f.name for f in members) if name != first.name]
    also = ", ".join(f"'{name}'" for name in names[:_MOST_NAMES])
    also += f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    rows, with_label = first.held
    return (
        f"{place}'{first.name}'{where}{f' (also {also})' if also else ''}: {with_label:,} of "
        f"{counted(rows, 'row')} ({with_label / rows:.0%}), association {first.value:.2f}"
        f"{first.error}{_baseline_note(first)}{_evidence(report, first)}"
    )


def _baseline_note(finding: Finding) -> str:
    """How strong it was in the baseline, where it became stronger."""
    _, semicolon, note = finding.message.rpartition("; ")
    return f"; {note}" if semicolon and note.endswith("in the baseline") else ""


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
