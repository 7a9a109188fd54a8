"""AutoCAD: rationales of a classifier are masked and filled in for another label.

Reference: wen2022autocad. The paper finds rationales by gradients, masks them, has a T5 trained on
the dataset fill the gaps under the opposite label, and keeps what a classifier gives that label.
Here the rationales are the important words of a cross-fitted ensemble of linear classifiers, exact
and out of fold. The gaps are filled by a language model, by a label-conditional masked model
(``model``), or offline from 2-gram counts of texts with the label. The same ensemble, or a judge
model, keeps the variants that flip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pydantic import Field
from typing_extensions import Self

from augkit.attribution.ensemble import important_words
from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.baselines.autocad.infill import InfillJob, NgramFiller, fit_filler
from augkit.augmenters.baselines.autocad.llm_infill import (
    MOST_GAPS,
    gap_names,
    infill_request,
    principal_words,
    ranked_words,
    rationale_phrases,
)
from augkit.augmenters.baselines.c_bert import sample_word
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_requests import required_llm, unanswered
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature
from augkit.core.edits import Edit, Span, apply
from augkit.core.errors import DataError
from augkit.core.json_files import load_json, save_json
from augkit.core.protocols import Artifact
from augkit.core.types import FREE, Cost, Draft, Example, Rejection
from augkit.datasets.settings import DeclaredOrder
from augkit.english.english import not_english
from augkit.english.polarity.label_polarity import find_order
from augkit.labels.fit import same_fields
from augkit.labels.judge import (
    AT_CHANCE,
    EnsembleJudge,
    Judge,
    LLMJudge,
    itself,
    not_verified,
    rejected_label,
)
from augkit.labels.settings import MinLabel
from augkit.lexicons.label_order import NO_OTHER_SIDE, LabelOrder
from augkit.models.ensembles.crossfit import (
    LINEAR_FIVE,
    CrossFitted,
    EnsembleConfig,
    train_crossfitted,
)
from augkit.models.language_models.conditional_lm import (
    ConditionalLM,
    ConditionalTraining,
    train_conditional,
)
from augkit.prompts.answers import NamedTexts
from augkit.text.casing import match_case
from augkit.text.tokens import plain_word_spans

_MEMBERS = (LINEAR_FIVE[0], LINEAR_FIVE[1], LINEAR_FIVE[3])
_FEWEST = 3
"""Rows that a label must have to be trained on."""


class AutoCadConfig(MethodConfig):
    """How much is masked, what fills it in, and which variants are kept."""

    words: int = Field(10, ge=1, le=100, description="most important words per classifier")
    field: ChangedField = None
    model: str = Field(
        "", description="a masked language model that fills the gaps, trained on the corpus first"
    )
    top: int = Field(5, ge=1, le=50, description="likeliest words to sample from, offline")
    min_label: MinLabel = 0.5
    label_order: DeclaredOrder = ()
    training: ConditionalTraining = Field(
        default_factory=ConditionalTraining, description="how ``model`` is trained"
    )
    temperature: Temperature = 0.7
    max_tokens: MaxTokens = 512

    @property
    def loads_model(self) -> bool:
        """Whether a masked model is used."""
        return bool(self.model)


@dataclass(frozen=True)
class Rationales:
    """The ensemble that finds rationales and judges; offline, the model that fills gaps."""

    ensemble: CrossFitted
    filler: NgramFiller | ConditionalLM | None = None
    order: LabelOrder | None = None

    @property
    def notes(self) -> list[str]:
        """Whether the ensemble can judge, for the manifest of a run."""
        return [not_verified(AT_CHANCE)] if self.ensemble.at_chance else []

    def save(self, folder: Path) -> None:
        """Each part in a folder of its own."""
        self.ensemble.save(folder / "ensemble")
        save_json(folder / "order.json", {} if self.order is None else asdict(self.order))
        if self.filler is not None:
            part = folder / type(self.filler).__name__
            part.mkdir()
            self.filler.save(part)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        kinds = (NgramFiller, ConditionalLM)
        fillers = [kind.load(p) for kind in kinds if (p := folder / kind.__name__).is_dir()]
        order = load_json(folder / "order.json", dict)
        return cls(
            CrossFitted.load(folder / "ensemble"),
            fillers[0] if fillers else None,
            LabelOrder(**order) if order else None,
        )


class AutoCad(Augmenter[AutoCadConfig]):
    """Mask the words that decide the label and fill the gaps for another; keep what flips."""

    name = "autocad"
    Config = AutoCadConfig
    traits = Traits(writing="edit", helps_with_llm=True)
    labels_needed = 2
    learns = Rationales

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Train the ensemble on the commonest fields and frequent labels; offline, the filler."""
        usable = same_fields(row for row in examples if row.label is not None and not row.fault)
        if not usable:
            raise DataError("autocad needs rows with labels, and there are none")
        counts = Counter(row.label for row in usable)
        rows = [row for row in usable if counts[row.label] >= _FEWEST]
        ensemble = train_crossfitted(rows, EnsembleConfig(members=_MEMBERS, seed=self.config.seed))
        order = find_order(rows, self.config.label_order)
        if self.tools.llm is not None:
            return Rationales(ensemble, order=order)
        if not self.config.model:
            return Rationales(ensemble, fit_filler(rows), order)
        masked = train_conditional(rows, self.config.model, self.config.training, self.config.seed)
        return Rationales(ensemble, masked, order)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Mask, fill, judge: every step for all copies of all rows at once."""
        ensemble: CrossFitted = self.artifact.ensemble
        fields = set(ensemble.linear[0][0].fields)
        usable: list[Example] = []
        for parent in batch:
            if set(parent.fields) != fields or parent.label not in ensemble.labels:
                yield Rejection(parent, "unlike the training rows")
            elif not self._targets(parent.label):
                yield Rejection(parent, NO_OTHER_SIDE, parent.label)
            else:
                usable.append(parent)
        jobs: list[InfillJob] = []
        for parent, gaps in zip(usable, self._gaps(usable), strict=True):
            if gaps:
                jobs += [self._job(parent, gaps, copy) for copy in range(self.config.copies)]
            else:
                yield Rejection(parent, "no rationale")
        filled = self._by_llm(jobs) if self.tools.llm is not None else self._offline(jobs)
        drafts: list[Draft] = []
        for outcome in filled:
            if isinstance(outcome, Draft) and outcome.fields != outcome.parent.fields:
                drafts.append(outcome)
            else:
                yield outcome
        yield from self._judged(drafts)

    def _gaps(self, rows: Sequence[Example]) -> list[list[Span]]:
        """The spans of the words that are important to a majority of the classifiers.

        For a language model they are whole phrases, of the strongest content words; in another
        language than English, the strongest words.
        """
        named = important_words(self.artifact.ensemble, rows, self.config.words)
        ranked = list(map(ranked_words, named))
        texts = [row.fields[chosen_field(row.fields, self.config.field)] for row in rows]
        if self.tools.llm is not None:
            return [
                _word_gaps(text.text, words[:MOST_GAPS])
                if not_english(text.text)  # the parser and the lexicon are English
                else rationale_phrases(text, principal_words(text, row.label, words))
                for text, row, words in zip(self.parser.parse(texts), rows, ranked, strict=True)
            ]
        return [_word_gaps(text, words) for text, words in zip(texts, ranked, strict=True)]

    def _job(self, parent: Example, gaps: Sequence[Span], copy: int) -> InfillJob:
        rng = self.random(parent, copy)
        target = rng.choice(self._targets(parent.label))
        field = chosen_field(parent.fields, self.config.field)
        return InfillJob(parent, copy, field, gaps, target, rng)

    def _targets(self, label: str | None) -> list[str]:
        """The labels that a row may get."""
        order: LabelOrder | None = self.artifact.order
        if order is None:
            return [name for name in self.artifact.ensemble.labels if name != label]
        flipped = order.flipped(label)
        return [] if flipped is None else [flipped]

    def _offline(self, jobs: Sequence[InfillJob]) -> Iterator[Draft | Rejection]:
        for job in jobs:
            by_gap = self.artifact.filler.fill(job.text, job.gaps, job.target)
            words = [sample_word(weighed[: self.config.top], job.rng) for weighed in by_gap]
            yield _filled(job, words, FREE)

    def _by_llm(self, jobs: Sequence[InfillJob]) -> Iterator[Draft | Rejection]:
        replies = required_llm(self).generate([infill_request(job, self.config) for job in jobs])
        for job, reply in zip(jobs, replies, strict=True):
            if isinstance(reply.answer, NamedTexts):
                new = reply.answer.by_name
                words = [new[name] for name in gap_names(job.text, job.gaps)]
                yield _filled(job, words, reply.cost)
            else:
                yield unanswered(job.parent, job.copy, reply)

    def _judged(self, drafts: Sequence[Draft]) -> Iterator[Draft | Rejection]:
        parents = [draft.parent for draft in drafts]
        variants = [Example(draft.fields, draft.label, draft.parent.id) for draft in drafts]
        verdicts = self._judge.judge(parents, variants)
        for draft, verdict in zip(drafts, verdicts, strict=True):
            probability, cost = verdict.probability, draft.cost + verdict.cost
            if probability < self.config.min_label:
                yield rejected_label(draft, verdict.detail, cost)
            else:
                yield replace(draft, cost=cost, scores={"label": round(probability, 4)})

    @property
    def _judge(self) -> Judge:
        fitted: Rationales = self.artifact
        alike = itself if fitted.order is None else fitted.order.same_side
        if self.tools.judge is None:
            return EnsembleJudge(fitted.ensemble, alike)
        return LLMJudge(self.tools.judge, fitted.ensemble.labels, alike=alike)


def _word_gaps(text: str, important: Sequence[str]) -> list[Span]:
    spans = (Span(*place) for place in plain_word_spans(text))
    return [span for span in spans if text[slice(*span)].casefold() in important]


def _filled(job: InfillJob, words: Sequence[str], cost: Cost) -> Draft | Rejection:
    edits = tuple(
        Edit(job.field, start, end, job.text[start:end], match_case(word, job.text[start:end]))
        for (start, end), word in zip(job.gaps, map(str.strip, words), strict=True)
        if word and word != job.text[start:end]
    )
    if not edits:
        return Rejection(job.parent, "nothing fills the gaps", copy=job.copy, cost=cost)
    fields = apply(job.parent.fields, edits)
    return Draft(job.parent, fields, job.target, "flipped", job.copy, edits, cost)
