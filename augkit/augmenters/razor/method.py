"""RAZOR: rewrite the texts whose surface gives their label away, until it no longer helps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.corpus import RazorCorpus, learn_corpus
from augkit.augmenters.razor.rounds import Fate, Loop, Write
from augkit.augmenters.razor.scorers import Corpus, Embed
from augkit.augmenters.razor.writers import ByModel, ByRules, with_text
from augkit.core.protocols import Artifact
from augkit.core.types import Draft, Example, Rejection
from augkit.text.association import label_numbers

_PATIENCE = 3
"""Rounds in vain before the rules give up: they cost nothing, and some rows have no rewriting."""


class Razor(Augmenter[RazorConfig]):
    """Rewrite, label kept, the texts whose words give the label away; they replace the originals.

    Rows are scored, the highest of each label rewritten by rules or a model, the rewritings
    verified and the one with the lowest score put in the row's place; then again.
    """

    name = "razor"
    Config = RazorConfig
    scope = "corpus"
    mix = "replace"
    labels_needed = 2
    learns = RazorCorpus

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Keep the corpus; offline, train the judge."""
        judged = self.tools.llm is None and self.config.verify
        return learn_corpus(examples, self.config.field, judged=judged)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Go through the rounds with the whole corpus; answer for the rows of the batch."""
        unlabelled = [row for row in batch if row.label is None]
        yield from (Rejection(row, "no label") for row in unlabelled)
        asked = [row for row in batch if row.label is not None]
        if asked:
            yield from self._answers(asked)

    def _answers(self, asked: Sequence[Example]) -> Iterator[Draft | Rejection]:
        mine = {row.id: row for row in asked}
        learnt: RazorCorpus = self.artifact
        known = {row.id for row in learnt.rows}
        rows = [mine.get(row.id, row) for row in learnt.rows]
        rows += [row for row in asked if row.id not in known]
        loop = self._loop(rows)
        loop.run([place for place, row in enumerate(rows) if row.id in mine])
        self._told = {"judge": self._judge_told(), "trajectory": loop.trajectory}
        for place, fate in loop.fates.items():
            yield self._outcome(rows[place], fate)

    def _loop(self, rows: Sequence[Example]) -> Loop:
        texts = [row.fields[chosen_field(row.fields, self.config.field)] for row in rows]
        names, numbers = label_numbers([str(row.label) for row in rows])
        corpus = Corpus(texts, numbers, len(names))
        loop = Loop(corpus, names, self.config, self._writer(rows, names), self._embed(texts))
        if self.tools.llm is None:
            loop.patience = _PATIENCE
            if self.config.score == "token" and self.config.space == "surface":
                loop.alpha = self.config.alpha
        return loop

    def _writer(self, rows: Sequence[Example], labels: Sequence[str]) -> Write:
        if self.tools.llm is None:
            return ByRules(rows, self.config, self.artifact.judge, self._draw)
        judge = self.tools.judge or (self.tools.llm if self.config.verify else None)
        return ByModel(rows, self.config, labels, self.tools.llm, judge, self._draw)

    def _draw(self, row: Example) -> Random:
        return self.random(row)

    def _embed(self, texts: Sequence[str]) -> Embed | None:
        if self.config.space == "surface":
            return None
        from augkit.augmenters.razor.embeddings import embedder

        return embedder(self.config.encoder, texts)

    def _outcome(self, row: Example, fate: Fate) -> Draft | Rejection:
        if not fate.text:
            return Rejection(row, fate.reason, fate.detail[:500], cost=fate.cost)
        return Draft(
            row,
            with_text(row, fate.text, self.config).fields,
            row.label,
            cost=fate.cost,
            scores={"round": fate.round, "score_before": fate.before, "score_after": fate.after},
            about={"how": fate.how},
        )

    def run_info(self) -> Mapping[str, Any]:
        """Who judged, and the objective and the strongest features after every round."""
        return getattr(self, "_told", {})

    def _judge_told(self) -> dict[str, Any]:
        if self.tools.llm is not None:
            return {"kind": "llm" if self.tools.judge or self.config.verify else "none"}
        judge = self.artifact.judge
        if judge is None or not self.config.verify:
            return {"kind": "none", "why": self.artifact.without_judge or "verify is false"}
        return {
            "kind": "linear, trained out of fold",
            "held_out_accuracy": judge.accuracy,
            "hidden": list(judge.blindfold.hidden),
        }
