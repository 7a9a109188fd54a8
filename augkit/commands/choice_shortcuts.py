"""``augkit shortcuts`` on choices: what the winners have in common, compared within each item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from augkit.commands.check.choice_rows import load_checked_choices
from augkit.commands.check.contract import ASSOCIATIONS
from augkit.core.results import Survey, Table
from augkit.datasets.load import Spec
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.shortcuts.tokens import TokensConfig
from augkit.text.features.item_features import PLACE, item_features
from augkit.text.features.statistics import corrected
from augkit.text.printable import shown_p

_NOTE = (
    "these are candidates: winners may be longer because they say more; whether a reward model "
    "should rely on it is for you to judge"
)


def survey_choices(
    spec: Spec, reading: ReadOptions, selection: RowSelection, config: TokensConfig
) -> Survey:
    """Every feature that ranks the candidates, tested within the item; the strongest first."""
    import numpy as np

    rows = load_checked_choices(spec, reading, None)
    numbers = selection.numbers(len(rows))
    rows = replace(
        rows,
        choices=[rows.choices[number] for number in numbers],
        indices=[rows.indices[number] for number in numbers],
    )
    checks = [*ASSOCIATIONS, PLACE] if config.positions else ["tokens", "ngrams", "format"]
    tried: list[dict[str, Any]] = []
    for check in checks:
        if check == "ngrams" and config.ngrams < 2:
            continue
        for feature in item_features(check, rows, config.min_count, config.ngrams):
            ranked = feature.ranked
            tried.append(
                {
                    "kind": check,
                    "feature": feature.phrase,
                    "share": ranked.share,
                    "items": int(ranked.varies.sum()),
                    "accuracy": ranked.accuracy,
                    "association": ranked.association,
                    "p": ranked.p if ranked.association > 0 else 1.0,
                }
            )
    adjusted = corrected(np.array([row["p"] for row in tried]), config.correction)
    listed = [{**row, "q": float(q)} for row, q in zip(tried, adjusted, strict=True)]
    significant = [row for row in listed if row["q"] <= config.alpha]
    significant.sort(key=lambda row: (-row["association"], row["feature"]))
    about = {
        "items": len(rows),
        "without a winner": rows.left_out,
        "chance": round(rows.items.chance, 4),
        "tests": len(tried),
        "correction": config.correction,
    }
    title = f"Strongest of {len(significant):,} significant features: the winner ..."
    table = _table(title, significant[: config.top])
    return Survey(significant, (table,), (_NOTE,), about)


def _table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    header = ("feature", "of items", "that differ", "alone right in", "association", "p")
    cells = [
        (
            row["feature"],
            f"{row['share']:.1%}",
            f"{row['items']:,}",
            f"{row['accuracy']:.1%}",
            f"{row['association']:.2f}",
            shown_p(row["q"]).removeprefix("p ").removeprefix("= "),
        )
        for row in rows
    ]
    return Table(title, header, cells, ("association", "that differ"))
