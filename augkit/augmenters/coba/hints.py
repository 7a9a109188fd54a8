"""What the rules would change: a hint for a language model, which may do otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.pair_rules import transitions
from augkit.core.edits import apply
from augkit.core.protocols import Parser
from augkit.english.inference.claim_parts import replaceable
from augkit.english.inference.edits import RelationEdit
from augkit.english.inference.entail import entail_hypothesis
from augkit.english.inference.neutral import neutralise_hypothesis
from augkit.english.inference.parsed_pair import ParsedPair, parse_pairs
from augkit.english.polarity.antonyms import BroadChoice
from augkit.english.polarity.flip_polarity import flip_polarity
from augkit.lexicons.label_meanings import relation_of

_NEGATIONS = ("negate", "affirm")
"""First words of rules that add or remove a "not": a model should change what is said instead."""


class Hints(Protocol):
    """Job → words with others in their place."""

    def of(self, job: Job) -> str:
        """A list such as "stale → fresh, drags → soars"; "" where the rules change nothing."""
        ...


@dataclass(frozen=True)
class PolarityHints:
    """Evaluative words of a single text with words of the other polarity."""

    parser: Parser
    fitted: TextsArtifact

    def of(self, job: Job) -> str:
        """The words that rules would flip."""
        polarity = self.fitted.polarity
        side, target = (polarity.get(str(label)) for label in (job.parent.label, job.target))
        if side is None or target in {None, side}:
            return ""
        (analysis,) = self.parser.parse([next(iter(job.parent.fields.values()))])
        choice = BroadChoice(self.fitted.lexicon, self.fitted.counts)
        flip = flip_polarity(analysis, side, self.fitted.lexicon, choice, job.rng)
        return _listed([(analysis.text[c.start : c.end], c.after) for c in flip.changes])


@dataclass(frozen=True)
class RelationHints:
    """Words of the second text of a pair with words that change its relation to the first."""

    parser: Parser

    def of(self, job: Job) -> str:
        """An edit that rules would make in the second text."""
        source = relation_of(job.parent.label)
        target = relation_of(job.target)
        (pair,) = parse_pairs([job.parent.fields], self.parser)
        if source is None or target is None:
            return ""
        if (source, target) == ("contradiction", "neutral"):
            return self._two_steps(job, pair)
        edits = _second_text(transitions(pair, source, target, job.rng), pair)
        return _listed([(e.before, e.after) for e in job.rng.choice(edits).edits]) if edits else ""

    def _two_steps(self, job: Job, pair: ParsedPair) -> str:
        """A contradiction is first made to follow, then to say more."""
        fields = dict(job.parent.fields)
        for step in (entail_hypothesis, neutralise_hypothesis):
            edits = _second_text(step(pair, job.rng), pair)
            if not edits:
                return ""
            fields = dict(apply(fields, job.rng.choice(edits).edits))
            (pair,) = parse_pairs([fields], self.parser)
        return _listed([(job.parent.fields[pair.second].rstrip(" ."), fields[pair.second])])


@dataclass(frozen=True)
class FactHints:
    """The name, number or noun of a true claim whose change makes it false."""

    parser: Parser

    def of(self, job: Job) -> str:
        """One part of the claim, best one that the evidence has too; "" for other targets."""
        if relation_of(job.target) != "contradiction":
            return ""
        first, second = job.parent.fields.values()
        (claim,) = self.parser.parse([second])
        parts = replaceable(claim, first)
        return claim.text[parts[0].start : parts[0].end] if parts else ""


def _second_text(edits: Sequence[RelationEdit], pair: ParsedPair) -> list[RelationEdit]:
    """The edits that change only the second text, and not by a negation."""
    return [
        edit
        for edit in edits
        if not edit.rule.startswith(_NEGATIONS)
        and all(change.field == pair.second for change in edit.edits)
    ]


def _listed(changes: Sequence[tuple[str, str]]) -> str:
    """Replaced words, and added ones; what is only left out is no hint."""
    shown = [(before.strip(), after.strip()) for before, after in changes if after.strip()]
    return ", ".join(f"{before} → {after}" if before else f"… {after}" for before, after in shown)
