"""What a run would do and cost (``--dry-run``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from augkit.augmenters.checks import AssumedGates
from augkit.augmenters.compose import outcomes_of
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Tools
from augkit.core.types import FREE, Cost
from augkit.llm.prices import no_price
from augkit.prompts.load import active_prompts
from augkit.runs.artifacts import fit_artifacts
from augkit.runs.plan import Plan, make_plan
from augkit.runs.row_work import augmenter_of, build_step
from augkit.runs.settings import RunSettings
from augkit.text.printable import options_line

if TYPE_CHECKING:
    from augkit.llm.reply_store import Key
    from augkit.llm.settings import ConnectOptions

_SAMPLE = 20
"""Rows that are processed with made-up answers, to count the requests of the method."""


@dataclass(frozen=True)
class Estimate:
    """Calls and tokens of models, the price in US dollars, and the models without a price."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    usd: float = 0.0
    unpriced: tuple[str, ...] = ()

    def __add__(self, addend: Estimate) -> Estimate:
        """The sum."""
        return Estimate(
            self.calls + addend.calls,
            self.prompt + addend.prompt,
            self.completion + addend.completion,
            self.usd + addend.usd,
            tuple(dict.fromkeys((*self.unpriced, *addend.unpriced))),
        )

    def times(self, number: int) -> Estimate:
        """The estimate of ``number`` such runs."""
        return sum([self] * number, Estimate())

    def describe(self) -> dict[str, object]:
        """The figures in words, for a table."""
        priced_part = [f"about ${self.usd:.4f}"] if self.usd or not self.unpriced else []
        unknown = [f"unknown: {no_price(self.unpriced)}"] if self.unpriced else []
        return {
            "calls": f"about {self.calls:,}",
            "tokens": f"about {self.prompt:,} read and {self.completion:,} written",
            "money": "; the rest ".join(priced_part + unknown),
        }


def estimate(settings: RunSettings) -> dict[str, object]:
    """Rows, and where a model is used: estimated calls, tokens and money."""
    with make_plan(settings) as plan:
        facts, estimated = _parts(plan)
        facts["rows"] = f"{facts['rows']}, of which {facts.pop('augmented')} would be augmented"
        if estimated is None:
            return facts
    budget = settings.connection.budget or "none (--budget sets a hard limit)"
    return facts | estimated.describe() | {"budget": budget}


def estimate_parts(settings: RunSettings) -> tuple[dict[str, object], Estimate | None]:
    """What would be done, and the estimate for its models; None where there are none."""
    with make_plan(settings) as plan:
        return _parts(plan)


def _parts(plan: Plan) -> tuple[dict[str, object], Estimate | None]:
    settings = plan.settings
    facts: dict[str, object] = {
        "method": settings.method,
        **({"settings": options_line(settings.options)} if settings.options else {}),
        "dataset": f"{plan.dataset.name} ({plan.dataset.source})",
        "rows": f"{plan.scan.rows:,}",
        "augmented": f"{len(plan.augmented):,}",
        "mix": plan.mix,
        "model": settings.llm,
    }
    return facts, None if settings.llm == "offline" else _sample(plan)


@dataclass
class Recorder:
    """An LLM of made-up answers that counts what they would cost; a repeated question is free."""

    cost: Cost = FREE
    seen: set[Key] = field(default_factory=set)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """Made-up replies."""
        from augkit.llm.made_up import imitated
        from augkit.llm.reply_store import key_of
        from augkit.llm.scripted import Scripted
        from augkit.llm.token_counts import prompt_tokens, written_tokens

        for request in requests:
            if (key := key_of("", request)) in self.seen:
                continue
            self.seen.add(key)
            written = written_tokens(request, imitated(request))
            self.cost += Cost(1, prompt_tokens(request.messages), written)
        return Scripted(imitated).generate(requests)


def _sample(plan: Plan) -> Estimate:
    settings = plan.settings
    writer = Recorder()
    judge = Recorder()
    asked = judge if plan.settings.judge_llm else None
    tools = Tools(llm=writer, judge=asked, text_gates=AssumedGates())
    # Made-up answers say nothing about the model: any judge is trusted.
    trusting = settings.judge.model_copy(update={"min_accuracy": 0.0})
    plan = replace(plan, settings=settings.model_copy(update={"judge": trusting}))
    with TemporaryDirectory() as folder:
        spec = fit_artifacts(plan, tools, Path(folder))
        step = build_step(spec, tools)
        # A judge is measured once, whatever the rows are.
        augmenter = augmenter_of(step)
        if augmenter is not None and augmenter.tools.label_check is not None:
            with active_prompts(spec.prompts):
                augmenter.tools.label_check.measured()
        fitting = writer.cost, judge.cost
        whole = plan.scope == "corpus"  # it chooses among all rows
        sample = plan.first_rows(len(plan.augmented) if whole else _SAMPLE)
        for _ in outcomes_of(step, sample):
            pass
    factor = len(plan.augmented) / max(1, len(sample))
    connection = settings.connection
    total = priced(_projected(fitting[0], writer.cost, factor), settings.llm, connection)
    if settings.judge_llm:
        judged = _projected(fitting[1], judge.cost, factor)
        total += priced(judged, settings.judge_llm, connection)
    return total


def _projected(once: Cost, sampled: Cost, factor: float) -> Cost:
    """What is spent once, and the rest of the sample in proportion to the rows."""
    calls, prompt, completion = (
        round(getattr(once, name) + factor * (getattr(sampled, name) - getattr(once, name)))
        for name in ("calls", "prompt_tokens", "completion_tokens")
    )
    return Cost(calls, prompt, completion)


def priced(cost: Cost, spec: str, connection: ConnectOptions) -> Estimate:
    """The estimate with the price of a model."""
    from augkit.llm.prices import FREE_PRICE, price_of

    backend, _, model = spec.partition(":")
    asked = backend in {"openai", "azure"}
    price = price_of(model, connection.prices) if asked else FREE_PRICE
    tokens = cost.calls, cost.prompt_tokens, cost.completion_tokens
    if price is None:
        return Estimate(*tokens, unpriced=(spec,))
    return Estimate(*tokens, price.usd(cost))
