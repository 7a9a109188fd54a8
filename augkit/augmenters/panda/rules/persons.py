"""The persons of a text: which of its mentions are one person's, by the words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.mentions import Mention, find_mentions
from augkit.augmenters.panda.rules.pronouns import case_by_words
from augkit.lexicons.demographics.cues import HER
from augkit.lexicons.demographics.first_names import may_be_one
from augkit.lexicons.load import data_yaml

_POSSESSIVE = ("'", "\u2019")
_NEAR = 50
"""Characters between words of one phrase, at most."""
_FIRST = 5
"""Characters before the first mention of a sentence, at most: "The "."""


@cache
def _cue(name: str) -> re.Pattern[str]:
    """A pattern of ``lexicons/data/cues/persons.yaml``."""
    return re.compile(data_yaml("cues/persons.yaml")[name])


def person_of(doc: Document, span: tuple[int, int]) -> list[Mention]:
    """The mentions of the person that a span of the text refers to, the span's own among them."""
    mentions = find_mentions(doc, span)
    numbers = link_mentions(doc, mentions)
    chosen = {
        n for m, n in zip(mentions, numbers, strict=True) if m.start < span[1] and span[0] < m.end
    }
    return [m for m, n in zip(mentions, numbers, strict=True) if n in chosen]


@dataclass(slots=True)
class _Person:
    """Mentions so far, and what they say together."""

    number: int
    gender: str
    plural: bool
    mentions: list[Mention]
    words: set[str]


def link_mentions(doc: Document, mentions: Sequence[Mention]) -> list[int]:
    """The person of each mention, as a number per mention."""
    persons: list[_Person] = []
    numbers = []
    for mention in mentions:
        person = _find(doc, mention, persons)
        if person is None:
            person = _Person(len(persons), "unknown", mention.number == "plural", [], set())
            persons.append(person)
        person.mentions.append(mention)
        person.words |= mention.words
        if person.gender == "unknown":
            person.gender = mention.gender
        numbers.append(person.number)
    return numbers


def _find(doc: Document, mention: Mention, persons: list[_Person]) -> _Person | None:
    plural = mention.number == "plural"
    fitting = [p for p in persons if p.plural == plural and _agree(p.gender, mention.gender)]
    if mention.kind == "name":
        return _by_name(doc, mention, fitting)
    if mention.kind == "noun":
        return _by_noun(doc, mention, fitting)
    return _by_pronoun(doc, mention, fitting)


def _agree(one: str, other: str) -> bool:
    return one == other or "unknown" in {one, other}


def _by_name(doc: Document, mention: Mention, fitting: list[_Person]) -> _Person | None:
    same = [p for p in fitting if p.words & mention.words and not _other_first(doc, mention, p)]
    same = same or [p for p in fitting if _is_short(doc, mention, p)]
    if same:
        return same[-1]
    named = _cue("named").search(doc.text, max(0, mention.start - 40), mention.start)
    for person in reversed(fitting):
        last = person.mentions[-1]
        between = _between(doc, last, mention)
        if named and last.kind == "pronoun" and between is not None and len(between) < 20:
            return person  # "her real name is Susan", "we call her Sue"
        if (
            last.kind == "noun"
            and between is not None
            and _cue("naming").fullmatch(between)
            and not person.words
        ):
            return person  # "the actress Grace Kelly", "his brother, Tom"
        if _is_cataphor(doc, mention, person):
            return person  # "When he came, Tom sat down"
    return None


def _is_cataphor(doc: Document, mention: Mention, person: _Person) -> bool:
    """Whether a person was so far mentioned in a clause before that of a mention alone.

    As in "When he was a child, my *brother* was shy", "Her back facing us, a *woman* waits".
    """
    first, last = person.mentions[0], person.mentions[-1]
    opening = doc.sentence_span(mention.start)[0]
    if first.kind != "pronoun" or first.start < opening or mention.gender != person.gender:
        return False
    before = doc.text[opening : first.start].strip("\"'\u201c ").lower()
    hung = bool(_cue("clause").match(before)) or (
        first.case != "subject" and before.rpartition(" ")[2] in {"", *HER.prepositions}
    )
    named = any(m.kind == "name" for m in person.mentions)
    owned = _cue("owned").search(doc.text[max(opening, mention.start - 30) : mention.start])
    comma = "," in doc.text[last.end : mention.start]
    return hung and comma and not owned and not named


def _between(doc: Document, last: Mention, mention: Mention) -> str | None:
    """The text between two mentions; None where they are far from each other."""
    near = mention.start - last.end < _NEAR
    return doc.text[last.end : mention.start] if near else None


def _other_first(doc: Document, mention: Mention, person: _Person) -> bool:
    """Whether two whole names share one word alone: "Ann Shaw", "Tom Shaw"; "Ann Hill"."""
    whole = [m.words for m in person.mentions if len(m.words) > 1]
    if len(mention.words) > 1 and whole and not any(len(mention.words & w) > 1 for w in whole):
        return True
    first = _first_name(doc, mention)
    others = {_first_name(doc, m) for m in person.mentions if m.kind == "name"} - {""}
    return bool(first and others) and first not in others


def _is_short(doc: Document, mention: Mention, person: _Person) -> bool:
    """Whether a name may be another form of a person's: "William, *Bill* to his mates"."""
    first = _first_name(doc, mention)
    beside = _between(doc, person.mentions[-1], mention) == " and "  # "Mike and Michael"
    return not beside and any(may_be_one(first, _first_name(doc, m)) for m in person.mentions)


def _first_name(doc: Document, mention: Mention) -> str:
    first = [h for h in mention.hits if h.pos == "name" and "surname" not in h.needs]
    return doc.text_of(first[0]).lower() if first else ""


def _by_noun(doc: Document, mention: Mention, fitting: list[_Person]) -> _Person | None:
    for person in reversed(fitting):
        if _is_said_of(doc, mention, person):
            return person
        if _is_origin(doc, mention, person):
            return person  # "Hale was born in Ohio in 1857, the *son* of a smith"
        if _is_cataphor(doc, mention, person):
            return person  # "When he was a child, my brother was shy"
    field = doc.field_span(mention.start)[0]
    earlier = [p for p in fitting if p.mentions[0].start < field and p.gender == mention.gender]
    if len(earlier) == 1 and all(
        m.start < field for m in earlier[0].mentions if m.kind != "pronoun"
    ):
        return earlier[0]  # the one of the other field
    return _by_same_noun(doc, mention, fitting)


def _is_said_of(doc: Document, mention: Mention, person: _Person) -> bool:
    """Whether a noun is an apposition or a predicate of the mention before.

    As in "Grace Kelly, the *actress*", "my son, a *boy* of two", "she was an *actress*".
    """
    last, between = person.mentions[-1], _between(doc, person.mentions[-1], mention)
    before = doc.text[max(0, mention.start - 60) : mention.start]
    if between is None:
        return False
    if last.kind == "noun":
        return (
            between in {", a ", ", an "}
            or _cue("predicate").fullmatch(between.strip(" ") + " ") is not None
            or _is_second(doc, person, between)
        )
    if last.kind == "name" and _cue("apposition").fullmatch(between):
        return not _cue("owned").search(before[-8:])
    return not _cue("others").search(between) and bool(_cue("predicate").search(before))


def _is_second(doc: Document, person: _Person, between: str) -> bool:
    """Whether a noun is the second that a clause says of a person: "a mother and a *doctor*"."""
    start = person.mentions[-1].start
    said = _cue("predicate").search(doc.text, max(0, start - 40), start)
    return bool(said and person.mentions[1:] and _cue("second_predicate").fullmatch(between))


def _is_origin(doc: Document, mention: Mention, person: _Person) -> bool:
    """Whether a noun says whose child the first person of its sentence is."""
    if not doc.lower.startswith(" of ", mention.end):
        return False
    opening = doc.sentence_span(mention.start)[0]
    first = next((m for m in person.mentions if m.start >= opening), mention)
    origin = _cue("origin").search(doc.lower, opening, mention.start)
    return first.kind != "noun" and first.start - opening < _FIRST and origin is not None


def _by_same_noun(doc: Document, mention: Mention, fitting: list[_Person]) -> _Person | None:
    """The person called by the same noun before: "a boy ... *the boy*", "my son ... *my son*"."""
    same = [p for p in fitting if any(_is_same_noun(doc, m, mention) for m in p.mentions)]
    return same[-1] if same else None


def _is_same_noun(doc: Document, earlier: Mention, mention: Mention) -> bool:
    """Whether a noun takes up an earlier one: not "the man hit *the man*", "the other *man*"."""
    nouns = [doc.lower[m.start : m.end] for m in (earlier, mention)]
    before, phrase = (
        _cue("phrase").search(doc.lower, max(0, m.start - 30), m.start) for m in (earlier, mention)
    )
    if earlier.kind != "noun" or nouns[0] != nouns[1] or phrase is None:
        return False
    definite, owner, adjective = phrase.groups()
    if not definite and (before is None or owner != before[2] or owner in {"a", "an"}):
        return False
    other = bool(before and before[3] and adjective and before[3] != adjective)
    apart = _cue("link").search(doc.lower, earlier.end, mention.start) is not None
    return apart and not other and not _cue("further").fullmatch(adjective)


def _by_pronoun(doc: Document, mention: Mention, fitting: list[_Person]) -> _Person | None:
    if mention.hits and case_by_words(doc, mention.hits[0]) == "object":
        fitting = [p for p in fitting if not _is_subject_of(doc, p.mentions[-1], mention)]
    if not fitting:
        return None
    same = [p for p in fitting if p.gender == mention.gender]
    if len(same) > 1 and mention.case == "determiner":
        # "the monk showed the boy *his* garden"
        fitting = [p for p in same if not _is_beside(p.mentions[-1], mention)]
    if len(fitting) == 1:
        return fitting[0]
    return max(fitting, key=lambda person: _salience(doc, mention, person))


def _is_beside(last: Mention, mention: Mention) -> bool:
    return last.kind == "noun" and mention.start - last.end == 1


def _is_subject_of(doc: Document, subject: Mention, mention: Mention) -> bool:
    """Whether a mention is the object of a clause whose subject another is: "She saw *her*"."""
    between = _between(doc, subject, mention)
    is_subject = subject.case == "subject" or subject.kind != "pronoun"
    return is_subject and between is not None and _cue("object").fullmatch(between) is not None


def _salience(doc: Document, mention: Mention, person: _Person) -> float:
    """How likely a pronoun is to stand for a person mentioned before."""
    last = person.mentions[-1]
    here = doc.sentence(mention.start)
    distance = here - doc.sentence(last.start)
    score = -float(min(distance, 4)) + min(len(person.mentions), 6) * 0.35
    if last.kind == "pronoun":
        score += 0.5
    if doc.opens_sentence(last.start) or last.case == "subject":
        score += 0.5
    if person.gender == "unknown":
        score -= 0.6
    if last.kind == "noun" and _cue("owned").search(doc.text[max(0, last.start - 30) : last.start]):
        score -= 0.6
    if doc.text.startswith(_POSSESSIVE, last.end):
        score -= 0.6
    return score - 0.002 * (mention.start - last.end)
