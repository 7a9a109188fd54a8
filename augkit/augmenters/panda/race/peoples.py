"""Nationalities: whether one is said of people, and what it becomes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.augmenters.panda.race.terms import (
    group_word,
    is_before_person,
    is_noun_use,
    is_said_of_person,
)
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.cues import PEOPLE, RACES
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.peoples import peoples
from augkit.lexicons.demographics.term_senses import Reading
from augkit.lexicons.load import word_set
from augkit.text.articles import Replacement


def change_people(
    doc: Document, hit: Hit, target: str
) -> tuple[str, list[Replacement]] | Rejection:
    """A nationality made the group's word, wherever the text says it of people."""
    word = doc.text_of(hit)
    if hit.attribute == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    if wrongs := PEOPLE.wrongs.intersection(doc.next_words(hit.end, 3)):
        return doc.reject("fixed phrase", f"'{word}': with '{min(wrongs)}' it tells of a wrong")
    reading = _people_reading(doc, hit)
    if reading is None:
        return doc.reject("not a person", f"'{word}' is said of no person here")
    others = [h for h in doc.hits if h is not hit and h.attribute == hit.attribute]
    alike = [h for h in others if is_people(h) and doc.text_of(h)[:4] == word[:4]]
    changes = [group_word(doc, _compound(doc, hit), reading, target)]
    for other in alike:
        found = None if other.blocked else _people_reading(doc, other)
        if found is not None:
            changes.append(group_word(doc, _compound(doc, other), found, target))
    return hit.attribute, changes


def unlisted_people(doc: Document, span: tuple[int, int]) -> Reading | None:
    """The reading of a people that no list has, if pointed at: "the *Wusun* people"."""
    word, token = doc.text[slice(*span)], doc.token(span[0])
    if not doc.pointed or token is None or not word[0].isupper() or token.upos == "PRON":
        return None
    if word.lower() in word_set("places") | RACES.no_peoples or look_up(word) is not None:
        return None
    if is_person_word(doc.word_after(span[1])) and doc.text[span[1] : span[1] + 1] == " ":
        after = doc.text[span[1] + 1 : span[1] + 2]
        fits = after.islower() and not parts_of_speech(word.lower())
        return _group_rows()["adj"] if fits else None
    several = doc.word_before(span[0]) == "the" and word.endswith("s")
    return _group_rows()["plural"] if several and token.upos == "PROPN" else None


def _people_reading(doc: Document, hit: Hit) -> Reading | None:
    """The reading of a nationality that is said of people; of what people do, if pointed at."""
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    if "adj" not in kinds:
        return kinds["noun"]
    if is_before_person(doc.next_words(_compound(doc, hit).end, 5)):
        return kinds["adj"]
    token = doc.token(hit.end - 1)
    if token is None:
        return None
    if "noun" in kinds and is_noun_use(doc, token, kinds["noun"]):
        return kinds["noun"]
    if is_said_of_person(doc, token):
        return kinds["adj"]
    if _stands_for_people(doc, token):
        return plural_reading(kinds["adj"])
    return kinds["adj"] if doc.pointed and _is_of_peoples_thing(doc, token) else None


def _stands_for_people(doc: Document, token: Token) -> bool:
    """As in "the *English* surrendered": the adjective for all its people."""
    head = doc.parsed.head(token)
    modifies = token.is_relation("amod", "compound", "nmod", "flat") and head.index > token.index
    the = doc.word_before(token.start) == "the"
    return the and not modifies and doc.word_after(token.end) != "language"


def _is_of_peoples_thing(doc: Document, token: Token) -> bool:
    """As in "a *British* empire": said of what people are or do, no food, plant, tongue or art."""
    head = doc.parsed.head(token)
    if token.deprel == "conj":
        token, head = head, doc.parsed.head(head)
    if not token.is_relation("amod", "compound", "nmod", "flat") or head.index < token.index:
        return False
    noun = head.lemma.lower()
    return noun not in PEOPLE.fields and noun not in word_set("animals")


def _compound(doc: Document, hit: Hit) -> Hit:
    """The whole of "*Italian*-American"."""
    joined = [h for h in doc.hits if h.axis == hit.axis and doc.text[h.end : h.end + 1] == "-"]
    for first in joined:
        second = doc.hit_by_start.get(first.end + 1)
        if second is not None and (hit in {first, second}):
            return hit._replace(start=first.start, end=second.end)
    return hit


@cache
def _group_rows() -> dict[str, Reading]:
    """The readings that write each group: the adjective, the singular and the plural."""
    found = [h.readings for h in finder_for("race").find("Germans. German")]
    return {r.number or r.pos: r for some in found for r in some}


def plural_reading(reading: Reading) -> Reading:
    """An adjective's reading as a noun in the plural: "the French" → "the Asians"."""
    return replace(reading, pos="noun", number="plural", written=_group_rows()["plural"].written)


def is_people(hit: Hit) -> bool:
    """Whether a reference is a nationality: "German", no word for a race."""
    return any(hit.form in forms for forms in peoples().values())
