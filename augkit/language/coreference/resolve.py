"""Who is who: which pronouns, names and nouns of a text refer to the same person.

    >>> from augkit.language.parser import SpacyParser
    >>> text = "Anna lost her keys, and a man found them. He kept them."
    >>> [analysis] = SpacyParser().parse([text])
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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from augkit.core.analysis import Analysis
from augkit.language.clauses import is_fronted, predicate, subject
from augkit.language.coreference.antecedents import (
    Candidate,
    Chooser,
    agrees,
    clues,
    is_beside_subject,
    is_bound_apart,
    likeliest,
)
from augkit.language.coreference.cluster_state import Register, same_name
from augkit.language.coreference.identities import same_by_grammar
from augkit.language.coreference.mention_detection import relative_antecedent, sightings
from augkit.language.coreference.mentions import Mention, Sighting, is_reflexive
from augkit.language.coreference.pronoun_context import Standpoint, standpoint
from augkit.lexicons.demographics.person_words import first_names


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
    kept = [each for each in candidates if each.sure or each.doubted or _acts(each)]
    persons = {id(each): Person(_mentions(each)) for each in kept if not each.doubted}
    doubts = {
        seen.mention: tuple(persons[id(r)] for r in each.rivals if id(r) in persons)
        for each in kept
        if each.doubted
        for seen in each.sightings
    }
    unsure = tuple(sorted(doubts, key=lambda mention: mention.start))
    return People(tuple(persons.values()), unsure, doubts)


def _acts(candidate: Candidate) -> bool:
    """Whether a "they" that stands for nobody named is the subject of something."""
    return any(
        s.mention.kind == "pronoun" and s.token.is_relation("nsubj") for s in candidate.sightings
    )


def _mentions(candidate: Candidate) -> tuple[Mention, ...]:
    return tuple(sorted((s.mention for s in candidate.sightings), key=lambda m: (m.start, m.end)))


def resolve(analysis: Analysis, choose: Chooser = likeliest) -> list[Candidate]:
    """The persons in the making, after the last mention of the text.

    ``choose`` decides for a pronoun among the candidates that grammar allows.
    """
    register = Register(analysis)
    for seen in sightings(analysis):
        owner = _owner(register, seen, choose) or register.open()
        if seen.mention.kind in {"name", "noun"}:
            _take_in(register, seen, owner)
        register.enter(seen, owner)
    return [each for each in register.candidates if each.sightings]


def _owner(register: Register, seen: Sighting, choose: Chooser) -> Candidate | None:
    kind = seen.mention.kind
    if kind == "pronoun":
        return _of_pronoun(register, seen, choose)
    if kind == "relative":
        antecedent = relative_antecedent(register.analysis, seen.token)
        return register.at(antecedent) if antecedent is not None else None
    linked = _linked(register, seen)
    if kind == "name":
        return _of_name(register, register.namesake(seen), linked)
    return register.repeated(seen) if kind == "noun" and linked is None else linked


def _of_name(
    register: Register, namesake: Candidate | None, linked: Candidate | None
) -> Candidate | None:
    """The person of a name; "the actor" in "the actor Jones" joins an earlier Jones."""
    if namesake is None or linked is None or namesake is linked:
        return namesake or linked
    described = all(s.mention.kind == "noun" for s in linked.sightings)
    if described and agrees(linked.last, namesake):
        register.merge(linked, namesake)
        return namesake
    return linked


def _take_in(register: Register, seen: Sighting, owner: Candidate) -> None:
    """Give a subject the pronouns that announced it: "When she arrived, Anna sat down"."""
    analysis, token = register.analysis, seen.token
    if not token.is_relation("nsubj"):
        return
    for other in register.latest(seen)[:4]:
        first = other.sightings[0]
        alone = _announces(analysis, other)
        same_sentence = first.token.sentence == token.sentence
        fits = alone and same_sentence and other is not owner and _may_be(first, seen, owner)
        if fits and is_fronted(analysis, first.token, analysis.head(token)):
            register.merge(other, owner)


def _announces(analysis: Analysis, other: Candidate) -> bool:
    """Whether a person is but pronouns so far, and what they are said to be: "he was a child"."""
    return other.sightings[0].mention.kind == "pronoun" and all(
        seen.mention.kind == "pronoun" or _is_said(analysis, seen) for seen in other.sightings
    )


def _is_said(analysis: Analysis, seen: Sighting) -> bool:
    said = analysis.children(seen.token, "cop") or seen.token.is_relation("xcomp")
    return seen.mention.kind == "noun" and bool(said)


def _may_be(pronoun: Sighting, seen: Sighting, owner: Candidate) -> bool:
    if owner.sightings:
        return agrees(pronoun, owner)
    fresh = Candidate()
    fresh.add(seen)
    return agrees(pronoun, fresh)


def _linked(register: Register, seen: Sighting) -> Candidate | None:
    """The person whom grammar makes the same: apposition, copula, title, "as a nurse"."""
    for token in same_by_grammar(register.analysis, seen):
        owner = register.at(token)
        if owner is not None and agrees(seen, owner) and not _is_called_otherwise(seen, owner):
            return owner
    return None


def _is_called_otherwise(seen: Sighting, owner: Candidate) -> bool:
    """Whether both have full names that differ: "James Caan, Robert Duvall" is a list."""
    if seen.mention.kind != "name" or not _is_full(seen):
        return False
    names = [s.words for s in owner.sightings if s.mention.kind == "name" and _is_full(s)]
    return bool(names) and not any(same_name(seen.words, words) for words in names)


def _is_full(seen: Sighting) -> bool:
    return any(word in first_names() for word in seen.words[:-1])


def _of_pronoun(register: Register, seen: Sighting, choose: Chooser) -> Candidate | None:
    if is_reflexive(seen.token):
        owner = _reflexive(register, seen)
        if owner is not None:
            return owner
    return _own(register, seen) or _chosen(register, seen, choose)


def _reflexive(register: Register, seen: Sighting) -> Candidate | None:
    """Whom "herself" is: Anna in "Anna herself", otherwise the subject of the clause."""
    analysis, token = register.analysis, seen.token
    tokens = [analysis.head(token), subject(analysis, predicate(analysis, token))]
    for each in tokens:
        owner = register.at(each) if each is not None else None
        if owner is not None and agrees(seen, owner):
            return owner
    return None


def _own(register: Register, seen: Sighting) -> Candidate | None:
    """Whose is "his own": the subject's, as in "John's father treats Tom as *his own* son"."""
    analysis, token = register.analysis, seen.token
    after = analysis.tokens[token.index + 1 : token.index + 2]
    who = subject(analysis, predicate(analysis, token))
    if not after or after[0].text.lower() != "own" or who is None or who.index > token.index:
        return None
    owner = register.at(who)
    return owner if owner is not None and agrees(seen, owner) else None


def _chosen(register: Register, seen: Sighting, choose: Chooser) -> Candidate | None:
    place = standpoint(register.analysis, seen)
    possible = allowed(register, place)
    if not possible:
        return None
    choice = choose(seen, possible, clues(register.analysis, place, possible))
    if choice.sure:
        return choice.best or _only(seen, possible)
    fresh = register.open()
    fresh.doubted = True
    fresh.rivals = choice.order
    return fresh


def _only(seen: Sighting, possible: Sequence[Candidate]) -> Candidate | None:
    """The one person whom "he" or "she" may be, told of a sentence before: "I met my boss. He"."""
    if len(possible) != 1 or seen.mention.gender == "unknown":
        return None
    last = possible[0].last
    near = seen.token.sentence - last.token.sentence <= 1
    person = possible[0].sure and not possible[0].plural and last.article != "bare"
    return possible[0] if near and person and last.mention.kind == "noun" else None


def allowed(register: Register, place: Standpoint) -> list[Candidate]:
    """The latest persons whom a pronoun may stand for, the latest first.

    "John saw a snake near him" may be John; where another person of the sentence agrees too, a
    pronoun after a preposition is not the subject of its own clause.
    """
    seen, analysis = place.seen, register.analysis
    possible = [
        each
        for each in register.latest(seen)
        if agrees(seen, each) and not is_bound_apart(analysis, place, each)
    ]
    apart = [each for each in possible if not is_beside_subject(place, each)]
    others = any(each.sure and each.last.token.sentence == seen.token.sentence for each in apart)
    return apart if others else possible
