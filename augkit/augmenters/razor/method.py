"""RAZOR: rewrite the texts whose surface gives their label away, until it no longer helps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from typing_extensions import Self

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_checks.written import Writing
from augkit.augmenters.loop import Ask
from augkit.augmenters.persons import PERSON_CHECK
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.llm_rewriter import LLMRewriter, no_answer
from augkit.augmenters.razor.loop import DEFAULT_TOP, Loop, Rewriter, RowTargets
from augkit.augmenters.razor.rule_rewriter import RuleRewriter
from augkit.augmenters.razor.scorers import ScoredCorpus, make_embedder
from augkit.augmenters.razor.verify import fit_judge
from augkit.core.edits import Span
from augkit.core.errors import DataError
from augkit.core.protocols import Artifact, Check
from augkit.core.types import Example, Variant, refused
from augkit.english.rewriting.cues import cue_targets
from augkit.english.rewriting.targets import TextTarget
from augkit.labels.check import MeasuredJudge
from augkit.labels.judge import EnsembleJudge, HiddenWords, LLMJudge, not_verified
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import label_numbers

_BY_LLM = "a language model judges the labels"
_PATIENCE = 3
"""Rounds that rules may fail to help: they cost nothing, and some rows have no rewrite."""
_BLOCK = 256
"""Rows that rules rewrite together: their parses are in memory."""


@dataclass(frozen=True)
class RazorArtifact:
    """Every labelled row of the split, and the judge where one could be trained."""

    rows: tuple[Example, ...]
    judge: EnsembleJudge | None = None
    no_judge_reason: str = ""

    @property
    def notes(self) -> list[str]:
        """How labels are verified offline, for the manifest of a run."""
        if self.judge is None:
            why = self.no_judge_reason
            return [why if why == _BY_LLM else not_verified(why)]
        if self.judge.ensemble.at_chance:
            why = f"the offline judge is no better than chance ({self.judge.ensemble.held_out[0]})"
            rules = "the rules are made to keep the meaning, but nothing checked that they did"
            return [not_verified(f"{why}; {rules}")]
        words = ", ".join(self.judge.hidden.words[:10])
        hidden = f"; words hidden from it: {words}" if words else ""
        accuracy = f"accuracy {self.judge.accuracy:.1%} on held-out rows{hidden}"
        return [f"labels are verified by a linear classifier trained out of fold, {accuracy}"]

    def save(self, folder: Path) -> None:
        """Write ``corpus.jsonl``, ``judge.json`` and the judge's folder."""
        lines = (
            json.dumps({"id": row.id, "fields": dict(row.fields), "label": row.label})
            for row in self.rows
        )
        (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        record: dict[str, object] = {"no_judge_reason": self.no_judge_reason}
        if self.judge is not None:
            record = {"field": self.judge.hidden.field, "hidden": self.judge.hidden.words}
            (folder / "judge").mkdir()
            self.judge.ensemble.save(folder / "judge")
        (folder / "judge.json").write_text(json.dumps(record) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
        records = [json.loads(line) for line in lines if line]
        rows = tuple(Example(row["fields"], row["label"], row["id"]) for row in records)
        record = json.loads((folder / "judge.json").read_text(encoding="utf-8"))
        if "field" not in record:
            return cls(rows, None, record["no_judge_reason"])
        from augkit.models.ensembles.crossfit import CrossFitted

        hidden = HiddenWords(tuple(record["hidden"]), record["field"])
        return cls(rows, EnsembleJudge(CrossFitted.load(folder / "judge"), hidden=hidden))


def fit_razor(examples: Sequence[Example], config: RazorConfig, no_judge: str) -> RazorArtifact:
    """Keep the labelled rows; train the judge unless ``no_judge`` says why none is wanted."""
    rows = tuple(row for row in examples if row.label is not None and not row.fault)
    _check_cues(rows, config)
    plain = tuple(Example(row.fields, row.label, row.id) for row in rows)
    if no_judge:
        return RazorArtifact(plain, None, no_judge)
    try:
        return RazorArtifact(plain, fit_judge(rows, config.field, config.cues))
    except DataError as error:
        return RazorArtifact(plain, None, str(error))


def _check_cues(rows: Sequence[Example], config: RazorConfig) -> None:
    """Raise an error for a cue that is in no row: it may be misspelt, or in another field."""
    texts = [row.fields[chosen_field(row.fields, config.field)] for row in rows]
    for cue in config.cues:
        if texts and not any(cue_targets(text, [cue]) for text in texts):
            name = chosen_field(rows[0].fields, config.field)
            raise DataError(
                f"cue '{cue}': no '{name}' of the {len(texts):,} labelled rows has it as a whole "
                "word or phrase. `augkit shortcuts` lists what goes with a label"
            )


class Razor(Augmenter[RazorConfig]):
    """Rewrite the texts whose words give their label away; the label is kept.

    Rows are scored, the highest of each label rewritten by rules or a language model, and the
    rewrites verified. Of those by rules, the one with the largest gain per changed word replaces
    the row's text; of those by a model, the one with the lowest score. Then again. With a finder
    the rows with the strongest targets are rewritten instead, avoiding the words of the targets;
    with cues those that have one, which must lose it.
    """

    name = "razor"
    Config = RazorConfig
    traits = Traits(writing="paraphrase", english="rows")
    scope = "corpus"
    mix = "replace"
    labels_needed = 2
    learns = RazorArtifact
    uses = frozenset({"finder"})
    _info: Mapping[str, Any] = {}

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """A name changes everywhere in a row, or not at all."""
        return (PERSON_CHECK,)

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Keep the corpus; offline, train the judge."""
        no_judge = "" if self.config.verify else "verify is false"
        return fit_razor(examples, self.config, _BY_LLM if self.asks_judge else no_judge)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Run the loop on the whole corpus, and propose what came of the rows of the batch."""
        labelled = {row.id: row for row in batch if row.label is not None}
        yield from (refused(row, "no label") for row in batch if row.label is None)
        if not labelled:
            return
        corpus: RazorArtifact = self.artifact
        rows = [labelled.get(row.id, row) for row in corpus.rows]
        corpus_ids = {row.id for row in corpus.rows}
        rows += [row for row in labelled.values() if row.id not in corpus_ids]
        loop = self._loop(rows)
        loop.run([index for index, row in enumerate(rows) if row.id in labelled])
        self._info = {
            "judge": self._judge_info(),
            "trajectory": loop.trajectory,
            "rows beyond chance": loop.beyond_chance,
            "shortcuts": loop.shortcuts(),
            "caveats": loop.caveats(),
        }
        for index, result in loop.results.items():
            yield replace(result, parent=rows[index])  # its text may have been rewritten before

    def _loop(self, rows: Sequence[Example]) -> Loop:
        texts = [row.fields[chosen_field(row.fields, self.config.field)] for row in rows]
        names, numbers = label_numbers([str(row.label) for row in rows])
        corpus = ScoredCorpus(texts, numbers, len(names))
        embed = None
        if self.config.space == "embedding":
            embed = make_embedder(self.config.encoder, texts)
        targets = self._targets(rows)
        loop = Loop(rows, corpus, names, self.config, self._rewriter(rows, names, targets), embed)
        loop.targets = targets
        loop.top = self.config.top or DEFAULT_TOP
        loop.ceiling = self.config.ceiling
        if self.config.cues:
            loop.top = self.config.top
            if self.tools.llm is None:
                loop.ceiling = None  # what is cut brings in no word
        if self.tools.llm is None:
            loop.top = self.config.top
            if self.config.loop == "once":
                loop.patience = _PATIENCE
                loop.block = _BLOCK
            if self.config.score == "token" and self.config.space == "surface":
                loop.alpha = self.config.alpha
        return loop

    @property
    def writing(self) -> Writing:
        """New texts, where a rewrite need not mean the same."""
        return "new text" if self.config.keeps == "label" else "paraphrase"

    @property
    def asks_judge(self) -> bool:
        """Whether a language model verifies."""
        return self.tools.llm is not None and (self.config.verify or self.tools.judge is not None)

    def _rewriter(
        self,
        rows: Sequence[Example],
        labels: Sequence[str],
        targets: Mapping[int, RowTargets] | None,
    ) -> Rewriter:
        if self.tools.llm is None:
            judge = self.artifact.judge
            return RuleRewriter(rows, self.config, judge, self.random, self.parser, targets)
        model = self.tools.judge or (self.tools.llm if self.config.verify else None)
        judge = None
        if model is not None:
            judge = MeasuredJudge(LLMJudge(model, labels), self.tools.label_check)
        ask = Ask(self.tools.llm, no_answer)
        gates = self.text_rejection, self.gates
        return LLMRewriter(rows, self.config, ask, judge, self.random, *gates)

    def _targets(self, rows: Sequence[Example]) -> dict[int, RowTargets] | None:
        """What is to go from the field that is rewritten, by row; None: razor finds it itself."""
        if self.config.cues:
            return self._cue_targets(rows)
        if self.tools.finder is None:
            return None
        by_row: dict[int, RowTargets] = {}
        for index, (row, targets) in enumerate(
            zip(rows, self.tools.finder.find(rows), strict=True)
        ):
            name = chosen_field(row.fields, self.config.field)
            ranked = sorted(
                (target for target in targets if target.field == name),
                key=lambda target: -target.strength,
            )
            spans = [row.fields[name][target.start : target.end] for target in ranked]
            words = tuple(dict.fromkeys(word for span in spans for word in lowered_words(span)))
            if words:
                places = (TextTarget((Span(target.start, target.end),)) for target in ranked)
                by_row[index] = RowTargets(ranked[0].strength, words, tuple(places))
        return by_row

    def _cue_targets(self, rows: Sequence[Example]) -> dict[int, RowTargets]:
        by_row: dict[int, RowTargets] = {}
        for index, row in enumerate(rows):
            text = row.fields[chosen_field(row.fields, self.config.field)]
            if targets := cue_targets(text, self.config.cues):
                by_row[index] = RowTargets(1.0, self.config.cues, tuple(targets), are_cues=True)
        return by_row

    @property
    def run_info(self) -> Mapping[str, Any]:
        """The judge, and the objective and the strongest features after every round."""
        return self._info

    def _judge_info(self) -> dict[str, Any]:
        if self.tools.llm is not None:
            return {"kind": "llm" if self.tools.judge or self.config.verify else "none"}
        judge = self.artifact.judge
        if judge is None or not self.config.verify:
            return {"kind": "none", "why": self.artifact.no_judge_reason}
        return {
            "kind": "linear, trained out of fold",
            "held_out_accuracy": judge.accuracy,
            "hidden": list(judge.hidden.words),
        }
