"""What a run would do and spend, without doing or spending it."""

from __future__ import annotations

from augkit.run.plan import make_plan
from augkit.run.settings import RunSettings


def estimate(settings: RunSettings) -> dict[str, object]:
    """Rows, and where a model is asked: calls, tokens and money, marked as an estimate."""
    plan = make_plan(settings)
    return {"rows": plan.survey.rows}
