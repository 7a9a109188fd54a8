"""The judge: a language model names the label of a text, in a call that sees nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Protocol

from pydantic import BaseModel, create_model

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import EMPTY, FREE, Cost, Example
from augkit.prompts.load import load_prompt
from augkit.prompts.render import render

NO_LABEL = "none"
"""What a judge answers where no label fits."""
_MAX_TOKENS = 128


@dataclass(frozen=True, slots=True)
class Verdict:
    """How probable the intended label of a variant is, from 0 to 1."""

    probability: float
    cost: Cost = FREE
    about: Mapping[str, str] = field(default=EMPTY, hash=False)


class Judge(Protocol):
    """Does a variant have the intended label?"""

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant; its label is the intended one, its parent the original row."""
        ...


@dataclass(frozen=True)
class LLMJudge:
    """Gives 1 where a language model names exactly the intended label, otherwise 0."""

    llm: LLM
    labels: Sequence[str]

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant."""
        _ = parents  # the model sees the variant alone
        replies = self.llm.generate([judge_request(row.fields, self.labels) for row in variants])
        return [read_verdict(row, reply) for row, reply in zip(variants, replies, strict=True)]


def judge_request(fields: Mapping[str, str], labels: Sequence[str]) -> Request:
    """Ask which label these fields have, without the intended label and the original text."""
    prompt = load_prompt("judge/label")
    messages = render(prompt, fields=dict(fields), labels=list(labels))
    answer = label_answer(tuple(labels))
    return Request(messages, answer=answer, max_tokens=_MAX_TOKENS, prompt=prompt.name)


def named_label(reply: Reply) -> str | None:
    """The label that a judge named, ``NO_LABEL`` among them; None where it gave no answer."""
    label = None if reply.fault else getattr(reply.answer, "label", None)
    return None if label is None else str(label)


def read_verdict(variant: Example, reply: Reply) -> Verdict:
    """1 for the intended label, letter by letter; ``about`` keeps the judge's answer.

    >>> answer = label_answer(("positive",))(label="none")
    >>> read_verdict(Example({"text": "Fine."}, "positive"), Reply(answer=answer)).probability
    0.0
    """
    label = named_label(reply)
    if label is None:
        return Verdict(0.0, reply.cost, {"judge": f"no verdict: {reply.fault}"})
    return Verdict(float(label == variant.label), reply.cost, {"judge": label})


@lru_cache(maxsize=64)  # creating a model takes longer than the rest of a request
def label_answer(labels: tuple[str, ...]) -> type[BaseModel]:
    """A model of the answer: one of the labels, letter by letter, or "none"."""
    allowed = tuple(dict.fromkeys([*labels, NO_LABEL]))
    fields: dict[str, Any] = {"label": (Literal[allowed], ...)}
    return create_model("LabelAnswer", **fields)
