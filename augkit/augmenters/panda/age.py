"""Rules of the age axis: numbers, decades and words that say an age, made those of the target."""

from __future__ import annotations

from random import Random

from augkit.augmenters.panda.coreference.chains import person_at
from augkit.augmenters.panda.disambiguation.age_numbers import (
    age_at,
    is_bare_age,
    is_of_person,
    is_said_age,
    noun_after,
    number_after,
    number_around,
    number_with,
)
from augkit.augmenters.panda.disambiguation.age_words import (
    adjective_and_noun,
    counts_months,
    is_owned_offspring,
    reading_of,
    usual_adjective,
    with_adjective,
)
from augkit.augmenters.panda.disambiguation.person_sense import reject_reference
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.edits import cased
from augkit.augmenters.panda.grammar.word_classes import names_person
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.lexicons.demographics.ages import Age, band_of, new_age
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.cues import AGES
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.peoples import UNKNOWN
from augkit.text.articles import Replacement
from augkit.text.numbers import to_number


def change_age(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = doc.text[slice(*span)]
    hit = doc.hit_at(*span) or number_around(doc, span)
    if hit is None:
        result = _pointed_at(doc, span, target, rng)
        return _described(doc, span, target) or result if doc.pointed else result
    if hit.pos == "age":
        return _aged(doc, (hit, noun_after(doc, hit)), target, rng)
    if (number := number_with(doc, hit)) is not None:
        return _aged(doc, (number, hit), target, rng)
    if (reason := reject_reference(doc, hit)) is not None:
        return reason
    if counts_months(doc, hit.start):
        return doc.reject("not a person", f"'{word}' stands with an age in days, weeks or months")
    if (number_span := number_after(doc, hit)) is not None:
        return _pointed_at(doc, number_span, target, rng)
    if hit.attribute == target or (target == "adult" and hit.attribute == "middle-aged"):
        return doc.reject("already the target", f"'{word}' is {target} already")
    if (apart := adjective_and_noun(doc, hit)) is not None:
        return hit.attribute, _aged_apart(doc, apart, target)
    if doc.pointed and is_owned_offspring(doc, hit):
        return _described(doc, span, target) or _by_words(doc, hit, target)
    return _by_words(doc, hit, target)


def _by_words(doc: Document, hit: Hit, target: str) -> tuple[str, list[Replacement]] | Rejection:
    """The word, and others that say the same of the same person, in the target's words."""
    reading = reading_of(doc, hit)
    if isinstance(reading, Rejection):
        return reading
    hits = [hit, *_others(doc, hit)]
    changes = []
    for one in hits:
        each = one
        found = reading if each is hit else reading_of(doc, each)
        if not isinstance(found, Rejection) and target in found.written:
            each = with_adjective(doc, each)
            before = doc.text_of(each)
            written = _compared(doc, each, target) or _of_people(before, target)
            written = written or found.written[target]
            changes.append(Replacement(each.start, each.end, cased(written, before, doc.text)))
    if not changes:
        word = doc.text_of(hit)
        return doc.reject("no word for the target", f"there is no word for '{word}' as {target}")
    return hit.attribute, changes


def _compared(doc: Document, hit: Hit, target: str) -> str | None:
    """The comparative in "a much *younger* woman", which asks for another one."""
    word = doc.text_of(hit).lower()
    before = doc.word_before(hit.start)
    if target == "child" and before in AGES.very and word in {"old", "elderly", "aged"}:
        return "young"  # nobody is "very teenage"
    if word not in {"younger", "older"} or before not in AGES.by_how_much:
        return None
    return "older" if target in {"senior", "middle-aged"} else "younger"


def _of_people(word: str, target: str) -> str | None:
    """The target's adjective before the same noun: "old *people*" become "young *people*"."""
    noun = word.lower().rpartition(" ")[2]
    if (
        noun not in {"people", "person"}
        or target not in {"young", "senior"}
        or noun == word.lower()
    ):
        return None
    return f"{usual_adjective().written[target]} {noun}"


def _aged(
    doc: Document, words: tuple[Hit, Hit | None], target: str, rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    """A number or decade of the target's band, and the noun after it ("8-year-old boy")."""
    number, noun = words
    word = doc.text_of(number)
    age = age_at(doc, number)
    if age is None or not (is_said_age(doc, number) or is_of_person(doc, number, age)):
        return doc.reject("not a person", f"'{word}' is no age of a person here")
    if number.attribute == target or (target == "adult" and age.years >= 18):
        return doc.reject("already the target", f"'{word}' is {target} already")
    after = new_age(age, doc.text, target, read_axis(doc.axis), rng)
    changes = [Replacement(number.start, number.end, after)]
    if noun is not None and noun.pos == "noun":
        changes += _fitting_noun(doc, noun, target)
    return number.attribute, changes


def _aged_apart(doc: Document, words: tuple[Token, Hit], target: str) -> list[Replacement]:
    """The adjective and the noun of "a *young* Asian *boy*", each made one of the target."""
    adjective, noun = words
    after = cased(usual_adjective().written[target], adjective.text, doc.text)
    if target == "child":
        after = cased("young", adjective.text, doc.text)  # "a young Asian girl", no teenager
    return [Replacement(adjective.start, adjective.end, after), *_fitting_noun(doc, noun, target)]


def _fitting_noun(doc: Document, noun: Hit, target: str) -> list[Replacement]:
    """The noun beside a number, made one for a child or for an adult."""
    kind = "child" if target == "child" else "adult"
    if noun.attribute == kind or (noun.is_weak and noun.attribute != "adult"):
        return []
    before = doc.text_of(noun)
    after = cased(noun.readings[0].written[kind], before, doc.text)
    return [Replacement(noun.start, noun.end, after)]


def _pointed_at(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    """A bare number that was pointed at: "She turned 80", "He is 19"."""
    word = doc.text[slice(*span)]
    years = int(word) if word.isdigit() and len(word) < 4 else to_number(word.lower())
    axis = read_axis(doc.axis)
    if years is None or not is_bare_age(doc, span):
        return doc.reject("no reference", f"'{word}' says no age of a person")
    source = band_of(years, axis)
    if source == target or (target == "adult" and years >= 18):
        return doc.reject("already the target", f"'{word}' is {target} already")
    age = Age(*span, years, is_decade=False, is_certain=True, whole=span)
    changes = [Replacement(*span, new_age(age, doc.text, target, axis, rng))]
    nouns = (h for h in doc.hits if h.pos == "noun" and h.end < span[0])
    for noun in nouns:
        if number_after(doc, noun) == span:
            changes += _fitting_noun(doc, noun, target)
    return source, changes


def _described(
    doc: Document, span: tuple[int, int], target: str
) -> tuple[str, list[Replacement]] | None:
    """A noun that says no age, with the target's adjective before it: "his *elderly* wife"."""
    token = doc.token(span[0])
    if token is None or token.upos != "NOUN" or not names_person(token):
        return None
    if token.is_relation("compound", "amod"):
        return None
    if counts_months(doc, span[0]) or doc.word_before(span[0]) in AGES.adjectives:
        return None
    adjective = cased(usual_adjective().written[target], doc.text[slice(*span)].lower(), doc.text)
    opens = token.text[:1].isupper() and not token.text.isupper()
    noun = token.text.lower() if opens else token.text
    words = f"{adjective} {noun}"
    return UNKNOWN, [Replacement(*span, words[:1].upper() + words[1:] if opens else words)]


def _others(doc: Document, hit: Hit) -> list[Hit]:
    """Other words that say the same of the same person: "a boy ... the boy"."""
    same = [
        h
        for h in doc.hits
        if h is not hit
        and h.attribute == hit.attribute
        and not h.blocked
        and not h.is_weak
        and h.pos != "age"
    ]
    if not same:
        return []
    person = person_at(doc, hit.end - 1)
    found = [h for h in same if person is not None and person_at(doc, h.end - 1) is person]
    if not found and len(doc.fields) > 1:
        here = doc.field_at(hit.start)
        noun = doc.text_of(hit).split()[-1].lower()
        found = [
            h
            for h in same
            if doc.field_at(h.start) != here and doc.text_of(h).split()[-1].lower() == noun
        ]
    return found
