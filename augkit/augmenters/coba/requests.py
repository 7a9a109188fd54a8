"""What the requests of all steps share: how one is built, and how a faulty answer is reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Protocol

from augkit.core.model_types import AnswerModel, Reply, Request
from augkit.core.types import Cost, Example, Rejection
from augkit.language.triples import Element, Triple
from augkit.prompts.load import load_prompt, render

UNUSABLE = "unusable answer"
WRONG_IDS = "wrong ids"
MAX_DETAIL = 500


class SamplingParams(Protocol):
    """How a model samples its answers."""

    @property
    def temperature(self) -> float:
        """Of texts that it writes; questions about a text are asked at 0."""
        ...

    @property
    def max_tokens(self) -> int:
        """The longest answer."""
        ...


def build_request(
    prompt: str,
    answer: type[AnswerModel],
    params: SamplingParams,
    rng: Random | None = None,
    **inputs: Any,
) -> Request:
    """A request; with ``rng`` the answer is sampled with a seed, without it decoded greedily."""
    template = load_prompt(prompt)
    sampled = rng is not None and params.temperature > 0
    return Request(
        render(template, **inputs),
        answer=answer,
        temperature=params.temperature if sampled else 0.0,
        max_tokens=params.max_tokens,
        seed=rng.randrange(2**31) if rng is not None and sampled else None,
        prompt=template.name,
    )


def unusable_answer(parent: Example, step: str, reply: Reply) -> Rejection:
    """The rejection for a reply without a usable answer."""
    detail = f"{step}: {reply.fault}: {reply.detail or reply.text}"[:MAX_DETAIL]
    return Rejection(parent, UNUSABLE, detail, cost=reply.cost)


def wrong_ids(
    parent: Example, step: str, given: Sequence[int], expected: Sequence[int], cost: Cost
) -> Rejection:
    """The rejection for triple ids that are unknown, missing or repeated."""
    detail = f"{step}: the ids are {list(given)} instead of {list(expected)}"[:MAX_DETAIL]
    return Rejection(parent, WRONG_IDS, detail, cost=cost)


def triple_record(triple: Triple) -> dict[str, Any]:
    """A triple as a model reads it."""
    return {"id": triple.id, "part": triple.field, **elements_record(triple)}


def elements_record(triple: Triple) -> dict[str, str]:
    """The three elements of a triple by name."""
    return {
        "subject": triple.subject.text,
        "predicate": triple.predicate.text,
        "object": triple.object.text,
    }


def reworded(triple: Triple, answer: Any) -> Triple:
    """A triple with the words of an answer; its spans stay those of the source."""
    return replace(
        triple,
        subject=Element(answer.subject.strip(), triple.subject.spans),
        predicate=Element(answer.predicate.strip(), triple.predicate.spans),
        object=Element(answer.object.strip(), triple.object.spans),
    )
