"""Whom a pronoun may stand for, and how likely: agreement, binding, and a weighing of clues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp

from augkit.language.analysis import Analysis, Token
from augkit.language.clauses import (
    arguments,
    clauses_above,
    first_conjunct,
    is_inside,
    predicate,
    role,
    subject,
)
from augkit.language.mentions import Sighting, is_possessive
from augkit.language.weights import WEIGHTS
from augkit.lexicons.people import Gender

LATEST = 6
"""So many mentions of a candidate are looked at, the latest ones."""

_SPEECH = frozenset(
    {
        *("say", "tell", "ask", "reply", "answer", "think", "believe", "know", "hope", "claim"),
        *("add", "explain", "announce", "write", "feel", "state", "note", "admit", "insist"),
        *("argue", "suggest", "report", "warn", "recall", "remember", "realize", "decide"),
    }
)


@dataclass(eq=False)
class Candidate:
    """A person in the making: mentions that are surely the same, and what they show together."""

    sightings: list[Sighting] = field(default_factory=list)
    gender: Gender = "unknown"
    plural: bool = False
    sure: bool = False
    doubted: bool = False
    rivals: tuple[Candidate, ...] = ()

    def add(self, seen: Sighting) -> None:
        """Take one more mention in."""
        if not self.sightings:
            self.plural = seen.mention.plural
        if self.gender == "unknown":
            self.gender = seen.mention.gender
        self.sure = self.sure or seen.sure
        self.sightings.append(seen)

    @property
    def last(self) -> Sighting:
        """The latest mention."""
        return self.sightings[-1]


def agrees(seen: Sighting, candidate: Candidate) -> bool:
    """Whether gender and number allow a mention to belong to a candidate."""
    mention = seen.mention
    if "unknown" not in {mention.gender, candidate.gender} and mention.gender != candidate.gender:
        return False
    if mention.kind == "pronoun" and mention.gender == "unknown":  # "they" may be one person
        return candidate.plural or candidate.gender == "unknown"
    return mention.plural == candidate.plural


def is_bound_apart(analysis: Analysis, token: Token, candidate: Candidate) -> bool:
    """Whether grammar forbids a pronoun to stand for a candidate mentioned in its sentence."""
    near = [s.token for s in candidate.sightings[-LATEST:] if s.token.sentence == token.sentence]
    heads = {other.index for other in near}
    if any(is_inside(analysis, token, other) for other in near):
        return True
    if is_possessive(token):
        return False
    top = first_conjunct(analysis, token)
    if any(first_conjunct(analysis, other).index == top.index for other in near):
        return True  # "Anna and her": two people
    if role(analysis, top) not in {"subject", "object"}:
        return False
    verb = analysis.head(top)
    fellows = arguments(analysis, verb)
    return any(fellow.index in heads and fellow.index != top.index for fellow in fellows)


def clues(analysis: Analysis, seen: Sighting, candidate: Candidate, rank: int) -> list[str]:
    """The names of what speaks for or against a candidate; ``rank`` is 0 for the latest one."""
    token, last = seen.token, candidate.last
    apart = token.sentence - last.token.sentence
    found = [
        f"sentences apart: {min(apart, 4)}",
        f"rank: {min(rank, 5)}",
        f"was {role(analysis, last.token)}",
        f"is a {last.mention.kind}",
        f"mentions: {min(len(candidate.sightings).bit_length(), 5)}",
    ]
    found += [clue for clue, holds in _marks(seen, candidate).items() if holds]
    if role(analysis, token) == role(analysis, last.token):
        found.append("same role")
    return found + _grammatical_clues(analysis, token, candidate)


def _marks(seen: Sighting, candidate: Candidate) -> dict[str, bool]:
    last = candidate.last
    return {
        "gender shown": candidate.gender == seen.mention.gender != "unknown",
        "maybe not a person": not candidate.sure,
        "number differs": seen.mention.plural != candidate.plural,
        "doubted": candidate.doubted,
        "same word": last.mention.kind == "pronoun" and seen.words == last.words,
        "indefinite": last.article == "indefinite",
        "bare noun": last.article == "bare",
        "named": any(s.mention.kind == "name" for s in candidate.sightings[:LATEST]),
    }


def _grammatical_clues(analysis: Analysis, token: Token, candidate: Candidate) -> list[str]:
    heads = {
        s.token.index for s in candidate.sightings[-LATEST:] if s.token.sentence == token.sentence
    }
    found = []
    for level, verb in enumerate(clauses_above(analysis, token)[:3]):
        who = subject(analysis, verb)
        if who is None or who.index not in heads or who.index == token.index:
            continue
        if level == 0:
            found.append("owner is subject" if is_possessive(token) else "beside its subject")
        else:
            speech = verb.lemma.lower() in _SPEECH
            found.append("subject of speech above" if speech else "subject above")
        break
    objects = analysis.children(predicate(analysis, token), "obj", "iobj", "obl")
    if any(o.index in heads for o in objects):
        found.append("argument of its clause")
    return found


def probabilities(rows: Sequence[Sequence[str]], *, they: bool) -> list[float]:
    """How likely each candidate is, by its clues; last, that it is none of them.

        P(i) = exp(Σ w(clue)) / Z   over the clues of candidate i

    The weights w were fitted on the training part of GUM by ``scripts/fit_coreference.py``.
    """
    weights = WEIGHTS["they" if they else "he or she"]
    scores = [sum(weights.get(clue, 0.0) for clue in row) for row in rows]
    scores.append(weights.get("nobody", 0.0))
    top = max(scores)
    shares = [exp(score - top) for score in scores]
    return [share / sum(shares) for share in shares]
