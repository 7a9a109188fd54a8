"""What a check found, and the report of all checks of one dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from augkit.commands.check.rows import Location
from augkit.shortcuts.cues import Cue, Findings
from augkit.text.printable import printable

Status = Literal["failed", "known"]
"""A known finding is in the baseline, and passes."""
Key = tuple[str, str, str, str]
"""Check, field, feature and label: what a baseline names a shortcut by."""


@dataclass(frozen=True)
class Finding:
    """One thing that the contract does not allow."""

    check: str
    message: str
    value: float
    limit: float
    field: str = ""
    feature: str = ""
    label: str = ""
    p: float | None = None
    """Corrected for all tests of the check; None where nothing is tested."""
    rows: tuple[int, ...] = ()
    """A few rows that show it."""
    status: Status = "failed"
    cue: Cue | None = None
    """Of labelled rows: the cue."""
    also: tuple[str, ...] = ()
    """Features of the same rows, any of which a baseline may name."""
    error: str = ""
    """Of a sample, as " ±0.02": how far the value may be from that of all rows."""

    @property
    def key(self) -> Key:
        """What a baseline names it by; written out where a text has bad characters."""
        return self.check, printable(self.field), printable(self.feature), printable(self.label)

    @property
    def keys(self) -> list[Key]:
        """All keys by which a baseline may name it."""
        return [self.key, *(replace(self, feature=feature).key for feature in self.also)]

    @property
    def is_shortcut(self) -> bool:
        """Whether it is an association with the label, which a baseline can accept."""
        return bool(self.label) or self.check in {"field_accuracy", "blind_accuracy"}


@dataclass(frozen=True)
class CheckRun:
    """One check of the contract: what it looked at, and what it found."""

    name: str
    summary: str
    findings: Sequence[Finding] = ()
    skipped: bool = False
    """Nothing could be tested; the summary says why."""
    count: int = 0
    """Of repeated rows, conflicts and shortcuts: the rows."""

    @property
    def failed(self) -> list[Finding]:
        """The findings that are not known."""
        return [finding for finding in self.findings if finding.status == "failed"]


@dataclass(frozen=True)
class CheckReport:
    """All checks of one dataset."""

    data: str
    source: str
    """The file, or where else the rows come from."""
    about: Mapping[str, Any]
    checks: Sequence[CheckRun]
    locations: Mapping[int, Location]
    """Where the rows of findings are."""
    found: Findings | None = None
    """Of labelled rows: all that gives their labels away."""

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not any(check.failed for check in self.checks)

    @property
    def is_testable(self) -> bool:
        """Whether likely shortcuts could be told from chance."""
        found = self.found
        return found is None or found.least_rows is not None or bool(found.shortcuts)

    def where(self, finding: Finding) -> list[Location]:
        """Where the rows of a finding are."""
        return [self.locations[row] for row in finding.rows if row in self.locations]

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "data": self.data,
            "passed": self.passed,
            "testable": self.is_testable,
            **self.about,
            **self._words,
            "checks": [
                {
                    "check": check.name,
                    "passed": not check.failed,
                    "skipped": check.skipped,
                    "summary": check.summary,
                    "findings": [self._finding(finding) for finding in check.findings],
                }
                for check in self.checks
            ],
        }

    @property
    def _words(self) -> dict[str, Any]:
        """What the labels say, and the words of the task."""
        if self.found is None:
            return {}
        words = [
            {
                "field": cue.feature.field,
                "kind": cue.feature.kind,
                "feature": cue.feature.name,
                "label": cue.label,
                "rows": cue.rows,
                "of_label": cue.of_label,
                "reason": cue.reason,
            }
            for cue in self.found.task_words
        ]
        return {"task": self.found.task, "words_of_the_task": words}

    def _finding(self, finding: Finding) -> dict[str, Any]:
        optional = {"field": finding.field, "feature": finding.feature, "label": finding.label}
        return {
            "status": finding.status,
            "message": finding.message,
            **{name: value for name, value in optional.items() if value},
            "value": finding.value,
            "limit": finding.limit,
            **({} if finding.p is None else {"p": finding.p}),
            **_cue_record(finding.cue),
            "rows": [str(location) for location in self.where(finding)],
        }


def _cue_record(cue: Cue | None) -> dict[str, Any]:
    """The figures of a cue, for JSON."""
    if cue is None:
        return {}
    return {
        "phrase": " ".join(cue.phrase),
        "also": [feature.name for feature in cue.also],
        "n": cue.rows,
        "of_label": cue.of_label,
        "base": cue.base,
        "phi": cue.phi,
        "reads_on": cue.reads_on,
        "independence": cue.independence,
        "reason": cue.reason,
    }
