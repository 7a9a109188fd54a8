"""Surface features against labels: exact tests, corrected for their number, and an effect size.

A feature fails where its association with a label is over the limit and would hardly occur by
chance. Both parts are needed: on many rows a tiny association is significant, on few rows a large
one is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from augkit.commands.check.contract import (
    Association,
    AssociationSection,
    NgramSection,
    fields_to_check,
)
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
    formats,
    lowered_words,
)
from augkit.text.features.statistics import (
    exact_p,
    least_holders,
    phi_coefficients,
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
