"""The perturber that asks a language model: request, reply, and the answer's checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from augkit.augmenters.panda.answers import judged
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.jobs import Job, Perturbed, Refused
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.prompts.load import load_prompt, render

_AROUND = 80
"""Characters shown on each side of the chosen word, so that it is told from its likes."""
_DETAIL_CHARS = 500


class Part(BaseModel):
    """One field of the example, rewritten."""

    name: str
    text: str


class Rewriting(BaseModel):
    """The answer asked of the model: every field, by its name."""

    parts: list[Part]


@dataclass(frozen=True)
class LLMPerturber:
    """Has a language model rewrite all fields of an example together."""

    llm: LLM
    config: PandaConfig

    def perturb(self, jobs: Sequence[Job]) -> list[Perturbed | Refused]:
        """One answer per job, in order."""
        replies = self.llm.generate([rewrite_request(job, self.config) for job in jobs])
        return [
            read_rewriting(job, reply, self.config.other_words)
            for job, reply in zip(jobs, replies, strict=True)
        ]


def rewrite_request(job: Job, config: PandaConfig) -> Request:
    """The question to rewrite the fields of a job; its seed is drawn from the job's generator."""
    prompt = load_prompt("panda/rewrite")
    axis = read_axis(job.axis)
    wish: dict[str, object] = {"axis": axis.axis, "attribute": check_target(axis, job.target)}
    if job.target in axis.bands:
        wish["years of age"] = "from {} to {}".format(*axis.bands[job.target])
    return Request(
        render(prompt, parts=dict(job.fields), chosen=_chosen(job), wish=wish),
        answer=Rewriting,
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=job.generator.randrange(2**31) if config.temperature else None,
        prompt=prompt.name,
    )


def read_rewriting(job: Job, reply: Reply, share: float) -> Perturbed | Refused:
    """The rewritten fields, or the reason why they cannot be used, and in either case the cost."""
    if not isinstance(reply.answer, Rewriting):
        detail = f"{reply.fault}: {reply.detail or reply.text}"[:_DETAIL_CHARS]
        return Refused("unusable answer", detail, reply.cost)
    named = [part.name for part in reply.answer.parts]
    if sorted(named) != sorted(job.fields):
        detail = f"the parts are {named} instead of {list(job.fields)}"[:_DETAIL_CHARS]
        return Refused("unusable answer", detail, reply.cost)
    texts = {part.name: part.text for part in reply.answer.parts}
    return judged(job, {name: texts[name] for name in job.fields}, share, reply.cost)


def _chosen(job: Job) -> dict[str, str]:
    text = job.fields[job.field]
    return {
        "part": job.field,
        "word": job.word,
        "before": text[max(0, job.start - _AROUND) : job.start],
        "after": text[job.end : job.end + _AROUND],
    }
