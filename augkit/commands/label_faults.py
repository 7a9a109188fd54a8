"""Why labelled rows cannot be used: their labels, or their texts, which are another thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.text.printable import counted

_ROWS_A_CLASS = 3
_FEW_LABELS = 20
"""Rows that each label of a class has at least, on average, where there are more labels."""
EMPTY = "empty"

TextFaults = Mapping[tuple[str | None, str], int]
"""Label and fault → the rows that have that label, and that fault in place of a text."""


def text_fault(fault: str) -> str:
    """What a row has in place of a text, in a word.

    >>> text_fault("text is missing"), text_fault("text is not text: number"), text_fault("")
    ('empty', 'number', 'empty')
    """
    return fault.partition(" is not text: ")[2] or EMPTY


def faults_of(examples: Iterable[Example]) -> Counter[tuple[str | None, str]]:
    """The labels and faults of the rows without a text."""
    return Counter(
        (row.label, text_fault(row.fault))
        for row in examples
        if row.fault or not any(map(str.strip, row.fields.values()))
    )


def require_texts(where: str, columns: Sequence[str], faults: TextFaults, labels: set[str]) -> None:
    """Raise where rows with a second label are there, and it is their texts that are missing.

    Args:
        where: The dataset.
        columns: Those of the texts.
        faults: Of the rows without a text.
        labels: Those of the rows with a text.
    """
    lost = {label for label, _ in faults if label is not None} - labels
    if len(labels) > 1 or len(labels | lost) < 2:
        return
    kinds = Counter[str]()
    for (_, fault), rows in faults.items():
        kinds[fault] += rows
    column = " and ".join(f"'{name}'" for name in columns)
    many = len(columns) > 1
    advice = "Fill it, or choose the text column with --text-column NAME"
    if not labels and [*kinds] == [EMPTY]:
        verb = "columns {} are" if many else "column {} is"
        raise DataError(f"{where}: the text {verb.format(column)} empty in all rows. {advice}")
    shown = ", ".join(f"{counted(rows, 'row')}: {fault}" for fault, rows in kinds.most_common())
    left = f"the others have one label, '{next(iter(labels))}'" if labels else "no row has one"
    raise DataError(f"{where}: {column} has no text in some rows ({shown}), and {left}. {advice}")


def require_classes(where: str, column: str | None, labels: Mapping[str, int]) -> None:
    """Raise where labels are so many that they are answers, ids or numbers, and no classes."""
    rows = sum(labels.values())
    if len(labels) > _FEW_LABELS and rows < _ROWS_A_CLASS * len(labels):
        first = ", ".join(f"'{label[:20]}'" for label in list(labels)[:3])
        of_column = "" if column is None else f" of '{column}'"
        raise DataError(
            f"{where}: {len(labels):,} different labels{of_column} in {rows:,} rows ({first} ...) "
            "are no classes, but answers, names or numbers. Choose a column whose values come "
            "back (--label-column NAME), or give more rows if these are classes"
        )
