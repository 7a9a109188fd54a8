"""Which rows are held out together: never a text in training and its twin held out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from augkit.core.types import Example, digest


def content_key(row: Example) -> str:
    """Names the texts of a row, whatever its label, its case and its spaces.

    >>> from augkit.core.types import example
    >>> content_key(example("A fine  film", "pos")) == content_key(example("a fine film", "neg"))
    True
    """
    named = (part for name in sorted(row.fields) for part in (name, row.fields[name]))
    return digest(*(" ".join(part.casefold().split()) for part in named))


def assign_folds(
    examples: Sequence[Example], folds: int, seed: int, group_column: str | None
) -> list[int]:
    """The fold of each row, by content alone: the order of the rows does not matter.

    Rows with the same texts are in one fold, and so are rows with the same value in
    ``group_column`` (an original and its counterfactuals) and pairs with the same first text (the
    hypotheses of a premise, the claims of an evidence). Groups that hold the same labels are
    distributed evenly, so that every fold has about the same share of each label.
    """
    groups = _groups(examples, group_column)
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for row, group in zip(examples, groups, strict=True):
        labels[group][str(row.label)] += 1
    kinds: dict[tuple[tuple[str, int], ...], list[str]] = defaultdict(list)
    for group, counts in labels.items():
        kinds[tuple(sorted(counts.items()))].append(digest(str(seed), group) + group)
    fold_of: dict[str, int] = {}
    for kind in sorted(kinds):
        for shuffled in sorted(kinds[kind]):
            fold_of[shuffled[len(digest("")) :]] = len(fold_of) % folds
    return [fold_of[group] for group in groups]


def _groups(examples: Sequence[Example], column: str | None) -> list[str]:
    """The name of each row's group: the least content key among the rows joined with it."""
    parent: dict[str, str] = {}
    contents = [content_key(row) for row in examples]
    for row, content in zip(examples, contents, strict=True):
        parent.setdefault(content, content)
        for shared in _shared_parts(row, column):  # no content key looks like these
            twin = parent.setdefault(shared, content)
            first, second = sorted((_root(parent, content), _root(parent, twin)))
            parent[second] = first
    return [_root(parent, content) for content in contents]


def _shared_parts(row: Example, column: str | None) -> Iterator[str]:
    """What joins a row with others: its value in a column, and the first of several texts."""
    value = row.columns.get(column) if column else None
    if value not in {None, ""}:
        yield f"{column}={value}"
    if len(row.fields) > 1:
        name, text = next(iter(row.fields.items()))
        yield f"first={name}={' '.join(text.casefold().split())}"


def _root(parent: dict[str, str], name: str) -> str:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name
