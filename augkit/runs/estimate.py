"""What a run would do and cost (``--dry-run``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from augkit.augmenters.compose import outcomes_of
from augkit.augmenters.llm_checks.gates import NO_GATES
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Tools
from augkit.core.types import Cost
from augkit.datasets.to_examples import read_block
from augkit.runs.artifacts import fit_artifacts
from augkit.runs.plan import Plan, make_plan
from augkit.runs.row_work import build_step
from augkit.runs.settings import RunSettings

_SAMPLE = 20
"""Rows that are processed with made-up answers, to count the requests of the method."""
_CHARS_PER_TOKEN = 4
_ANSWER_TOKENS = 60
"""An estimate of the length of an answer."""


@dataclass(frozen=True)
class Estimate:
    """Calls and tokens of a model; ``usd`` is None where its price is unknown."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    usd: float | None = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        """The sum."""
        unknown = self.usd is None or other.usd is None
        return Estimate(
            self.calls + other.calls,
            self.prompt + other.prompt,
            self.completion + other.completion,
            None if unknown else (self.usd or 0.0) + (other.usd or 0.0),
        )

    def times(self, number: int) -> Estimate:
        """The estimate of ``number`` such runs."""
        return sum([self] * number, Estimate())

    def describe(self) -> dict[str, object]:
        """The figures in words, for a table."""
        money = "price unknown (--prices)" if self.usd is None else f"about ${self.usd:.4f}"
        return {
            "calls": f"about {self.calls:,}",
            "tokens": f"about {self.prompt:,} read and {self.completion:,} written",
            "money": money,
        }


def estimate(settings: RunSettings) -> dict[str, object]:
    """Rows, and where a model is used: estimated calls, tokens and money."""
    facts, estimated = estimate_parts(settings)
    if estimated is None:
        return facts
    budget = settings.connection.budget or "none (--budget sets a hard limit)"
    return facts | estimated.describe() | {"budget": budget}


def estimate_parts(settings: RunSettings) -> tuple[dict[str, object], Estimate | None]:
    """What would be done, and the estimate for its models; None where there are none."""
    with make_plan(settings) as plan:
        facts: dict[str, object] = {
            "method": settings.method,
            "dataset": f"{plan.dataset.name} ({plan.dataset.source})",
            "rows": f"{plan.scan.rows:,}, of which {plan.selected:,} would be augmented",
            "mix": plan.mix,
            "model": settings.llm,
        }
        return facts, None if settings.llm == "offline" else _sample(plan)


@dataclass
class _Recorder:
    """An LLM of made-up answers that records the requests."""

    requests: list[Request] = field(default_factory=list)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """Made-up replies."""
        from augkit.llm.conforming import conforming
        from augkit.llm.scripted import Scripted

        self.requests += requests
        return Scripted(conforming).generate(requests)


def _sample(plan: Plan) -> Estimate:
    settings = plan.settings
    writer, judge = _Recorder(), _Recorder()
    asked = judge if plan.settings.judge_llm else None
    tools = Tools(llm=writer, judge=asked, text_gates=NO_GATES)
    with TemporaryDirectory() as folder:
        spec = fit_artifacts(plan, tools, Path(folder))
        step = build_step(spec, tools)
        block = next(plan.dataset.blocks())
        rows = read_block(plan.dataset.name, plan.dataset.schema, block, {})
        sample = list(islice(rows, min(_SAMPLE, plan.selected)))
        for _ in outcomes_of(step, sample):
            pass
    factor = plan.selected / max(1, len(sample))
    total = _estimate(settings, settings.llm, writer.requests, factor)
    if settings.judge_llm:
        total += _estimate(settings, settings.judge_llm, judge.requests, factor)
    return total


def _estimate(
    settings: RunSettings, spec: str, requests: Sequence[Request], factor: float
) -> Estimate:
    from augkit.llm.prices import price_of

    chars = sum(len(message.content) for request in requests for message in request.messages)
    prompt = round(chars / _CHARS_PER_TOKEN * factor)
    completion = round(_ANSWER_TOKENS * len(requests) * factor)
    usd: float | None = 0.0
    if spec.startswith("openai:"):
        price = price_of(spec.partition(":")[2], settings.connection.prices)
        usd = None if price is None else price.usd(Cost(0, prompt, completion))
    return Estimate(round(len(requests) * factor), prompt, completion, usd)
