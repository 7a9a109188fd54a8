"""CoBA on single texts by rules, from a row to its variants.

Identify, edit, verify. A sentence alone is turned with close opposites, and refused where its label
may be unclear. A whole text of several sentences is turned with all words of the lexicon, and a
judge decides whether its label is clear. What was not touched stays letter for letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.clause_spans import inner_clauses, main_clauses
from augkit.augmenters.coba.config import TextRuleSettings
from augkit.augmenters.coba.gender import with_gender
from augkit.augmenters.coba.identify import Identifier
from augkit.augmenters.coba.job import (
    NOT_EDITABLE,
    Job,
    Targets,
    identify_words,
    quoted_sentences,
    whole_draft,
)
from augkit.augmenters.coba.sentences import Candidate, EditedText, sentence_candidates
from augkit.augmenters.coba.verify import RULE_CHECKS, WholeRow, checked, lost_words
from augkit.core.analysis import Analysis
from augkit.core.edits import Span, apply
from augkit.core.protocols import Parser
from augkit.core.types import Example, Variant, refused
from augkit.english.clauses import written_sentences
from augkit.english.polarity.antonyms import WordChoice
from augkit.english.polarity.flip_polarity import (
    coordinated_words,
    doubtful_words,
    flip_polarity,
    leftover_negations,
    leftover_words,
    may_flip,
)
from augkit.labels.judge import HiddenWords, Judge, Verdict, refuse_label
from augkit.lexicons.evaluative import Polarity

NO_LEXICON = "no lexicon for this label"


@dataclass(frozen=True)
class TextRules:
    """The rules for single texts: whole texts, sentences with their unedited twins, clauses."""

    settings: TextRuleSettings
    parser: Parser
    identifier: Identifier
    fitted: TextsArtifact
    judge: Judge
    targets: Targets
    random: Callable[[Example, int], Random]
    lemmas_of: Callable[[str], frozenset[str]] | None = None
    """All lemmas that the parser may find for a form, where that is known."""

    def propose(self, batch: Sequence[Example], copies: int) -> Iterator[Variant]:
        """Drafts and rejections for ``copies`` copies of every example."""
        editable: list[Example] = []
        for parent in batch:
            if self._may_be_edited(parent):
                editable.append(parent)
            else:
                for job in self.targets.jobs(Job(parent), copies, self.random):
                    yield refused(parent, NOT_EDITABLE, copy=job.number)
        if editable:
            yield from self._propose_parsed(editable, copies)

    def _may_be_edited(self, parent: Example) -> bool:
        """Whether a row is worth parsing: its text may have something to edit."""
        (text,) = parent.fields.values()
        side = self.fitted.polarity.get(str(parent.label))
        if side is None or self.lemmas_of is None:
            return True
        return may_flip(text, side, self.fitted.lexicon, self.lemmas_of)

    def _propose_parsed(self, batch: Sequence[Example], copies: int) -> Iterator[Variant]:
        jobs: list[Job] = []
        for row in identify_words([Job(parent) for parent in batch], self.identifier):
            if isinstance(row, Variant):
                yield row
            else:
                jobs += self.targets.jobs(row, copies, self.random)
        analyses = self.parser.parse([next(iter(job.parent.fields.values())) for job in jobs])
        variants = [
            list(self.candidates(job, analysis))
            for job, analysis in zip(jobs, analyses, strict=True)
        ]
        yield from self.verify(jobs, variants)

    def candidates(self, job: Job, analysis: Analysis) -> Iterator[Candidate | Variant]:
        """The candidates of a row: the whole text, then its sentences."""
        polarity = self.fitted.polarity
        side = polarity.get(str(job.parent.label))
        if side is None or polarity.get(str(job.target)) in {None, side}:
            yield refused(job.parent, NO_LEXICON, f"{job.parent.label} → {job.target}")
            return
        several = len(written_sentences(analysis)) > 1
        found: list[Candidate | Variant] = []
        if several and self.settings.unit != "sentence":
            whole = self.edit(job, analysis, side, self.fitted.choice_of_texts(job.target))
            found += [self.whole_text(whole)] if whole.edits else []
        if not several or self.settings.unit != "text":
            broad = bool(self.settings.broad)
            choice = self.fitted.choice_of_sentences(job.target, broad=broad)
            parts = self.edit(job, analysis, side, choice)
            found += sentence_candidates(parts, self.settings)
        yield from found or [refused(job.parent, NOT_EDITABLE)]

    def edit(self, job: Job, analysis: Analysis, side: Polarity, choice: WordChoice) -> EditedText:
        """Flip the polarity of evaluative words, and find what may keep the old one."""
        fitted = self.fitted
        flip = flip_polarity(analysis, side, fitted.lexicon, choice, job.rng)
        (field,) = job.parent.fields
        sentences = written_sentences(analysis)
        spans = [Span(tokens[0].start, tokens[-1].end) for tokens in sentences]
        negations: tuple[Span, ...] = ()
        if side == "negative":
            negations = tuple(leftover_negations(analysis, flip.changes))
        return EditedText(
            replace(job, sentences={field: quoted_sentences(analysis.text, spans)}),
            analysis,
            tuple(change.in_field(field, analysis.text) for change in flip.changes),
            left=(*flip.left, *leftover_words(analysis, side, flip.changes)),
            mixed=(
                *(judgement.span for judgement in (*flip.kept, *flip.of_persons)),
                *coordinated_words(analysis, flip.changes),
                *doubtful_words(analysis, side, flip.changes, fitted.lexicon, fitted.counts),
                *negations,
            ),
            clauses=[main_clauses(analysis, tokens) for tokens in sentences],
            inner_clauses=[inner_clauses(analysis, tokens) for tokens in sentences],
        )

    def whole_text(self, text: EditedText) -> Candidate | Variant:
        """The whole text as a variant; whether its label is clear is for the judge to say."""
        job = text.job
        fields = apply(job.parent.fields, text.edits)
        draft = whole_draft(job, fields, text.edits, ())
        draft, words = with_gender(draft, job, self.settings, self.parser)
        after = draft.fields[text.field]
        row = WholeRow(text.text, after, words, self.settings, job, fields)
        outcome = checked(draft, row, RULE_CHECKS)
        return outcome if outcome.reason else Candidate(outcome, is_long=True)

    def verify(
        self, jobs: Sequence[Job], variants: Sequence[Sequence[Candidate | Variant]]
    ) -> Iterator[Variant]:
        """Those candidates to which the judge gives their label, with their twins.

        Of a job's candidates those come first that keep the shortcuts of the dataset.
        """
        ordered = [
            by_lost_shortcuts(job, [c for c in of_job if isinstance(c, Candidate)])
            for job, of_job in zip(jobs, variants, strict=True)
        ]
        drafts = [(job, c.draft) for job, cs in zip(jobs, ordered, strict=True) for c in cs]
        judged = [_hidden(Example(draft.fields, draft.label), job) for job, draft in drafts]
        verdicts = iter(self.judge.judge([draft.parent for _, draft in drafts], judged))
        copies: Counter[str] = Counter()
        for job, of_job, candidates in zip(jobs, variants, ordered, strict=True):
            for rejection in of_job:
                if isinstance(rejection, Variant):
                    yield replace(rejection, copy=job.number)
            for candidate in candidates:
                for outcome in self._accepted(candidate, next(verdicts)):
                    number = job.number
                    if not outcome.reason:
                        number = copies[job.parent.id]
                        copies[job.parent.id] += 1
                    yield replace(outcome, copy=number)

    def _accepted(self, candidate: Candidate, verdict: Verdict) -> list[Variant]:
        """A candidate and its twin, where the judge is sure enough of its label."""
        draft = candidate.draft
        least = self.settings.min_label
        if candidate.is_long:
            least = max(least, self.settings.min_text_label)
        if verdict.probability < least:
            return [refuse_label(draft, verdict.detail)]
        scored = replace(draft, scores={"label": round(verdict.probability, 4)})
        return [scored] if candidate.twin is None else [scored, candidate.twin]


def _hidden(variant: Example, job: Job) -> Example:
    """A variant as the judge sees it: without the words that most likely are shortcuts."""
    return HiddenWords(tuple(job.words.shortcuts)).remove_from(variant)


def by_lost_shortcuts(job: Job, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a job, those first that keep the shortcuts of the dataset."""
    source = " ".join(job.parent.fields.values())

    def lost(candidate: Candidate) -> int:
        text = " ".join(candidate.draft.fields.values())
        return len(lost_words(source, text, job.words.preferred))

    return sorted(candidates, key=lost)
