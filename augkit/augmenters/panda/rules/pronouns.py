"""Which case a pronoun is in: "her" is *him* or *his*, "his" is *her* or *hers*.

The words beside it decide most cases; the rest is read off the parse.
"""

from __future__ import annotations

import re
from itertools import islice

from augkit.augmenters.panda.rules.document import Document
from augkit.language.morphology import can_be, is_base_verb
from augkit.lexicons.demographics.cues import HER
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.demographics.term_senses import Reading

_OPENING = frozenset("\"\u201c\u2018'(-")
"""Signs after which a noun may follow: her "home"."""
_NO_NOUNS = frozenset("back to a an the in on at for from with away".split())
_PASSIVE = re.compile(r"\b(?:be|been|being|is|was) (?!\w+ing )\w+ $")
_OF_SEVERAL = re.compile(
    r"\b(?:an?|that|this|some|any|no|one|two|another) (?:[\w-]+ ){1,2}of $", re.IGNORECASE
)
"""Before "his" where something of his is one of several: "a cousin of his"."""


def in_case(doc: Document, hit: Hit) -> Reading:
    """The reading of a pronoun whose case fits its place."""
    cases = {reading.case: reading for reading in hit.readings if reading.pos == "pronoun"}
    if len(cases) < 2:
        return hit.readings[0]
    decide = _her if "object" in cases else _his
    return cases.get(decide(doc, hit), hit.readings[0])


def case_by_words(doc: Document, hit: Hit) -> str | None:
    """The case of a pronoun where it is known without a parse."""
    cases = {reading.case for reading in hit.readings}
    if len(cases) < 2:
        return hit.case
    return (_her_by_words if "object" in cases else _his_by_words)(doc, hit)


def _her(doc: Document, hit: Hit) -> str:
    case = _her_by_words(doc, hit)
    if case is None:
        token = doc.token(hit.start)
        case = "determiner" if token is not None and token.xpos == "PRP$" else "object"
    return case


def _her_by_words(doc: Document, hit: Hit) -> str | None:
    after, second = islice(doc.words_after(hit.end), 2)
    before = doc.word_before(hit.start).lstrip("'\u2018\u2019")
    if not after[:1].isalnum():
        return None if after and after in _OPENING else "object"
    if after in HER.own or (after in {"all", *HER.utmost} and not second.isalnum()):
        return "determiner"  # "trying her best", "gave her all"
    if after in HER.function_words:
        return "object"
    if doc.opens_sentence(hit.start):
        return "determiner"
    if (case := _before_verb(before, after, second)) is not None:
        return case
    if (case := _after_verb(doc, hit, (before, after, second))) is not None:
        return case
    if before in HER.two_objects | HER.perceiving | HER.finding | HER.judging | HER.having_back:
        return None
    if after.endswith("ly") and not can_be(after, "NOUN") and not second.isalpha():
        return "object"
    if can_be(after, "VERB") and not is_base_verb(after) and not can_be(after, "NOUN"):
        described = can_be(after, "ADJ") or after.endswith(("ing", "ed", "en"))
        return None if described or can_be(second, "NOUN") else "object"
    return "determiner" if can_be(after, "NOUN") or can_be(after, "ADJ") else None


def _before_verb(before: str, after: str, second: str) -> str | None:
    """Before a verb of somebody else: "the dog behind her barked", "everyone but her left"."""
    if before not in HER.prepositions | HER.but | {"to"} or not can_be(after, "VERB"):
        return None
    if is_base_verb(after) or after.endswith("ing"):
        return None
    goes_on = second in HER.others_own or second in {"a", "an", "the"}
    ends = not second.isalnum() or second in HER.function_words
    noun = can_be(after, "NOUN") or can_be(after, "ADJ")
    return "object" if goes_on or (ends and not noun) or before in HER.but else None


def _after_verb(doc: Document, hit: Hit, words: tuple[str, str, str]) -> str | None:
    """As in "gave her flowers", "saw her leave", "made her angry", "elected her president"."""
    before, after, second = words
    ends = not second[:1].isalnum()
    closes = ends or second in HER.function_words
    acts = (
        after in HER.acts
        or not can_be(after, "NOUN")
        or before.startswith(("let", "mak", "mad", "help"))
    )
    if before in HER.perceiving and is_base_verb(after) and acts and not is_person_word(after):
        return "object"
    if before in HER.wishes and not is_person_word(after):
        return "object"
    office = is_person_word(after) and (ends or second in HER.of_offices)
    if before in HER.make and office:
        return "object"
    if before in HER.finding and after.endswith("ing") and not second.isalpha():
        return "object"
    if before in HER.judging and closes and can_be(after, "ADJ") and second != "of":
        return "object"
    if before in HER.electing and is_person_word(after):
        return "object"
    if before in HER.to_a_place and after == "home":
        return "object"
    if (after in HER.last_words and closes) or (second in HER.her_case_times and _is_count(after)):
        return "object"  # "suits her well", "known her ten years"
    if before in HER.take and after in HER.her_case_times:
        return "object"  # "it took her years"
    return _given(doc, hit, words) if before in HER.two_objects else None


def _given(doc: Document, hit: Hit, words: tuple[str, str, str]) -> str | None:
    """The case after a verb with two objects: "gave her roses", "gave her dog a bone"."""
    before, after, second = words
    meal = before in HER.treating and after in HER.meals
    passive = _PASSIVE.search(doc.text, max(0, hit.start - 30), hit.start) is not None
    if (meal or passive) and _has_owner(doc, hit):
        return "determiner"  # "the woman is cooking her dinner", "is served her food"
    given = after in HER.given or after in HER.amounts or _is_count(after) or meal
    taught = before in HER.teach and after in HER.taught
    tells = before in HER.telling and second in HER.be_and_have
    if given or taught or tells or second in HER.given or after == "names":
        return "object"
    person = is_person_word(after) or is_person_word(second)
    bare = can_be(after, "NOUN") and not after.endswith("s") and second in _NO_NOUNS
    return "determiner" if person or bare else None


def _has_owner(doc: Document, hit: Hit) -> bool:
    """Whether somebody of the same gender stands before in the sentence."""
    first = doc.sentence_span(hit.start)[0]
    return any(first <= h.start < hit.start and h.attribute == hit.attribute for h in doc.hits)


def _is_count(word: str) -> bool:
    return word[:1].isdigit() or word in HER.indefinite


def _his(doc: Document, hit: Hit) -> str:
    case = _his_by_words(doc, hit)
    if case is None:
        token = doc.token(hit.start)
        owns = token is not None and token.head > token.index
        case = "determiner" if owns else "possessive"
    return case


def _his_by_words(doc: Document, hit: Hit) -> str | None:
    after, second = islice(doc.words_after(hit.end), 2)
    if not after[:1].isalnum():
        return None if after and after in _OPENING else "possessive"
    if after in {"and", "or"} and second in HER.others_own:
        return "determiner"
    if after in HER.function_words and after not in {"all", "that", "up", "down", "over", "inside"}:
        return "possessive"
    finite = can_be(after, "VERB") and not can_be(after, "NOUN") and not can_be(after, "ADJ")
    if _OF_SEVERAL.search(doc.text, max(0, hit.start - 40), hit.start):
        timed = after in HER.relative_times and second in HER.times
        runs = can_be(after, "VERB") and second in HER.function_words
        return "possessive" if finite or timed or runs else "determiner"
    return None if finite and not after.endswith("ing") else "determiner"
