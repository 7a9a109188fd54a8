"""CoBA: flip the label at the triples that carry it, and leave the shortcuts where they are.

Jin et al. (2025), *CoBA: Counterbias Text Augmentation for Mitigating Various Spurious
Correlations via Semantic Triples*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.checks import NoGates
from augkit.augmenters.coba.artifact import CobaArtifact, TextsArtifact
from augkit.augmenters.coba.attempts import Writing
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
from augkit.augmenters.coba.verify import FORM_CHECKS, of_variant, polarity_checks
from augkit.core.characters import other_spelling
from augkit.core.errors import ConfigError
from augkit.core.protocols import LLM, Check, TextChecks, Tools
from augkit.core.types import Example, Variant, refused
from augkit.english.parser import possible_lemmas
from augkit.english.stored_parses import StoredFirst
from augkit.labels.check import LabelCheck, MeasuredJudge
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
        fit = [p for p in examples if not self.fault_of(p) and self._unfit(p) is None]
        for size in (1, 2):
            rows = [parent for parent in fit if len(parent.fields) == size]
            pipeline = self._text_pipeline if size == 1 else self._pair_pipeline
            if rows and isinstance(pipeline.identifier, PrefetchingIdentifier):
                pipeline.identifier.prefetch(rows)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Propose variants of single texts and of pairs."""
        fit: list[Example] = []
        for parent in batch:
            why = self._unfit(parent)
            if why is None:
                fit.append(parent)
            else:
                yield refused(parent, *why)
        texts = [parent for parent in fit if len(parent.fields) == 1]
        pairs = [parent for parent in fit if len(parent.fields) == 2]
        if texts:
            yield from self._text_pipeline.propose(texts, self.config.copies)
        if pairs:
            yield from self._pair_pipeline.propose(pairs, self.config.copies)

    @property
    def attempts(self) -> int:
        """At temperature 0 a model would write the same again, so it is asked once."""
        return self.config.attempts if self._llm is not None and self.config.temperature else 1

    def again(self, blank: Sequence[Variant]) -> list[Variant]:
        """Write texts and pairs again, each in its pipeline."""
        return self._by_kind(blank, lambda pipeline, variants: pipeline.write(variants))

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Step 7, verify: what a language model wrote; rules have asked their judge already."""
        if self._llm is None:
            return list(variants)
        return self._by_kind(variants, lambda pipeline, of_kind: pipeline.writing.judged(of_kind))

    @cached_property
    def checks(self) -> Sequence[Check[Variant]]:
        """Step 7, verify: the polarity of what a language model wrote, and its form."""
        if self._llm is None or not self.config.verify:
            return ()
        checks = list(map(of_variant, FORM_CHECKS))
        if self.artifact.texts is not None:
            of_texts = polarity_checks(self._parser, self.artifact.texts)
            checks = [of_variant(check, texts_alone=True) for check in of_texts] + checks
        return checks

    def _by_kind(
        self,
        variants: Sequence[Variant],
        call: Callable[[OneCall | PaperSteps, Sequence[Variant]], Sequence[Variant]],
    ) -> list[Variant]:
        """What each of the pipelines gives for its variants, in their order."""
        done = list(variants)
        for size in (1, 2):
            places = [n for n, variant in enumerate(variants) if len(variant.parent.fields) == size]
            if places:
                writer = self._text_writer if size == 1 else self._pair_writer
                of_size = call(writer, [variants[place] for place in places])
                for place, variant in zip(places, of_size, strict=True):
                    done[place] = variant
        return done

    def _check_settings(self, kinds: Sequence[Kind]) -> None:
        check_settings(self.config, kinds, uses_llm=self._llm is not None)

    def _unfit(self, parent: Example) -> tuple[str, str] | None:
        """The reason and the detail why nothing can be done with a row; None where it can."""
        labels = self.artifact.labels
        fields = len(parent.fields)
        if parent.label is None:
            return "no label", ""
        if parent.label not in labels:
            return "unknown label", f"{parent.label}: not one of {', '.join(labels)}"
        order: LabelOrder | None = self.artifact.order
        if order is not None and order.flipped(parent.label) is None:
            return NO_OTHER_SIDE, parent.label
        if fields > 2:
            return "more than two texts", ""
        if fields == 1 and self.artifact.texts is None:
            return "not fitted on single texts", ""
        if fields == 2 and self._llm is None and relation_of(parent.label) is None:
            return "label names no relation", parent.label
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
        if self._llm is not None:
            return self._text_writer
        fitted: TextsArtifact = self.artifact.texts
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
        """The pipeline of pairs; rules need labels that name a relation."""
        if self._llm is not None:
            return self._pair_writer
        relations = labels_of(self.artifact.labels)
        return PairRules(
            PairRuleSettings.of(self.config),
            self._parser,
            self._identifier((), None),
            Targets(tuple(relations.values()), "others and own" if self.config.twins else "others"),
            self.random,
            binary="neutral" not in relations,
        )

    @cached_property
    def _text_writer(self) -> OneCall | PaperSteps:
        """The pipeline in which a language model writes single texts."""
        fitted: TextsArtifact = self.artifact.texts
        targets = Targets(tuple(fitted.ensemble.labels), order=self.artifact.order)
        return self._writer(targets, fitted)

    @cached_property
    def _pair_writer(self) -> OneCall | PaperSteps:
        """The pipeline in which a language model writes pairs, whatever their labels."""
        relations = labels_of(self.artifact.labels)
        labels = tuple(relations.values())
        if len(relations) < 2:
            labels = tuple(self.artifact.labels)
        return self._writer(Targets(labels, "others", self.artifact.order), None)

    def _writer(self, targets: Targets, fitted: TextsArtifact | None) -> OneCall | PaperSteps:
        """The pipeline of single texts, or without ``fitted`` that of pairs."""
        llm = self.ask.llm
        config = self.config
        parser = self._parser
        identifier = self._identifier(targets.labels, fitted)
        writing = self._writing(llm, targets.labels, fitted)
        order: LabelOrder | None = self.artifact.order
        meanings = {} if order is None else order.meanings(fitted.polarity if fitted else {})
        meanings |= config.label_descriptions
        if config.calls == "steps":
            steps = StepsSettings.of(config)
            shuffles = config.permute is not False
            steps = replace(steps, label_descriptions=meanings, permute=shuffles)
            return PaperSteps(steps, writing, parser, identifier, targets, self.random)
        settings = replace(WritingSettings.of(config), label_descriptions=meanings)
        if fitted is not None:
            hints: Hints = PolarityHints(parser, fitted)
        elif "neutral" in labels_of(self.artifact.labels):
            hints = RelationHints(parser)
        else:  # the rules know everyday scenes, not facts
            hints = FactHints(parser)
        return OneCall(settings, writing, parser, identifier, targets, self.random, hints, fitted)

    def _identifier(self, labels: Sequence[str], fitted: TextsArtifact | None) -> Identifier:
        """What names the words of single texts, or without ``fitted`` those of pairs."""
        config = self.config
        words = self.config.spurious_words
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

    def _writing(self, llm: LLM, labels: Sequence[str], fitted: TextsArtifact | None) -> Writing:
        settings = WritingSettings.of(self.config)
        if self.config.calls == "steps" and settings.gender == "triples":
            settings = replace(settings, gender="swapped")
        judge = self._judge(llm, labels, fitted)
        return Writing(settings, llm, labels, judge, self.gates.is_sure)

    def _judge(self, llm: LLM, labels: Sequence[str], fitted: TextsArtifact | None) -> Judge:
        by = self.config.judge_by
        offline: Judge = RelationJudge(self._parser) if fitted is None else fitted.label_judge
        must_agree = by == "both" or (by == "auto" and fitted is not None and not fitted.at_chance)
        if by == "offline":
            return offline
        order: LabelOrder | None = self.artifact.order
        model = LLMJudge(
            self.tools.judge or llm, labels, alike=order.same_side if order else itself
        )
        check = self.tools.label_check or LabelCheck()
        if not must_agree:
            return MeasuredJudge(model, check)

        def second() -> Judge | None:
            measured = check.measured()
            if by == "auto" and not measured.trusted:
                return None
            # Beside another judge, one order is enough of a model that keeps to its label.
            return replace(model, orders=1) if measured.steady else model

        return BothJudges(offline, second, self.config.min_label)
