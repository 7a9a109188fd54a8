"""Who rewrites and who verifies: rules and the out-of-fold judge, or a model and a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.fields import chosen_field
from augkit.augmenters.judge import judge_request
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.corpus import Judge, Opinion
from augkit.augmenters.razor.llm import (
    Asked,
    candidates_of,
    rewrite_request,
    verdict_of,
)
from augkit.augmenters.razor.rounds import Offer, Rewriting
from augkit.augmenters.razor.scorers import Corpus
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost, Example

Draw = Callable[[Example], Random]
"""The generator of a row."""


@dataclass(frozen=True)
class ByRules:
    """Rules rewrite; the judge, where there is one, verifies."""

    rows: Sequence[Example]
    config: RazorConfig
    judge: Judge | None
    draw: Draw

    def __call__(
        self, places: Sequence[int], corpus: Corpus, avoid: Sequence[Sequence[str]]
    ) -> list[Offer]:
        """Verified candidates for the rows at these places."""
        from augkit.augmenters.razor.rules.rewriter import Job, rewrite

        rows = [self.rows[place] for place in places]
        jobs = [
            Job(
                corpus.texts[place],
                _context(row, self.config),
                row.label,
                words,
                self.draw(row),
                self.config.denials,
            )
            for place, row, words in zip(places, rows, avoid, strict=True)
        ]
        found = [[Rewriting(*candidate) for candidate in some] for some in rewrite(jobs)]
        if self.judge is not None and self.config.verify:
            found = self._verified(self.judge, rows, found)
        return [Offer(some) for some in found]

    def _verified(
        self, judge: Judge, rows: Sequence[Example], found: Sequence[Sequence[Rewriting]]
    ) -> list[list[Rewriting]]:
        """Candidates that keep the judge's verdict, or lose little where it was wrong before."""
        read = [(row, some) for row, some in zip(rows, found, strict=True) if judge.reads(row)]
        before = dict(
            zip((row.id for row, _ in read), judge.opinions([r for r, _ in read]), strict=True)
        )
        variants = [with_text(row, one.text, self.config) for row, some in read for one in some]
        origins = [row for row, some in read for _ in some]
        opinions = iter(judge.opinions(variants, origins))
        return [
            [self._judged(one, before[row.id], next(opinions)) for one in some]
            if row.id in before
            else list(some)
            for row, some in zip(rows, found, strict=True)
        ]

    def _judged(self, one: Rewriting, before: Opinion, after: Opinion) -> Rewriting:
        if after.agrees or (
            not before.agrees and after.chance >= before.chance - self.config.tolerance
        ):
            return one
        return replace(one, refused="judge disagrees")


@dataclass(frozen=True)
class ByModel:
    """A model rewrites, and a model verifies in a call that shows nothing of the rewriting."""

    rows: Sequence[Example]
    config: RazorConfig
    labels: Sequence[str]
    llm: LLM
    judge: LLM | None
    draw: Draw

    def __call__(
        self, places: Sequence[int], corpus: Corpus, avoid: Sequence[Sequence[str]]
    ) -> list[Offer]:
        """Verified candidates for the rows at these places."""
        rows = [with_text(self.rows[place], corpus.texts[place], self.config) for place in places]
        asked = [
            Asked(row, chosen_field(row.fields, self.config.field), list(words)[:10])
            for row, words in zip(rows, avoid, strict=True)
        ]
        seeds = [self.draw(row).randrange(2**31) for row in rows]
        requests = [
            rewrite_request(one, self.config, seed) for one, seed in zip(asked, seeds, strict=True)
        ]
        replies = self.llm.generate(requests)
        found = [candidates_of(one, reply) for one, reply in zip(asked, replies, strict=True)]
        costs = [reply.cost for reply in replies]
        details = [reply.detail if reply.fault else "" for reply in replies]
        if self.judge is not None:
            found, costs = self._verified(rows, found, costs)
        return [Offer(*offer) for offer in zip(found, costs, details, strict=True)]

    def _verified(
        self, rows: Sequence[Example], found: list[list[Rewriting]], costs: list[Cost]
    ) -> tuple[list[list[Rewriting]], list[Cost]]:
        """Every rewriting that is not refused yet, judged; and what all of it cost."""
        open_ones = [
            (place, n)
            for place, some in enumerate(found)
            for n, one in enumerate(some)
            if not one.refused
        ]
        requests = [
            judge_request(
                with_text(rows[place], found[place][n].text, self.config).fields, self.labels
            )
            for place, n in open_ones
        ]
        replies = self.judge.generate(requests) if self.judge and requests else []
        judged = [list(some) for some in found]
        paid = list(costs)
        for (place, n), reply in zip(open_ones, replies, strict=True):
            refused = verdict_of(rows[place].label, reply)
            judged[place][n] = replace(judged[place][n], refused=refused)
            paid[place] = paid[place] + (reply.cost or FREE)
        return judged, paid


def with_text(row: Example, text: str, config: RazorConfig) -> Example:
    """The row with another text in the field that is rewritten."""
    name = chosen_field(row.fields, config.field)
    return replace(row, fields={**row.fields, name: text})


def _context(row: Example, config: RazorConfig) -> str:
    name = chosen_field(row.fields, config.field)
    return " ".join(text for other, text in row.fields.items() if other != name)
