"""What a run would do and cost (``--dry-run``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from augkit.augmenters.compose import outcomes_of
from augkit.augmenters.llm_checks.gates import NO_GATES
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Tools
from augkit.core.types import FREE, Cost
from augkit.datasets.to_examples import read_block
from augkit.runs.artifacts import fit_artifacts
from augkit.runs.plan import Plan, make_plan
from augkit.runs.row_work import build_step
from augkit.runs.settings import RunSettings

_SAMPLE = 20
"""Rows that are processed with made-up answers, to count the requests of the method."""


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
    """An LLM of made-up answers that counts what they would cost."""

    cost: Cost = FREE

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """Made-up replies."""
        from augkit.llm.imitated import imitated
        from augkit.llm.scripted import Scripted
        from augkit.llm.token_counts import prompt_tokens, written_tokens

        for request in requests:
            written = written_tokens(request, imitated(request))
            self.cost += Cost(1, prompt_tokens(request.messages), written)
        return Scripted(imitated).generate(requests)


def _sample(plan: Plan) -> Estimate:
    settings = plan.settings
    writer, judge = _Recorder(), _Recorder()
    asked = judge if plan.settings.judge_llm else None
    tools = Tools(llm=writer, judge=asked, text_gates=NO_GATES)
    with TemporaryDirectory() as folder:
        spec = fit_artifacts(plan, tools, Path(folder))
        fitting = writer.cost, judge.cost
        step = build_step(spec, tools)
        block = next(plan.dataset.blocks())
        rows = read_block(plan.dataset.name, plan.dataset.schema, block, {})
        sample = list(islice(rows, min(_SAMPLE, plan.selected)))
        for _ in outcomes_of(step, sample):
            pass
    factor = plan.selected / max(1, len(sample))
    total = _estimate(settings, settings.llm, fitting[0], writer.cost, factor)
    if settings.judge_llm:
        total += _estimate(settings, settings.judge_llm, fitting[1], judge.cost, factor)
    return total


def _estimate(
    settings: RunSettings, spec: str, once: Cost, sampled: Cost, factor: float
) -> Estimate:
    """What is spent once, and the rest of the sample in proportion to the rows."""
    from augkit.llm.prices import price_of

    calls, prompt, completion = (
        round(getattr(once, name) + factor * (getattr(sampled, name) - getattr(once, name)))
        for name in ("calls", "prompt_tokens", "completion_tokens")
    )
    usd: float | None = 0.0
    backend, _, model = spec.partition(":")
    if backend in {"openai", "azure"}:
        connection = settings.connection
        price = price_of(model, connection.prices)
        share = 1.0 if price is None or not connection.in_batches else price.batch
        usd = None if price is None else share * price.usd(Cost(0, prompt, completion))
    return Estimate(calls, prompt, completion, usd)
