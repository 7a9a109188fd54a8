"""Running totals of a run, kept with its progress so that a resumed run goes on counting."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """What has been read, proposed, accepted and refused so far."""

    read: int = 0
    selected: int = 0
    accepted: int = 0
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    """Accepted variants by label."""

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        self.read += other.read
        self.selected += other.selected
        self.accepted += other.accepted
        self.rejected += other.rejected
        self.reasons.update(other.reasons)
        self.labels.update(other.labels)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**vars(self), "reasons": dict(self.reasons), "labels": dict(self.labels)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Tally:
        """The inverse of ``to_json``."""
        counters = {name: Counter(values[name]) for name in ("reasons", "labels")}
        return cls(**{**values, **counters})
