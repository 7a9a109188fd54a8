"""What a check found, and the report of all checks of one dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal

from augkit.commands.check.rows import Location
from augkit.text.features.kinds import TOKEN
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
    held: tuple[int, int] = (0, 0)
    """Of a feature of labelled rows: different texts with it, and those of them with the label."""
    error: str = ""
    """Of a sample, as " ±0.02": how far the value may be from that of all rows."""

    @property
    def kind(self) -> str:
        """The kind of a feature, as "token" or "2-gram"; "" where it has none."""
        kind, colon, _ = self.feature.partition(": ")
        return kind if colon else TOKEN if self.check == "tokens" else ""

    @property
    def name(self) -> str:
        """The words of a feature, without its kind."""
        return self.feature.partition(": ")[2] or self.feature

    @property
    def key(self) -> Key:
        """What a baseline names it by; written out where a text has bad characters."""
        return self.check, printable(self.field), printable(self.feature), printable(self.label)

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
    sample: Mapping[str, Sequence[str]] = dataclass_field(default_factory=dict)
    """Of labelled rows: field → different texts, to tell which features occur together."""

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not any(check.failed for check in self.checks)

    def where(self, finding: Finding) -> list[Location]:
        """Where the rows of a finding are."""
        return [self.locations[row] for row in finding.rows if row in self.locations]

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "data": self.data,
            "passed": self.passed,
            **self.about,
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

    def _finding(self, finding: Finding) -> dict[str, Any]:
        optional = {"field": finding.field, "feature": finding.feature, "label": finding.label}
        return {
            "status": finding.status,
            "message": finding.message,
            **{name: value for name, value in optional.items() if value},
            "value": finding.value,
            "limit": finding.limit,
            **({} if finding.p is None else {"p": finding.p}),
            "rows": [str(location) for location in self.where(finding)],
        }
