"""Nouns and adjectives that say a person's age, and nothing of houses, ranks or old friends."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from augkit.augmenters.panda.disambiguation.thing_names import is_thing_word
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import (
    OWNERS,
    is_of_compound,
    is_of_thing,
    is_person_word,
    names_person,
)
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.morphology import can_be
from augkit.lexicons.demographics.axes import bundled_axis
from augkit.lexicons.demographics.cues import AGES, PEOPLE, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import called_she
from augkit.lexicons.demographics.term_senses import Reading, readings


def is_person(doc: Document, token: Token) -> bool:
    """Whether a noun, name or pronoun is a person here."""
    if token.text.lower() in AGES.pronouns:
        return True
    if token.upos == "PROPN":
        return _is_named(doc, token)
    return names_person(token) or doc.people.at(token.start) is not None


def _is_named(doc: Document, token: Token) -> bool:
    """Whether a name is a person's: no make, no land, and none that ends in a word for a thing."""
    words = [t.text.lower() for t in (token, *doc.parsed.children(token, "flat", "compound"))]
    things = PEOPLE.makes | PEOPLE.no_names
    if any(w in things or (w in called_she() and look_up(w) is None) for w in words):
        return False
    if token.text.islower():
        return look_up(token.text) is not None or doc.people.at(token.start) is not None
    last = max((token, *doc.parsed.children(token, "flat")), key=lambda t: t.index)
    known = any(look_up(word) is not None for word in words)
    return known or not is_thing_word(last.text.lower())


def reading_of(doc: Document, hit: Hit) -> Reading | Rejection:
    """The reading that fits the place, or the reason why no person's age is meant."""
    word = doc.text_of(hit)
    before, after = doc.word_before(hit.start), doc.word_after(hit.end)
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    if (reason := _says_no_age(doc, word, (before, after)) or _is_of_school(doc, hit)) is not None:
        return reason
    if "adj" in kinds and is_person_word(after) and not is_of_compound(doc, hit):
        return _as_adjective(doc, word, after, owned=_is_owned(before))
    following = doc.next_words(hit.end, 8)
    if "adj" in kinds and (after == "," or following[:2] == ["-", "looking"]):
        following = following[2 * (after != ",") :]
        if _is_before_person(following):
            return usual_adjective()
    if "sense" not in hit.needs and "noun" in kinds:
        return kinds["noun"]
    token = doc.token(hit.end - 1)
    if token is None:
        return doc.reject("not a person", f"it is unclear what '{word}' describes")
    return _by_parse(doc, token, kinds, (word, before))


def _says_no_age(doc: Document, word: str, beside: tuple[str, str]) -> Rejection | None:
    """The rejection where a word says whose child, which of two, a time of life or a plant."""
    before, after = beside
    last = word.rsplit(maxsplit=1)[-1].lower()
    if last in AGES.offspring and _is_owned(before) and not (doc.pointed and last in AGES.heirs):
        return doc.reject("not a person", f"'{before} {word}' says whose child, no age")
    if last in AGES.offspring and before in AGES.grown:
        return doc.reject("not a person", f"'{before} {word}' says whose child, no age")
    ordered = word.lower() in AGES.by_birth and after.removesuffix("s") in AGES.kin
    if ordered and not doc.pointed:
        return doc.reject("not a person", f"'{word} {after}' says the order of birth, no age")
    if word.lower() in {"youth", "minor"} and _is_owned(before):
        return doc.reject("not a person", f"'{before} {word}' is a time of life or a subject")
    if word.lower() in {"oldest", "eldest", "youngest"} and after.removesuffix("s") not in AGES.kin:
        return doc.reject("not a person", f"'{word}' compares, it says no age")
    if word.lower() in AGES.by_birth | {"young"} and after == "of":
        return doc.reject("not a person", f"'{word} of' compares, it says no age")
    if word.lower() == "old" and before.rpartition("-")[2] in {"year", "years"}:
        return doc.reject("not a person", f"'{before} {word}' says how old a thing is")
    if word.lower() in {"old", "older"} and before.rpartition("-")[2] in AGES.spans:
        return doc.reject("not a person", f"'{before} {word}' counts days, weeks or months")
    if word.lower() == "elder" and not before.isalpha():
        return doc.reject("not a person", f"'{word}' without an article is a plant")
    return None


def counts_months(doc: Document, start: int) -> bool:
    """As in "my 17-month old *kid*": a baby, whatever word follows."""
    words = " ".join(doc.words_before(start, 30)[-2:]).replace("-", " ").split()
    return words[-1:] == ["old"] and len(words) > 1 and words[-2] in AGES.spans


def with_adjective(doc: Document, hit: Hit) -> Hit:
    """A noun with the age before it, which goes with it: "a group of *younger kids*"."""
    before = doc.word_before(hit.start)
    start = hit.start - len(before) - 1
    said = before in AGES.adjectives or before in AGES.by_birth
    if hit.pos != "noun" or not said or doc.text[start : start + len(before)].lower() != before:
        return hit
    return hit._replace(start=start)


def is_owned_offspring(doc: Document, hit: Hit) -> bool:
    """As in "her *children*", who may be of any age."""
    return doc.text_of(hit).lower() in AGES.heirs and _is_owned(doc.word_before(hit.start))


def _is_of_school(doc: Document, hit: Hit) -> Rejection | None:
    """The reason where seniors are those of a school: "a *senior* at college"."""
    word = doc.text_of(hit)
    if word.lower() not in {"senior", "seniors"}:
        return None
    words = set(doc.field_text(hit.start).lower().strip(".!?").split())
    if not has_any(words, AGES.schools):
        return None
    return doc.reject("not a person", f"'{word}' is a year at school here")


def _by_parse(
    doc: Document, token: Token, kinds: Mapping[str, Reading], words: tuple[str, str]
) -> Reading | Rejection:
    word, before = words
    head = doc.parsed.head(token)
    modifies = token.is_relation("amod", "compound", "nmod") and token.head > token.index
    # "the baby spat out": a verb, whatever the parse says
    modifies = modifies and not doc.parsed.children(head, "obj", "compound:prt")
    modifies = modifies and (head.upos == "PROPN" or can_be(head.text.lower(), "NOUN"))
    unknown = head.upos == "NOUN" and not is_of_thing(head.text.lower())
    described = is_person(doc, head) or (doc.pointed and unknown)
    if modifies and "adj" in kinds and described:
        return _as_adjective(doc, word, head.text.lower(), owned=_is_owned(before))
    if modifies:
        return doc.reject("not a person", f"'{word}' is said of '{head.text}', no person")
    if "noun" in kinds and (token.upos in {"NOUN", "PROPN"} or before in {"a", "the", "this"}):
        return kinds["noun"]
    if "adj" in kinds and (_is_group(token, before) or _is_said_of_person(doc, token)):
        return usual_adjective()
    return doc.reject("not a person", f"'{word}' is no age of a person here")


def adjective_and_noun(doc: Document, hit: Hit) -> tuple[Token, Hit] | None:
    """The two words that say an age in "a *young* Asian *boy*", if ``hit`` is one of them.

    Where they stand side by side they are one term of the lexicon.
    """
    nouns = [h for h in doc.hits if h.pos == "noun" and h.start >= hit.start]
    if not nouns or (nouns[0] is hit and not _is_after_adjective(doc, hit)):
        return None
    noun = doc.token(nouns[0].end - 1)
    if noun is None:
        return None
    for token in doc.parsed.children(noun, "amod"):
        chosen = nouns[0] is hit or token.start == hit.start
        apart = token.end + 1 < nouns[0].start
        if chosen and apart and token.text.lower() in AGES.adjectives:
            return token, nouns[0]
    return None


def _is_after_adjective(doc: Document, hit: Hit) -> bool:
    words = doc.words_before(hit.start)
    return has_any(words[-4:], AGES.adjectives)


def _is_before_person(words: list[str]) -> bool:
    """As in "a *middle-aged*, balding man" and "*Young*, rich and bored, he": no noun between."""
    for word in words:
        if word in AGES.pronouns or is_person_word(word):
            return True
        describing = can_be(word, "ADJ") or word.endswith(("ing", "ed"))
        if word not in {",", "and", "but"} and not describing:
            return False
    return False


def _is_owned(before: str) -> bool:
    return before in OWNERS or before.endswith(("'s", "\u2019s"))


def _is_group(token: Token, before: str) -> bool:
    """As in "she helps *the elderly*"."""
    return before == "the" and token.is_relation("obj", "nsubj", "obl", "nmod", "conj")


def _is_said_of_person(doc: Document, token: Token) -> bool:
    """As in "she is *young*", "he looks *old*"."""
    subjects = doc.parsed.children(token, "nsubj")
    if token.is_relation("xcomp"):
        head = doc.parsed.head(token)
        subjects += doc.parsed.children(head, "obj") or doc.parsed.children(head, "nsubj")
    return bool(subjects) and is_person(doc, subjects[0])


def _as_adjective(doc: Document, word: str, noun: str, *, owned: bool) -> Reading | Rejection:
    former = noun in AGES.former or (noun in AGES.ones_own and owned)
    if word.lower() in {"old", "oldest"} and former:
        return doc.reject("not a person", f"'{word} {noun}' is one of long ago, no age")
    if word.lower() == "senior" and noun not in AGES.of_seniors:
        return doc.reject("not a person", f"'{word} {noun}' is a rank, no age")
    return usual_adjective()


@cache
def usual_adjective() -> Reading:
    """The row of "old" and "young", which are written whatever word they replace."""
    return next(r for r in readings(bundled_axis("age")) if r.form == "old" and r.pos == "adj")
