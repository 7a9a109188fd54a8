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
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature
from augkit.core.edits import Edit, Span, apply
from augkit.core.errors import DataError
from augkit.core.json_files import load_json, save_json
from augkit.core.model_types import Request
from augkit.core.protocols import Artifact
from augkit.core.types import Example, Variant, refused
from augkit.datasets.settings import DeclaredOrder
from augkit.english.english import not_english
from augkit.english.polarity.label_polarity import find_order
from augkit.labels.fit import same_fields
from augkit.labels.judge import (
    AT_CHANCE,
    EnsembleJudge,
    Judge,
    LLMJudge,
    Verdict,
    itself,
    judged_by,
    not_verified,
    refuse_label,
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

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Mask, fill, judge: every step for all copies of all rows at once."""
        ensemble: CrossFitted = self.artifact.ensemble
        fields = set(ensemble.linear[0][0].fields)
        usable: list[Example] = []
        for parent in batch:
            if set(parent.fields) != fields or parent.label not in ensemble.labels:
                yield refused(parent, "unlike the training rows")
            elif not self._targets(parent.label):
                yield refused(parent, NO_OTHER_SIDE, parent.label)
            else:
                usable.append(parent)
        blanks: list[Variant] = []
        for parent, gaps in zip(usable, self._gaps(usable), strict=True):
            if gaps:
                blanks += [self._blank(parent, gaps, copy) for copy in range(self.config.copies)]
            else:
                yield refused(parent, "no rationale")
        if self.tools.llm is None:
            yield from map(self._filled_offline, blanks)
        else:
            yield from self.ask(blanks, self.question, read_fillings)

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the variants in which the judge does not find their label."""
        return judged_by(self._judge, variants, self._doubted)

    def _doubted(self, variant: Variant, verdict: Verdict) -> Variant:
        if verdict.probability < self.config.min_label:
            return refuse_label(variant, verdict.detail)
        return replace(variant, scores={"label": round(verdict.probability, 4)})

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

    def _blank(self, parent: Example, gaps: Sequence[Span], copy: int) -> Variant:
        """A variant that gets another label, with the gaps that are to be filled for it."""
        rng = self.random(parent, copy)
        target = rng.choice(self._targets(parent.label))
        field = chosen_field(parent.fields, self.config.field)
        job = InfillJob(parent, copy, field, gaps, target, rng)
        return Variant(parent, parent.fields, target, "flipped", copy, work=job)

    def _targets(self, label: str | None) -> list[str]:
        """The labels that a row may get."""
        order: LabelOrder | None = self.artifact.order
        if order is None:
            return [name for name in self.artifact.ensemble.labels if name != label]
        flipped = order.flipped(label)
        return [] if flipped is None else [flipped]

    def _filled_offline(self, blank: Variant) -> Variant:
        """Fill the gaps with words of the fitted filler."""
        job: InfillJob = blank.work
        by_gap = self.artifact.filler.fill(job.text, job.gaps, job.target)
        words = [sample_word(weighed[: self.config.top], job.rng) for weighed in by_gap]
        return with_words(blank, words)

    def question(self, blank: Variant) -> Request:
        """Ask a language model to fill the gaps."""
        return infill_request(blank.work, self.config)

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


def read_fillings(blank: Variant, answer: NamedTexts) -> Variant:
    """Fill the gaps with the words of an answer."""
    job: InfillJob = blank.work
    new = answer.by_name
    return with_words(blank, [new[name] for name in gap_names(job.text, job.gaps)])


def with_words(blank: Variant, words: Sequence[str]) -> Variant:
    """The variant with these words in the gaps, in the case of the words before."""
    job: InfillJob = blank.work
    edits = tuple(
        Edit(job.field, start, end, job.text[start:end], match_case(word, job.text[start:end]))
        for (start, end), word in zip(job.gaps, map(str.strip, words), strict=True)
        if word and word != job.text[start:end]
    )
    if not edits:
        return blank.refuse("nothing fills the gaps")
    return replace(blank, fields=apply(job.parent.fields, edits), edits=edits)
