"""Surface features against labels: exact tests, corrected for their number, and an effect size.

A feature fails where its association with a label is over the limit and would hardly occur by
chance. Both parts are needed: on many rows a tiny association is significant, on few rows a large
one is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from augkit.commands.check.contract import (
    Association,
    AssociationSection,
    NgramSection,
    fields_to_check,
)
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows, FieldTexts
from augkit.text.features.document_counts import (
    DocumentCounts,
    format_counts,
    length_counts,
    ngram_counts,
    position_counts,
    token_counts,
)
from augkit.text.features.kinds import (
    FIRST_WORD,
    FORMAT,
    LAST_WORD,
    TOKEN,
    formats,
    lowered_words,
)
from augkit.text.features.statistics import (
    exact_p,
    least_holders,
    phi_coefficients,
    phi_error,
    smallest_found,
    testable,
)

_SHOWN_ROWS = 3
_LARGEST = 0.995
"""An association that is shown as 1.00, the largest there is."""
_LENGTH = re.compile(r"(?P<side>at most|over) (?P<size>\d+) (?P<unit>words|characters)")


@dataclass(frozen=True)
class TestedFeature:
    """A feature of a field and a label whose association is over the limit."""

    field: FieldTexts
    kind: str
    name: str
    label: int
    phi: float
    p: float
    """Of one test, not corrected."""
    rows: int
    with_label: int

    def stable_name(self, check: Association) -> str:
        """The feature as a baseline names it: a bound of a length moves with the data."""
        if check == "length":
            return f"{'short' if self.name.startswith('at most') else 'long'} {self.kind}"
        return self.name if self.kind in {TOKEN, FORMAT} else f"{self.kind}: {self.name}"


def check_association(
    check: Association, rows: CheckedRows, section: AssociationSection, alpha: float
) -> CheckRun:
    """All features of one kind, in all fields, against all labels, as one family of tests."""
    failing, tests, features = failing_features(check, rows, section, alpha)
    findings = [
        _finding(check, rows, feature, section.limit, min(1, feature.p * tests))
        for feature in failing
    ]
    summary = f"{features:,} features in {tests:,} tests; limit: association {section.limit:g}"
    names = fields_to_check(check, section.fields, rows.fields)
    first = rows.columns[names[0]]
    smallest = smallest_found(first.totals, tests, alpha)
    summary += _few_texts(len(first.texts), smallest, section.limit)
    if rows.whole is not None:
        shares = first.totals / first.totals.sum()
        error = float(phi_error(shares * 0 + section.limit, shares, shares, len(first.texts)).max())
        summary += f"; ±{error:.3f} by sampling"
    return CheckRun(check, summary, findings, skipped=smallest == float("inf") and not findings)


def failing_features(
    check: Association, rows: CheckedRows, section: AssociationSection, alpha: float
) -> tuple[list[TestedFeature], int, int]:
    """The features that fail, the strongest first; how many tests and features there were."""
    import numpy as np

    names = fields_to_check(check, section.fields, rows.fields)
    allowed = {name.lower() for name in section.allow}
    tests, features = 0, 0
    strong: list[TestedFeature] = []
    for field in (rows.columns[name] for name in names):
        for counted in _counted(check, field, section):
            unusual = [name.lower() not in allowed for name in counted.names]
            checked = counted.only(np.array(unusual, dtype=bool)) if allowed else counted
            tests += int(testable(checked.counts, field.totals, section.limit).sum())
            features += len(checked.names)
            strong += over_limit(checked, field, section.limit)
    failing = [feature for feature in strong if feature.p * tests <= alpha]
    failing.sort(key=lambda feature: (-feature.phi, feature.name))
    if check == "length":
        # Of the many bounds of a length, the strongest of each field and unit.
        strongest: dict[tuple[str, str], TestedFeature] = {}
        for feature in failing:
            strongest.setdefault((feature.field.name, feature.kind), feature)
        failing = list(strongest.values())
    return failing, tests, features


def over_limit(
    counted: DocumentCounts[str], field: FieldTexts, limit: float
) -> Iterator[TestedFeature]:
    """The features and labels whose association is over the limit, with their exact p."""
    import numpy as np

    if not counted.names:
        return
    phi = phi_coefficients(counted.counts, field.totals)
    features, labels = np.nonzero(phi > limit)
    held = counted.counts.sum(axis=1)[features]
    with_label = counted.counts[features, labels]
    p = exact_p(with_label, held, field.totals[labels], int(field.totals.sum()))
    for index, (feature, label) in enumerate(zip(features.tolist(), labels.tolist(), strict=True)):
        yield TestedFeature(
            field,
            counted.kind,
            counted.names[feature],
            label,
            float(phi[feature, label]),
            float(p[index]),
            int(held[index]),
            int(with_label[index]),
        )


def holds(kind: str, name: str, text: str) -> bool:
    """Whether a text has a feature.

    >>> holds("2-gram", "on time", "Never on time."), holds("first word", "on", "Never on time.")
    (True, False)
    """
    if kind == FORMAT:
        return name in set(formats(text))
    words = lowered_words(text)
    if kind.startswith("length"):
        match = _LENGTH.fullmatch(name)
        size = len(words) if kind.endswith("words") else len(text)
        return match is not None and (size <= int(match["size"])) == (match["side"] == "at most")
    if kind in {FIRST_WORD, LAST_WORD}:
        return bool(words) and words[0 if kind == FIRST_WORD else -1] == name
    return f" {name} " in f" {' '.join(words)} "


def _counted(
    check: Association, field: FieldTexts, section: AssociationSection
) -> Iterator[DocumentCounts[str]]:
    least = least_holders(field.totals, section.limit)
    if check == "format":
        yield format_counts(field, least)
    elif check == "tokens":
        yield token_counts(field, least)
    elif isinstance(section, NgramSection):
        yield from ngram_counts(field, least, section.longest)
    elif check == "position":
        yield from position_counts(field, least)
    else:
        yield from length_counts(field)


def _finding(
    check: Association, rows: CheckedRows, feature: TestedFeature, limit: float, p: float
) -> Finding:
    field, label = feature.field, rows.label_names[feature.label]
    is_plain = check in {"format", "length"}
    named = feature.name if is_plain else f"{feature.kind} '{feature.name}'"
    size = len(field.texts)
    error = f" ±{_error(feature):.2f}" if rows.whole is not None else ""
    message = (
        f"{field.name}: {named} goes with '{label}': association {feature.phi:.2f}{error} (limit "
        f"{limit:g}), {feature.with_label:,} of {feature.rows:,} rows "
        f"({feature.with_label / feature.rows:.0%}; "
        f"of all {size:,} rows {int(field.totals[feature.label]) / size:.0%})"
    )
    # The first rows that have both the feature and the label.
    with_label = (
        (number, text)
        for number, text, own in zip(rows.distinct, field.texts, field.labels.tolist(), strict=True)
        if own == feature.label
    )
    showing = (number for number, text in with_label if holds(feature.kind, feature.name, text))
    shown = tuple(islice(showing, _SHOWN_ROWS))
    name = feature.stable_name(check)
    return Finding(
        check,
        message,
        feature.phi,
        limit,
        field.name,
        name,
        label,
        p,
        shown,
        held=(feature.rows, feature.with_label),
        error=error,
    )


def _error(feature: TestedFeature) -> float:
    """How far the association of a sample may be from that of all rows."""
    import numpy as np

    size, totals = len(feature.field.texts), feature.field.totals
    shares = np.array([feature.rows / size]), totals[[feature.label]] / size
    return float(phi_error(np.array([feature.phi]), *shares, size)[0])


def _few_texts(texts: int, smallest: float, limit: float) -> str:
    """What cannot be found because there are few texts; nothing where there are enough."""
    if smallest <= limit:
        return ""
    if smallest == float("inf"):
        return f"; {texts:,} different texts are too few to find any"
    least = f"{smallest:.2f}" + (" or more" if smallest < _LARGEST else "")
    return f"; of {texts:,} different texts, only an association of {least} is found"
