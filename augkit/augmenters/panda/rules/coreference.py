"""The persons of a text: which of its mentions are one person's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from augkit.augmenters.panda.rules.antecedents import (
    antecedent_scores,
    case_in_clause,
    mention_kind,
    object_meant,
    place_of,
    subject_links,
)
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.mentions import (
    Mention,
    Person,
    find_mentions,
    genderless_mentions,
)
from augkit.augmenters.panda.rules.readings import case_by_words
from augkit.lexicons.demographics.cues import HER, cue_table
from augkit.lexicons.demographics.names import may_be_one

_BINDING = {
    "owner": frozenset({"same"}),
    "reflexive": frozenset({"same"}),
    "subject": frozenset({"same", "ccomp", "advcl", "acl:relcl", "conj"}),
}
"""Relations in which a subject is what a pronoun stands for, by the role of the pronoun."""
_MARGIN = 2.5
"""How much lower the score of a person without gender may be, at most."""
_SHORT = 300
"""Characters between the first mention of a person and a pronoun in a short text, at most."""
_DISJOINT = frozenset({"same", "within"})
"""Relations in which a subject is somebody else than a pronoun that owns nothing."""
_NEAR = 50
"""Characters between words of one phrase, at most."""


def person_of(doc: Document) -> list[Mention]:
    """The mentions of the person that the chosen word refers to, its own among them."""
    mentions = find_mentions(doc)
    if doc.given:
        return [m for m in mentions if doc.is_given(m)]
    if len(mentions) == 1:
        return mentions
    mentions = with_genderless(doc, mentions)
    numbers = link_mentions(doc, mentions)
    chosen = {n for m, n in zip(mentions, numbers, strict=True) if doc.is_chosen(m)}
    return [m for m, n in zip(mentions, numbers, strict=True) if n in chosen]


def with_genderless(doc: Document, mentions: list[Mention]) -> list[Mention]:
    """The mentions, and those without gender that a pronoun may stand for.

    In a longer text only subjects and names count: most others are not mentioned again.
    """
    chosen = {m.gender for m in mentions if doc.is_chosen(m)} - {"unknown"}
    of_one = [m for m in mentions if m.gender in (chosen or {m.gender}) and m.number == "singular"]
    pronouns = [m.start for m in of_one if m.kind == "pronoun"]
    if len(of_one) < 2 or not pronouns:
        return mentions
    genderless = list(genderless_mentions(doc, mentions, pronouns[-1]))
    if len(genderless) + sum(m.kind != "pronoun" for m in of_one) < 2:
        return mentions
    genderless = [m for m in genderless if _is_person(doc, m)]
    return sorted([*mentions, *genderless], key=lambda m: m.start)


def _is_person(doc: Document, mention: Mention) -> bool:
    """Whether the parse has a word without gender for a person: a name, or a noun of its own."""
    place = place_of(doc, mention)
    if place is None or not mention.start <= place.head.start < mention.end:
        return False
    if mention.kind == "name":
        return place.head.upos == "PROPN"
    is_predicate = doc.parsed.children(place.head, "cop") or place.head.is_relation("vocative")
    short = len(doc.text) < _SHORT or place.role == "subject"
    return place.head.upos == "NOUN" and not is_predicate and short


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
        return by_noun(doc, mention, fitting)
    subjects = [p for p in fitting if _is_subject_of(doc, p.mentions[-1], mention)]
    if subjects and mention.hits and case_by_words(doc, mention.hits[0]) == "object":
        fitting = [p for p in fitting if p not in subjects]
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
    named = cue("named").search(doc.text, max(0, mention.start - 40), mention.start)
    for person in reversed(fitting):
        last = person.mentions[-1]
        between = text_between(doc, last, mention) or ""
        if named and last.kind != "name":
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
    beside = text_between(doc, person.mentions[-1], mention) == " and "  # "Mike and Michael"
    return not beside and any(may_be_one(first, _first_name(doc, m)) for m in person.mentions)


def _first_name(doc: Document, mention: Mention) -> str:
    first = [h for h in mention.hits if h.pos == "name" and "surname" not in h.needs]
    return doc.text_of(first[0]).lower() if first else ""


def _is_subject_of(doc: Document, subject: Mention, mention: Mention) -> bool:
    """Whether a mention is the object of a clause whose subject another is: "She saw *her*"."""
    between = text_between(doc, subject, mention)
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
    theirs = [(p, subject_links(doc, mention, p)) for p in persons]
    if case == "subject" and (before := [p for p, their_links in theirs if "after" in their_links]):
        return before  # "When the boy came, *he* was wet"
    bound = [p for p, their_links in theirs if not links.isdisjoint(their_links)]
    return bound if case in _BINDING else [p for p in persons if p not in bound]


def most_likely(doc: Document, mention: Mention, persons: list[Person]) -> Person:
    """The person with the highest score for a pronoun, of those that grammar leaves.

    Grammar alone gives no pronoun to a new person, or one of a much lower score, without gender.
    """
    if meant := object_meant(doc, mention, persons):
        return meant[-1]
    scores = antecedent_scores(doc, mention, persons)
    ranked = sorted(zip(scores, persons, strict=True), key=lambda scored: -scored[0])
    bound = _bound(doc, mention, persons) or persons
    score, best = next(scored for scored in ranked if scored[1] in bound)
    new = best.gender == "unknown" and mention_kind(doc, best.mentions[-1]) == "a"
    doubtful = best.gender == "unknown" and score < ranked[0][0] - _MARGIN
    return ranked[0][1] if new or doubtful else best


@cache
def cue(name: str) -> re.Pattern[str]:
    """A pattern of ``lexicons/data/cues/persons.yaml``."""
    return re.compile(cue_table("cues/persons")[name])


def text_between(doc: Document, last: Mention, mention: Mention) -> str | None:
    """The text between two mentions; None where they are far from each other."""
    near = mention.start - last.end < _NEAR
    return doc.text[last.end : mention.start] if near else None


def by_noun(doc: Document, mention: Mention, fitting: list[Person]) -> Person | None:
    """The person that a noun stands for, of those that agree with it."""
    for person in reversed(fitting):
        if _is_said_of(doc, mention, person) or is_cataphor(doc, mention, person):
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
    last = person.mentions[-1]
    between = text_between(doc, person.mentions[-1], mention)
    before = doc.text[max(0, mention.start - 60) : mention.start]
    if between is None:
        return False
    if last.kind == "noun":
        return cue("noun_apposition").fullmatch(between) is not None
    if last.kind == "name" and cue("apposition").fullmatch(between):
        return not cue("owned").search(before[-8:])
    return not cue("others").search(between) and bool(cue("predicate").search(before))


def _described(doc: Document, mention: Mention, fitting: list[Person]) -> list[Person]:
    """The persons of whom the parse makes a clause say a noun: "she's my *ex-wife*"."""
    window = max(0, mention.start - 60), mention.start
    copula = fitting and cue("copula").search(doc.lower, *window)
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
    titled = earlier.kind == "name" and nouns[0].startswith(f"{nouns[1]} ")  # "King Olaf"
    if not titled and (earlier.kind != "noun" or nouns[0] != nouns[1]):
        return False
    before, phrase = (
        cue("phrase").search(doc.lower, max(0, m.start - 30), m.start) for m in (earlier, mention)
    )
    if phrase is None:
        return False
    definite, owner, adjective = phrase.groups()
    if not definite and (before is None or owner != before[2] or owner in {"a", "an"}):
        return False
    other_adjective = bool(before and before[3] and adjective and before[3] != adjective)
    apart = cue("link").search(doc.lower, earlier.end, mention.start) is not None
    return apart and not other_adjective and not cue("further").fullmatch(adjective)


def is_cataphor(doc: Document, mention: Mention, person: Person) -> bool:
    """Whether a person was so far mentioned in a clause before that of a mention alone.

    As in "When he was a child, my *brother* was shy", "Her back facing us, a *woman* waits".
    """
    first = person.mentions[0]
    last = person.mentions[-1]
    if first.kind != "pronoun" or mention.gender != person.gender:
        return False
    opening = doc.sentence_span(mention.start)[0]
    if first.start < opening or any(m.kind == "name" for m in person.mentions):
        return False
    before = doc.text[opening : first.start].strip("\"'\u201c ").lower()
    hung = bool(cue("clause").match(before)) or (
        first.case != "subject" and before.rpartition(" ")[2] in {"", *HER.prepositions}
    )
    owned = cue("owned").search(doc.text[max(opening, mention.start - 30) : mention.start])
    return hung and not owned and "," in doc.text[last.end : mention.start]
