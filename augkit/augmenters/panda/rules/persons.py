"""The persons of a text: which of its mentions are one person's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from augkit.augmenters.panda.rules.antecedents import (
    antecedent_scores,
    case_in_clause,
    place_of,
    subject_links,
)
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.mentions import Mention, Person, find_mentions
from augkit.augmenters.panda.rules.readings import case_by_words
from augkit.lexicons.demographics.cues import HER, cue_table
from augkit.lexicons.demographics.first_names import may_be_one

_BINDING = {
    "owner": frozenset({"same", "inside"}),
    "reflexive": frozenset({"same"}),
    "subject": frozenset({"same", "ccomp", "advcl", "acl:relcl", "conj"}),
}
"""Relations in which a subject is what a pronoun stands for, by the role of the pronoun."""
_SHORT = 300
"""Characters between the first mention of a person and a pronoun in a short text, at most."""
_NEAR = 50
"""Characters between words of one phrase, at most."""
_DISJOINT = frozenset({"same", "within"})
"""Relations in which a subject is somebody else than a pronoun that owns nothing."""


def person_of(doc: Document) -> list[Mention]:
    """The mentions of the person that the chosen word refers to, its own among them."""
    mentions = find_mentions(doc)
    if doc.given:
        return [m for m in mentions if doc.is_given(m.start, m.end)]
    numbers = link_mentions(doc, mentions)
    chosen = {n for m, n in zip(mentions, numbers, strict=True) if doc.is_chosen(m.start, m.end)}
    return [m for m, n in zip(mentions, numbers, strict=True) if n in chosen]


Choose = Callable[[Document, Mention, list[Person]], Person]
"""Says which of several persons a pronoun stands for."""


def link_mentions(
    doc: Document, mentions: Sequence[Mention], choose: Choose | None = None
) -> list[int]:
    """The person of each mention, as a number per mention."""
    persons: list[Person] = []
    numbers = []
    for mention in mentions:
        person = _find(doc, mention, persons, choose or most_likely) if persons else None
        if person is None:
            person = Person(len(persons), "unknown", mention.number == "plural", [], set())
            persons.append(person)
        person.mentions.append(mention)
        person.words |= mention.words
        if person.gender == "unknown":
            person.gender = mention.gender
        numbers.append(person.number)
    return numbers


def _find(doc: Document, mention: Mention, persons: list[Person], choose: Choose) -> Person | None:
    plural = mention.number == "plural"
    fitting = [p for p in persons if p.plural == plural]
    if mention.gender != "unknown":
        fitting = [p for p in fitting if p.gender in {mention.gender, "unknown"}]
    if mention.kind == "name":
        return _by_name(doc, mention, fitting)
    if mention.kind == "noun":
        return _by_noun(doc, mention, fitting)
    if mention.hits and case_by_words(doc, mention.hits[0]) == "object":
        fitting = [p for p in fitting if not _is_subject_of(doc, p.mentions[-1], mention)]
    if len(fitting) > 1:
        return choose(doc, mention, fitting)
    groups = [p for p in persons if p.plural and p.gender == mention.gender]
    return [*groups, *fitting][-1] if groups or fitting else None  # "my nieces ... *her*"


def _by_name(doc: Document, mention: Mention, fitting: list[Person]) -> Person | None:
    same = [p for p in fitting if p.words & mention.words and not _other_first(mention, p)]
    same = same or [p for p in fitting if _is_short(doc, mention, p)]
    if same:
        # "Tom Reed ... Reed ... Ann Reed ... *Reed*": whoever was called so before
        return max(reversed(same), key=lambda p: sum(m.words == mention.words for m in p.mentions))
    named = _cue("named").search(doc.text, max(0, mention.start - 40), mention.start)
    for person in reversed(fitting):
        last = person.mentions[-1]
        between = _between(doc, last, mention) or ""
        if named and last.kind != "name":
            return person  # "her real name is Susan", "we call her Sue"
        if last.kind == "noun" and _cue("naming").fullmatch(between) and not person.words:
            return person  # "the actress Grace Kelly", "his brother, Tom"
        if _is_cataphor(doc, mention, person):
            return person  # "When he came, Tom sat down"
    return None


def _other_first(mention: Mention, person: Person) -> bool:
    """Whether two whole names share one word alone: "Ann Shaw", "Tom Shaw"; "Ann Hill"."""
    whole = [m.words for m in person.mentions if len(m.words) > 1]
    several = len(mention.words) > 1 and bool(whole)
    return several and not any(len(mention.words & w) > 1 for w in whole)


def _is_short(doc: Document, mention: Mention, person: Person) -> bool:
    """Whether a name may be another form of a person's: "William, *Bill* to his mates"."""
    first = _first_name(doc, mention)
    beside = _between(doc, person.mentions[-1], mention) == " and "  # "Mike and Michael"
    return not beside and any(may_be_one(first, _first_name(doc, m)) for m in person.mentions)


def _first_name(doc: Document, mention: Mention) -> str:
    first = [h for h in mention.hits if h.pos == "name" and "surname" not in h.needs]
    return doc.text_of(first[0]).lower() if first else ""


def _is_subject_of(doc: Document, subject: Mention, mention: Mention) -> bool:
    """Whether a mention is the object of a clause whose subject another is: "She saw *her*"."""
    between = _between(doc, subject, mention)
    is_subject = subject.case == "subject" or subject.kind != "pronoun"
    return is_subject and between is not None and _cue("object").fullmatch(between) is not None


def _bound(doc: Document, mention: Mention, persons: list[Person]) -> list[Person]:
    """The persons that grammar leaves for a pronoun, if it leaves any.

    The subject owns things, and is not the object: "A boy laughs as his grandfather takes off
    *his* glasses", "the killer who taunts *him*". Who says or does it is meant in the clause below.
    In longer texts the fitted score is better.
    """
    if any(mention.start - p.mentions[0].start > _SHORT for p in persons):
        return []
    case = case_in_clause(doc, mention)
    links = _BINDING.get(case, _DISJOINT)
    bound = [p for p in persons if not links.isdisjoint(subject_links(doc, mention, p))]
    return bound if case in _BINDING else [p for p in persons if p not in bound]


def most_likely(doc: Document, mention: Mention, persons: list[Person]) -> Person:
    """The person with the highest score for a pronoun."""
    persons = _bound(doc, mention, persons) or persons
    scores = antecedent_scores(doc, mention, persons)
    return persons[scores.index(max(scores))]


@cache
def _cue(name: str) -> re.Pattern[str]:
    """A pattern of ``lexicons/data/cues/persons.yaml``."""
    return re.compile(cue_table("cues/persons")[name])


def _between(doc: Document, last: Mention, mention: Mention) -> str | None:
    """The text between two mentions; None where they are far from each other."""
    near = mention.start - last.end < _NEAR
    return doc.text[last.end : mention.start] if near else None


def _by_noun(doc: Document, mention: Mention, fitting: list[Person]) -> Person | None:
    """The person that a noun stands for, of those that agree with it."""
    for person in reversed(fitting):
        if _is_said_of(doc, mention, person) or _is_cataphor(doc, mention, person):
            return person
    if described := _described(doc, mention, fitting):
        return described[-1]
    field = doc.field_span(mention.start)[0]
    earlier = [p for p in fitting if p.mentions[0].start < field and p.gender == mention.gender]
    if len(earlier) == 1 and all(m.start < field for m in earlier[0].mentions):
        return earlier[0]  # the one of the other field
    same = [p for p in fitting if any(_is_same_noun(doc, m, mention) for m in p.mentions)]
    return same[-1] if same else None


def _is_said_of(doc: Document, mention: Mention, person: Person) -> bool:
    """Whether a noun is an apposition or a predicate of the mention before.

    As in "Grace Kelly, the *actress*", "my son, a *boy* of two", "she was an *actress*".
    """
    last, between = person.mentions[-1], _between(doc, person.mentions[-1], mention)
    before = doc.text[max(0, mention.start - 60) : mention.start]
    if between is None:
        return False
    if last.kind == "noun":
        return _cue("noun_apposition").fullmatch(between) is not None
    if last.kind == "name" and _cue("apposition").fullmatch(between):
        return not _cue("owned").search(before[-8:])
    return not _cue("others").search(between) and bool(_cue("predicate").search(before))


def _described(doc: Document, mention: Mention, fitting: list[Person]) -> list[Person]:
    """The persons of whom the parse makes a clause say a noun: "she's my *ex-wife*"."""
    opening = doc.sentence_span(mention.start)[0] if fitting else 0
    copula = fitting and _cue("copula").search(doc.lower, opening, mention.start)
    place = place_of(doc, mention) if copula else None
    below = {t.deprel for t in doc.parsed.children(place.head)} if place is not None else set()
    if place is None or "cop" not in below or "case" in below:
        return []
    subjects = doc.parsed.children(place.head, "nsubj")
    places = [(p, place_of(doc, m)) for p in fitting for m in p.mentions[-3:]]
    return [p for p, their in places if their is not None and their.head in subjects]


def _is_same_noun(doc: Document, earlier: Mention, mention: Mention) -> bool:
    """Whether a noun takes up an earlier one: not "the man hit *the man*", "the other *man*"."""
    nouns = [doc.lower[m.start : m.end] for m in (earlier, mention)]
    if earlier.kind != "noun" or nouns[0] != nouns[1]:
        return False
    before, phrase = (
        _cue("phrase").search(doc.lower, max(0, m.start - 30), m.start) for m in (earlier, mention)
    )
    if phrase is None:
        return False
    definite, owner, adjective = phrase.groups()
    if not definite and (before is None or owner != before[2] or owner in {"a", "an"}):
        return False
    other = bool(before and before[3] and adjective and before[3] != adjective)
    apart = _cue("link").search(doc.lower, earlier.end, mention.start) is not None
    return apart and not other and not _cue("further").fullmatch(adjective)


def _is_cataphor(doc: Document, mention: Mention, person: Person) -> bool:
    """Whether a person was so far mentioned in a clause before that of a mention alone.

    As in "When he was a child, my *brother* was shy", "Her back facing us, a *woman* waits".
    """
    first, last = person.mentions[0], person.mentions[-1]
    if first.kind != "pronoun" or mention.gender != person.gender:
        return False
    opening = doc.sentence_span(mention.start)[0]
    if first.start < opening:
        return False
    before = doc.text[opening : first.start].strip("\"'\u201c ").lower()
    hung = bool(_cue("clause").match(before)) or (
        first.case != "subject" and before.rpartition(" ")[2] in {"", *HER.prepositions}
    )
    named = any(m.kind == "name" for m in person.mentions)
    owned = _cue("owned").search(doc.text[max(opening, mention.start - 30) : mention.start])
    comma = "," in doc.text[last.end : mention.start]
    return hung and comma and not owned and not named
