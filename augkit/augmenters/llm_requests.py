"""Requests to a language model from a prompt file, and rejections where it gives no answer."""

from __future__ import annotations

from typing import Any, Protocol

from augkit.augmenters.base import Augmenter
from augkit.core.errors import MissingTool
from augkit.core.model_types import AnswerModel, Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import DETAIL_CHARS, Example, Variant, refused
from augkit.lexicons.label_meanings import Family
from augkit.prompts.load import load_prompt
from augkit.prompts.render import render


class SamplingParams(Protocol):
    """The settings of a method that shape an answer."""

    @property
    def temperature(self) -> float:
        """0: always the likeliest words."""
        ...

    @property
    def max_tokens(self) -> int:
        """The longest answer."""
        ...


def prompt_request(
    prompt: str,
    answer: type[AnswerModel],
    config: SamplingParams,
    seed: int | None,
    family: Family = "other",
    **inputs: Any,
) -> Request:
    """The request that a prompt file gives with these inputs; without a seed decoded greedily.

    ``family`` chooses the worked examples of the prompt: see ``task_family``.
    """
    loaded = load_prompt(prompt, family)
    return Request(
        render(loaded, **inputs),
        answer=answer,
        temperature=0.0 if seed is None else config.temperature,
        top_p=getattr(config, "top_p", 1.0),
        max_tokens=config.max_tokens,
        seed=seed,
        prompt=loaded.name,
    )


def required_llm(method: Augmenter[Any]) -> LLM:
    """The language model of a method that needs one."""
    if method.tools.llm is None:
        raise MissingTool(method.name, "llm")
    return method.tools.llm


def request_seed(method: Augmenter[Any], parent: Example, copy: int = 0) -> int:
    """The seed of the request for this example and copy."""
    return method.random(parent, copy).randrange(2**31)


def unusable_answer(parent: Example, step: str, reply: Reply) -> Variant:
    """Reject a row whose reply to one of several steps has a fault."""
    detail = f"{step}: {reply.fault}: {reply.detail or reply.text}"[:DETAIL_CHARS]
    return refused(parent, "unusable answer", detail, cost=reply.cost)
