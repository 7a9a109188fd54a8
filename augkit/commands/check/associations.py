"""Surface features against labels: exact tests, corrected for their number, and an effect size.

A feature fails where its association with a label is over the limit and would hardly occur by
chance. Both parts are needed: on many rows a tiny association is significant, on few rows a large
one is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from augkit.commands.check.contract import (
    Association,
    AssociationSection,
    NgramSection,
    fields_to_check,
)
from augkit.commands.check.document_counts import (
    DocumentCounts,
    length_counts,
    ngram_counts,
    position_counts,
    signs,
    token_counts,
)
from augkit.commands.check.field_texts import FieldTexts, lowered_words, token_table
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows
from augkit.core.arrays import Flags, Floats, Ints

_SHOWN_ROWS = 3
_LARGEST = 0.995
"""An association that is shown as 1.00, the largest there is."""
_LENGTH = re.compile(r"(?P<side>at most|over) (?P<size>\d+) (?P<unit>words|characters)")


@dataclass(frozen=True)
class TestedFeature:
    """A feature and a label whose association is over the limit."""

    kind: str
    name: str
    label: int
    phi: float
    p: float
    """Of one test, not corrected."""
    rows: int
    with_label: int


def phi_coefficients(counts: Ints, totals: Ints) -> Floats:
    """The correlation of holding a feature with having a label: float[features, labels].

        φ = (N·c - n·K) / √( n (N - n) K (N - K) )

    N is the number of documents, n those with the feature, K those with the label, c those with
    both. It is 1 where the feature is in all documents of the label and in no other.

    >>> import numpy as np
    >>> phi_coefficients(np.array([[50, 0], [30, 20]]), np.array([50, 50])).round(2).tolist()
    [[1.0, -1.0], [0.2, -0.2]]
    """
    import numpy as np

    size = float(totals.sum())
    holders = counts.sum(axis=1, keepdims=True).astype(float)
    spread = np.sqrt(holders * (size - holders) * totals * (size - totals))
    gap = size * counts - holders * totals
    phi = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    return np.asarray(phi, dtype=np.float64)


def testable(counts: Ints, totals: Ints, limit: float) -> Flags:
    """Whether any distribution of the labels could bring a feature over the limit.

    It depends on how often the feature and the label occur, not on whether they occur together:
    what cannot fail is no test, and need not be corrected for (tarone1990modified): bool[features,
    labels].
    """
    import numpy as np

    holders = counts.sum(axis=1, keepdims=True)
    size = float(totals.sum())
    most = np.minimum(holders, totals)
    spread = np.sqrt(holders * (size - holders) * totals.astype(float) * (size - totals))
    gap = size * most - holders * totals
    most_phi = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    return np.asarray(most_phi > limit)


def least_holders(totals: Ints, limit: float) -> int:
    """A feature in fewer documents cannot reach the limit for any label."""
    import numpy as np

    size, square = float(totals.sum()), limit**2
    needed = size * square * totals / (size - totals + square * totals)
    return max(1, int(np.floor(needed.min())))


def exact_p(counts: Ints, holders: Ints, labelled: Ints, size: int) -> Floats:
    """The chance of so many documents with both, or more, if labels were dealt out at random.

    The upper tail of the hypergeometric distribution (Fisher's exact test, one-sided).
    """
    import numpy as np
    from scipy.stats import hypergeom

    return np.asarray(hypergeom.sf(counts - 1, size, labelled, holders), dtype=np.float64)


def smallest_found(totals: Ints, tests: int, alpha: float) -> float:
    """The smallest association that so many tests of so few documents can find.

    It is that of a feature which is in as many documents as a label; infinite where even a feature
    that occurs in all documents of the label, and in no other, could be chance.

    >>> import numpy as np
    >>> [round(smallest_found(np.array([n, n]), 10, 0.01), 2) for n in (4, 10, 100)]
    [inf, 0.8, 0.24]
    """
    import numpy as np
    from scipy.stats import hypergeom

    size = float(totals.sum())
    totals = totals[(totals > 0) & (totals < size)]
    both = hypergeom.isf(alpha / max(1, tests), size, totals, totals) + 1
    phi = (size * both - totals**2) / (totals * (size - totals))
    return float(np.where(both <= totals, phi, np.inf).min(initial=np.inf))


def _few_texts(texts: int, smallest: float, limit: float) -> str:
    """What cannot be found because there are few texts; nothing where there are enough."""
    if smallest <= limit:
        return ""
    if smallest == float("inf"):
        return f"; {texts:,} different texts are too few to find any"
    least = f"{smallest:.2f}" + (" or more" if smallest < _LARGEST else "")
    return f"; of {texts:,} different texts, only an association of {least} is found"


def check_association(
    check: Association, rows: CheckedRows, section: AssociationSection, alpha: float
) -> CheckRun:
    """All features of one kind, in all fields, against all labels, as one family of tests."""
    names = fields_to_check(check, section.fields, rows.fields)
    tests, features, found = 0, 0, []
    for field in (rows.columns[name] for name in names):
        for counted in _counted(check, field, section):
            allowed = _without(counted, section.allow)
            tests += int(testable(allowed.counts, field.totals, section.limit).sum())
            features += len(allowed.names)
            found += [(field, one) for one in over_limit(allowed, field.totals, section.limit)]
    failing = [(field, one) for field, one in found if one.p * tests <= alpha]
    failing.sort(key=lambda pair: (-pair[1].phi, pair[1].name))
    findings = [
        _finding(
            check,
            rows,
            field,
            one,
            rows.label_names[one.label],
            section.limit,
            min(1, one.p * tests),
        )
        for field, one in (_one_per_length(failing) if check == "length" else failing)
    ]
    summary = f"{features:,} features, {tests:,} tests; association at most {section.limit:g}"
    first = rows.columns[names[0]]
    smallest = smallest_found(first.totals, tests, alpha)
    summary += _few_texts(len(first.texts), smallest, section.limit)
    return CheckRun(check, summary, findings, skipped=smallest == float("inf") and not findings)


def over_limit(counted: DocumentCounts, totals: Ints, limit: float) -> Iterator[TestedFeature]:
    """The features and labels whose association is over the limit, with their exact p."""
    import numpy as np

    if not counted.names:
        return
    phi = phi_coefficients(counted.counts, totals)
    features, labels = np.nonzero(phi > limit)
    held = counted.counts.sum(axis=1)[features]
    both = counted.counts[features, labels]
    p = exact_p(both, held, totals[labels], int(totals.sum()))
    for index, (feature, label) in enumerate(zip(features.tolist(), labels.tolist(), strict=True)):
        yield TestedFeature(
            counted.kind,
            counted.names[feature],
            label,
            float(phi[feature, label]),
            float(p[index]),
            int(held[index]),
            int(both[index]),
        )


def _counted(
    check: Association, field: FieldTexts, section: AssociationSection
) -> Iterator[DocumentCounts]:
    least = least_holders(field.totals, section.limit)
    if check == "format":
        found = token_counts(token_table(field.texts, signs), field, least)
        yield DocumentCounts("format", found.names, found.counts)
        return
    if check == "tokens":
        yield token_counts(field.table, field, least)
    elif isinstance(section, NgramSection):
        yield from ngram_counts(field.table, field, least, section.longest)
    elif check == "position":
        yield from position_counts(field.table, field, least)
    else:
        yield from length_counts(field.table, field)


def _without(counted: DocumentCounts, allowed: Sequence[str]) -> DocumentCounts:
    """The features that are not allowed to go with a label."""
    if not allowed:
        return counted
    known = {name.lower() for name in allowed}
    kept = [index for index, name in enumerate(counted.names) if name.lower() not in known]
    names = [counted.names[index] for index in kept]
    return DocumentCounts(counted.kind, names, counted.counts[kept])


def _one_per_length(
    found: list[tuple[FieldTexts, TestedFeature]],
) -> list[tuple[FieldTexts, TestedFeature]]:
    """Of the many bounds of a length, the strongest of each field and unit."""
    first: dict[tuple[str, str], tuple[FieldTexts, TestedFeature]] = {}
    for field, one in found:
        first.setdefault((field.name, one.kind), (field, one))
    return list(first.values())


def _finding(  # noqa: PLR0913, PLR0917 - all that a message says
    check: Association,
    rows: CheckedRows,
    field: FieldTexts,
    one: TestedFeature,
    label: str,
    limit: float,
    p: float,
) -> Finding:
    named = one.name if check in {"format", "length"} else f"{one.kind} '{one.name}'"
    others = len(field.texts)
    message = (
        f"{field.name}: {named} goes with '{label}': association {one.phi:.2f} (limit "
        f"{limit:g}), {one.with_label:,} of {one.rows:,} rows ({one.with_label / one.rows:.0%}; "
        f"of all {others:,} rows {int(field.totals[one.label]) / others:.0%})"
    )
    feature = _stable_name(check, one)
    shown = tuple(_showing(rows, field, one))
    return Finding(check, message, one.phi, limit, field.name, feature, label, p, shown)


def _stable_name(check: Association, one: TestedFeature) -> str:
    """The feature as a baseline names it: a bound of a length moves with the data."""
    if check == "length":
        return f"{'short' if one.name.startswith('at most') else 'long'} {one.kind}"
    return one.name if one.kind in {"token", "format"} else f"{one.kind}: {one.name}"


def _showing(rows: CheckedRows, field: FieldTexts, one: TestedFeature) -> Iterator[int]:
    """The first rows that have both the feature and the label."""
    left = _SHOWN_ROWS
    for number, text, label in zip(rows.distinct, field.texts, field.labels.tolist(), strict=True):
        if label == one.label and holds(one.kind, one.name, text):
            yield number
            left -= 1
            if not left:
                return


def holds(kind: str, name: str, text: str) -> bool:
    """Whether a text has a feature.

    >>> holds("2-gram", "on time", "Never on time."), holds("first word", "on", "Never on time.")
    (True, False)
    """
    if kind == "format":
        return name in set(signs(text))
    found = lowered_words(text)
    if kind.startswith("length"):
        match = _LENGTH.fullmatch(name)
        size = len(found) if kind.endswith("words") else len(text)
        return match is not None and (size <= int(match["size"])) == (match["side"] == "at most")
    if kind in {"first word", "last word"}:
        return bool(found) and found[0 if kind == "first word" else -1] == name
    return f" {name} " in f" {' '.join(found)} "
