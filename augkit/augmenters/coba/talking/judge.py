"""The judge: a language model names the label in a call that knows nothing of the rewriting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, create_model

from augkit.augmenters.coba.steps import Verdict
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Example
from augkit.prompts.load import load_prompt, render

_NONE = "none"
_TOKENS = 128


@dataclass(frozen=True)
class LLMJudge:
    """Says 1 where a language model names exactly the intended label, otherwise 0."""

    llm: LLM
    labels: Sequence[str]

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant."""
        _ = parents  # the model sees the variant alone
        replies = self.llm.generate([judge_request(row, self.labels) for row in variants])
        return [read_verdict(row, reply) for row, reply in zip(variants, replies, strict=True)]


def judge_request(variant: Example, labels: Sequence[str]) -> Request:
    """The question which label a variant has; it tells neither its label nor how it was made."""
    prompt = load_prompt("judge/label")
    messages = render(prompt, fields=dict(variant.fields), labels=list(labels))
    return Request(messages, answer=_answer(tuple(labels)), max_tokens=_TOKENS, prompt=prompt.name)


def read_verdict(variant: Example, reply: Reply) -> Verdict:
    """1 for the intended label letter for letter; ``about`` says what was answered.

    >>> answer = _answer(("positive",))(label="none")
    >>> read_verdict(Example({"text": "Fine."}, "positive"), Reply(answer=answer)).probability
    0.0
    """
    label = getattr(reply.answer, "label", None)
    if reply.fault or label is None:
        return Verdict(0.0, reply.cost, {"judge": f"no verdict: {reply.fault}"})
    return Verdict(float(label == variant.label), reply.cost, {"judge": str(label)})


@lru_cache(maxsize=64)
def _answer(labels: tuple[str, ...]) -> type[BaseModel]:
    allowed = tuple(dict.fromkeys([*labels, _NONE]))
    fields: dict[str, Any] = {"label": (Literal[allowed], ...)}
    return create_model("Label", **fields)
