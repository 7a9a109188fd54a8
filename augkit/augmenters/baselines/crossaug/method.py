"""CrossAug: supported claims turned into refuted ones, and the evidence changed to match.

Reference: lee2021crossaug. For a supported pair (c, e) a negative claim c⁻ is generated; where the
changed words occur in the evidence too, they are changed there, which gives e⁻. Three new pairs
follow: (c⁻, e) refuted, (c⁻, e⁻) supported, (c, e⁻) refuted. So neither the wording of a claim nor
that of its evidence alone gives the label away. The paper's generator is a BART trained on
WikiFactCheck. Here it is a language model, or offline rules: another number or name, a word that
excludes the original one, else a plain "not", which has no counterpart in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.baselines.crossaug.replacement import (
    ReplacementAnswer,
    kind_problem,
    problem_of,
    replaced_span,
    replacement_edits,
    replacement_request,
)
from augkit.augmenters.baselines.crossaug.rules import NameTable, collect_names, negative_claims
from augkit.augmenters.llm_requests import request_seed, required_llm, unanswered
from augkit.core.config import MethodConfig
from augkit.core.edits import any_overlap, apply
from augkit.core.model_types import Reply
from augkit.core.protocols import Artifact, Parser
from augkit.core.types import FREE, Contract, Cost, Draft, Edit, Example, Rejection
from augkit.english.inference.claim_parts import Replaceable, replaceable
from augkit.lexicons.label_meanings import labels_of
from augkit.text.articles import fit_articles

_TRIES = 2
"""Things of a claim that a language model is asked to replace, before a copy is given up."""
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


class CrossAug(Augmenter[CrossAugConfig]):
    """Make three pairs of each supported claim: a refuted one, and two with changed evidence.

    For pairs of evidence (first) and claim (last). The label of a variant is refuted (flipped) or
    supported (kept); ``copies`` is the number of negative claims.
    """

    name = "crossaug"
    Config = CrossAugConfig
    traits = Traits(writing="edit", label_checked=True, english="rows")
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
        """Another thing for one of the claim is requested; where that fails, for a second one.

        Each copy replaces other things of the claim.
        """
        claims = self.parser.parse([list(parent.fields.values())[-1] for parent in parents])
        attempts: list[_Attempt] = []
        for parent, claim in zip(parents, claims, strict=True):
            spans = replaceable(claim, next(iter(parent.fields.values())))
            copies = range(min(len(spans), self.config.copies))
            attempts += [_Attempt(parent, copy, spans[copy :: len(copies)]) for copy in copies]
            if not spans:
                yield parent, 0, Rejection(parent, "no negative claim"), FREE
        for number in range(_TRIES):
            self._try([one for one in attempts if one.failed and one.spans[number:]], number)
        for one in attempts:
            result = one.result
            if isinstance(result, Rejection):
                result = replace(result, cost=one.cost)
            yield one.parent, one.copy, result, one.cost

    def _try(self, attempts: Sequence[_Attempt], number: int) -> None:
        requests = [
            replacement_request(
                one.parent,
                one.spans[number],
                self.config,
                request_seed(self, one.parent, one.copy),
            )
            for one in attempts
        ]
        parser = self.parser if self.checks_texts else None
        for one, reply in zip(attempts, required_llm(self).generate(requests), strict=True):
            one.result = read_negative(one.parent, one.copy, one.spans[number], reply, parser)
            one.cost += reply.cost


@dataclass
class _Attempt:
    """A negative claim in the making: what may be replaced, and the result so far."""

    parent: Example
    copy: int
    spans: Sequence[Replaceable]
    result: tuple[Edit, ...] | Rejection = ()
    cost: Cost = FREE

    @property
    def failed(self) -> bool:
        return not self.result or isinstance(self.result, Rejection)


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
        found += [change.in_field(evidence, text) for change in fitted]
    changes = sorted(
        (edit for edit in found if edit.before != edit.after), key=lambda edit: edit.start
    )
    return [] if any_overlap(changes) else changes


def read_negative(
    parent: Example, copy: int, span: Replaceable, reply: Reply, parser: Parser | None
) -> tuple[Edit, ...] | Rejection:
    """The edits of the claim, or why there are none; the parser tells whether kinds agree."""
    if not isinstance(reply.answer, ReplacementAnswer):
        return unanswered(parent, 3 * copy, reply)
    new = reply.answer.false.strip().rstrip(".")
    span = replaced_span(list(parent.fields.values())[-1], span, reply.answer.true)
    problem = problem_of(parent, span, new)
    if not problem and parser is not None:
        problem = kind_problem(parent, span, new, parser)
    if problem:
        old = list(parent.fields.values())[-1][span.start : span.end]
        detail = f"'{new}' for '{old}': {problem}"
        return Rejection(parent, "no negative claim", detail, 3 * copy, reply.cost)
    return replacement_edits(parent, span, new)
