"""Which units of a text become variants, and which sentences a whole text drops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.edit import Edited, Job
from augkit.augmenters.coba.sentences.candidates import (
    Candidate,
    EditedText,
    sentence_candidates,
)
from augkit.augmenters.coba.sentences.clause_spans import inner_spans, main_clauses
from augkit.augmenters.coba.sentences.drop_sentences import (
    Dropped,
    choose_dropped,
    sentence_readings,
    sentence_variants,
)
from augkit.augmenters.coba.verify import (
    clarity_rejection,
    few_edits_rejection,
    leftover_rejection,
)
from augkit.augmenters.judge import Judge
from augkit.core.protocols import Parser
from augkit.core.types import Rejection
from augkit.language.triples import Span


@dataclass(frozen=True)
class SentenceUnits:
    """Sentences and clauses beside whole texts; for edits whose spans are known."""

    config: CobaConfig
    parser: Parser
    judge: Judge

    def edited_text(self, job: Job, edited: Edited) -> EditedText:
        """An edited text with the clauses of its sentences."""
        (analysis,) = self.parser.parse([next(iter(job.parent.fields.values()))])
        if len(analysis.sentences) < 2 or self.config.unit == "text":
            return EditedText(job, edited)
        clauses = [main_clauses(analysis, tokens) for tokens in analysis.sentences]
        phrases = [inner_spans(analysis, tokens) for tokens in analysis.sentences]
        return EditedText(job, edited, clauses, phrases)

    @property
    def redraws(self) -> int:
        """How often texts of several sentences are edited again, with other words."""
        return 0 if self.config.unit == "text" else self.config.draws - 1

    def wants_text(self, work: EditedText) -> bool:
        """Whether the whole text becomes a variant."""
        share = {"text": 1.0, "sentence": 0.0, "both": self.config.text_share}[self.config.unit]
        return len(work.sentences) < 2 or work.job.rng.random() < share

    def sentences(self, work: EditedText) -> Iterator[Candidate | Rejection]:
        """The sentences and clauses of a text of several sentences."""
        if self.config.unit != "text" and len(work.sentences) > 1:
            yield from sentence_candidates(work, self.config)

    def dropped(self, works: Sequence[EditedText]) -> Iterator[Dropped]:
        """The sentences to drop from each text; those of the batch are judged together."""
        judged = [work for work in works if self._may_drop(work)]
        variants = [sentence_variants(work) for work in judged]
        parents = [w.job.parent for w, own in zip(judged, variants, strict=True) for _ in own]
        verdicts = iter(self.judge.judge(parents, [v for own in variants for v in own]))
        for work in works:
            if self._may_drop(work):
                probabilities = [next(verdicts).probability for _ in work.sentences]
                readings = sentence_readings(work, probabilities)
                yield choose_dropped(work, readings, self.config)
            else:
                yield Dropped()

    def _may_drop(self, work: EditedText) -> bool:
        return self.config.drop > 0 and len(work.sentences) > 1

    def text_rejection(self, work: EditedText, fields: Mapping[str, str]) -> str | None:
        """Why a whole text would not clearly have the new label; None if it would."""
        reason = None
        if len(work.sentences) == 1:
            reason = clarity_rejection(work.text, Span(0, len(work.text)), work.edited)
        else:
            edits = len(work.edited.edits or ())
            reason = few_edits_rejection(fields[work.field], edits, self.config.min_edits)
        return reason or leftover_rejection(work.edited, self.config.max_left)
