"""CoBA: flip the label at the triples that carry it, and leave the shortcuts where they are.

Jin et al. (2025), *CoBA: Counterbias Text Augmentation for Mitigating Various Spurious
Correlations via Semantic Triples*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.checks import NoGates
from augkit.augmenters.coba.artifact import CobaArtifact, TextsArtifact
from augkit.augmenters.coba.attempts import Attempts
from augkit.augmenters.coba.config import (
    CobaConfig,
    Kind,
    PairRuleSettings,
    PairVoteSettings,
    StepsSettings,
    TextRuleSettings,
    VoteSettings,
    WritingSettings,
    check_settings,
    check_steps,
)
from augkit.augmenters.coba.fit import fit_coba
from augkit.augmenters.coba.gender import GenderIdentifier
from augkit.augmenters.coba.hints import FactHints, Hints, PolarityHints, RelationHints
from augkit.augmenters.coba.identify import (
    ContentWords,
    EnsembleIdentifier,
    FinderIdentifier,
    GivenWords,
    Identifier,
    LLMIdentifier,
    PrefetchingIdentifier,
    VoteIdentifier,
)
from augkit.augmenters.coba.job import CachedParser, Targets
from augkit.augmenters.coba.one_call import OneCall
from augkit.augmenters.coba.pair_rules import PairRules, RelationJudge
from augkit.augmenters.coba.paper_steps import PaperSteps
from augkit.augmenters.coba.text_rules import TextRules
from augkit.augmenters.coba.verify import FORM_CHECKS, WholeRow, polarity_checks
from augkit.core.characters import other_spelling
from augkit.core.errors import ConfigError
from augkit.core.protocols import LLM, Check, TextChecks, Tools
from augkit.core.types import Draft, Example, Rejection
from augkit.english.parser import possible_lemmas
from augkit.english.stored_parses import StoredFirst
from augkit.labels.check import LabelCheck
from augkit.labels.judge import BothJudges, Judge, LLMJudge, itself
from augkit.lexicons.label_meanings import labels_of, relation_of
from augkit.lexicons.label_order import NO_OTHER_SIDE, LabelOrder


class Coba(Augmenter[CobaConfig]):
    """Flip the label by rewriting the opinion words; leave the shortcut in place."""

    name = "coba"
    Config = CobaConfig
    traits = Traits(writing="edit", english="rows", thinned=True)
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
    def gates(self) -> TextChecks:
        """The text gates; none where what a model wrote is not verified, as in the paper."""
        return super().gates if self.config.verify else NoGates()

    @property
    def asks_judge(self) -> bool:
        """Whether a language model judges."""
        return self._llm is not None and self.config.verify and self.config.judge_by != "offline"

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """Where a label that the settings describe only looks like one of the ``labels``."""
        del fields
        same = other_spelling(self.config.label_descriptions, labels)
        return f"label_descriptions: {same}" if same else ""

    def prepare(self, examples: Sequence[Example]) -> CobaArtifact:
        """Train the ensemble and the judge on the whole corpus."""
        sizes: dict[int, Kind] = {1: "texts", 2: "pairs"}
        kinds = {sizes[len(row.fields)] for row in examples if len(row.fields) in sizes}
        if kinds:
            self._check_settings(sorted(kinds))
        return fit_coba(examples, self.config, self.parser, uses_llm=self.written_by_llm)

    def prefetch(self, examples: Sequence[Example]) -> None:
        """Identify the words of many rows at a time, if an LLM does the rest."""
        if self._llm is None:
            return
        fit = [p for p in examples if not (self.fault_of(p) or self._unfit(p))]
        for size in (1, 2):
            rows = [parent for parent in fit if len(parent.fields) == size]
            pipeline = self._text_pipeline if size == 1 else self._pair_pipeline
            if rows and isinstance(pipeline.identifier, PrefetchingIdentifier):
                pipeline.identifier.prefetch(rows)

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
        if texts:
            yield from self._text_pipeline.propose(texts, self.config.copies)
        if pairs:
            yield from self._pair_pipeline.propose(pairs, self.config.copies)

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
        texts: TextsArtifact | None = self.artifact.texts
        if texts is None or self.tools.parser is not None:
            return CachedParser(self.parser)
        return CachedParser(StoredFirst(texts.parses, self.parser))

    @cached_property
    def _text_pipeline(self) -> TextRules | OneCall | PaperSteps:
        """The pipeline of single texts."""
        fitted: TextsArtifact = self.artifact.texts
        if self._llm is not None:
            targets = Targets(tuple(fitted.ensemble.labels), order=self.artifact.order)
            return self._llm_pipeline(self._llm, targets, fitted)
        return TextRules(
            TextRuleSettings.of(self.config),
            self._parser,
            self._identifier((), fitted),
            fitted,
            fitted.label_judge,
            Targets(tuple(fitted.polarity), order=self.artifact.order),
            self.random,
            possible_lemmas if self.tools.parser is None else None,
        )

    @cached_property
    def _pair_pipeline(self) -> PairRules | OneCall | PaperSteps:
        """The pipeline of pairs; rules need labels that name a relation, a model takes any."""
        relations = labels_of(self.artifact.labels)
        named = tuple(relations.values())
        if self._llm is not None:
            labels = named if len(relations) > 1 else tuple(self.artifact.labels)
            targets = Targets(labels, "others", self.artifact.order)
            return self._llm_pipeline(self._llm, targets, None)
        return PairRules(
            PairRuleSettings.of(self.config),
            self._parser,
            self._identifier((), None),
            Targets(named, "others and own" if self.config.twins else "others"),
            self.random,
            binary="neutral" not in relations,
        )

    def _llm_pipeline(
        self, llm: LLM, targets: Targets, fitted: TextsArtifact | None
    ) -> OneCall | PaperSteps:
        """The pipeline of single texts, or without ``fitted`` that of pairs."""
        config, parser = self.config, self._parser
        identifier = self._identifier(targets.labels, fitted)
        attempts = self._attempts(llm, targets.labels, fitted)
        order: LabelOrder | None = self.artifact.order
        meanings = {} if order is None else order.meanings(fitted.polarity if fitted else {})
        meanings |= config.label_descriptions
        if config.calls == "steps":
            steps = StepsSettings.of(config)
            shuffles = config.permute is not False
            steps = replace(steps, label_descriptions=meanings, permute=shuffles)
            return PaperSteps(steps, llm, parser, identifier, targets, self.random, attempts)
        settings = replace(WritingSettings.of(config), label_descriptions=meanings)
        if fitted is not None:
            hints: Hints = PolarityHints(parser, fitted)
        elif "neutral" in labels_of(self.artifact.labels):
            hints = RelationHints(parser)
        else:  # the rules know everyday scenes, not facts
            hints = FactHints(parser)
        return OneCall(
            settings, llm, parser, identifier, targets, self.random, attempts, hints, fitted
        )

    def _identifier(self, labels: Sequence[str], fitted: TextsArtifact | None) -> Identifier:
        """What names the words of single texts, or without ``fitted`` those of pairs."""
        config, words = self.config, self.config.spurious_words
        identifier: Identifier = GivenWords(words)
        if self._llm is not None and config.identify == "llm":
            identifier = LLMIdentifier(self._llm, config, labels, config.top_k, words)
        elif fitted is not None:
            settings = VoteSettings.of(config)
            if settings.principal == "auto":
                by_steps = self._llm is not None and config.calls == "steps"
                settings = replace(settings, principal="vote" if by_steps else "lexicon")
            identifier = EnsembleIdentifier(self._parser, fitted, settings, words)
        elif self.artifact.pairs is not None:
            settings_of_vote = PairVoteSettings.of(config)
            identifier = VoteIdentifier(self.artifact.pairs, settings_of_vote, words)
        by_vote = isinstance(identifier, EnsembleIdentifier | VoteIdentifier)
        if self.tools.finder is not None:
            replaces = config.found_words == "replace"
            identifier = FinderIdentifier(self.tools.finder, identifier, words, replaces)
        if self._llm is not None and config.keep_words is not None:
            identifier = ContentWords(identifier, self._parser, config.keep_words, words)
        if config.gender == "spurious":
            identifier = GenderIdentifier(identifier)
        return PrefetchingIdentifier(identifier) if by_vote and self._llm else identifier

    def _attempts(self, llm: LLM, labels: Sequence[str], fitted: TextsArtifact | None) -> Attempts:
        checks: Sequence[Check[WholeRow]] = FORM_CHECKS
        if fitted is not None:
            checks = (*polarity_checks(self._parser, fitted), *FORM_CHECKS)
        settings = WritingSettings.of(self.config)
        if self.config.calls == "steps" and settings.gender == "triples":
            settings = replace(settings, gender="swapped")
        return Attempts(
            settings,
            self._parser,
            labels,
            checks,
            self.gates,
            self.text_rejection,
            self._judge(llm, labels, fitted),
        )

    def _judge(self, llm: LLM, labels: Sequence[str], fitted: TextsArtifact | None) -> Judge:
        by = self.config.judge_by
        offline: Judge = RelationJudge(self._parser) if fitted is None else fitted.label_judge
        check = self.tools.label_check or LabelCheck()
        must_agree = by == "both" or (by == "auto" and fitted is not None and not fitted.at_chance)
        if by == "offline" or (by == "auto" and must_agree and not check.trusted):
            return offline
        # Where another judge must agree, one order is enough of a judge that keeps to its label.
        order, orders = self.artifact.order, 1 if must_agree and check.steady else 2
        alike = itself if order is None else order.same_side
        asked = LLMJudge(self.tools.judge or llm, labels, orders=orders, alike=alike)
        return BothJudges(offline, asked, self.config.min_label) if must_agree else asked
