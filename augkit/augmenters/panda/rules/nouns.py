"""Which of the persons before it a noun stands for: "Grace Kelly, the *actress*", "the *man*"."""

from __future__ import annotations

import re
from functools import cache

from augkit.augmenters.panda.rules.antecedents import place_of
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.mentions import Mention, Person
from augkit.lexicons.demographics.cues import HER, cue_table

_NEAR = 50
"""Characters between words of one phrase, at most."""


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
    last, between = person.mentions[-1], text_between(doc, person.mentions[-1], mention)
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
    other = bool(before and before[3] and adjective and before[3] != adjective)
    apart = cue("link").search(doc.lower, earlier.end, mention.start) is not None
    return apart and not other and not cue("further").fullmatch(adjective)


def is_cataphor(doc: Document, mention: Mention, person: Person) -> bool:
    """Whether a person was so far mentioned in a clause before that of a mention alone.

    As in "When he was a child, my *brother* was shy", "Her back facing us, a *woman* waits".
    """
    first, last = person.mentions[0], person.mentions[-1]
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
