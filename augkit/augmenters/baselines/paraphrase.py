"""Paraphrase: a language model says the same thing in other words, one call for each rewording.

A control for methods that rewrite with a purpose; several rephrasings in one call are ``auggpt``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, Field
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.judge import judge_request, named_label
from augkit.augmenters.llm_rejections import DETAIL_CHARS, unanswered
from augkit.core.config import MethodConfig
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Artifact, Tools
from augkit.core.types import Draft, Example, Rejection
from augkit.prompts.load import load_prompt, render


class ParaphraseConfig(MethodConfig):
    """What to reword, and how freely."""

    temperature: float = Field(0.8, ge=0, le=2, description="0: the likeliest words, always")
    top_p: float = Field(1.0, gt=0, le=1, description="share of likely words to draw from")
    max_tokens: int = Field(1024, ge=1, description="longest answer, in tokens")
    field: str | None = Field(
        None, description="the field to reword, of a row that has several; none: the last"
    )
    verify: bool = Field(
        default=False,
        description="ask which label the rewording has, and refuse it where that is another one; "
        "always done where a judge model is given",
    )


class Rewording(BaseModel):
    """The answer asked of the model."""

    text: str


@dataclass(frozen=True)
class LabelSet:
    """The labels of a dataset, which the judge chooses from."""

    labels: tuple[str, ...]

    def save(self, folder: Path) -> None:
        """Write them as JSON."""
        text = json.dumps({"labels": self.labels}, ensure_ascii=False)
        (folder / "labels.json").write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read them back."""
        text = (folder / "labels.json").read_text(encoding="utf-8")
        return cls(tuple(json.loads(text)["labels"]))


class Paraphrase(Augmenter[ParaphraseConfig]):
    """Have a language model reword one field; the label is kept.

    With a judge (or ``verify``) a second question, which does not show the label, asks which of
    the dataset's labels the new text has; any other answer than the label itself is a rejection. A
    row without a label has nothing to verify.
    """

    name = "paraphrase"
    Config = ParaphraseConfig
    needs = frozenset({"llm"})
    learns = LabelSet

    def __init__(self, config: ParaphraseConfig, tools: Tools | None = None) -> None:
        """Without a judge there is nothing to learn, and no need to call ``fit``."""
        super().__init__(config, tools)
        if self._verifier is None:
            self._artifact = LabelSet(())

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Collect the labels."""
        return LabelSet(tuple(sorted({row.label for row in examples if row.label is not None})))

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Ask for every copy of every example at once, then have the judge see the drafts."""
        asked = [(parent, copy) for parent in batch for copy in range(self.config.copies)]
        requests = [
            rewrite_request(parent, self.config, self._seed(parent, copy)) for parent, copy in asked
        ]
        if self.tools.llm is None:
            raise MissingTool(self.name, "llm")
        replies = self.tools.llm.generate(requests)
        proposals = [
            read_rewording(parent, copy, reply, self.config.field)
            for (parent, copy), reply in zip(asked, replies, strict=True)
        ]
        return iter(self._verified(proposals))

    @property
    def _verifier(self) -> LLM | None:
        return self.tools.judge or (self.tools.llm if self.config.verify else None)

    def _seed(self, parent: Example, copy: int) -> int:
        return self.random(parent, copy).randrange(2**31)

    def _verified(self, proposals: Sequence[Draft | Rejection]) -> list[Draft | Rejection]:
        verified = list(proposals)
        judge = self._verifier
        drafts = [(i, p) for i, p in enumerate(proposals) if isinstance(p, Draft) and _judgeable(p)]
        if judge is not None and drafts:
            requests = [judge_request(draft.fields, self.artifact.labels) for _, draft in drafts]
            for (index, draft), reply in zip(drafts, judge.generate(requests), strict=True):
                verified[index] = verified_draft(draft, reply)
        return verified


def rewrite_request(parent: Example, config: ParaphraseConfig, seed: int) -> Request:
    """The question for a rewording of one field; the other fields are shown beside it."""
    name = chosen_field(parent.fields, config.field)
    prompt = load_prompt("paraphrase/rewrite")
    others = {other: text for other, text in parent.fields.items() if other != name}
    messages = render(prompt, text=parent.fields[name], label=parent.label, others=others)
    return Request(
        messages,
        answer=Rewording,
        temperature=config.temperature,
        top_p=config.top_p,
        max_tokens=config.max_tokens,
        seed=seed,
        prompt=prompt.name,
    )


def read_rewording(
    parent: Example, copy: int, reply: Reply, field: str | None
) -> Draft | Rejection:
    """A draft with the new text in its field, or the reason why there is none."""
    if not isinstance(reply.answer, Rewording):
        return unanswered(parent, copy, reply)
    fields = {**parent.fields, chosen_field(parent.fields, field): reply.answer.text.strip()}
    return Draft(parent, fields, parent.label, copy=copy, cost=reply.cost)


def verified_draft(draft: Draft, reply: Reply) -> Draft | Rejection:
    """The draft, with the judge's cost, where the judge names exactly its label."""
    label = named_label(reply)
    if label is None:
        return unanswered(draft.parent, draft.copy, reply, draft.cost)
    cost = draft.cost + reply.cost
    if label != draft.label:
        detail = f"'{label}' instead of '{draft.label}' for: "
        shown = (detail + " | ".join(draft.fields.values()))[:DETAIL_CHARS]
        return Rejection(draft.parent, "judge disagrees", shown, draft.copy, cost)
    return replace(draft, cost=cost)


def _judgeable(draft: Draft) -> bool:
    """Is there a label to verify, and a change worth a question?"""
    changed = dict(draft.fields) != dict(draft.parent.fields)
    return draft.label is not None and changed and all(map(str.strip, draft.fields.values()))
