"""Paraphrase: a language model rewords a text, one call per paraphrase.

A control for methods that rewrite with a purpose; ``auggpt`` asks for several in one call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_checks.meaning import reworded_fault
from augkit.augmenters.llm_requests import (
    prompt_request,
    replies_by_copy,
    unanswered,
)
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.json_files import JsonArtifact
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Artifact, Tools
from augkit.core.types import DETAIL_CHARS, Draft, Example, Rejection
from augkit.labels.judge import LLMJudge, Verdict, rejected_label
from augkit.lexicons.label_meanings import task_family
from augkit.prompts.answers import RewordedText, limit_tokens


class ParaphraseConfig(MethodConfig):
    """Which field is paraphrased, and how freely."""

    temperature: Temperature = 0.3
    top_p: TopP = 1.0
    max_tokens: MaxTokens = 1024
    field: ChangedField = None


@dataclass(frozen=True)
class LabelSet(JsonArtifact):
    """The labels of a dataset, which the judge chooses from."""

    file = "labels.json"
    labels: tuple[str, ...]


class Paraphrase(Augmenter[ParaphraseConfig]):
    """Have a language model paraphrase one field; the label is kept.

    With a judge a second request, without the label, asks which of the dataset's labels the new
    text has; any answer but the label rejects it. Rows without a label are not judged.
    """

    name = "paraphrase"
    Config = ParaphraseConfig
    traits = Traits(writing="paraphrase", label_checked=True)
    needs = frozenset({"llm"})
    learns = LabelSet

    def __init__(self, config: ParaphraseConfig, tools: Tools | None = None) -> None:
        """Without a judge there is nothing to learn, and no need to call ``fit``."""
        super().__init__(config, tools)
        if not self.asks_judge:
            self._artifact = LabelSet(())

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Collect the labels."""
        return LabelSet(tuple(sorted({row.label for row in examples if row.label is not None})))

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Request every copy of every example at once, then have the drafts judged."""
        replies = replies_by_copy(
            self,
            batch,
            lambda parent, rng: paraphrase_request(parent, self.config, rng.randrange(2**31)),
        )
        field, checked = self.config.field, self.gates.enabled
        proposals = [read_paraphrase(*reply, field, checked=checked) for reply in replies]
        drafts = [(i, p) for i, p in enumerate(proposals) if isinstance(p, Draft) and _judgeable(p)]
        if self.tools.judge is not None and drafts:
            judge = LLMJudge(self.tools.judge, self.artifact.labels)
            variants = [Example(draft.fields, draft.label) for _, draft in drafts]
            verdicts = judge.judge([draft.parent for _, draft in drafts], variants)
            for (index, draft), verdict in zip(drafts, verdicts, strict=True):
                proposals[index] = verified_draft(draft, verdict)
        return iter(proposals)

    @property
    def asks_judge(self) -> bool:
        """Whether a second model judges."""
        return self.tools.judge is not None


def paraphrase_request(parent: Example, config: ParaphraseConfig, seed: int) -> Request:
    """Ask for a paraphrase of one field. It has the same meaning, so nothing else is shown."""
    text = parent.fields[chosen_field(parent.fields, config.field)]
    family = task_family([parent.label], parent.fields)
    request = prompt_request("paraphrase/rewrite", RewordedText, config, seed, family, text=text)
    return limit_tokens(request, [text] * 3)  # words, what takes their place, and the text


def read_paraphrase(
    parent: Example, copy: int, reply: Reply, field: str | None, *, checked: bool = True
) -> Draft | Rejection:
    """A draft with the new text in its field, or the reason why there is none."""
    if not isinstance(reply.answer, RewordedText):
        return unanswered(parent, copy, reply)
    draft = Draft(parent, parent.fields, parent.label, copy=copy, cost=reply.cost)
    return reworded(draft, reply.answer, field, checked=checked)


def reworded(
    draft: Draft, answer: RewordedText, field: str | None, *, checked: bool
) -> Draft | Rejection:
    """The draft with a new text; ``checked``: unless that changes what the answer did not name."""
    before = draft.parent.fields[chosen_field(draft.parent.fields, field)]
    after = with_final_mark(before, answer.text)
    if checked and answer.words and after and after != before:
        fault = reworded_fault(before, after, answer.words)
        detail = f"{fault}: {after}"[:DETAIL_CHARS]
        if fault:
            return Rejection(draft.parent, "meaning changed", detail, draft.copy, draft.cost)
    return replace(draft, fields=with_text(draft.parent.fields, field, after))


def verified_draft(draft: Draft, verdict: Verdict) -> Draft | Rejection:
    """The draft, with the judge's cost, where the judge names exactly its label."""
    cost = draft.cost + verdict.cost
    if not verdict.label:
        return Rejection(draft.parent, f"llm: {verdict.fault}", "judge", draft.copy, cost)
    if not verdict.agrees:
        return rejected_label(draft, f"'{verdict.label}' instead of '{draft.label}' for", cost)
    return replace(draft, cost=cost)


def _judgeable(draft: Draft) -> bool:
    """Whether there is a label to verify and a change."""
    changed = dict(draft.fields) != dict(draft.parent.fields)
    return draft.label is not None and changed and all(map(str.strip, draft.fields.values()))
