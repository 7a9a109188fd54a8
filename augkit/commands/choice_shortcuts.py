"""``augkit shortcuts`` on choices: what the winners have in common, compared within each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

from augkit.commands.check.choice_rows import CheckedChoices
from augkit.commands.check.contract import ASSOCIATIONS
from augkit.commands.evaluate.training_sets import row_weights
from augkit.core.choices import choice_of
from augkit.core.results import LONGEST_WINS, Survey, Table
from augkit.core.types import Example
from augkit.datasets.choices.shapes import find_shape
from augkit.datasets.settings import RowSelection
from augkit.evaluation.choices import winners_by_length
from augkit.report.terminal import p_cell
from augkit.shortcuts.tokens import TokensConfig
from augkit.text.features.item_features import (
    PLACE,
    ItemTexts,
    WeightedItemTexts,
    item_features,
)
from augkit.text.features.statistics import Correction, corrected

_LONGEST = 2
"""Words of the longest n-gram."""
_LEAST = 5
"""Candidates that a feature must be in."""
_CORRECTION: Correction = "benjamini-hochberg"
_ALPHA = 0.05
"""A list to read: a few false alarms are allowed."""
_NOTE = (
    "these are candidates: winners may be longer because they say more; whether a reward model "
    "should rely on it is for you to judge"
)
_SAMPLED = (
    "tested on a sample of {rows:,} of {total:,} items: how often a feature alone is right is "
    "within {error:.1f} points of that of all items in 95 % of samples, where no two items belong "
    "together. --set max_rows=N sets its size"
)
_WEIGHED = (
    "the run weighs its items: after it each counts by its weight, and p is by the normal curve"
)


def survey_choices(rows: CheckedChoices, selection: RowSelection, config: TokensConfig) -> Survey:
    """Every feature that ranks the candidates, tested within the item; the strongest first."""
    if selection.is_partial:
        numbers = selection.numbers(len(rows))
        choices = [rows.choices[number] for number in numbers]
        indices = [rows.indices[number] for number in numbers]
        rows = replace(rows, choices=choices, indices=indices)
    tested, _ = rows.compared
    tried = _tried(tested)
    significant = _significant(tried)
    about = {
        "items": len(rows),
        "without a winner": rows.left_out,
        "chance": round(tested.items.chance, 4),
        "tests": len(tried),
        "correction": _CORRECTION,
    }
    title = f"Strongest of {len(significant):,} significant features: the winner ..."
    table = _table(title, significant[: config.top])
    notes: tuple[str, ...] = (_NOTE,)
    if rows.whole is not None:
        notes += (_SAMPLED.format(rows=len(rows), total=rows.total, error=98 / sqrt(len(rows))),)
    return Survey(significant, (table,), notes, about)


def compare_choices(
    before: Sequence[Example], after: Sequence[Example], config: TokensConfig
) -> Survey:
    """What found the winners before a run, how well it does so now, and what is new.

    Args:
        before: The rows that the run read as choices.
        after: Those that it wrote.
        config: As for a survey.
    """
    shape = find_shape(list(before[0].columns), [dict(before[0].columns)])
    matters = shape is not None and shape.places_matter
    sides = [_item_texts(rows, matters) for rows in (before, after)]
    tried = [_tried(side) if side.choices else [] for side in sides]
    old, new = (_significant(rows) for rows in tried)
    results = {(row["kind"], row["feature"]): row for row in tried[1]}
    listed = {(row["kind"], row["feature"]) for row in old}
    rows = [{**row, "after": _figures(results.get((row["kind"], row["feature"])))} for row in old]
    rows += [{**row, "new": True} for row in new if (row["kind"], row["feature"]) not in listed]
    lengths = _length_rows(*sides)
    about = {
        "items": len(sides[0].choices),
        "items after": len(sides[1].choices),
        "chance": round(sides[0].items.chance, 4),
        "tests": len(tried[0]),
        "correction": _CORRECTION,
        "alpha": _ALPHA,
    }
    title = f"Strongest of {len(old):,} significant features: the winner ..."
    table = _compared_table(title, rows[: config.top])
    weighed = (_WEIGHED,) if isinstance(sides[1], WeightedItemTexts) else ()
    return Survey([*rows, *lengths], (table,), (_NOTE, *weighed), about)


def _item_texts(rows: Sequence[Example], places_matter: bool) -> ItemTexts:
    """The choices of rows that are decided, with their weights where rows have some."""
    pairs = [(choice, row) for row in rows if (choice := choice_of(row)).decided]
    choices = [choice for choice, _ in pairs]
    weights = row_weights([row for _, row in pairs])
    if weights is None:
        return ItemTexts(choices, places_matter)
    return WeightedItemTexts(choices, places_matter, weights)


def _figures(row: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known of a feature in the result; too few candidates have it where it is None."""
    names = ("share", "items", "of", "accuracy", "association", "p", "q")
    return {"items": 0} if row is None else {name: row[name] for name in names}


def _length_rows(*sides: ItemTexts) -> list[dict[str, Any]]:
    """How often the longest candidate wins, by how much longer it is than the shortest."""
    weights = [side.weights if isinstance(side, WeightedItemTexts) else None for side in sides]
    bins = [
        {part.least: part for part in winners_by_length(side.choices, held)}
        for side, held in zip(sides, weights, strict=True)
    ]
    return [
        {"kind": LONGEST_WINS, "least": least, "most": (bins[0].get(least) or bins[1][least]).most}
        | {
            name: {"items": part.items, "share": part.won}
            for name, side in zip(("before", "after"), bins, strict=True)
            if (part := side.get(least))
        }
        for least in sorted(bins[0].keys() | bins[1].keys())
    ]


def _tried(rows: ItemTexts) -> list[dict[str, Any]]:
    """Every feature that can be tested, with its p-value corrected for all of them."""
    import numpy as np

    tried: list[dict[str, Any]] = []
    for check in (*ASSOCIATIONS, PLACE):
        for feature in item_features(check, rows, _LEAST, _LONGEST):
            ranked = feature.ranked
            tried.append(
                {
                    "kind": check,
                    "feature": feature.phrase,
                    "share": ranked.share,
                    "items": len(ranked.varying),
                    "of": len(rows.choices),
                    "accuracy": ranked.accuracy,
                    "association": ranked.association,
                    "p": ranked.p if ranked.association > 0 else 1.0,
                }
            )
    adjusted = corrected(np.array([row["p"] for row in tried]), _CORRECTION)
    return [{**row, "q": float(q)} for row, q in zip(tried, adjusted, strict=True)]


def _significant(tried: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those whose corrected p is small enough, the strongest first."""
    significant = [row for row in tried if row["q"] <= _ALPHA]
    return sorted(significant, key=lambda row: (-row["association"], row["feature"]))


def _compared_table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    header = ("feature", "alone right in", "after", "p after")
    cells = []
    for row in rows:
        after = row if row.get("new") else row["after"]
        share = f"{row['accuracy']:.1%}" if not row.get("new") else "not significant"
        result = f"{after['accuracy']:.1%}" if after["items"] else "too rare"
        cells.append((row["feature"], share, result, p_cell(after.get("q", 1.0))))
    return Table(title, header, cells)


def _table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    header = ("feature", "of items", "that differ", "alone right in", "association", "p")
    cells = [
        (
            row["feature"],
            f"{row['share']:.1%}",
            f"{row['items']:,}",
            f"{row['accuracy']:.1%}",
            f"{row['association']:.2f}",
            p_cell(row["q"]),
        )
        for row in rows
    ]
    return Table(title, header, cells, ("association", "that differ"))
