"""Decompose, edit and reconstruct in one structured answer.

The answer has its fields in the order in which a writer thinks: each triple of the text beside what
it becomes, then the new text. Of a pair the last text is edited; what the first says comes before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, Field

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.decompose import NO_TRIPLE, Decomposed, sentences_of
from augkit.augmenters.coba.edit import UNCHANGED, Edited, Job
from augkit.augmenters.coba.joint.hints import Hints
from augkit.augmenters.coba.joint.label_meanings import label_meaning
from augkit.augmenters.coba.reconstruct import Rebuilt
from augkit.augmenters.coba.requests import build_request, unusable_answer
from augkit.augmenters.coba.shuffle import TriplePlan
from augkit.augmenters.relations import task_family
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Example, Rejection
from augkit.language.triples import Element, Span, Triple
from augkit.llm.token_counts import answer_tokens
from augkit.text.tokens import words as words_of

_MAX_TRIPLES = 3
_MAX_FACTS = 2
_FIXED_TOKENS = 128


class TripleEdit(BaseModel):
    """A triple of the text, "subject | predicate | object", and what it becomes."""

    old: str
    new: str


TripleEdits = Annotated[
    list[TripleEdit], Field(min_length=1, json_schema_extra={"maxItems": _MAX_TRIPLES})
]


class JointAnswer(BaseModel):
    """The triples of a text with their edits, and the text that they give."""

    triples: TripleEdits
    text: str


class PairAnswer(BaseModel):
    """The same for the second text of a pair, after what the first says about the matter."""

    first: Annotated[list[str], Field(json_schema_extra={"maxItems": _MAX_FACTS})]
    triples: TripleEdits
    text: str


class NoTriples:
    """Leaves the decomposition to the editor."""

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Rejection]:
        """The sentences of each example, without triples."""
        return [Decomposed((), _sentence_spans(parent)) for parent in parents]


def _sentence_spans(parent: Example) -> dict[str, list[Span]]:
    spans: dict[str, list[Span]] = {field: [] for field in parent.fields}
    for sentence in sentences_of(parent):
        spans[sentence.field].append(sentence.span)
    return spans


@dataclass(frozen=True)
class JointEditor:
    """A language model decomposes, edits and writes the new text, in one call for each job."""

    llm: LLM
    config: CobaConfig
    hints: Hints | None = None

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Rejection]:
        """The changed triples and the new text of each job."""
        requests = [joint_request(job, self.config, self._principal(job)) for job in jobs]
        replies = self.llm.generate(requests)
        return [read_joint(job, reply) for job, reply in zip(jobs, replies, strict=True)]

    def _principal(self, job: Job) -> str:
        """What decides the label: words with opposites where there are some, or the words alone."""
        found = "" if self.hints is None else self.hints.of(job)
        return found or _listed(job.words.principal, list(job.parent.fields.values())[-1])


def joint_request(job: Job, config: CobaConfig, principal: str = "") -> Request:
    """Ask for a text with the target label; of a pair the last text is the one to change."""
    *others, text = job.parent.fields.values()
    label, target = str(job.parent.label), str(job.target)
    request = build_request(
        "coba/joint",
        PairAnswer if others else JointAnswer,
        config,
        job.rng,
        task_family([label, target], job.parent.fields),
        text=text,
        first=others[0] if others else None,
        label=label,
        target=label_meaning(target, config.label_descriptions, is_pair=bool(others)),
        principal=principal,
        keep=_listed(job.words.spurious, text),
    )
    longest = answer_tokens(len(text), _FIXED_TOKENS, copies=3)  # old and new triples, and the text
    return replace(request, max_tokens=min(config.max_tokens, longest))


def _listed(words: Collection[str], text: str) -> str:
    """The words of a text that are among these, in its order."""
    return ", ".join(dict.fromkeys(word for word in words_of(text) if word.casefold() in words))


def read_joint(job: Job, reply: Reply) -> Edited | Rejection:
    """The triples of an answer and its text; at least one triple of the source must change."""
    answer = reply.answer
    if reply.fault or not isinstance(answer, JointAnswer | PairAnswer):
        return unusable_answer(job.parent, "joint", reply)
    field, source = list(job.parent.fields.items())[-1]
    held = {word.casefold() for word in words_of(source)}
    known = [one for one in answer.triples if held & _folded_words(one.old)]
    if not known:
        return Rejection(job.parent, NO_TRIPLE, "joint: none is of the text", cost=reply.cost)
    changed = [one for one in known if _folded_words(one.old) != _folded_words(one.new)]
    if not changed:
        return Rejection(job.parent, UNCHANGED, f"towards {job.target}", cost=reply.cost)
    numbered = dict(enumerate(changed, 1))
    return Edited(
        {id_: _triple(id_, one.new, field) for id_, one in numbered.items()},
        None,
        reply.cost,
        sources={id_: _triple(id_, one.old, field) for id_, one in numbered.items()},
        fields={**job.parent.fields, field: answer.text.strip()},
    )


def _folded_words(text: str) -> set[str]:
    return {word.casefold() for word in words_of(text)}


def _triple(id_: int, written: str, field: str) -> Triple:
    """A triple from "subject | predicate | object"; more than two bars belong to the object."""
    parts = [part.strip() for part in written.split("|", 2)]
    subject, predicate, object_ = (Element(part) for part in (*parts, "", "")[:3])
    return Triple(id_, subject, predicate, object_, field)


@dataclass(frozen=True)
class JointReconstructor:
    """The text that the editor wrote together with the triples."""

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Rebuilt | Rejection]:
        """The fields of each variant."""
        return list(_rebuilt(plans))


def _rebuilt(plans: Sequence[TriplePlan]) -> Iterator[Rebuilt | Rejection]:
    for plan in plans:
        fields: Mapping[str, str] = plan.edited.fields
        if all(fields.values()):
            yield Rebuilt(fields)
        else:
            yield Rejection(plan.job.parent, "empty variant", "joint: no text")
