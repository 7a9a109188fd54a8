"""CrossAug: supported claims turned into refuted ones, and the evidence changed to match.

Reference: lee2021crossaug. For a supported pair (c, e) a negative claim c⁻ is generated; where the
changed words occur in the evidence too, they are changed there, which gives e⁻. Three new pairs
follow: (c⁻, e) refuted, (c⁻, e⁻) supported, (c, e⁻) refuted. So neither the wording of a claim nor
that of its evidence alone gives the label away. The paper's generator is a BART trained on
WikiFactCheck; here it is a language model, or offline rules: another number or name, a word that
excludes the original one, else a plain "not", which has no counterpart in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pydantic import BaseModel, Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.baselines.crossaug.rules import NameTable, collect_names, negative_claims
from augkit.augmenters.llm_requests import prompt_request, replies_by_copy, unanswered
from augkit.augmenters.relations import labels_of
from augkit.core.config import MethodConfig
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Artifact
from augkit.core.types import FREE, Contract, Cost, Draft, Edit, Example, Rejection
from augkit.text.articles import fit_articles
from augkit.text.diff import apply, diff

_NOT = re.compile(r"\bnot\b|n't\b")
"""It can negate a claim; inserted into the evidence it would not be grammatical."""


class CrossAugConfig(MethodConfig):
    """Which labels mean supported and refuted, and how a language model samples."""

    supported: str = Field(
        "", description="the label of a claim that its evidence supports; empty: by its name"
    )
    refuted: str = Field("", description="the label of a claim that it refutes; empty: by its name")
    temperature: float = Field(0.7, ge=0, le=2, description="of a language model")
    max_tokens: int = Field(512, ge=1, description="longest answer of a language model, in tokens")


class NegativeClaim(BaseModel):
    """The answer requested from the model."""

    claim: str


class CrossAug(Augmenter[CrossAugConfig]):
    """Make three pairs of each supported claim: a refuted one, and two with changed evidence.

    For pairs of evidence (first) and claim (last). The label of a variant is refuted (flipped) or
    supported (kept); ``copies`` is the number of negative claims.
    """

    name = "crossaug"
    Config = CrossAugConfig
    writing = "edit"
    labels_needed = 2
    learns = NameTable

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Collect the labels and, offline, names by their context."""
        pairs = [row for row in examples if len(row.fields) == 2 and not row.fault]
        labels = tuple(sorted({row.label for row in pairs if row.label is not None}))
        return collect_names(pairs if self.tools.llm is None else [], labels, self.parser)

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
        generate = self._by_rules if self.tools.llm is None else self._by_llm
        for parent, copy, edits, cost in generate(fitting):
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

    def _by_rules(self, parents: Sequence[Example]) -> Iterator[_Generated]:
        found = negative_claims(
            parents, self.artifact, self.random, self.config.copies, self.parser
        )
        for parent, several in zip(parents, found, strict=True):
            if not several:
                yield parent, 0, Rejection(parent, "no negative claim"), FREE
            for copy, edits in enumerate(several):
                yield parent, copy, edits, FREE

    def _by_llm(self, parents: Sequence[Example]) -> Iterator[_Generated]:
        for parent, copy, reply in replies_by_copy(self, parents, self._request):
            yield parent, copy, read_negative(parent, copy, reply), reply.cost

    def _request(self, parent: Example, seed: int) -> Request:
        claim = list(parent.fields.values())[-1]
        return prompt_request("crossaug/negate", NegativeClaim, self.config, seed, claim=claim)


_Generated = tuple[Example, int, "tuple[Edit, ...] | Rejection", Cost]
"""A row, the number of its negative claim, the edits of the claim, and their cost."""


def cross(parent: Example, edits: Sequence[Edit], supported: str, refuted: str) -> Iterator[Draft]:
    """The three pairs of a negative claim, or one if the evidence lacks the changed words."""
    substituted = edits_of_evidence(parent.fields, edits)
    units: list[tuple[str, Sequence[Edit], str, Contract]] = [
        ("negative claim", edits, refuted, "flipped")
    ]
    if substituted:
        units.append(("both", [*substituted, *edits], supported, "kept"))
        units.append(("negative evidence", substituted, refuted, "flipped"))
    for unit, changes, label, contract in units:
        fields = apply(parent.fields, changes)
        yield Draft(parent, fields, label, contract, edits=tuple(changes), about={"unit": unit})


def edits_of_evidence(fields: Mapping[str, str], edits: Sequence[Edit]) -> list[Edit]:
    """The same replacements in the evidence; empty unless all words occur there.

    >>> claim = Edit("claim", 13, 17, "1969", "1971")
    >>> [edit.start for edit in edits_of_evidence({"evidence": "In 1969.", "claim": ""}, [claim])]
    [3]
    """
    evidence, text = next(iter(fields.items()))
    found: list[Edit] = []
    for edit in edits:
        before, after = edit.before.strip(), edit.after.strip()
        if before.lower() in {"a", "an"}:
            continue  # articles follow their nouns
        found_at = list(re.finditer(rf"(?<!\w){re.escape(before)}(?!\w)", text)) if before else []
        if not found_at or not after or _NOT.search(after):
            return []
        fitted = fit_articles(text, [(*match.span(), after) for match in found_at])
        found += [Edit(evidence, start, end, text[start:end], new) for start, end, new in fitted]
    return _disjoint([edit for edit in found if edit.before != edit.after])


def _disjoint(edits: Sequence[Edit]) -> list[Edit]:
    """The edits in order; none at all where two of them overlap."""
    ordered = sorted(edits, key=lambda edit: edit.start)
    overlap = any(one.end > two.start for one, two in pairwise(ordered))
    return [] if overlap else ordered


def read_negative(parent: Example, copy: int, reply: Reply) -> tuple[Edit, ...] | Rejection:
    """The edits from the claim to the answer, or the reason why there are none."""
    if not isinstance(reply.answer, NegativeClaim):
        return unanswered(parent, copy, reply)
    claim = list(parent.fields)[-1]
    negative = reply.answer.claim.strip()
    if not negative or negative == parent.fields[claim].strip():
        return Rejection(parent, "no negative claim", negative, 3 * copy, reply.cost)
    return diff({claim: parent.fields[claim]}, {claim: negative})
