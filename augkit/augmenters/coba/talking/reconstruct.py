"""Reconstruction by a language model: triples in their order → the parts that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from pydantic import BaseModel, create_model

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.steps import Draught, Failed, Rebuilt
from augkit.augmenters.coba.talking.asking import Voice, question, said, unusable
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Example
from augkit.language.triples import Triple


@dataclass(frozen=True)
class LLMReconstructor:
    """Has a language model write the parts that changed; the others stay letter for letter."""

    llm: LLM
    config: CobaConfig

    def reconstruct(self, draughts: Sequence[Draught]) -> list[Rebuilt | Failed]:
        """The fields of each variant."""
        replies = self.llm.generate([reconstruct_request(one, self.config) for one in draughts])
        return [
            read_parts(one.job.parent, parts_of(one), reply)
            for one, reply in zip(draughts, replies, strict=True)
        ]


def parts_of(draught: Draught) -> list[str]:
    """The fields whose triples were changed, moved or left out."""
    job = draught.job
    order = draught.order
    return [
        field
        for field in job.parent.fields
        if [said(t) for t in order if t.field == field]
        != [said(t) for t in job.triples if t.field == field]
    ]


def reconstruct_request(draught: Draught, config: CobaConfig) -> Request:
    """The question to write the changed parts of a draught."""
    parent, keep = draught.job.parent, sorted(draught.job.words.spurious)
    return parts_request(
        parent, parts_of(draught), draught.order, keep, config, draught.job.generator
    )


def parts_request(  # noqa: PLR0913, PLR0917 - what is written, from what, and how
    parent: Example,
    parts: Sequence[str],
    order: Sequence[Triple],
    keep: Sequence[str],
    config: Voice,
    draw: Random,
) -> Request:
    """The question to write these parts of an example from triples in this order."""
    listed = [
        {
            "key": _key(place),
            "name": field,
            "old text": parent.fields[field],
            "triples": [said(triple) for triple in order if triple.field == field],
        }
        for place, field in enumerate(parts, 1)
    ]
    answer = _answer(len(listed))
    return question("coba/reconstruct", answer, config, draw, parts=listed, keep=list(keep))


def read_parts(parent: Example, parts: Sequence[str], reply: Reply) -> Rebuilt | Failed:
    """The fields of the variant."""
    if reply.fault or reply.answer is None:
        return unusable("reconstruct", reply)
    texts = {
        field: str(getattr(reply.answer, _key(place), "")).strip()
        for place, field in enumerate(parts, 1)
    }
    if not parts or not all(texts.values()):
        return Failed("empty variant", "reconstruct: a part is empty", reply.cost)
    return Rebuilt({**parent.fields, **texts}, None, reply.cost)


def _key(place: int) -> str:
    return f"part_{place}"


@lru_cache(maxsize=256)  # making a model takes as long as all else of a request
def _answer(parts: int) -> type[BaseModel]:
    fields: dict[str, Any] = {_key(place): (str, ...) for place in range(1, parts + 1)}
    return create_model("Parts", **fields)
