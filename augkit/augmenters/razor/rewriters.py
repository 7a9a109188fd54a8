"""Rewriters: rules and the out-of-fold judge offline, or language models that rewrite and judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from augkit.augmenters.fields import chosen_field
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.corpus_scorers import ScoredCorpus
from augkit.augmenters.razor.llm import razor_request, read_rewrites
from augkit.augmenters.razor.rewrites import Rewrites, with_text
from augkit.augmenters.razor.verify import OutOfFoldJudge, verify_by_llm
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
        rows = [with_text(self.rows[index], corpus.texts[index], field) for index in indices]
        requests = [
            razor_request(row, words[:_MAX_AVOIDED], self.config, self.rng(row).randrange(2**31))
            for row, words in zip(rows, avoid, strict=True)
        ]
        replies = self.llm.generate(requests)
        candidates = [
            read_rewrites(row, field, reply) for row, reply in zip(rows, replies, strict=True)
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
