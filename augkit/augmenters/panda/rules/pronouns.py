"""Which case a pronoun is in: "her" is *him* or *his*, "his" is *her* or *hers*.

The words beside it decide most cases; the rest is read off the parse.
"""

from __future__ import annotations

from itertools import islice

from augkit.augmenters.panda.rules.document import Document
from augkit.language.morphology import can_be, is_base_verb
from augkit.lexicons.demographics.cues import HER
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.demographics.term_senses import Reading

_OPENING = frozenset("\"\u201c\u2018'(-")
"""Signs after which a noun may follow: her "home"."""


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
    before = doc.word_before(hit.start)
    if not after[:1].isalnum():
        return None if after and after in _OPENING else "object"
    if after in HER.own:
        return "determiner"
    if after in HER.function_words:
        return "object"
    if doc.opens_sentence(hit.start):
        return "determiner"
    if (case := _after_verb(before, after, second)) is not None:
        return case
    if before in HER.two_objects | HER.perceiving | HER.finding | HER.judging | HER.having_back:
        return None
    if after.endswith("ly") and not can_be(after, "NOUN") and not second.isalpha():
        return "object"
    if can_be(after, "VERB") and not is_base_verb(after) and not can_be(after, "NOUN"):
        return None if can_be(after, "ADJ") or after.endswith(("ing", "ed", "en")) else "object"
    return "determiner" if can_be(after, "NOUN") or can_be(after, "ADJ") else None


def _after_verb(before: str, after: str, second: str) -> str | None:
    """As in "gave her flowers", "saw her leave", "made her angry", "elected her president"."""
    ends = not second[:1].isalnum()
    given = after in HER.given or after in HER.amounts or after[0].isdigit()
    if before in HER.two_objects and (given or second in HER.given or after == "names"):
        return "object"
    acts = (
        after in HER.acts or not can_be(after, "NOUN") or before.startswith(("let", "mak", "help"))
    )
    if before in HER.perceiving and is_base_verb(after) and acts and not is_person_word(after):
        return "object"
    office = is_person_word(after) and (ends or second in HER.of_offices)
    if (before in HER.make and office) or (before in HER.treating and after in HER.meals):
        return "object"
    if before in HER.finding and after.endswith("ing") and not second.isalpha():
        return "object"
    if before in HER.judging and ends and can_be(after, "ADJ"):
        return "object"
    if before in HER.electing and is_person_word(after):
        return "object"
    if before in HER.to_a_place and after == "home":
        return "object"
    return "object" if before in HER.wishes and not is_person_word(after) else None


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
    if finite and not after.endswith("ing"):
        return None
    if doc.word_before(hit.start) == "of" and can_be(after, "VERB") and after.endswith("s"):
        return "possessive"  # "a cousin of his runs the ferry"
    return "determiner"
