"""Edit and reconstruct in one structured answer; the parser has decomposed the text.

The answer has its fields in the order in which a writer thinks: what changes, then the new text. A
single text is written in several ways, and free checks choose one. Of a pair the last text is
edited, after what the first says about the matter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.edit import UNCHANGED, Edited, Job
from augkit.augmenters.coba.joint.answers import (
    CANDIDATES,
    CandidatesAnswer,
    JointAnswer,
    PairAnswer,
    SceneAnswer,
    changes_of,
    texts_of,
)
from augkit.augmenters.coba.joint.choose import CandidateChooser
from augkit.augmenters.coba.joint.hints import Hints
from augkit.augmenters.coba.joint.label_meanings import label_meaning, polarity_of
from augkit.augmenters.coba.reconstruct import Rebuilt
from augkit.augmenters.coba.requests import after_rejection, build_request, unusable_answer
from augkit.augmenters.coba.shuffle import TriplePlan
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import EMPTY, NoItems, Rejection
from augkit.english.triples import Element, Triple
from augkit.lexicons.label_meanings import relation_of, task_family
from augkit.llm.token_counts import answer_tokens
from augkit.prompts.answers import WordChange
from augkit.text.tokens import words as words_of

_FIXED_TOKENS = 128


@dataclass(frozen=True)
class JointEditor:
    """A language model edits a text and writes it anew, in one call for each job."""

    llm: LLM
    config: CobaConfig
    hints: Hints | None = None
    chooser: CandidateChooser | None = None
    polarity: Mapping[str, str] = field(default_factory=NoItems, hash=False)
    """Label → its polarity, as far as it was found in the dataset."""

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Rejection]:
        """The changed triples and the new text of each job."""
        requests = [
            joint_request(job, self.config, self._principal(job), self.polarity) for job in jobs
        ]
        replies = self.llm.generate(requests)
        answers = [read_joint(job, reply) for job, reply in zip(jobs, replies, strict=True)]
        texts = iter(self._texts(jobs, answers))
        return [
            one if isinstance(one, Rejection) else edited_text(job, one, next(texts), reply)
            for job, one, reply in zip(jobs, answers, replies, strict=True)
        ]

    def _texts(self, jobs: Sequence[Job], answers: Sequence[JointAnswer | Rejection]) -> list[str]:
        """The text that is taken of each answer."""
        usable = [
            (j, a) for j, a in zip(jobs, answers, strict=True) if not isinstance(a, Rejection)
        ]
        texts = [texts_of(answer) for _, answer in usable]
        if self.chooser is None:
            return [some[0] for some in texts]
        return self.chooser.choose([job for job, _ in usable], texts)

    def _principal(self, job: Job) -> str:
        """What decides the label: words with opposites where there are some, or the words alone."""
        found = "" if self.hints is None else self.hints.of(job)
        return found or _listed(job.words.principal, list(job.parent.fields.values())[-1])


def joint_request(
    job: Job, config: CobaConfig, principal: str = "", polarity: Mapping[str, str] = EMPTY
) -> Request:
    """Ask for a text with the target label; of a pair the last text is the one to change.

    ``polarity`` is that of the labels in the dataset; the names of others may say it.
    """
    *others, text = job.parent.fields.values()
    label, target = str(job.parent.label), str(job.target)
    sides = [polarity.get(one) or polarity_of(one) or one for one in (label, target)]
    family = task_family(sides, job.parent.fields)
    meaning = label_meaning(target, config.label_descriptions)
    shared = {"text": text, "principal": principal, "label": label, "target": meaning}
    if others:
        shared |= {"first": others[0], "relation": relation_of(target) or "", "task": family}
        answer = SceneAnswer if family == "nli" else PairAnswer
        request = build_request("coba/joint_pair", answer, config, job.rng, family, **shared)
    else:
        side = polarity.get(target) or polarity_of(target) or ""
        shared |= {"keep": _listed(job.words.spurious, text), "polarity": side}
        request = build_request("coba/joint", CandidatesAnswer, config, job.rng, family, **shared)
    longest = answer_tokens(len(text), _FIXED_TOKENS, copies=2 if others else 2 + CANDIDATES)
    shortened = replace(request, max_tokens=min(config.max_tokens, longest))
    return after_rejection(shortened, job.rejected)


def _listed(words: Collection[str], text: str) -> str:
    """The words of a text that are among these, in its order."""
    return ", ".join(dict.fromkeys(word for word in words_of(text) if word.casefold() in words))


def read_joint(job: Job, reply: Reply) -> JointAnswer | Rejection:
    """The answer to a job, or why there is none."""
    answer = reply.answer
    if reply.fault or not isinstance(answer, JointAnswer):
        return unusable_answer(job.parent, "joint", reply)
    return answer


def edited_text(job: Job, answer: JointAnswer, text: str, reply: Reply) -> Edited | Rejection:
    """The triples that the changes touch, and the new text; it must say something else."""
    field, source = list(job.parent.fields.items())[-1]
    text = with_final_mark(source, text)
    if text and _folded_words(text) == _folded_words(source):
        return Rejection(job.parent, UNCHANGED, f"towards {job.target}", cost=reply.cost)
    changes = changes_of(answer, source, text)
    triples = {t.id: _changed(t, changes) for t in job.triples if t.field == field}
    touched = {t.id: t for t in job.triples if triples.get(t.id, t) != t}
    if not touched:  # the change goes over the borders of triples
        written = " / ".join(one.old for one in changes), " / ".join(one.new for one in changes)
        old, new = (Triple(1, Element(), Element(), Element(part), field) for part in written)
        touched, triples = {1: old}, {1: new}
    return Edited(
        {id_: triples[id_] for id_ in touched},
        None,
        reply.cost,
        sources=touched,
        fields={**job.parent.fields, field: text},
    )


def _changed(triple: Triple, changes: Sequence[WordChange]) -> Triple:
    """A triple with the new words in place of the old ones."""
    elements = []
    for element in triple.elements:
        text = element.text
        for one in changes:
            text = _replaced(text, one.old.strip(), one.new.strip())
        elements.append(replace(element, text=text))
    subject, predicate, object_ = elements
    return replace(triple, subject=subject, predicate=predicate, object=object_)


def _replaced(text: str, old: str, new: str) -> str:
    pattern = rf"(?<!\w){re.escape(old)}(?!\w)"
    return new.join(re.split(pattern, text, flags=re.IGNORECASE)) if old else text


def _folded_words(text: str) -> set[str]:
    return {word.casefold() for word in words_of(text)}


@dataclass(frozen=True)
class JointReconstructor:
    """The text that the editor wrote together with the changes."""

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Rebuilt | Rejection]:
        """The fields of each variant."""
        return list(_rebuilt(plans))


def _rebuilt(plans: Sequence[TriplePlan]) -> Iterator[Rebuilt | Rejection]:
    for plan in plans:
        fields = plan.edited.fields
        if all(fields.values()):
            yield Rebuilt(fields)
        else:
            yield Rejection(plan.job.parent, "empty variant", "joint: no text")
