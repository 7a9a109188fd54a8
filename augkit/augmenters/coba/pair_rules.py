"""CoBA on pairs of texts by rules: one text changes so that another relation holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.checks import failed_check
from augkit.augmenters.coba.categorise import categorise
from augkit.augmenters.coba.config import PairRuleSettings
from augkit.augmenters.coba.identify import Identifier
from augkit.augmenters.coba.job import (
    NOT_EDITABLE,
    Job,
    Targets,
    decompose_parsed,
    edited_triples,
    identify_words,
    touches,
    triple_sentences,
    whole_draft,
)
from augkit.augmenters.coba.verify import FORM_CHECKS, RULE_CHECKS, Rewriting, checked, whole_row
from augkit.core.edits import Edit, apply
from augkit.core.protocols import Check, Parser
from augkit.core.types import Example, Variant, refused
from augkit.english.inference.contradict import (
    affirm_hypothesis,
    contradict_hypothesis,
    contradict_premise,
    excluding_words,
    is_stated,
    negate_hypothesis,
)
from augkit.english.inference.edits import RelationEdit, replace_token
from augkit.english.inference.entail import entail_hypothesis, entail_premise
from augkit.english.inference.neutral import neutralise_hypothesis, neutralise_premise
from augkit.english.inference.parsed_pair import ParsedPair, parse_pairs, word_of
from augkit.labels.judge import DISAGREES, Verdict
from augkit.lexicons.label_meanings import Relation, relation_of
from augkit.text.diff import diff

NEGATED = "negation in a text"
SAME_TEXTS = "both texts are the same"
_PREMISE_FIRST = 2 / 3
_MAX_TRIALS = 4
"""Edits tried for one variant."""
_NOT_LEXICAL = ("exclude", "reverse", "negate", "affirm")
"""First words of rules whose effect the links between words do not show."""


@dataclass(frozen=True)
class PairRules:
    """The rules for pairs: every row towards every other label, and with twins towards its own."""

    settings: PairRuleSettings
    parser: Parser
    identifier: Identifier
    targets: Targets
    random: Callable[[Example, int], Random]
    binary: bool
    """Whether the dataset has no neutral label."""

    def propose(self, batch: Sequence[Example], copies: int) -> Iterator[Variant]:
        """A draft or a rejection for every copy and target of every example."""
        jobs: list[Job] = []
        for row in identify_words(decompose_parsed(batch, self.parser), self.identifier):
            if isinstance(row, Variant):
                yield row
            else:
                categories = categorise(row.triples, row.words, self.settings.precedence)
                categorised = replace(row, categories=categories)
                jobs += self.targets.jobs(categorised, copies, self.random)
        for job, outcome in zip(jobs, self.edit(jobs), strict=True):
            yield replace(outcome, copy=job.number) if outcome.reason else outcome

    def edit(self, jobs: Sequence[Job]) -> list[Variant]:
        """Try edits until the pair, parsed again, has the target relation and a good form.

        The first edit of each job that passes counts, or why the last one did not.
        """
        pairs = parse_pairs([job.parent.fields for job in jobs], self.parser)
        trials = [self._trial(job, pair) for job, pair in zip(jobs, pairs, strict=True)]
        for _ in range(_MAX_TRIALS):
            self._try([t for t in trials if t.untried and isinstance(t.answer, Variant)])
        return [
            trial.answer if isinstance(trial.answer, Variant) else self._whole(trial.answer)
            for trial in trials
        ]

    def _trial(self, job: Job, pair: ParsedPair) -> _Trial:
        """A job with its possible edits.

        From contradiction to neutral it takes two steps where one does not do: an entailed
        hypothesis, which then states more.
        """
        source = relation_of(job.parent.label)
        target = relation_of(job.target)
        if source is None or target is None:
            raise ValueError(f"no relation is named by '{job.parent.label}' or '{job.target}'")
        edits = transitions(pair, source, target, job.rng, binary=self.binary)
        first_steps = []
        if (source, target) == ("contradiction", "neutral") and not pair.negated:
            first_steps = entail_hypothesis(pair, job.rng)
        possible = [*((edit, False) for edit in edits), *((edit, True) for edit in first_steps)]
        if source != target:
            possible = [trial for trial in possible if changes_principal(job, trial[0])]
        reason = NEGATED if pair.negated else NOT_EDITABLE
        nothing = refused(job.parent, reason, f"towards {job.target}")
        return _Trial(job, source, target, _in_order(possible, pair.first, job.rng), nothing)

    def _try(self, trials: Sequence[_Trial]) -> None:
        """Take the next edit of each, parse the new texts together, and check them."""
        tried = [(trial, *trial.untried.pop(0)) for trial in trials]
        texts = [apply(trial.job.parent.fields, edit.edits) for trial, edit, _ in tried]
        rules: list[str | None] = [edit.rule for _, edit, _ in tried]
        twice = [number for number, (_, _, again) in enumerate(tried) if again]
        halfway = parse_pairs([texts[number] for number in twice], self.parser)
        for number, pair in zip(twice, halfway, strict=True):
            rng = tried[number][0].job.rng
            second_steps = neutralise_hypothesis(pair, rng)
            edit = rng.choice(second_steps) if second_steps else None
            rules[number] = f"{rules[number]}, {edit.rule}" if edit else None
            texts[number] = apply(texts[number], edit.edits) if edit else texts[number]
        parsed = parse_pairs(texts, self.parser)
        for (trial, edit, again), fields, rule, pair in zip(
            tried, texts, rules, parsed, strict=True
        ):
            if rule is not None:  # otherwise no second step was possible
                edits = diff(trial.job.parent.fields, fields) if again else edit.edits
                trial.answer = self._checked(trial, fields, edits, rule, pair)

    def _checked(
        self,
        trial: _Trial,
        fields: Mapping[str, str],
        edits: tuple[Edit, ...],
        rule: str,
        pair: ParsedPair,
    ) -> EditedPair | Variant:
        job = trial.job
        before = " ".join(job.parent.fields.values())
        after = " ".join(fields.values())
        tried = EditedPair(
            before, after, job.words, self.settings, trial, fields, edits, rule, pair
        )
        reason = failed_check(PAIR_CHECKS, tried)
        if reason is None:
            return tried
        return refused(job.parent, reason, f"{job.target} ({rule}): {' | '.join(fields.values())}")

    def _whole(self, pair: EditedPair) -> Variant:
        """The edited pair as a variant, from its triples and with other genders where set."""
        job = pair.trial.job
        settings = self.settings
        if not pair.edits:
            return refused(job.parent, NOT_EDITABLE)
        changed = edited_triples(job.triples, pair.edits, job.parent.fields)
        statements = [
            (triple, changed[triple.id]) for triple in job.triples if triple.id in changed
        ]
        if settings.reconstruct_by == "triples":
            fields = triple_sentences(job, [changed.get(t.id, t) for t in job.triples])
            draft = whole_draft(job, fields, None, statements)
        else:
            draft = whole_draft(job, pair.fields, pair.edits, statements)
        fields_changed = ", ".join(sorted({edit.field for edit in pair.edits}))
        about = {**draft.about, "changed": fields_changed, "rule": pair.rule}
        draft = replace(draft, about=about)
        return checked(*whole_row(draft, job, settings, self.parser), RULE_CHECKS)


@dataclass
class _Trial:
    """A job with the edits that are still to be tried, in order."""

    job: Job
    source: Relation
    target: Relation
    untried: list[tuple[RelationEdit, bool]]
    """Edits, and whether a second step must follow."""
    answer: EditedPair | Variant


@dataclass(frozen=True)
class EditedPair(Rewriting):
    """A pair after an edit, parsed again."""

    trial: _Trial
    fields: Mapping[str, str]
    edits: tuple[Edit, ...]
    rule: str
    parsed: ParsedPair

    @property
    def has_same_texts(self) -> bool:
        """Whether the two texts differ by no more than case and a full stop."""
        texts = {text.strip().rstrip(".").casefold() for text in self.fields.values()}
        return len(texts) < len(self.fields)

    @property
    def lacks_relation(self) -> bool:
        """Whether the words of the pair speak against the relation that it should have now."""
        target = self.trial.target
        changes = target != self.trial.source
        return changes and not has_relation(self.parsed, target, self.rule)


PAIR_CHECKS: tuple[Check[EditedPair], ...] = (
    *FORM_CHECKS,
    Check(SAME_TEXTS, lambda pair: pair.has_same_texts),
    Check(DISAGREES, lambda pair: pair.lacks_relation),
)
"""What an edited pair must pass, else the next edit is tried."""


def changes_principal(job: Job, edit: RelationEdit) -> bool:
    """Whether an edit lies in principal triples, or in none.

    Without a principal triple it may lie in normal ones. Where nobody named principal words, the
    word whose link decides the relation is principal, so that any edit may be made.
    """
    if not job.words.principal:
        return True
    free = {"principal"} if "principal" in job.categories.values() else {"normal"}
    for change in edit.edits:
        triples = [t for t in job.triples if t.field == change.field and touches(t, change)]
        if triples and not any(job.categories[triple.id] in free for triple in triples):
            return False
    return True


def _in_order(
    possible: list[tuple[RelationEdit, bool]], premise: str, rng: Random
) -> list[tuple[RelationEdit, bool]]:
    """The edits in the order of trial: those of one text first, each text's in a random order.

    The premise can be edited less often, so it comes first two times in three where it can.
    """
    names = dict.fromkeys(edit.edits[0].field for edit, _ in possible)
    fields = sorted(names, key=lambda name: name != premise)
    if rng.random() > _PREMISE_FIRST:
        fields.reverse()
    ordered: list[tuple[RelationEdit, bool]] = []
    for name in fields:
        in_field = [trial for trial in possible if trial[0].edits[0].field == name]
        ordered += rng.sample(in_field, len(in_field))
    return ordered[:_MAX_TRIALS]


def has_relation(pair: ParsedPair, target: Relation, rule: str = "") -> bool:
    """Whether nothing in the words of the pair contradicts the relation ``target``."""
    excluded = bool(pair.by_support("excluded"))
    if target == "contradiction":
        return excluded or rule.startswith(_NOT_LEXICAL)
    if excluded:
        return False
    open_words = [link for link in pair.links if link.support in {"unstated", "narrower"}]
    if target == "neutral":
        return bool(open_words) or not pair.links
    return not open_words or rule.startswith(_NOT_LEXICAL)


@dataclass(frozen=True)
class RelationJudge:
    """The offline judge of pairs: 1 where nothing in the words contradicts the label, else 0."""

    parser: Parser

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant."""
        _ = parents
        verdicts = []
        for variant in variants:
            relation = relation_of(variant.label)
            holds = False
            if relation is not None and len(variant.fields) == 2:
                (pair,) = parse_pairs([variant.fields], self.parser)
                holds = has_relation(pair, relation)
            verdicts.append(Verdict(float(holds), agrees=holds, detail=f"{float(holds):.2f}"))
        return verdicts


def transitions(
    pair: ParsedPair, source: Relation, target: Relation, rng: Random, *, binary: bool = False
) -> list[RelationEdit]:
    """Single edits of either text that lead from ``source`` to ``target``.

    From contradiction to neutral two steps lead too (see ``PairRules``). In a ``binary``
    dataset, without a neutral label, a negated false claim is true: so "not" occurs in both kinds.
    """
    if target == source:
        return change_both(pair, rng)
    if pair.negated:
        flips = {source, target} == {"entailment", "contradiction"}
        return affirm_hypothesis(pair) if flips else []
    if target == "contradiction":
        edits = contradict_hypothesis(pair, rng) + contradict_premise(pair, rng)
        return edits or (negate_hypothesis(pair) if source == "entailment" else [])
    if target == "entailment":
        negated = negate_hypothesis(pair) if binary and source == "contradiction" else []
        return negated + entail_hypothesis(pair, rng) + entail_premise(pair)
    if source == "entailment":
        return neutralise_hypothesis(pair, rng) + neutralise_premise(pair, "stated")
    return neutralise_premise(pair, "excluded")


def change_both(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Replace a word that both texts have, in both, by one that neither has: the label stays."""
    changes = []
    for link in pair.by_support("stated"):
        if link.word.upos == "VERB":  # what fits one verb seldom fits another
            continue
        supporters = pair.supporters(link.word)
        if len(supporters) != 1 or word_of(supporters[0]) != word_of(link.word):
            continue
        if not excluding_words(pair.premise, supporters[0]):
            continue
        words = excluding_words(pair.hypothesis, link.word)
        for word in rng.sample(words, len(words)):
            if is_stated(pair, word, link.word):
                continue
            here = replace_token(pair.second, pair.hypothesis, link.word, word)
            there = replace_token(pair.first, pair.premise, supporters[0], word)
            if here and there:
                changes.append(RelationEdit((*there, *here), "change both"))
                break
    return changes
