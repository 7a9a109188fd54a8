"""Who is who: which pronouns, names and nouns of a text refer to the same person.

    >>> from augkit.language.analysis import load
    >>> [analysis] = load().analyse(["Anna lost her keys, and a man found them. He kept them."])
    >>> for person in people(analysis).persons:
    ...     print([analysis.text[m.start : m.end] for m in person.mentions])
    ['Anna', 'her']
    ['man', 'He']

Rules over the parse: a mention joins a person by name, apposition, copula, relative clause or a
repeated noun; a pronoun joins the likeliest of those that agreement and binding allow, and is left
*unsure* where no one is likely enough. Time grows with the length of the text: only the latest
persons are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from augkit.language.analysis import Analysis, Token
from augkit.language.antecedents import (
    Candidate,
    agrees,
    clues,
    is_bound_apart,
    probabilities,
)
from augkit.language.clauses import predicate, subject
from augkit.language.mentions import (
    Mention,
    Sighting,
    is_reflexive,
    relative_antecedent,
    sightings,
)
from augkit.language.registers import Register

LIKELY = 0.5
"""A pronoun joins a person where that is at least so likely; tuned on the training part of GUM."""


@dataclass(frozen=True, slots=True)
class Person:
    """The mentions of one person, or of one group of people, in order of the text."""

    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class People:
    """The persons of a text, in order of their first mention.

    ``unsure`` are the pronouns of which it could not be told whom they stand for; ``candidates``
    gives for each of them the persons it may be, the likeliest first.
    """

    persons: tuple[Person, ...]
    unsure: tuple[Mention, ...]
    candidates: Mapping[Mention, tuple[Person, ...]]

    @cached_property
    def _spans(self) -> list[tuple[int, int, int, Person]]:
        return sorted(
            (m.start, m.end, number, person)
            for number, person in enumerate(self.persons)
            for m in person.mentions
            if m.kind != "group"
        )

    def at(self, offset: int) -> Person | None:
        """The person mentioned at a character of the text, if surely one is."""
        from bisect import bisect_right

        place = bisect_right(self._spans, offset, key=lambda span: span[0]) - 1
        if place >= 0 and offset < self._spans[place][1]:
            return self._spans[place][3]
        return None


def people(analysis: Analysis) -> People:
    """The persons of an analysed text."""
    return _people(resolve(analysis))


def _people(candidates: Iterable[Candidate]) -> People:
    kept = [each for each in candidates if each.sure and each.sightings]
    persons = {id(each): Person(_mentions(each)) for each in kept if not each.doubted}
    doubts = {
        seen.mention: tuple(persons[id(r)] for r in each.rivals if id(r) in persons)
        for each in kept
        if each.doubted
        for seen in each.sightings
    }
    unsure = tuple(sorted(doubts, key=lambda mention: mention.start))
    return People(tuple(persons.values()), unsure, doubts)


def _mentions(candidate: Candidate) -> tuple[Mention, ...]:
    return tuple(sorted((s.mention for s in candidate.sightings), key=lambda m: (m.start, m.end)))


def resolve(analysis: Analysis) -> list[Candidate]:
    """The persons in the making, after the last mention of the text."""
    register = Register(analysis)
    for seen in sightings(analysis):
        owner = _owner(register, seen)
        if owner is None:
            owner = register.open()
        register.enter(seen, owner)
    return register.candidates


def _owner(register: Register, seen: Sighting) -> Candidate | None:
    kind = seen.mention.kind
    if kind == "pronoun":
        return _of_pronoun(register, seen)
    linked = _linked(register, seen)
    if linked is not None or kind in {"group", "title"}:
        return linked
    return register.namesake(seen) if kind == "name" else register.repeated(seen)


def _linked(register: Register, seen: Sighting) -> Candidate | None:
    """The person whom grammar makes the same: apposition, copula, title, "as a nurse"."""
    for token in _same_by_grammar(register.analysis, seen):
        owner = register.at(token)
        if owner is not None and agrees(seen, owner):
            return owner
    return None


def _same_by_grammar(analysis: Analysis, seen: Sighting) -> Iterator[Token]:
    token = seen.token
    if seen.mention.kind == "group":
        return
    if token.is_relation("appos", "nmod:desc", "flat"):
        yield analysis.head(token)
    yield from (t for t in analysis.children(token, "nmod:desc", "appos"))
    if analysis.children(token, "cop") and not _is_denied(analysis, token):
        yield from analysis.children(token, "nsubj")
    above = analysis.head(token)
    as_one = any(c.text.lower() == "as" for c in analysis.children(token, "case"))
    if (token.is_relation("obl") and as_one) or (
        token.is_relation("xcomp", "obj") and above.lemma in {"become", "remain"}
    ):
        who = subject(analysis, above)
        if who is not None:
            yield who


def _is_denied(analysis: Analysis, token: Token) -> bool:
    return any(
        c.lemma.lower() in {"not", "n't", "never"} for c in analysis.children(token, "advmod")
    )


def _of_pronoun(register: Register, seen: Sighting) -> Candidate | None:
    analysis, token = register.analysis, seen.token
    if seen.mention.gender == "unknown" and not seen.mention.plural and not is_reflexive(token):
        antecedent = relative_antecedent(analysis, token)
        return register.at(antecedent) if antecedent is not None else None
    if is_reflexive(token):
        owner = _reflexive(register, seen)
        if owner is not None:
            return owner
    return _likeliest(register, seen)


def _reflexive(register: Register, seen: Sighting) -> Candidate | None:
    """Whom "herself" is: Anna in "Anna herself", otherwise the subject of the clause."""
    analysis, token = register.analysis, seen.token
    tokens = [analysis.head(token), subject(analysis, predicate(analysis, token))]
    for each in tokens:
        owner = register.at(each) if each is not None else None
        if owner is not None and agrees(seen, owner):
            return owner
    return None


def _likeliest(register: Register, seen: Sighting) -> Candidate | None:
    possible = allowed(register, seen)
    if not possible:
        return None
    rows = [clues(register.analysis, seen, each, rank) for rank, each in enumerate(possible)]
    shares = probabilities(rows, they=seen.mention.gender == "unknown")
    best = max(range(len(shares)), key=shares.__getitem__)
    if best < len(possible) and shares[best] >= LIKELY:
        return possible[best]
    fresh = register.open()
    if best < len(possible):
        fresh.doubted = True
        order = sorted(range(len(possible)), key=lambda i: -shares[i])
        fresh.rivals = tuple(possible[i] for i in order)
    return fresh


def allowed(register: Register, seen: Sighting) -> list[Candidate]:
    """The latest persons whom a pronoun may stand for, the latest first."""
    return [
        each
        for each in register.latest(seen)
        if agrees(seen, each) and not is_bound_apart(register.analysis, seen.token, each)
    ]
