"""What a run would do and spend, without doing or spending it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from augkit.augmenters.compose import outcomes_of
from augkit.corpora.read import read_block
from augkit.data import Reply, Request
from augkit.protocols import Tools
from augkit.run.artifacts import learn
from augkit.run.plan import Plan, make_plan
from augkit.run.settings import RunSettings
from augkit.run.work import build_step

_SAMPLE = 20
"""Rows that are gone through with made-up answers, to count what the method would ask."""
_CHARS_PER_TOKEN = 4
_ANSWER_TOKENS = 60
"""A guess at the length of an answer; the most it can be is max_tokens."""


def estimate(settings: RunSettings) -> dict[str, object]:
    """Rows, and where a model is asked: calls, tokens and money, marked as an estimate."""
    plan = make_plan(settings)
    told: dict[str, object] = {
        "method": settings.method,
        "dataset": f"{plan.dataset.name} ({plan.dataset.source})",
        "rows": f"{plan.survey.rows:,}, of which {plan.selected:,} would be augmented",
        "mix": plan.mix,
        "model": settings.llm,
    }
    return told if settings.llm == "offline" else told | _asked(plan)


@dataclass
class _Counting:
    """Answers everything with something that fits, and remembers what was asked."""

    asked: list[Request] = field(default_factory=list)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """Made-up replies."""
        from augkit.llm.conforming import conforming
        from augkit.llm.scripted import Scripted

        self.asked += requests
        return Scripted(conforming).generate(requests)


def _asked(plan: Plan) -> dict[str, object]:
    counting = _Counting()
    tools = Tools(llm=counting, judge=counting if plan.settings.judge_llm else None)
    with TemporaryDirectory() as place:
        recipe = replace(plan.recipe, artifact=learn(plan, tools, Path(place)))
        step = build_step(recipe, tools)
        block = next(plan.dataset.blocks())
        rows = read_block(plan.dataset.name, plan.dataset.schema, block, {})
        sample = list(islice(rows, min(_SAMPLE, plan.selected)))
        for _ in outcomes_of(step, sample):
            pass
    return _projected(plan, counting.asked, plan.selected / max(1, len(sample)))


def _projected(plan: Plan, asked: Sequence[Request], factor: float) -> dict[str, object]:
    from augkit.llm.prices import price_of

    chars = sum(len(message.content) for request in asked for message in request.messages)
    calls = round(len(asked) * factor)
    prompt = round(chars / _CHARS_PER_TOKEN * factor)
    completion = round(_ANSWER_TOKENS * len(asked) * factor)
    told: dict[str, object] = {
        "calls": f"about {calls:,}",
        "tokens": f"about {prompt:,} read and {completion:,} written",
    }
    if plan.settings.llm.startswith("openai:"):
        model = plan.settings.llm.partition(":")[2]
        price = price_of(model, plan.settings.connection.prices)
        usd = price and (prompt * price.input + completion * price.output) / 1e6
        told["money"] = "price not known (--prices)" if usd is None else f"about ${usd:.4f}"
    told["budget"] = plan.settings.connection.budget or "none (--budget sets a hard limit)"
    return told
