"""Charts of choices: which rules find the winner."""

from __future__ import annotations

from typing import Any

from augkit.core.results import Survey
from augkit.report.page.chart import Bar, chart

_MOST_FEATURES = 12


def choice_features_chart(survey: Survey) -> dict[str, Any] | None:
    """How often a rule that goes by one feature alone finds the winner, before and after."""
    bars = []
    for row in [row for row in survey.rows if row.get("after") and "feature" in row]:
        name, after = f"the winner {row['feature']}", row["after"]
        bars.append(Bar(name, "before", row["accuracy"]))
        if after["items"]:
            bars.append(Bar(name, "after", after["accuracy"]))
        if len({bar.test for bar in bars}) == _MOST_FEATURES:
            break
    chance = f"{100 * survey.about.get('chance', 0.5):.0f} %"
    caption = f"the strongest before; a rule that knows nothing is right in {chance}"
    title = "How often a rule by one feature alone is right"
    return chart(title, bars, caption, together=True) if bars else None
