"""What the requests of all steps share: how one is built, and how a faulty answer is reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, create_model

from augkit.augmenters.llm_requests import SamplingParams, prompt_request
from augkit.core.model_types import AnswerModel, Message, Reply, Request
from augkit.core.types import DETAIL_CHARS, Cost, Example, Rejection
from augkit.english.triples import Element, Triple
from augkit.lexicons.label_meanings import Family
from augkit.prompts.load import load_prompt
from augkit.prompts.render import render

UNUSABLE = "unusable answer"
WRONG_IDS = "wrong ids"
_ELEMENTS = ("subject", "predicate", "object")


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
    *others, question = request.messages
    again = load_prompt("coba/again", "other")
    rule, said = render(again, reason=rejected.reason, text=rejected.detail)
    asked = Message(question.role, f"{question.content}\n\n{said.content}\n{rule.content}")
    return replace(request, messages=(*others, asked))


@lru_cache(maxsize=512)  # creating a model takes longer than the rest of a request
def triples_answer(key: str, numbers: tuple[int, ...]) -> type[BaseModel]:
    """A model of an answer: triples, whose ``key`` is one of these numbers."""
    elements: dict[str, Any] = dict.fromkeys(_ELEMENTS, (str, ...))
    triple = create_model("TripleAnswer", **{key: (Literal[numbers], ...), **elements})
    listed: dict[str, Any] = {"triples": (list[triple], ...)}
    return create_model("TriplesAnswer", **listed)


def unusable_answer(parent: Example, step: str, reply: Reply) -> Rejection:
    """The rejection for a reply without a usable answer."""
    detail = f"{step}: {reply.fault}: {reply.detail or reply.text}"[:DETAIL_CHARS]
    return Rejection(parent, UNUSABLE, detail, cost=reply.cost)


def wrong_ids(
    parent: Example, step: str, given: Sequence[int], expected: Sequence[int], cost: Cost
) -> Rejection:
    """The rejection for triple ids that are unknown, missing or repeated."""
    detail = f"{step}: the ids are {list(given)} instead of {list(expected)}"[:DETAIL_CHARS]
    return Rejection(parent, WRONG_IDS, detail, cost=cost)


def triple_record(triple: Triple) -> dict[str, Any]:
    """A triple as a model reads it."""
    return {"id": triple.id, "part": triple.field, **elements_record(triple)}


def elements_record(triple: Triple) -> dict[str, str]:
    """The three elements of a triple by name."""
    return {name: getattr(triple, name).text for name in _ELEMENTS}


def reworded(triple: Triple, answer: Any) -> Triple:
    """A triple with the words of an answer; its spans stay those of the source."""
    subject, predicate, object_ = (
        Element(getattr(answer, name).strip(), getattr(triple, name).spans) for name in _ELEMENTS
    )
    return replace(triple, subject=subject, predicate=predicate, object=object_)
