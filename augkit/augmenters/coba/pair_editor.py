"""Editing pairs of texts by rules: one text changes so that another relation holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from augkit.augmenters.coba.config import Limits
from augkit.augmenters.coba.edit import Edited, Job, edited_triples
from augkit.augmenters.coba.verify import NOT_EDITABLE, form_rejection
from augkit.core.edits import apply
from augkit.core.protocols import Parser
from augkit.core.types import Edit, Example, Rejection
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


@dataclass
class _Trial:
    """A job with the edits that are still to be tried, in order."""

    job: Job
    pair: ParsedPair
    source: Relation
    target: Relation
    untried: list[tuple[RelationEdit, bool]]
    """Edits, and whether a second step must follow."""
    answer: Edited | Rejection


@dataclass(frozen=True)
class RelationEditor:
    """Tries edits until the pair, parsed again, has the target relation and a good form.

    From contradiction to neutral it takes two steps where one does not do: an entailed hypothesis,
    which then states more. ``binary`` is for datasets without a neutral label.
    """

    parser: Parser
    limits: Limits
    binary: bool

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Rejection]:
        """The first edit of each job that passes, or why the last one did not."""
        pairs = parse_pairs([job.parent.fields for job in jobs], self.parser)
        trials = [self._trial(job, pair) for job, pair in zip(jobs, pairs, strict=True)]
        for _ in range(_MAX_TRIALS):
            self._try([t for t in trials if t.untried and not isinstance(t.answer, Edited)])
        return [trial.answer for trial in trials]

    def _trial(self, job: Job, pair: ParsedPair) -> _Trial:
        source, target = relation_of(job.parent.label), relation_of(job.target)
        if source is None or target is None:
            raise ValueError(f"no relation is named by '{job.parent.label}' or '{job.target}'")
        edits = transitions(pair, source, target, job.rng, binary=self.binary)
        firsts = []
        if (source, target) == ("contradiction", "neutral") and not pair.negated:
            firsts = entail_hypothesis(pair, job.rng)
        possible = [*((edit, False) for edit in edits), *((edit, True) for edit in firsts)]
        reason = NEGATED if pair.negated else NOT_EDITABLE
        nothing = Rejection(job.parent, reason, f"towards {job.target}")
        return _Trial(job, pair, source, target, _in_order(possible, pair.first, job.rng), nothing)

    def _try(self, trials: Sequence[_Trial]) -> None:
        """Take the next edit of each, parse the new texts together, and check them."""
        tried = [(trial, *trial.untried.pop(0)) for trial in trials]
        texts = [apply(trial.job.parent.fields, edit.edits) for trial, edit, _ in tried]
        rules: list[str | None] = [edit.rule for _, edit, _ in tried]
        twice = [number for number, (_, _, again) in enumerate(tried) if again]
        halfway = parse_pairs([texts[number] for number in twice], self.parser)
        for number, pair in zip(twice, halfway, strict=True):
            rng = tried[number][0].job.rng
            more = neutralise_hypothesis(pair, rng)
            edit = rng.choice(more) if more else None
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
    ) -> Edited | Rejection:
        job = trial.job
        reason = form_rejection(job.parent.fields, fields, job.words, self.limits)
        if len({text.strip().rstrip(".").casefold() for text in fields.values()}) < len(fields):
            reason = reason or SAME_TEXTS
        if trial.target != trial.source and not has_relation(pair, trial.target, rule):
            reason = reason or DISAGREES
        if reason:
            detail = f"{job.target} ({rule}): {' | '.join(fields.values())}"
            return Rejection(job.parent, reason, detail)
        changed = ", ".join(sorted({edit.field for edit in edits}))
        triples = edited_triples(job.triples, edits, job.parent.fields)
        return Edited(triples, edits, about={"changed": changed, "rule": rule})


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
        own = [each for each in possible if each[0].edits[0].field == name]
        ordered += rng.sample(own, len(own))
    return ordered[:_MAX_TRIALS]


_NOT_LEXICAL = ("exclude", "reverse", "negate", "affirm")
"""First words of rules whose effect the links between words do not show."""


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
        return [Verdict(float(self._has_relation(variant))) for variant in variants]

    def _has_relation(self, variant: Example) -> bool:
        relation = relation_of(variant.label)
        if relation is None or len(variant.fields) != 2:
            return False
        (pair,) = parse_pairs([variant.fields], self.parser)
        return has_relation(pair, relation)


def transitions(
    pair: ParsedPair, source: Relation, target: Relation, rng: Random, *, binary: bool = False
) -> list[RelationEdit]:
    """Single edits of either text that lead from ``source`` to ``target``.

    From contradiction to neutral two steps lead too (see ``RelationEditor``). In a ``binary``
    dataset, without a neutral label, a negated false claim is true: so "not" occurs in both kinds.
    """
    if target == source:
        return change_both(pair, rng)
    if pair.negated:
        flips = {source, target} == {"entailment", "contradiction"}
        return affirm_hypothesis(pair) if flips else []
    if target == "contradiction":
        found = contradict_hypothesis(pair, rng) + contradict_premise(pair, rng)
        return found or (negate_hypothesis(pair) if source == "entailment" else [])
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
        others = pair.supporters(link.word)
        if len(others) != 1 or word_of(others[0]) != word_of(link.word):
            continue
        words = excluding_words(pair.hypothesis, link.word)
        for word in rng.sample(words, len(words)):
            if is_stated(pair, word, link.word):
                continue
            here = replace_token(pair.second, pair.hypothesis, link.word, word)
            there = replace_token(pair.first, pair.premise, others[0], word)
            if here and there:
                changes.append(RelationEdit((*there, *here), "change both"))
                break
    return changes
