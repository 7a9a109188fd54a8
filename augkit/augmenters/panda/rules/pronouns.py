"""Which case a pronoun is in: "her" is *him* or *his*, "his" is *her* or *hers*.

The words beside it decide most cases, by the patterns of ``lexicons/data/cues/her.yaml``; the rest
is read off the parse. A pattern sees the word before "her" and the two after it, each with the
classes that the dictionary gives it: ``elected/v president/np of/``. The classes are a(djective),
b(ase form of a verb), n(oun), p(erson) and v(erb).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from augkit.augmenters.panda.rules.document import Document
from augkit.language.morphology import can_be, is_base_verb
from augkit.lexicons.demographics.cues import HER, cue_table
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.demographics.term_senses import Reading

_OPENING = frozenset("\"\u201c\u2018'(-")
"""Signs after which a noun may follow: her "home"."""
_OF_SEVERAL = re.compile(
    r"\b(?:an?|that|this|some|any|no|one|two|another) (?:[\w-]+ ){1,2}of $", re.IGNORECASE
)
"""Before "his" where something of his is one of several: "a cousin of his"."""


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
    if hit.start not in doc.cases:
        doc.cases[hit.start] = _case_of_several(doc, hit)
    return doc.cases[hit.start]


def _case_of_several(doc: Document, hit: Hit) -> str | None:
    cases = {reading.case for reading in hit.readings}
    after, second = islice(doc.words_after(hit.end), 2)
    if not after[:1].isalnum() and after not in _OPENING:
        return "object" if "object" in cases else "possessive"
    return (_her if "object" in cases else _his)(doc, hit, after, second)


def _her(doc: Document, hit: Hit, after: str, second: str) -> str | None:
    if after in HER.own or (after in HER.utmost and not second.isalnum()):
        return "determiner"  # "trying her best", "gave her all"
    if after in HER.function_words:
        return "object"
    if not after[:1].isalnum() or doc.opens_sentence(hit.start):
        return "determiner" if after[:1].isalnum() else None
    before = doc.word_before(hit.start).lstrip("'\u2018\u2019")
    beside = " ".join(f"{word}/{_classes(word)}" for word in (before, after, second))
    cases, pattern = _patterns()
    match = pattern.match(beside)
    return cases[match.lastindex - 1] if match and match.lastindex else None


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
