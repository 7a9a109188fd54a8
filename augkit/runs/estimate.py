"""What a run would do and spend, without doing or spending it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from augkit.augmenters.compose import outcomes_of
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Tools
from augkit.core.types import Cost
from augkit.datasets.to_examples import read_block
from augkit.runs.artifacts import learn
from augkit.runs.plan import Plan, planned
from augkit.runs.row_work import build_step
from augkit.runs.settings import RunSettings

_SAMPLE = 20
"""Rows that are gone through with made-up answers, to count what the method would ask."""
_CHARS_PER_TOKEN = 4
_ANSWER_TOKENS = 60
"""A guess at the length of an answer; the most it can be is max_tokens."""


@dataclass(frozen=True)
class Part:
    """What a model would be asked; ``usd`` is None where its price is not known."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    usd: float | None = 0.0

    def __add__(self, other: Part) -> Part:
        """Both together."""
        unknown = self.usd is None or other.usd is None
        return Part(
            self.calls + other.calls,
            self.prompt + other.prompt,
            self.completion + other.completion,
            None if unknown else (self.usd or 0.0) + (other.usd or 0.0),
        )

    def times(self, number: int) -> Part:
        """So many of it."""
        return sum([self] * number, Part())

    def told(self) -> dict[str, object]:
        """In words."""
        money = "price not known (--prices)" if self.usd is None else f"about ${self.usd:.4f}"
        return {
            "calls": f"about {self.calls:,}",
            "tokens": f"about {self.prompt:,} read and {self.completion:,} written",
            "money": money,
        }


def estimate(settings: RunSettings) -> dict[str, object]:
    """Rows, and where a model is asked: calls, tokens and money, marked as an estimate."""
    told, part = estimated(settings)
    if part is None:
        return told
    budget = settings.connection.budget or "none (--budget sets a hard limit)"
    return told | part.told() | {"budget": budget}


def estimated(settings: RunSettings) -> tuple[dict[str, object], Part | None]:
    """What would be done, and what models would be asked; None where there are none."""
    with planned(settings) as plan:
        told: dict[str, object] = {
            "method": settings.method,
            "dataset": f"{plan.dataset.name} ({plan.dataset.source})",
            "rows": f"{plan.survey.rows:,}, of which {plan.selected:,} would be augmented",
            "mix": plan.mix,
            "model": settings.llm,
        }
        return told, None if settings.llm == "offline" else _asked(plan)


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


def _asked(plan: Plan) -> Part:
    settings = plan.settings
    writer, judge = _Counting(), _Counting()
    tools = Tools(llm=writer, judge=judge if plan.settings.judge_llm else None)
    with TemporaryDirectory() as place:
        recipe = replace(plan.recipe, artifact=learn(plan, tools, Path(place)))
        step = build_step(recipe, tools)
        block = next(plan.dataset.blocks())
        rows = read_block(plan.dataset.name, plan.dataset.schema, block, {})
        sample = list(islice(rows, min(_SAMPLE, plan.selected)))
        for _ in outcomes_of(step, sample):
            pass
    factor = plan.selected / max(1, len(sample))
    part = _part(settings, settings.llm, writer.asked, factor)
    if settings.judge_llm:
        part += _part(settings, settings.judge_llm, judge.asked, factor)
    return part


def _part(settings: RunSettings, spec: str, asked: Sequence[Request], factor: float) -> Part:
    from augkit.llm.prices import price_of

    chars = sum(len(message.content) for request in asked for message in request.messages)
    prompt = round(chars / _CHARS_PER_TOKEN * factor)
    completion = round(_ANSWER_TOKENS * len(asked) * factor)
    usd: float | None = 0.0
    if spec.startswith("openai:"):
        price = price_of(spec.partition(":")[2], settings.connection.prices)
        usd = None if price is None else price.usd(Cost(0, prompt, completion))
    return Part(round(len(asked) * factor), prompt, completion, usd)
