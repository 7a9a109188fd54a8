"""What all questions of CoBA share: how one is made, and how a faulty answer is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Protocol

from augkit.augmenters.coba.steps import Failed
from augkit.core.model_types import AnswerModel, Reply, Request
from augkit.core.types import Cost
from augkit.language.triples import Element, Triple
from augkit.prompts.load import load_prompt, render

UNUSABLE = "unusable answer"
WRONG_IDS = "wrong ids"
_DETAIL_CHARS = 500


class Voice(Protocol):
    """How a model is to answer, as far as settings say."""

    @property
    def temperature(self) -> float:
        """Of what it writes; what it only reads is asked at 0."""
        ...

    @property
    def max_tokens(self) -> int:
        """The longest answer."""
        ...


def question(
    prompt: str,
    answer: type[AnswerModel],
    config: Voice,
    draw: Random | None = None,
    **inputs: Any,
) -> Request:
    """A request; ``draw`` gives it a seed where something is to be written, not only read."""
    asked = load_prompt(prompt)
    warm = draw is not None and config.temperature > 0
    return Request(
        render(asked, **inputs),
        answer=answer,
        temperature=config.temperature if warm else 0.0,
        max_tokens=config.max_tokens,
        seed=draw.randrange(2**31) if draw is not None and warm else None,
        prompt=asked.name,
    )


def unusable(step: str, reply: Reply) -> Failed:
    """The rejection for an answer that is none."""
    detail = f"{step}: {reply.fault}: {reply.detail or reply.text}"[:_DETAIL_CHARS]
    return Failed(UNUSABLE, detail, reply.cost)


def wrong_ids(step: str, given: Sequence[int], wanted: Sequence[int], cost: Cost) -> Failed:
    """The rejection for numbers that were not asked for, are missing, or stand there twice."""
    detail = f"{step}: the numbers are {list(given)} instead of {list(wanted)}"[:_DETAIL_CHARS]
    return Failed(WRONG_IDS, detail, cost)


def shown(triple: Triple) -> dict[str, Any]:
    """A triple as a model reads it."""
    return {"id": triple.id, "part": triple.field, **said(triple)}


def said(triple: Triple) -> dict[str, str]:
    """The three elements of a triple by name."""
    return {
        "subject": triple.subject.text,
        "predicate": triple.predicate.text,
        "object": triple.object.text,
    }


def rewritten(triple: Triple, subject: str, predicate: str, thing: str) -> Triple:
    """A triple with other words; its places stay those of the source."""
    return replace(
        triple,
        subject=Element(subject.strip(), triple.subject.spans),
        predicate=Element(predicate.strip(), triple.predicate.spans),
        object=Element(thing.strip(), triple.object.spans),
    )
