"""The persons of a text: which of its mentions are one person's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from augkit.augmenters.panda.rules.antecedents import (
    candidate_features,
    case_in_clause,
    subject_links,
    weights,
)
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.mentions import Mention, Person, find_mentions
from augkit.augmenters.panda.rules.nouns import between_mentions, by_noun, cue, is_cataphor
from augkit.augmenters.panda.rules.pronouns import case_by_words
from augkit.lexicons.demographics.first_names import may_be_one

_BINDING = {
    "owner": frozenset({"same", "inside"}),
    "reflexive": frozenset({"same"}),
    "subject": frozenset({"same", "ccomp", "advcl", "acl:relcl", "conj"}),
}
"""Relations in which a subject is what a pronoun stands for, by the role of the pronoun."""
_SHORT = 300
"""Characters between the first mention of a person and a pronoun in a short text, at most."""
_DISJOINT = frozenset({"same", "within"})
"""Relations in which a subject is somebody else than a pronoun that owns nothing."""


def person_of(doc: Document, span: tuple[int, int]) -> list[Mention]:
    """The mentions of the person that a span of the text refers to, the span's own among them."""
    mentions = find_mentions(doc, span)
    numbered = list(zip(mentions, link_mentions(doc, mentions), strict=True))
    chosen = {n for m, n in numbered if m.start < span[1] and span[0] < m.end}
    return [m for m, n in numbered if n in chosen]


Choose = Callable[[Document, Mention, list[Person]], Person]
"""Says which of several persons a pronoun stands for."""


def link_mentions(
    doc: Document, mentions: Sequence[Mention], choose: Choose | None = None
) -> list[int]:
    """The person of each mention, as a number per mention."""
    persons: list[Person] = []
    numbers = []
    for mention in mentions:
        person = _find(doc, mention, persons, choose or most_likely)
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
        return by_noun(doc, mention, fitting)
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
        return same[-1]
    named = cue("named").search(doc.text, max(0, mention.start - 40), mention.start)
    for person in reversed(fitting):
        last = person.mentions[-1]
        between = between_mentions(doc, last, mention) or ""
        if named and last.kind == "pronoun":
            return person  # "her real name is Susan", "we call her Sue"
        if last.kind == "noun" and cue("naming").fullmatch(between) and not person.words:
            return person  # "the actress Grace Kelly", "his brother, Tom"
        if is_cataphor(doc, mention, person):
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
    beside = between_mentions(doc, person.mentions[-1], mention) == " and "  # "Mike and Michael"
    return not beside and any(may_be_one(first, _first_name(doc, m)) for m in person.mentions)


def _first_name(doc: Document, mention: Mention) -> str:
    first = [h for h in mention.hits if h.pos == "name" and "surname" not in h.needs]
    return doc.text_of(first[0]).lower() if first else ""


def _is_subject_of(doc: Document, subject: Mention, mention: Mention) -> bool:
    """Whether a mention is the object of a clause whose subject another is: "She saw *her*"."""
    between = between_mentions(doc, subject, mention)
    is_subject = subject.case == "subject" or subject.kind != "pronoun"
    return is_subject and between is not None and cue("object").fullmatch(between) is not None


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
    known = weights()
    rows = candidate_features(doc, mention, persons)
    scores = [sum(known.get(name, 0.0) for name in row) for row in rows]
    return persons[scores.index(max(scores))]
