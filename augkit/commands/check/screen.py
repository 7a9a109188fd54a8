"""The report for people: what was found first, then what is well, then the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augkit.commands.check.finding import CheckReport, CheckRun, Finding
from augkit.commands.check.shortcuts import (
    FIELD_ACCURACY,
    SHORTCUTS,
    words_under,
)
from augkit.core.errors import listed
from augkit.shortcuts.cues import Cue, FieldAlone, Findings
from augkit.shortcuts.names import cue_name
from augkit.text.printable import counted, printable, shown_p

_SHOWN = 10
"""Findings of one check that are listed; JSON, JUnit and SARIF have all."""
_WORDS = 8
"""Words of the task that are listed."""
_WHOLE_PERCENT = 0.095
_LONGEST_NAME = 30
_MOST_LABELS = 3
_FIRST = ("leakage", "duplicates", "conflicting_labels")
"""What makes all other figures wrong."""
_REPEATS = ("duplicates", "conflicting_labels")


def text_report(reports: Sequence[CheckReport], *, everything: bool = False) -> str:
    """Write the reports as text; with ``everything`` all findings and all words of the task."""
    lines = (line for report in reports for line in _lines(report, everything=everything))
    return "\n".join(map(printable, lines)) + "\n"


def _lines(report: CheckReport, *, everything: bool) -> Iterator[str]:
    yield f"{report.data}: {_counts(report.about)}"
    yield from _about_lines(report.about)
    if report.found is None:
        for check in sorted(report.checks, key=lambda check: check.name not in _FIRST):
            yield from _check_lines(report, check, everything=everything)
    else:
        yield from _row_lines(report, report.found, everything=everything)
    yield _result(report)


def _about_lines(about: Mapping[str, Any]) -> Iterator[str]:
    """Which columns were not read, and what was sampled."""
    if others := about.get("columns_not_read"):
        texts = listed(about["text_columns"])
        yield f"Read: {texts} and the label '{about['label_column']}'; not read: {listed(others)}"
    if sampled := about.get("sampled"):
        unit = "items" if "candidates" in about else "rows"
        yield f"Features are tested on a sample of {sampled:,} {unit}; what repeats, on all {unit}"


def _row_lines(report: CheckReport, found: Findings, *, everything: bool) -> Iterator[str]:
    """The checks of labelled rows: those that failed first."""
    checks = {check.name: check for check in report.checks}
    plain = [check for name, check in checks.items() if name not in {SHORTCUTS, FIELD_ACCURACY}]
    for check in sorted(plain, key=lambda check: check.name not in _FIRST):
        if check.findings:
            yield from _check_lines(report, check, everything=everything)
    if SHORTCUTS in checks:
        yield from _shortcut_lines(report, checks[SHORTCUTS], everything=everything)
    if FIELD_ACCURACY in checks:
        yield from _field_lines(checks[FIELD_ACCURACY], found)
    if SHORTCUTS in checks and found.task == "relation":
        yield from _one_field_lines(checks[SHORTCUTS], found, everything=everything)
    if SHORTCUTS in checks and found.task_words:
        yield from _word_lines(found, everything=everything)
    for check in plain:
        if not check.findings and check.name not in _REPEATS:
            yield f"{check.name}: {check.summary}"
    yield from _repeat_line(checks)


def _shortcut_lines(report: CheckReport, check: CheckRun, *, everything: bool) -> Iterator[str]:
    if check.skipped:
        yield f"{check.summary[:1].upper()}{check.summary[1:]}"
        return
    failed = check.failed
    known = len(check.findings) - len(failed)
    if not failed and not _fails_alone(report):
        yield f"No {'new' if known else 'likely'} shortcut ({check.summary})."
    if failed:
        yield f"FAIL  {counted(len(failed), 'likely shortcut')}"
        shown = failed if everything else failed[:_SHOWN]
        yield from _cue_lines(report, shown)
        if len(shown) < len(failed):
            yield f"  and {len(failed) - len(shown):,} more (--all)"
    if known:
        yield f"{counted(known, 'shortcut')} known in the baseline"


def _fails_alone(report: CheckReport) -> bool:
    return any(check.name == FIELD_ACCURACY and check.failed for check in report.checks)


def _cue_lines(report: CheckReport, findings: Sequence[Finding]) -> Iterator[str]:
    """Two lines for each cue: how many rows and how pure; why, and a few rows."""
    cues = [(finding, finding.cue) for finding in findings]
    width = max((min(len(cue_name(cue)), _LONGEST_NAME) for _, cue in cues if cue), default=0)
    labels = max((len(cue.label) for _, cue in cues if cue), default=0)
    rows = report.about["rows"]
    for finding, cue in cues:
        if cue is None:
            continue
        field = f" in {cue.feature.field}" if len(report.about["text_columns"]) > 1 else ""
        share = f"{cue.rows / max(rows, 1):.1%}"
        yield (
            f"  {cue_name(cue):<{width}}  {cue.label:<{labels}}  {cue.of_label:,} of "
            f"{counted(cue.rows, 'row')} ({share}), base {cue.base:.0%}{field}"
        )
        yield f"      {cue.reason}{_baseline_note(finding)}{_places(report, finding)}"


def _field_lines(check: CheckRun, found: Findings) -> Iterator[str]:
    """How far each field tells the label alone, and by which words."""
    if not found.fields:
        return
    if check.skipped:
        yield f"A field alone: {check.summary}"
        return
    if not check.findings:
        yield f"No field gives the label alone: {check.summary}."
        return
    alone = {field.field: field for field in found.fields}
    for finding in check.findings:
        yield from _field_finding_lines(finding, alone[finding.field])


def _one_field_lines(check: CheckRun, found: Findings, *, everything: bool) -> Iterator[str]:
    """The words of one field that go with a label, and do not fail by themselves."""
    failing = [finding.cue for finding in check.findings]
    cues = [cue for cue in found.shortcuts if cue not in failing]
    if not cues:
        return
    yield f"{counted(len(cues), 'cue')} of one field alone{'' if everything else _rest(cues)}:"
    for cue in cues if everything else cues[:_WORDS]:
        yield (
            f"        {cue_name(cue)} {cue.of_label:,} of {cue.rows:,} {cue.label} "
            f"({cue.feature.field})"
        )


def _rest(cues: Sequence[Cue]) -> str:
    """That more are listed with --all, where there are more."""
    return f", the strongest {_WORDS} (--all)" if len(cues) > _WORDS else ""


def _field_finding_lines(finding: Finding, field: FieldAlone) -> Iterator[str]:
    status = "FAIL" if finding.status == "failed" else "known"
    yield (
        f"{status}  {field.field} alone gives {field.accuracy:.1%} of the labels "
        f"(guessing {field.guessing:.1%}, {shown_p(field.p)})"
    )
    for part in words_under(field).split("; "):
        yield f"        {part}"


def _word_lines(found: Findings, *, everything: bool) -> Iterator[str]:
    """The words of the task: short, or all of them."""
    words = found.task_words
    if everything:
        yield f"{len(words):,} words of the task:"
        for cue in words:
            yield (
                f"  {cue_name(cue)}  {cue.label}  {cue.of_label:,} of {cue.rows:,}; {cue.reason}"
            )
        return
    names = [_short_name(cue) for cue in words[:_WORDS]]
    more = f", … ({len(words) - _WORDS:,} more: --all)" if len(words) > _WORDS else ""
    title = "May belong to the label" if found.task == "relation" else "Words of the task"
    yield f"{title}: {', '.join(names)}{more}"


def _short_name(cue: Cue) -> str:
    return cue.feature.name


def _repeat_line(checks: Mapping[str, CheckRun]) -> Iterator[str]:
    """How many rows repeat and conflict, where that is within the limits."""
    duplicates = checks.get("duplicates")
    conflicts = checks.get("conflicting_labels")
    parts = []
    if duplicates is not None and not duplicates.findings:
        parts.append(f"Repeated rows: {duplicates.count:,}.")
    if conflicts is not None and not conflicts.findings:
        parts.append(f"Same text with two labels: {conflicts.count:,}.")
    if parts:
        yield " ".join(parts)


def _result(report: CheckReport) -> str:
    """The last line: what failed, in few words."""
    failed = [check for check in report.checks if check.failed]
    if failed:
        return f"FAILED: {'; '.join(_failure(report, check) for check in failed)}"
    known = sum(len(check.findings) for check in report.checks)
    note = f" ({known:,} known in the baseline)" if known else ""
    if not report.is_testable:
        return f"Nothing failed{note}, but there are too few rows to see a shortcut."
    return f"OK{note}"


def _failure(report: CheckReport, check: CheckRun) -> str:
    if check.name == SHORTCUTS:
        share = check.count / max(report.about.get("sampled", report.about["rows"]), 1)
        shown = f"{share:.0%}" if share >= _WHOLE_PERCENT else f"{share:.1%}"
        return f"{counted(len(check.failed), 'cue')} in {shown} of the rows"
    if check.name == FIELD_ACCURACY:
        return f"{listed([finding.field for finding in check.failed])} alone"
    if report.found is None:
        return f"{check.name} ({counted(len(check.failed), 'finding')})"
    return check.name


def _check_lines(report: CheckReport, check: CheckRun, *, everything: bool) -> Iterator[str]:
    status = "FAIL" if check.failed else "skip" if check.skipped else "ok"
    shown = check.failed if everything else check.failed[:_SHOWN]
    same = [finding for finding in shown if finding.message == check.summary]
    places = _places(report, same[0]) if same else ""
    yield f"{status:<4} {check.name}: {check.summary}{places}"
    for finding in shown:
        if finding.message == check.summary:
            continue
        p = "" if finding.p is None else f", {shown_p(finding.p)}"
        yield f"       {finding.message}{p}{_places(report, finding)}"
    if len(shown) < len(check.failed):
        yield f"       and {len(check.failed) - len(shown):,} more (--all)"


def _places(report: CheckReport, finding: Finding) -> str:
    """A few rows that show it."""
    places = report.where(finding)
    numbers = ", ".join(str(place.number) for place in places[:3])
    return f" [{places[0].unit} {numbers}]" if places else ""


def _baseline_note(finding: Finding) -> str:
    """How strong it was in the baseline, where it became stronger."""
    _, semicolon, note = finding.message.rpartition("; ")
    return f"; {note}" if semicolon and note.endswith("in the baseline") else ""


def _counts(about: Mapping[str, Any]) -> str:
    """How many rows of which labels, or items of how many candidates."""
    left_out = about["left_out"]
    if sizes := about.get("candidates"):
        held = ", ".join(f"{count:,} of {size} candidates" for size, count in sizes.items())
        ties = f"; {left_out:,} without a winner left out" if left_out else ""
        return f"{about['rows']:,} items ({held}{ties})"
    labels: Mapping[str, int] = about["labels"]
    total = max(sum(labels.values()), 1)
    common = sorted(labels, key=lambda label: -labels[label])[:_MOST_LABELS]
    shares = ", ".join(f"{label} {labels[label] / total:.0%}" for label in common)
    more = ", …" if len(labels) > _MOST_LABELS else ""
    without = f"; {left_out:,} without a label or a text left out" if left_out else ""
    return f"{about['rows']:,} rows, {counted(len(labels), 'label')} ({shares}{more}){without}"
