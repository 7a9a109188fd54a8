"""Adjectives of persons: "an *old* man", not "an *old* house"."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from augkit.augmenters.panda.rules.document import Document
from augkit.core.analysis import Token
from augkit.language.morphology import can_be, parts_of_speech
from augkit.lexicons.demographics.axes import bundled_axis, read_axis
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import is_person_word, titles
from augkit.lexicons.demographics.term_senses import Reading, readings
from augkit.lexicons.load import closed_classes
from augkit.text.articles import Replacement
from augkit.text.casing import cased

_PERSONAL = frozenset("he she they i we you who him her them us me someone everyone".split())
_LINKING = frozenset({",", "and", "or", "but", "-"})
_REACH = 5
_ONE = re.compile(
    r"\b(?:an?|one|another|any|every|each|no|this|that|some|the|two|three|few) "
    r"(?:young |old |elderly |only |first |last )?$",
    re.IGNORECASE,
)
"""Before a noun that stands for one person, or some: "an *Asian*"."""


def is_said_of_person(doc: Document, hit: Hit) -> bool:
    """Whether the words after an adjective, or else the parse, make it a person's."""
    said = _by_words(doc, hit)
    if said is not None:
        return said
    token = doc.token(hit.end - 1)
    return token is not None and _by_parse(doc, token)


def _by_words(doc: Document, hit: Hit) -> bool | None:
    """What the next noun says: the adjectives before it are passed over."""
    words = list(islice(doc.words_after(hit.end), _REACH))
    for index, word in enumerate(words):
        if is_person_word(word):
            after = words[index + 1] if index + 1 < len(words) else ""
            return None if is_thing_word(after) else True
        if word not in _LINKING and not can_be(word, "ADJ"):
            return None
    return None


def is_thing_word(word: str) -> bool:
    """Whether a form can only be a noun, and of no person: "sauce", not "nurse" or "walk"."""
    return parts_of_speech(word) == {"NOUN"} and not is_person_word(word) and len(word) > 2


def _by_parse(doc: Document, token: Token) -> bool:
    head = doc.parsed.head(token)
    if token.is_relation("amod", "compound", "nmod", "flat") and head.index > token.index:
        return is_person(doc, head)
    subjects = doc.parsed.children(token, "nsubj")
    if token.is_relation("xcomp"):
        subjects += doc.parsed.children(head, "obj") or doc.parsed.children(head, "nsubj")
    if any(is_person(doc, subject) for subject in subjects):
        return True
    if not subjects and token.is_relation("advcl", "advmod", "acl", "parataxis", "root"):
        words = doc.lower[slice(*doc.sentence_span(token.start))].split()
        return not _PERSONAL.isdisjoint(words)  # "Being too *young*, she stayed."
    alone = token.is_relation("obj", "nsubj", "obl", "nmod") and not subjects
    return (
        alone and doc.word_before(token.start) == "the" and token.upos in {"ADJ", "NOUN", "PROPN"}
    )


def is_person(doc: Document, token: Token) -> bool:
    """Whether a noun, name or pronoun is a person, as far as the word lists say."""
    lower = token.text.lower()
    if lower in _PERSONAL or is_person_word(lower) or is_person_word(token.lemma.lower()):
        return True
    names = (token, *doc.parsed.children(token, "flat", "compound"))
    return token.upos == "PROPN" and any(
        look_up(t.text) is not None or t.text.lower().rstrip(".") in titles() for t in names
    )


def noun_or_adjective(doc: Document, hit: Hit) -> Reading:
    """The noun after an article with no noun after it ("an *Asian*"), else the adjective."""
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    if not kinds.keys() >= {"noun", "adj"}:
        return hit.readings[0]
    after = doc.word_after(hit.end)
    verb = can_be(after, "VERB") and not can_be(after, "NOUN")
    alone = after != "-" and (verb or not after[:1].isalnum() or after in closed_classes())
    counted = _ONE.search(doc.text, max(0, hit.start - 30), hit.start) is not None
    return kinds["noun" if alone and counted else "adj"]


@cache
def usual_adjective(axis: str) -> Reading:
    """The row of adjectives that is written where no other fits: teenage, young, elderly."""
    known = readings(bundled_axis(axis))
    return next(r for r in known if r.pos == "adj" and "sense" in r.needs)


def with_adjective(doc: Document, span: tuple[int, int], target: str) -> Replacement | None:
    """A chosen noun or name of a person with an adjective before it: "his *elderly* wife".

    A noun for people that the task names as the person's is one, whatever the parse says.
    """
    word, token = doc.text[slice(*span)], doc.token(span[0])
    if not doc.pointed or token is None:
        return None
    inside = token.is_relation("compound", "amod", "flat") and token.head != token.index
    is_noun = token.upos in {"NOUN", "PROPN"} and not inside and is_person(doc, token)
    if not is_noun and not (doc.given and is_person_word(word.lower())):
        return None
    opens = token.upos == "NOUN" and word[:1].isupper() and not word.isupper()
    noun = word.lower() if opens else word
    adjective = cased(
        usual_adjective(read_axis(doc.axis).axis).written[target], word.lower(), doc.text
    )
    if opens or (token.upos == "PROPN" and doc.opens_sentence(span[0])):
        adjective = adjective[:1].upper() + adjective[1:]
    return Replacement(*span, f"{adjective} {noun}")
