"""The perturber that is a language model: the request, the reply and its checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.validate import validate_answer
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Rejection
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.prompts.load import load_prompt
from augkit.prompts.render import render

_AROUND = 80
"""Characters shown on each side of the chosen word, so that the model knows which one is meant."""
_DETAIL_CHARS = 500


class RewrittenField(BaseModel):
    """One field of the example, rewritten."""

    name: str
    text: str


class Rewriting(BaseModel):
    """The answer asked of the model: every field, by its name."""

    parts: list[RewrittenField]


@dataclass(frozen=True)
class LLMPerturber:
    """Has a language model rewrite all fields of an example together."""

    llm: LLM
    config: PandaConfig

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Perturbed | Rejection]:
        """One answer per job, in order."""
        replies = self.llm.generate([rewrite_request(task, self.config) for task in tasks])
        return [
            read_rewriting(task, reply, self.config.other_words)
            for task, reply in zip(tasks, replies, strict=True)
        ]


def rewrite_request(task: PerturbTask, config: PandaConfig) -> Request:
    """The question to rewrite the fields of a job; its seed is drawn from the job's generator."""
    prompt = load_prompt("panda/rewrite")
    axis = read_axis(task.axis)
    target: dict[str, object] = {"axis": axis.axis, "attribute": check_target(axis, task.target)}
    if task.target in axis.bands:
        target["years of age"] = "from {} to {}".format(*axis.bands[task.target])
    return Request(
        render(prompt, parts=dict(task.fields), chosen=_chosen(task), target=target),
        answer=Rewriting,
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=task.rng.randrange(2**31) if config.temperature else None,
        prompt=prompt.name,
    )


def read_rewriting(task: PerturbTask, reply: Reply, share: float) -> Perturbed | Rejection:
    """The rewritten fields, or the reason why they cannot be used, and in either case the cost."""
    if not isinstance(reply.answer, Rewriting):
        detail = f"{reply.fault}: {reply.detail or reply.text}"[:_DETAIL_CHARS]
        return task.reject("unusable answer", detail, reply.cost)
    named = [part.name for part in reply.answer.parts]
    if sorted(named) != sorted(task.fields):
        detail = f"the parts are {named} instead of {list(task.fields)}"[:_DETAIL_CHARS]
        return task.reject("unusable answer", detail, reply.cost)
    texts = {part.name: part.text for part in reply.answer.parts}
    return validate_answer(task, {name: texts[name] for name in task.fields}, share, reply.cost)


def _chosen(task: PerturbTask) -> dict[str, str]:
    text = task.fields[task.field]
    return {
        "part": task.field,
        "word": task.word,
        "before": text[max(0, task.start - _AROUND) : task.start],
        "after": text[task.end : task.end + _AROUND],
    }
