"""Which rows are held out together: never a text in training and its twin held out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from augkit.core.types import Example, digest
from augkit.text.same_text import content_digest


def content_key(row: Example) -> str:
    """Names the texts of a row, whatever its label, its case and its spaces.

    >>> from augkit.core.types import example
    >>> content_key(example("A fine  film", "pos")) == content_key(example("a fine film", "neg"))
    True
    """
    named = (part for name in sorted(row.fields) for part in (name, row.fields[name]))
    return digest(*(" ".join(part.casefold().split()) for part in named))


def assign_folds(
    examples: Sequence[Example],
    folds: int,
    seed: int,
    group_column: str | None,
    alike: Sequence[str] = (),
) -> list[int]:
    """The fold of each row, by content alone: the order of the rows does not matter.

    Rows with the same texts are in one fold, and so are rows with the same value in
    ``group_column`` (an original and its counterfactuals) and pairs with the same first text (the
    hypotheses of a premise, the claims of an evidence). Groups that hold the same labels are
    distributed evenly, so that every fold has about the same share of each label. ``alike`` may
    have a name for each row: rows of one name are in one fold too.
    """
    groups = row_groups(examples, folds, group_column, alike)
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


def row_groups(
    examples: Sequence[Example], folds: int, column: str | None, alike: Sequence[str] = ()
) -> list[str]:
    """The name of each row's group: the least content key among the rows joined with it."""
    parent: dict[str, str] = {}
    contents = [content_key(row) for row in examples]
    firsts = [_first_text(row) for row in examples]
    joining = joining_texts(firsts, folds)
    names = alike or [""] * len(examples)
    for row, content, first_text, alike_name in zip(examples, contents, firsts, names, strict=True):
        parent.setdefault(content, content)
        value = row.columns.get(column) if column else None
        joins = [f"{column}={value}"] if value not in {None, ""} else []
        if first_text in joining:
            joins.append(first_text)
        if alike_name:
            joins.append(f"alike: {alike_name}")
        for name in joins:  # no content key looks like these
            twin = parent.setdefault(name, content)
            first, second = sorted((_root(parent, content), _root(parent, twin)))
            parent[second] = first
    return [_root(parent, content) for content in contents]


def joining_texts(firsts: Sequence[str], folds: int) -> set[str]:
    """First texts of rows, "" for none, that keep their rows together.

    One that fills half a fold or more is a question or a template that all rows share: it joins
    none of them.
    """
    rows_with = Counter(firsts)
    return {text for text, rows in rows_with.items() if text and 2 * folds * rows <= len(firsts)}


def _first_text(row: Example) -> str:
    """Names the first of several texts; "" for a single text."""
    name, text = next(iter(row.fields.items()), ("", ""))
    return f"{name}: {content_digest([text])}" if len(row.fields) > 1 else ""


def _root(parent: dict[str, str], name: str) -> str:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name
