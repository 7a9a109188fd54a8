"""What the pipelines with a language model share: requests, and attempts until one is verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from augkit.augmenters.coba.config import WritingSettings
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.verify import WholeRow, checked, whole_row
from augkit.augmenters.llm_requests import SamplingParams, prompt_request
from augkit.core.model_types import AnswerModel, Message, Request
from augkit.core.protocols import Check, Parser, TextChecks
from augkit.core.types import Draft, Example, Rejection
from augkit.labels.judge import Judge, rejected_label
from augkit.lexicons.label_meanings import Family, is_possibly_open
from augkit.prompts.load import load_prompt
from augkit.prompts.render import render

UNCHANGED = "principal triples unchanged"
EMPTY_VARIANT = "empty variant"
TextGate = Callable[[Example, Mapping[str, str], str | None], tuple[str, str] | None]
"""Reason and detail where a text of a language model is rejected, before it is judged."""


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


def after_rejection(request: Request, rejected: Rejection | None) -> Request:
    """The same request, at a further attempt with what was wrong with the answer before."""
    if rejected is None:
        return request
    *earlier, question = request.messages
    again = load_prompt("coba/again", "other")
    rule, reason = render(again, reason=rejected.reason, text=rejected.detail)
    content = f"{question.content}\n\n{reason.content}\n{rule.content}"
    return replace(request, messages=(*earlier, Message(question.role, content)))


def label_meaning(label: str, descriptions: Mapping[str, str]) -> str:
    """A label, with a description where there is one.

    >>> label_meaning("neg", {"neg": "a complaint"}), label_meaning("Sports", {})
    ('neg: a complaint', 'Sports')
    """
    description = descriptions.get(label)
    return f"{label}: {description}" if description else label


@dataclass(frozen=True)
class Attempts:
    """Has variants written until one passes the checks, the text gates and the judge."""

    settings: WritingSettings
    parser: Parser
    labels: Sequence[str]
    checks: Sequence[Check[WholeRow]]
    gates: TextChecks
    text_gate: TextGate
    judge: Judge

    def run(
        self, jobs: Sequence[Job], write: Callable[[Sequence[Job]], Sequence[Draft | Rejection]]
    ) -> Iterator[Draft | Rejection]:
        """The variant of each job that is accepted, or the last rejection, with all that it cost.

        At temperature 0 a model would write the same again, so it is asked once.
        """
        waiting = dict(enumerate(jobs))
        outcomes: dict[int, Draft | Rejection] = {}
        for _ in range(self.settings.attempts if self.settings.temperature else 1):
            if not waiting:
                break
            asked = [*waiting.items()]
            written = write([job for _, job in asked])
            verified = self.verify([job for _, job in asked], written)
            for (number, job), outcome in zip(asked, verified, strict=True):
                cost = job.cost + outcome.cost
                outcomes[number] = replace(outcome, copy=job.number, cost=cost)
                if isinstance(outcome, Draft):
                    del waiting[number]
                else:
                    waiting[number] = replace(job, rejected=outcome, cost=cost)
        yield from outcomes.values()

    def verify(
        self, jobs: Sequence[Job], written: Sequence[Draft | Rejection]
    ) -> list[Draft | Rejection]:
        """Step 7, verify: the drafts that pass; those that pass the checks are judged together.

        The paper has no such step: without ``verify`` all pass.
        """
        if not self.settings.verify:
            return list(written)
        outcomes = [
            draft if isinstance(draft, Rejection) else self._checked(job, draft)
            for job, draft in zip(jobs, written, strict=True)
        ]
        drafts = {n: draft for n, draft in enumerate(outcomes) if isinstance(draft, Draft)}
        if not drafts:
            return outcomes
        variants = [Example(draft.fields, draft.label) for draft in drafts.values()]
        verdicts = self.judge.judge([draft.parent for draft in drafts.values()], variants)
        for (number, draft), verdict in zip(drafts.items(), verdicts, strict=True):
            least, cost = self.settings.min_label, draft.cost + verdict.cost
            if is_possibly_open(draft.label, draft.fields, self.labels):
                least = max(least, self.settings.min_refuted)
            if self.gates.is_sure(verdict.probability, least, draft.fields):
                scores = {"label": round(verdict.probability, 4)}
                outcomes[number] = replace(draft, scores=scores, cost=cost)
            else:
                outcomes[number] = rejected_label(draft, verdict.detail, cost)
        return outcomes

    def _checked(self, job: Job, draft: Draft) -> Draft | Rejection:
        """The draft with the genders of the settings, if it passes the checks and the gates."""
        draft, row = whole_row(draft, job, self.settings, self.parser)
        outcome = checked(draft, row, self.checks, self.gates.failed)
        if isinstance(outcome, Rejection):
            return outcome
        failed = self.text_gate(job.parent, outcome.fields, job.target)
        return outcome if failed is None else Rejection(job.parent, *failed, cost=draft.cost)
