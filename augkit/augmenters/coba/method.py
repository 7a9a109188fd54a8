"""CoBA: flip the label at the triples that carry it, and leave the shortcuts where they are.

Jin et al. (2025), *CoBA: Counterbias Text Augmentation for Mitigating Various Spurious
Correlations via Semantic Triples*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from augkit.augmenters.base import Augmenter
from augkit.augmenters.coba.artifact import CobaArtifact, TextsArtifact
from augkit.augmenters.coba.categorise import StyleCategoriser, WordCategoriser
from augkit.augmenters.coba.config import (
    CobaConfig,
    CobaStyleConfig,
    Kind,
    check_settings,
    check_steps,
)
from augkit.augmenters.coba.decompose import (
    CachedParser,
    Decomposer,
    LLMDecomposer,
    ParseDecomposer,
)
from augkit.augmenters.coba.edit import LLMEditor, PolarityEditor, Targets
from augkit.augmenters.coba.fit import fit_coba
from augkit.augmenters.coba.identify import (
    ContentWords,
    EnsembleIdentifier,
    FinderIdentifier,
    GivenWords,
    Identifier,
    LLMIdentifier,
    PrefetchingIdentifier,
)
from augkit.augmenters.coba.joint.build import joint_editor
from augkit.augmenters.coba.joint.editor import JointReconstructor
from augkit.augmenters.coba.pair_editor import RelationEditor, RelationJudge
from augkit.augmenters.coba.pipeline import Pipeline, Steps
from augkit.augmenters.coba.reconstruct import (
    LLMReconstructor,
    Reconstructor,
    SpanReconstructor,
    TripleReconstructor,
)
from augkit.augmenters.coba.sentences.units import SentenceUnits
from augkit.augmenters.coba.shuffle import KeepOrder, SentenceShuffler, TripleShuffler
from augkit.augmenters.coba.verify import LeftoverCheck
from augkit.augmenters.llm_checks.gates import is_estimate
from augkit.core.errors import ConfigError, MissingTool
from augkit.core.protocols import LLM, Tools
from augkit.core.types import Draft, Example, Rejection
from augkit.labels.check import LabelCheck
from augkit.labels.judge import BothJudges, Judge, LLMJudge, itself
from augkit.lexicons.label_meanings import labels_of, relation_of
from augkit.lexicons.label_order import NO_OTHER_SIDE, LabelOrder


class Coba(Augmenter[CobaConfig]):
    """Rewrite what decides the label so that another one holds; keep what only goes with it."""

    name = "coba"
    Config = CobaConfig
    english_only = True
    writing = "edit"
    uses = frozenset({"finder"})
    labels_needed = 2
    learns = CobaArtifact

    def __init__(self, config: CobaConfig, tools: Tools | None = None) -> None:
        """Settings that do not fit together, or that nothing reads, are an error."""
        super().__init__(config, tools)
        self._llm = self.tools.llm if config.edit_by != "offline" else None
        check_steps(config, uses_llm=self._llm is not None)
        self._check_settings(["texts", "pairs"])
        if config.found_words != "add" and self.tools.finder is None:
            raise ConfigError("coba: found_words has no effect without a finder: give one")

    @property
    def written_by_llm(self) -> bool:
        """Whether a language model edits."""
        return self._llm is not None

    @property
    def asks_judge(self) -> bool:
        """Whether a language model judges."""
        return self._llm is not None and self.config.judge_by != "offline"

    def prepare(self, examples: Sequence[Example]) -> CobaArtifact:
        """Train the ensemble and the judge on the whole corpus."""
        sizes: dict[int, Kind] = {1: "texts", 2: "pairs"}
        kinds = {sizes[len(row.fields)] for row in examples if len(row.fields) in sizes}
        if kinds:
            self._check_settings(sorted(kinds))
        return fit_coba(examples, self.config, self.parser, uses_llm=self.written_by_llm)

    def prefetch(self, examples: Sequence[Example]) -> None:
        """Identify the words of single texts for many rows at a time, if an LLM does the rest."""
        if self._llm is not None and self._texts is not None:
            fit = [p for p in examples if not (self.fault_of(p) or self._unfit(p))]
            self._texts.prefetch([parent for parent in fit if len(parent.fields) == 1])

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Drafts of single texts and of pairs."""
        fit: list[Example] = []
        for parent in batch:
            rejection = self._unfit(parent)
            if rejection is None:
                fit.append(parent)
            else:
                yield rejection
        texts = [parent for parent in fit if len(parent.fields) == 1]
        pairs = [parent for parent in fit if len(parent.fields) == 2]
        if texts and self._texts is not None:
            yield from self._texts.propose(texts, self.config.copies)
        if pairs:
            yield from self._pairs.propose(pairs, self.config.copies)

    def _check_settings(self, kinds: Sequence[Kind]) -> None:
        check_settings(self.config, kinds, uses_llm=self._llm is not None)

    def _unfit(self, parent: Example) -> Rejection | None:
        labels, fields = self.artifact.labels, len(parent.fields)
        if parent.label is None:
            return Rejection(parent, "no label")
        if parent.label not in labels:
            detail = f"{parent.label}: not one of {', '.join(labels)}"
            return Rejection(parent, "unknown label", detail)
        order: LabelOrder | None = self.artifact.order
        if order is not None and order.flipped(parent.label) is None:
            return Rejection(parent, NO_OTHER_SIDE, str(parent.label))
        if fields > 2:
            return Rejection(parent, "more than two texts")
        if fields == 1 and self.artifact.texts is None:
            return Rejection(parent, "not fitted on single texts")
        if fields == 2 and self._llm is None and relation_of(parent.label) is None:
            return Rejection(parent, "label names no relation", str(parent.label))
        return None

    @cached_property
    def _parser(self) -> CachedParser:
        return CachedParser(self.parser)

    @cached_property
    def _texts(self) -> Pipeline | None:
        """The pipeline of single texts."""
        fitted: TextsArtifact | None = self.artifact.texts
        if fitted is None:
            return None
        if self._llm is not None:
            labels = tuple(fitted.ensemble.labels)
            steps = self._llm_steps(self._llm, labels, fitted)
            checked = replace(steps, leftover=LeftoverCheck(self._parser, fitted))
            return self._pipeline(checked, Targets(labels, order=self.artifact.order))
        config, parser, judge = self.config, self._parser, fitted.label_judge
        steps = Steps(
            ParseDecomposer(parser),
            self._with_finder(EnsembleIdentifier(parser, fitted, config)),
            WordCategoriser(config.precedence),
            PolarityEditor(parser, fitted),
            SentenceShuffler(config),
            self._reconstructor(),
            judge,
            SentenceUnits(config, parser, judge),
        )
        return self._pipeline(steps, Targets(tuple(fitted.polarity), order=self.artifact.order))

    @cached_property
    def _pairs(self) -> Pipeline:
        """The pipeline of pairs; rules need labels that name a relation, a model takes any."""
        relations = labels_of(self.artifact.labels)
        named = tuple(relations.values())
        if self._llm is not None:
            labels = named if len(relations) > 1 else tuple(self.artifact.labels)
            steps = self._llm_steps(self._llm, labels, None)
            return self._pipeline(steps, Targets(labels, "others", self.artifact.order))
        config, parser = self.config, self._parser
        steps = Steps(
            ParseDecomposer(parser),
            self._with_finder(GivenWords(config.spurious_words)),
            WordCategoriser(),
            RelationEditor(parser, config.limits, binary="neutral" not in relations),
            KeepOrder(),
            self._reconstructor(),
            None,  # the editor reads the pair again
        )
        return self._pipeline(steps, Targets(named, "others and own" if config.twins else "others"))

    def _pipeline(self, steps: Steps, targets: Targets) -> Pipeline:
        config = self.config
        attempts = config.attempts if self._llm is not None and config.temperature else 1
        if is_estimate(self.tools):  # its gates stand for the free checks
            passing = {"shortest": 0.0, "longest": float("inf"), "min_spurious": 0.0}
            # The ensemble knows no made-up word. A model that judges pairs rejects most of them.
            passing["min_label"] = 1.0 if steps.leftover is None else 0.0
            config = config.model_copy(update=passing)
            steps = replace(steps, leftover=None)
        gate = self.text_rejection
        return Pipeline(config, steps, targets, self.random, self._parser, attempts, gate)

    def _llm_steps(self, llm: LLM, labels: Sequence[str], fitted: TextsArtifact | None) -> Steps:
        config, parser = self.config, self._parser
        words: Identifier = GivenWords(config.spurious_words)
        if config.identify == "llm":
            words = LLMIdentifier(llm, config, labels)
        elif fitted is not None:
            words = EnsembleIdentifier(parser, fitted, config)
        identifier = self._with_finder(words)
        identifier = ContentWords(identifier, parser, config.keep_words, config.spurious_words)
        if isinstance(words, EnsembleIdentifier):
            identifier = PrefetchingIdentifier(identifier)
        judge = self._judge(llm, labels, fitted)
        if config.calls == "joint":
            return Steps(
                ParseDecomposer(parser),
                identifier,
                WordCategoriser(),
                joint_editor(llm, config, parser, self.artifact, fitted),
                KeepOrder(),
                JointReconstructor(),
                judge,
            )
        decomposer: Decomposer = LLMDecomposer(llm, config)
        if config.decompose_by == "offline":
            decomposer = ParseDecomposer(parser)
        return Steps(
            decomposer,
            identifier,
            WordCategoriser(config.precedence, rewrites_triples=True),
            LLMEditor(llm, config),
            TripleShuffler(config),
            self._reconstructor(),
            judge,
        )

    def _judge(self, llm: LLM, labels: Sequence[str], fitted: TextsArtifact | None) -> Judge:
        by = self.config.judge_by
        offline: Judge = RelationJudge(self._parser) if fitted is None else fitted.label_judge
        check = self.tools.label_check or LabelCheck()
        both = by == "both" or (by == "auto" and fitted is not None and not fitted.at_chance)
        if by == "offline" or (by == "auto" and both and not check.trusted):
            return offline
        # Where another judge must agree, one order is enough of a judge that keeps to its label.
        order, orders = self.artifact.order, 1 if both and check.steady else 2
        alike = itself if order is None else order.same_side
        asked = LLMJudge(self.tools.judge or llm, labels, orders=orders, alike=alike)
        return BothJudges(offline, asked, self.config.min_label) if both else asked

    def _with_finder(self, identifier: Identifier) -> Identifier:
        finder, config = self.tools.finder, self.config
        if finder is None:
            return identifier
        replaces = config.found_words == "replace"
        return FinderIdentifier(finder, identifier, config.spurious_words, replaces)

    def _reconstructor(self) -> Reconstructor:
        if self.config.reconstruct_by == "triples":
            return TripleReconstructor()
        llm = self._llm
        return SpanReconstructor() if llm is None else LLMReconstructor(llm, self.config)


class CobaStyle(Augmenter[CobaStyleConfig]):
    """Rearrange what two texts of one content say, and leave the style of each.

    Jin et al. (2025), section 4.5: no label is flipped and no word is spurious. Triples that carry
    the style keep their places; the others are shuffled, and both texts are written again.
    """

    name = "coba-style"
    Config = CobaStyleConfig
    writing = "edit"
    needs = frozenset({"llm"})

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy of every example that has two texts."""
        for parent in batch:
            if len(parent.fields) != 2:
                yield Rejection(parent, "not a pair of texts")
        pairs = [parent for parent in batch if len(parent.fields) == 2]
        yield from self._pipeline.propose(pairs, self.config.copies) if pairs else ()

    @cached_property
    def _pipeline(self) -> Pipeline:
        config, llm = self.config, self.tools.llm
        if llm is None:
            raise MissingTool(self.name, "llm")
        steps = Steps(
            LLMDecomposer(llm, config),
            GivenWords(),
            StyleCategoriser(llm, config),
            None,
            TripleShuffler(config),
            LLMReconstructor(llm, config, all_fields=True),
            None,
        )
        return Pipeline(config, steps, Targets(choice="own"), self.random, self.parser)
