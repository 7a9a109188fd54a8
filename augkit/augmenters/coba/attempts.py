"""What the pipelines with a language model share: requests, and attempts until one is verified."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from augkit.augmenters.coba.config import WritingSettings
from augkit.augmenters.llm_requests import SamplingParams, prompt_request
from augkit.augmenters.loop import Ask
from augkit.core.model_types import AnswerModel, Message, Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Variant
from augkit.labels.judge import Judge, Verdict, judged_by, refuse_label
from augkit.lexicons.label_meanings import Family, is_possibly_open
from augkit.prompts.load import load_prompt
from augkit.prompts.render import render

UNCHANGED = "principal triples unchanged"
EMPTY_VARIANT = "empty variant"


def build_request(
    prompt: str,
    answer: type[AnswerModel],
    params: SamplingParams,
    rng: Random | None = None,
    family: Family = "other",
    **inputs: Any,
) -> Request:
    """A request; with ``rng`` the answer is sampled with a seed, without it decoded greedily."""
    sampled = rng is not None and params.temperature > 0
    seed = rng.randrange(2**31) if rng is not None and sampled else None
    return prompt_request(prompt, answer, params, seed, family, **inputs)


def after_refusal(request: Request, before: Variant | None) -> Request:
    """The same request, at a further attempt with what was wrong with the answer before."""
    if before is None:
        return request
    *earlier, question = request.messages
    again = load_prompt("coba/again", "other")
    rule, reason = render(again, reason=before.reason, text=before.detail)
    content = f"{question.content}\n\n{reason.content}\n{rule.content}"
    return replace(request, messages=(*earlier, Message(question.role, content)))


def label_meaning(label: str, descriptions: Mapping[str, str]) -> str:
    """A label, with a description where there is one.

    >>> label_meaning("neg", {"neg": "a complaint"}), label_meaning("Sports", {})
    ('neg: a complaint', 'Sports')
    """
    description = descriptions.get(label)
    return f"{label}: {description}" if description else label


def asking(llm: LLM, step: str) -> Ask:
    """Asks for one of several steps, which a refusal names."""

    def fail(variant: Variant, reply: Reply) -> Variant:
        detail = f"{step}: {reply.fault}: {reply.detail or reply.text}"
        return variant.refuse("unusable answer", detail)

    return Ask(llm, fail)


@dataclass(frozen=True)
class Writing:
    """What the pipelines with a language model share: who is asked, and who judges."""

    settings: WritingSettings
    llm: LLM
    labels: Sequence[str]
    judge: Judge
    is_sure: Callable[[float, float, Mapping[str, str]], bool]

    def asking(self, step: str) -> Ask:
        """Asks for one of the steps."""
        return asking(self.llm, step)

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Step 7, verify: the variants in which the judge finds their label, and is sure.

        The paper has no such step: without ``verify`` all pass.
        """
        if not self.settings.verify:
            return list(variants)
        return judged_by(self.judge, variants, self._doubted)

    def _doubted(self, variant: Variant, verdict: Verdict) -> Variant:
        least = self.settings.min_label
        if is_possibly_open(variant.label, variant.fields, self.labels):
            least = max(least, self.settings.min_refuted)
        if self.is_sure(verdict.probability, least, variant.fields):
            return replace(variant, scores={"label": round(verdict.probability, 4)})
        return refuse_label(variant, verdict.detail)
