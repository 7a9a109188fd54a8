"""Editing by a language model: numbered triples in, the same numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, create_model

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.steps import Edited, Failed, Job
from augkit.augmenters.coba.talking.asking import (
    question,
    rewritten,
    said,
    shown,
    unusable,
    wrong_ids,
)
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.language.triples import Triple

UNCHANGED = "principal triples unchanged"


@dataclass(frozen=True)
class LLMEditor:
    """Has a language model rewrite the principal triples towards the target label."""

    llm: LLM
    config: CobaConfig

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Failed]:
        """The changed triples of each job."""
        replies = self.llm.generate([edit_request(job, self.config) for job in jobs])
        return [read_edited(job, reply) for job, reply in zip(jobs, replies, strict=True)]


def principal(job: Job) -> list[Triple]:
    """The triples that may change: the principal ones or, where nothing says which, all."""
    named = [triple for triple in job.triples if job.categories[triple.id] == "principal"]
    return list(job.triples) if is_free(job) else named


def is_free(job: Job) -> bool:
    """Whether the model may choose which triples it changes: nobody named principal words."""
    return not job.words.principal


def edit_request(job: Job, config: CobaConfig) -> Request:
    """The question to change the principal triples of a job."""
    open_ones = principal(job)
    ids = tuple(triple.id for triple in open_ones)
    return question(
        "coba/edit",
        _answer(ids),
        config,
        job.generator,
        triples=[shown(triple) for triple in open_ones],
        fixed=[shown(triple) for triple in job.triples if triple.id not in ids],
        every=not is_free(job),
        label=str(job.parent.label),
        target=job.target,
        keep=sorted(job.words.spurious),
    )


def read_edited(job: Job, reply: Reply) -> Edited | Failed:
    """The changed triples of an answer, whose numbers must be those that were asked for."""
    if reply.fault or reply.answer is None:
        return unusable("edit", reply)
    wanted = {triple.id: triple for triple in principal(job)}
    stated: list[Any] = list(getattr(reply.answer, "triples", ()))
    given = [one.id for one in stated]
    complete = bool(given) if is_free(job) else set(given) == set(wanted)
    if not complete or len(set(given)) < len(given) or not set(given) <= set(wanted):
        return wrong_ids("edit", given, list(wanted), reply.cost)
    edited = {
        one.id: rewritten(wanted[one.id], one.subject, one.predicate, one.object)
        for one in stated
        if one.subject.strip()
    }
    changed = {number: t for number, t in edited.items() if said(t) != said(wanted[number])}
    if not changed:
        return Failed(UNCHANGED, f"towards {job.target}", reply.cost)
    return Edited(changed, None, reply.cost)


@lru_cache(maxsize=256)  # making a model takes as long as all else of a request
def _answer(ids: tuple[int, ...]) -> type[BaseModel]:
    """A model whose triples can have these numbers only."""
    fields: dict[str, Any] = {
        "id": (Literal[ids], ...),
        "subject": (str, ...),
        "predicate": (str, ...),
        "object": (str, ...),
    }
    changed = create_model("Changed", **fields)
    listed: dict[str, Any] = {"triples": (list[changed], ...)}
    return create_model("Changes", **listed)
