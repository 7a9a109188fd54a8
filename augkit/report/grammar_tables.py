"""Tables of grammar features for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augkit.core.survey import Table

_SHOWN_PATTERNS = 5


def tables_of(
    records: Sequence[Mapping[str, Any]], ruled: Sequence[Mapping[str, Any]]
) -> tuple[Table, ...]:
    """The groups, the rules and, where there is one, a classifier on the groups."""
    header = ("root", "label", "patterns", "rows", "share", "held-out share", "corrected p")
    lines = [
        (str(record["root"]), record["label"], _patterns(record), *_figures(record))
        for record in records
    ]
    tables = [Table("Subtrees by root and label, strongest first", header, lines)]
    header = ("rule", "label", "for example", *header[3:])
    lines = [
        (record["rule"], record["label"], record["example"], *_figures(record)) for record in ruled
    ]
    tables.append(Table("Rules, strongest first", header, lines))
    if records and "linear" in records[0]:
        tables.append(_classifier_table(records))
    return tuple(tables)


def _classifier_table(records: Sequence[Mapping[str, Any]]) -> Table:
    header = (
        "root",
        "label",
        "patterns",
        "rows that agree",
        "accuracy",
        "others",
        "accuracy there",
    )
    lines = [
        (
            str(record["root"]),
            record["label"],
            _patterns(record),
            f"{record['linear']['supporting']:,}",
            _percent(record["linear"]["supporting_accuracy"]),
            f"{record['linear']['counter']:,}",
            _percent(record["linear"]["counter_accuracy"]),
        )
        for record in records
    ]
    return Table("A linear classifier on held-out rows that hold a group", header, lines)


def _patterns(record: Mapping[str, Any]) -> str:
    return " · ".join(pattern["pattern"] for pattern in record["patterns"][:_SHOWN_PATTERNS])


def _figures(record: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return (
        f"{record['count']:,}",
        _percent(record["share"]),
        _percent(record["held_out_share"]),
        f"{record['corrected_p']:.2g}",
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
