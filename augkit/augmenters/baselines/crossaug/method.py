"""CrossAug: supported claims turned into refuted ones, and the evidence changed to match.

Reference: lee2021crossaug. Of a supported pair (c, e) a negative claim c⁻ is written; where the
words that differ stand in the evidence too, they are exchanged there, which gives e⁻. Three new
pairs follow: (c⁻, e) refuted, (c⁻, e⁻) supported, (c, e⁻) refuted. So neither the wording of a
claim nor that of its evidence tells the label alone. The paper's writer is a BART trained on
WikiFactCheck; here it is a language model, or offline rules: another number or name, a word that
excludes the one said, else a plain "not", which has no counterpart in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pydantic import BaseModel, Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.baselines.crossaug.rules import NameTable, learn_names, negative_claims
from augkit.augmenters.llm_rejections import unanswered
from augkit.augmenters.relations import labels_of
from augkit.core.config import MethodConfig
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Artifact
from augkit.core.types import FREE, Contract, Cost, Draft, Edit, Example, Rejection
from augkit.prompts.load import load_prompt, render
from augkit.text.articles import fit_articles
from augkit.text.diff import apply, diff

_NOT = re.compile(r"\bnot\b|n't\b")
"""A claim can be denied with it; put into the evidence it would make no sentence."""


class CrossAugConfig(MethodConfig):
    """Which labels mean supported and refuted, and how a model writes."""

    supported: str = Field(
        "", description="the label of a claim that its evidence supports; empty: by its name"
    )
    refuted: str = Field("", description="the label of a claim that it refutes; empty: by its name")
    temperature: float = Field(0.7, ge=0, le=2, description="of a model: 0, the likeliest words")
    max_tokens: int = Field(512, ge=1, description="longest answer of a model, in tokens")


class NegativeClaim(BaseModel):
    """The answer asked of the model."""

    claim: str


class CrossAug(Augmenter[CrossAugConfig]):
    """Make three pairs of each supported claim: a refuted one, and both with changed evidence.

    For pairs of evidence (first) and claim (last). A variant's label is refuted (flipped) or
    supported (kept), as its two texts say; ``copies`` is the number of negative claims.
    """

    name = "crossaug"
    Config = CrossAugConfig
    labels_needed = 2
    learns = NameTable

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Collect the labels and, offline, names that stand in like places."""
        pairs = [row for row in examples if len(row.fields) == 2 and not row.fault]
        labels = tuple(sorted({row.label for row in pairs if row.label is not None}))
        return learn_names(pairs if self.tools.llm is None else [], labels)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Up to three drafts for each copy of each supported pair."""
        supported, refuted = self._labels()
        fitting = []
        for parent in batch:
            if len(parent.fields) != 2:
                yield Rejection(parent, "not a pair of evidence and claim")
            elif parent.label != supported or not refuted:
                yield Rejection(parent, "not a supported claim", str(parent.label))
            else:
                fitting.append(parent)
        write = self._by_rules if self.tools.llm is None else self._by_model
        for parent, copy, edits, cost in write(fitting):
            if isinstance(edits, Rejection):
                yield edits
                continue
            for unit, draft in enumerate(cross(parent, edits, supported, refuted)):
                yield replace(draft, copy=3 * copy + unit, cost=FREE if unit else cost)

    def _labels(self) -> tuple[str, str]:
        named = labels_of(self.artifact.labels)
        return (
            self.config.supported or named.get("entailment", ""),
            self.config.refuted or named.get("contradiction", ""),
        )

    def _by_rules(self, parents: Sequence[Example]) -> Iterator[_Written]:
        found = negative_claims(parents, self.artifact, self.random, self.config.copies)
        for parent, several in zip(parents, found, strict=True):
            if not several:
                yield parent, 0, Rejection(parent, "no negative claim"), FREE
            for copy, edits in enumerate(several):
                yield parent, copy, edits, FREE

    def _by_model(self, parents: Sequence[Example]) -> Iterator[_Written]:
        if self.tools.llm is None:
            raise MissingTool(self.name, "llm")
        asked = [(parent, copy) for parent in parents for copy in range(self.config.copies)]
        requests = [
            negate_request(parent, self.config, self.random(parent, copy).randrange(2**31))
            for parent, copy in asked
        ]
        replies = self.tools.llm.generate(requests)
        for (parent, copy), reply in zip(asked, replies, strict=True):
            yield parent, copy, read_negative(parent, copy, reply), reply.cost


_Written = tuple[Example, int, "tuple[Edit, ...] | Rejection", Cost]
"""A row, the number of its negative claim, the edits that make it, and what they cost."""


def cross(parent: Example, edits: Sequence[Edit], supported: str, refuted: str) -> Iterator[Draft]:
    """The three pairs of a negative claim, or one where the evidence does not say its words."""
    substituted = in_evidence(parent.fields, edits)
    units: list[tuple[str, Sequence[Edit], str, Contract]] = [
        ("negative claim", edits, refuted, "flipped")
    ]
    if substituted:
        units.append(("both", [*substituted, *edits], supported, "kept"))
        units.append(("negative evidence", substituted, refuted, "flipped"))
    for unit, made, label, contract in units:
        fields = apply(parent.fields, made)
        yield Draft(parent, fields, label, contract, edits=tuple(made), about={"unit": unit})


def in_evidence(fields: Mapping[str, str], edits: Sequence[Edit]) -> list[Edit]:
    """The same exchange of words in the evidence; empty unless all of them stand there.

    >>> claim = Edit("claim", 13, 17, "1969", "1971")
    >>> [edit.start for edit in in_evidence({"evidence": "It was 1969.", "claim": ""}, [claim])]
    [7]
    """
    evidence, text = next(iter(fields.items()))
    found: list[Edit] = []
    for edit in edits:
        before, after = edit.before.strip(), edit.after.strip()
        if before.lower() in {"a", "an"}:
            continue  # the article follows its noun, here and there
        places = list(re.finditer(rf"(?<!\w){re.escape(before)}(?!\w)", text)) if before else []
        if not places or not after or _NOT.search(after):
            return []
        fitted = fit_articles(text, [(*place.span(), after) for place in places])
        found += [Edit(evidence, start, end, text[start:end], new) for start, end, new in fitted]
    return _apart([edit for edit in found if edit.before != edit.after])


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    """The edits by place; none at all where two of them touch."""
    ordered = sorted(edits, key=lambda edit: edit.start)
    touching = any(one.end > two.start for one, two in pairwise(ordered))
    return [] if touching else ordered


def negate_request(parent: Example, config: CrossAugConfig, seed: int) -> Request:
    """The question for a claim that says the opposite with few words changed."""
    prompt = load_prompt("crossaug/negate")
    return Request(
        render(prompt, claim=list(parent.fields.values())[-1]),
        answer=NegativeClaim,
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=seed,
        prompt=prompt.name,
    )


def read_negative(parent: Example, copy: int, reply: Reply) -> tuple[Edit, ...] | Rejection:
    """The edits from the claim to the answer, or the reason why there are none."""
    if not isinstance(reply.answer, NegativeClaim):
        return unanswered(parent, copy, reply)
    claim = list(parent.fields)[-1]
    written = reply.answer.claim.strip()
    if not written or written == parent.fields[claim].strip():
        return Rejection(parent, "no negative claim", written, 3 * copy, reply.cost)
    return diff({claim: parent.fields[claim]}, {claim: written})
