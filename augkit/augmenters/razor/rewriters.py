"""Rewriters: rules and the out-of-fold judge offline, or language models that rewrite and judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from pydantic import BaseModel

from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_requests import field_request
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.corpus_scorers import ScoredCorpus
from augkit.augmenters.razor.rewrites import Rewrite, Rewrites
from augkit.augmenters.razor.verify import OutOfFoldJudge, verify_by_llm
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Parser
from augkit.core.types import FREE, Example

_MAX_AVOIDED = 10
"""Words to avoid that are named to a language model."""


@dataclass(frozen=True)
class RuleRewriter:
    """Rules rewrite; the out-of-fold judge, where there is one, verifies."""

    rows: Sequence[Example]
    config: RazorConfig
    judge: OutOfFoldJudge | None
    rng: Callable[[Example], Random]
    parser: Parser

    def __call__(
        self, indices: Sequence[int], corpus: ScoredCorpus, avoid: Sequence[Sequence[str]]
    ) -> list[Rewrites]:
        """Verified candidates for the rows with these indices."""
        from augkit.augmenters.razor.rules.rewriter import RewriteTask, rewrite

        rows = [self.rows[index] for index in indices]
        tasks = [
            RewriteTask(corpus.texts[index], self._context(row), row.label, words, self.rng(row))
            for index, row, words in zip(indices, rows, avoid, strict=True)
        ]
        candidates = rewrite(tasks, self.parser)
        if self.judge is not None and self.config.verify:
            candidates = self.judge.verify(
                rows, candidates, self.config.field, self.config.tolerance
            )
        return [Rewrites(some) for some in candidates]

    def _context(self, row: Example) -> str:
        name = chosen_field(row.fields, self.config.field)
        return " ".join(text for other, text in row.fields.items() if other != name)


@dataclass(frozen=True)
class LLMRewriter:
    """A language model rewrites; another call, which does not show the rewriting, verifies."""

    rows: Sequence[Example]
    config: RazorConfig
    labels: Sequence[str]
    llm: LLM
    judge: LLM | None
    rng: Callable[[Example], Random]

    def __call__(
        self, indices: Sequence[int], corpus: ScoredCorpus, avoid: Sequence[Sequence[str]]
    ) -> list[Rewrites]:
        """Verified candidates for the rows with these indices."""
        field = self.config.field
        originals = [(self.rows[index], corpus.texts[index]) for index in indices]
        rows = [replace(row, fields=with_text(row.fields, field, text)) for row, text in originals]
        replies = self.llm.generate(list(map(self._request, rows, avoid)))
        candidates = [
            read_rewrites(text, reply) for (_, text), reply in zip(originals, replies, strict=True)
        ]
        judge_costs = [FREE for _ in rows]
        if self.judge is not None:
            candidates, judge_costs = verify_by_llm(
                self.judge, rows, candidates, field, self.labels
            )
        return [
            Rewrites(some, reply.cost + cost, reply.detail if reply.fault else "")
            for some, reply, cost in zip(candidates, replies, judge_costs, strict=True)
        ]

    def _request(self, row: Example, avoid: Sequence[str]) -> Request:
        return field_request(
            "razor/rewrite",
            RewriteAnswer,
            row,
            self.config,
            self.rng(row).randrange(2**31),
            avoid=list(avoid[:_MAX_AVOIDED]),
            count=self.config.candidates,
        )


class RewriteAnswer(BaseModel):
    """The answer requested from the model."""

    texts: list[str]


def read_rewrites(original: str, reply: Reply) -> list[Rewrite]:
    """The texts of an answer; one that is empty or equals the original is rejected."""
    if not isinstance(reply.answer, RewriteAnswer):
        return [Rewrite("", rejected=f"llm: {reply.fault}")]
    found = []
    for text in dict.fromkeys(one.strip() for one in reply.answer.texts):
        rejected = "" if text else "empty variant"
        if text.split() == original.split():
            rejected = "unchanged"
        found.append(Rewrite(text, "language model", rejected))
    return found
