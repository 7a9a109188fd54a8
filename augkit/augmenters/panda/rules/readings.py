"""What a word says where it stands, and what is written in its place.

A pronoun has a case: "her" is *him* or *his*, "his" is *her* or *hers*. The words beside it decide
most cases, by the patterns of ``lexicons/data/cues/her.yaml``; the rest is read off the parse. A
pattern sees the word before "her" and the two after it, each with the classes that the dictionary
gives it: ``elected/v president/np of/``. The classes are a(djective), b(ase form of a verb),
n(oun), p(erson) and v(erb). An adjective is said of a person or of a thing: "an *old* man", "an
*old* house".
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from augkit.augmenters.panda.references import precedes_people
from augkit.augmenters.panda.rules.document import Document
from augkit.core.analysis import Token
from augkit.core.edits import Replacement
from augkit.english.morphology import can_be, is_base_verb, parts_of_speech
from augkit.lexicons.demographics.axes import bundled_axis, read_axis
from augkit.lexicons.demographics.cues import HER, cue_table
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.names import look_up
from augkit.lexicons.demographics.person_words import is_person_word, titles
from augkit.lexicons.demographics.term_senses import Reading, readings
from augkit.lexicons.load import closed_classes
from augkit.text.casing import cased

_PERSONAL = frozenset("he she they i we you who him her them us me someone everyone".split())
_ONE = re.compile(
    r"\b(?:an?|one|another|any|every|each|no|this|that|some|the|two|three|few) "
    r"(?:young |old |elderly |only |first |last )?$",
    re.IGNORECASE,
)
"""Before a noun that stands for one person, or some: "an *Asian*"."""
_OPENING = frozenset("\"\u201c\u2018'(-")
"""Signs after which a noun may follow: her "home"."""
_OF_SEVERAL = re.compile(
    r"\b(?:an?|that|this|some|any|no|one|two|another) (?:[\w-]+ ){1,2}of $", re.IGNORECASE
)
"""Before "his" where something of his is one of several: "a cousin of his"."""


def is_said_of_person(doc: Document, hit: Hit) -> bool:
    """Whether the words after an adjective, or else the parse, make it a person's."""
    if precedes_people(doc.text, hit.end):
        return True
    token = doc.token(hit.end - 1)
    return token is not None and _by_parse(doc, token)


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


def reading_of(doc: Document, hit: Hit) -> Reading:
    """The reading that fits the place: a pronoun's case, a title before a name, adjective, noun.

    It is the noun after an article with no noun after it ("an *Asian*"), else the adjective.
    """
    if hit.pos == "pronoun":
        return in_case(doc, hit)
    after = doc.word_after(hit.end)
    verb = can_be(after, "VERB") and (not can_be(after, "NOUN") or after.endswith("ing"))
    alone = after != "-" and (verb or not after[:1].isalnum() or after in closed_classes())
    if len(hit.readings) == 1:
        several = alone and hit.pos == "adj" and doc.word_before(hit.start) == "the"
        return _people() if several and hit.axis == "race" else hit.readings[0]  # "the *French*"
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    following = doc.text[hit.end : hit.end + 3]
    if "title" in kinds and following[:1] in {" ", "."} and following.lstrip(". ")[:1].isupper():
        return kinds["title"]
    if not kinds.keys() >= {"noun", "adj"}:
        return kinds.get("address") or kinds.get("noun", hit.readings[0])
    if not alone and can_be(after, "VERB"):  # "a *child* plays", "the *child* stars"
        token = doc.token(hit.start)
        alone = token is not None and not token.is_relation("compound", "amod")
    if hit.axis == "age" and not precedes_people(doc.text, hit.end):
        alone = True
    counted = _ONE.search(doc.text, max(0, hit.start - 30), hit.start) or hit.axis == "age"
    return kinds["noun" if alone and counted else "adj"]


@cache
def _people() -> Reading:
    """The row of nouns for people of a race."""
    nouns = (r for r in readings(bundled_axis("race")) if r.pos == "noun" and not r.gender)
    return next(r for r in nouns if r.number == "plural")


def written(doc: Document, hit: Hit) -> Replacement | None:
    """The word of the target for a reference; an adjective for an age is the usual one.

    A capital for a race ("Asian", "Blacks") passes to none but the first word of a sentence.
    """
    reading = reading_of(doc, hit)
    before = doc.text_of(hit)
    if hit.axis == "age" and reading.pos == "adj" and not hit.is_weak:
        reading = usual_adjective("age")
    after = reading.written.get(doc.target)
    if after is None:
        return None
    lower_case = hit.axis == "race" and not (before.isupper() or doc.opens_sentence(hit.start))
    field = doc.fields[doc.field_at(hit.start)]
    return Replacement(
        hit.start, hit.end, cased(after, before.lower() if lower_case else before, field)
    )


@cache
def usual_adjective(axis: str) -> Reading:
    """The row of adjectives that is written where no other fits: teenage, young, elderly."""
    rows = readings(bundled_axis(axis))
    return next(r for r in rows if r.pos == "adj" and "sense" in r.needs)


def with_adjective(doc: Document) -> Replacement | None:
    """A chosen noun or name of a person with an adjective before it: "his *elderly* wife".

    A noun for people that the task names as the person's is one, whatever the parse says.
    """
    word = doc.word
    token = doc.token(doc.start)
    if not doc.pointed or token is None:
        return None
    inside = token.is_relation("compound", "amod", "flat") and token.head != token.index
    is_noun = token.upos in {"NOUN", "PROPN"} and not inside and is_person(doc, token)
    if not is_noun and not (doc.given and is_person_word(word.lower())):
        return None
    opens = token.upos == "NOUN" and word[:1].isupper() and not word.isupper()
    noun = word.lower() if opens else word
    written = usual_adjective(read_axis(doc.axis).axis).written
    adjective = cased(written[doc.target], word.lower(), doc.text)
    if opens or (token.upos == "PROPN" and doc.opens_sentence(doc.start)):
        adjective = adjective[:1].upper() + adjective[1:]
    return Replacement(doc.start, doc.end, f"{adjective} {noun}")


def in_case(doc: Document, hit: Hit) -> Reading:
    """The reading of a pronoun whose case fits its place."""
    cases = {reading.case: reading for reading in hit.readings if reading.pos == "pronoun"}
    case = case_by_words(doc, hit)
    if case is None:
        token = doc.token(hit.start)
        case = "determiner" if token is not None and token.xpos == "PRP$" else "object"
    return cases.get(case, hit.readings[0])


def case_by_words(doc: Document, hit: Hit) -> str | None:
    """The case of a pronoun where it is known without a parse."""
    if len(hit.readings) < 2:
        return hit.case
    cases = {reading.case for reading in hit.readings}
    after, second = islice(doc.words_after(hit.end), 2)
    if not after[:1].isalnum() and after not in _OPENING:
        return "object" if "object" in cases else "possessive"
    return (_her if "object" in cases else _his)(doc, hit, after, second)


def _her(doc: Document, hit: Hit, after: str, second: str) -> str | None:
    if after in HER.own or (after in HER.utmost and not second.isalnum()):
        return "determiner"  # "trying her best", "gave her all"
    is_adverb_at_end = parts_of_speech(after) == {"ADV"} and not second.isalnum()
    if after in HER.function_words or is_adverb_at_end:  # "talk to her openly."
        return "object"
    if not after[:1].isalnum() or doc.opens_sentence(hit.start):
        return "determiner" if after[:1].isalnum() else None
    before = doc.word_before(hit.start).lstrip("'\u2018\u2019")
    if _is_gerund_of_noun(after, second):
        return None if can_be(before, "VERB") else "determiner"  # "in her biking shorts"
    beside = " ".join(f"{word}/{_classes(word)}" for word in (before, after, second))
    cases, pattern = _patterns()
    match = pattern.match(beside)
    return cases[match.lastindex - 1] if match and match.lastindex else None


def _is_gerund_of_noun(word: str, second: str) -> bool:
    """Whether a form in -ing may describe the noun after it: "biking shorts"."""
    is_gerund = word.endswith("ing") and can_be(word, "VERB")
    return is_gerund and can_be(second, "NOUN") and second not in closed_classes()


@cache
def _patterns() -> tuple[list[str | None], re.Pattern[str]]:
    """The case that each pattern shows, None where the parse decides; and all patterns in one."""
    rows = [row for rows in cue_table("cues/her")["patterns"] for row in rows.items()]
    every = "|".join(f"({pattern})" for _, pattern in rows)
    filled = re.sub(r"\{(\w+)\}", lambda m: "|".join(sorted(getattr(HER, m[1]))), every)
    return [None if case == "parse" else case for case, _ in rows], re.compile(filled)


@cache
def _classes(word: str) -> str:
    held = {kind[0].lower() for kind in ("ADJ", "NOUN", "VERB") if can_be(word, kind)}
    held |= {"b"} if is_base_verb(word) else set()
    return "".join(sorted(held | ({"p"} if is_person_word(word) else set())))


def _his(doc: Document, hit: Hit, after: str, second: str) -> str:
    no_noun = after in HER.function_words and after not in HER.before_nouns
    if no_noun and second not in HER.others_own:
        return "possessive"
    runs = can_be(after, "VERB") and second in HER.function_words
    several = runs and _OF_SEVERAL.search(doc.text, max(0, hit.start - 40), hit.start)
    return "possessive" if several else "determiner"
