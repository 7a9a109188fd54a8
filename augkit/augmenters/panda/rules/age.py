"""The age axis: numbers, decades and words that say an age, made those of the target."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from augkit.augmenters.panda.edits import cased
from augkit.augmenters.panda.rules.contexts import reject_context
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.gender import Changes
from augkit.augmenters.panda.rules.modifiers import is_said_of_person, with_adjective
from augkit.core.types import Rejection
from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.ages import Age, band_of, find_ages, new_age
from augkit.lexicons.demographics.axes import bundled_axis, read_axis
from augkit.lexicons.demographics.cues import AGES
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.term_senses import Reading, readings
from augkit.text.articles import Replacement
from augkit.text.numbers import to_number

_NEXT_NOUN = re.compile(r"[ -](\w+)\b(?! (?:band|bands|scout))")
_NOUN_OF = re.compile(r"(\w+) of ")
_UNKNOWN = "unknown"
_OWNERS = frozenset({"my", "your", "his", "her", "our", "their"})
_ADULT = 18
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_DECADE = re.compile(r"(?:(?:early|mid|late)[ -])?\S+$", re.IGNORECASE)
_AT_AGE = re.compile(r"aged .+|at (?:the )?(?:\w+ )*age .+", re.IGNORECASE)
_YEARS_OLD = re.compile(r".+old(s?)", re.IGNORECASE)
_TURNING = frozenset({"turned", "turns", "turning"})
_LEADING = frozenset({"age", "aged", "(", "at", "of"})
_SHORT_BE = ("'s", "\u2019s", "'m", "\u2019m", "'re", "\u2019re")
_PRONOUNS = {"he": "man", "him": "man", "she": "woman"}
_OLDER = frozenset({"senior", "middle-aged"})


def change_age(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> Changes | Rejection:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word, hit = doc.text[slice(*span)], doc.hit_at(*span)
    number = _number_at(doc, span, hit)
    if number is not None:
        return _with_new_number(doc, number, target, rng)
    if hit is None:
        return _described(doc, span, target)
    if hit.blocked:
        return doc.reject("fixed phrase", hit.blocked)
    if doc.pointed and word.lower() in AGES.heirs and _is_owned(doc, hit.start):
        return _described(doc, span, target)
    if (reason := reject_context(doc, hit, target)) is not None:
        return reason
    after = finder_for(doc.axis).find(doc.word_after(hit.end)) if hit.pos == "adj" else []
    if target in {hit.attribute, *(h.attribute for h in after if h.pos == "noun")}:
        return doc.reject("already the target", f"'{word}' is {target} already")
    if hit.pos == "adj" and not is_said_of_person(doc, hit):
        return doc.reject("not a person", f"'{word}' is said of no person here")
    changes = [c for h in _alike(doc, hit) if (c := _written(doc, h, target)) is not None]
    if not changes:
        return doc.reject("no word for the target", f"there is no word for '{word}' as {target}")
    return hit.attribute, changes


def _is_owned(doc: Document, start: int) -> bool:
    before = doc.word_before(start)
    return before in _OWNERS or before.endswith(("'s", "\u2019s"))


def _alike(doc: Document, hit: Hit) -> list[Hit]:
    """The reference and those that take it up with the same word: "a boy ... the boy"."""
    word = doc.text_of(hit).split()[-1].lower().removesuffix("s")
    taken_up = _DEFINITE | {doc.word_before(hit.start)}
    same = [h for h in doc.hits if h.attribute == hit.attribute and h.pos == hit.pos == "noun"]
    same = [h for h in same if doc.text_of(h).split()[-1].lower().removesuffix("s") == word]
    same = [h for h in same if not h.blocked and doc.word_before(h.start) in taken_up]
    return [hit, *(h for h in same if h is not hit)]


def _written(doc: Document, hit: Hit, target: str) -> Replacement | None:
    """A word that says an age, in the target's words."""
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    reading = hit.readings[0]
    if len(kinds) > 1:
        token = doc.token(hit.end - 1)
        modifies = token is not None and (
            (token.is_relation("amod", "compound") and not _is_verb(doc.word_after(hit.end)))
            or (token.upos == "ADJ" and bool(doc.parsed.children(token, "cop")))
        )
        reading = kinds["adj" if modifies else "noun"]
    before = doc.text_of(hit)
    after = _compared(doc, hit, target) or (
        usual_adjective() if reading.pos == "adj" and not hit.is_weak else reading
    ).written.get(target)
    if after is None:
        return None
    return Replacement(hit.start, hit.end, cased(after, before, doc.text))


def _is_verb(word: str) -> bool:
    return parts_of_speech(word) == {"VERB"}


def _compared(doc: Document, hit: Hit, target: str) -> str | None:
    """The comparative in "a much *younger* woman", which asks for another one."""
    word, before = doc.text_of(hit).lower(), doc.word_before(hit.start)
    if target == "child" and before in AGES.very and word in {"old", "elderly", "aged"}:
        return "young"  # nobody is "very teenage"
    if word not in {"younger", "older"} or before not in AGES.by_how_much:
        return None
    return "older" if target in _OLDER else "younger"


@cache
def usual_adjective() -> Reading:
    """The row of adjectives that is written where no other fits: teenage, young, elderly."""
    adjectives = [r for r in readings(bundled_axis("age")) if r.pos == "adj" and r.form == "young"]
    return adjectives[0]


def _number_at(doc: Document, span: tuple[int, int], hit: Hit | None) -> Age | None:
    """The age in numbers that a span says: "8", "8-year-old", a bare number that is chosen."""
    for age in find_ages(doc.text):
        inside = age.whole[0] < span[1] and span[0] < age.whole[1]
        if hit is not None and hit.pos == "noun":  # "an 8-year-old *boy*"
            inside = inside or 0 <= span[0] - age.whole[1] <= 1
        if inside and (age.is_certain or doc.pointed):
            return age
    word = doc.text[slice(*span)].lower()
    years = int(word) if word.isdigit() and len(word) < 3 else to_number(word)
    if hit is None and years is not None and _is_bare_age(doc, span):
        return Age(*span, years, is_decade=False, is_certain=True, whole=span)
    return None


def _is_bare_age(doc: Document, span: tuple[int, int]) -> bool:
    """As in "She turned 80.", "He is 19": nothing is counted."""
    before, after = doc.word_before(span[0]), doc.word_after(span[1])
    if before in _TURNING:
        return not after.endswith("s")
    led = before in AGES.be | AGES.reaching | _LEADING or before.endswith(_SHORT_BE)
    return led and (not after.isalnum() or after in AGES.after_numbers)


def _with_new_number(doc: Document, age: Age, target: str, rng: Random) -> Changes | Rejection:
    """A number or decade of the target's band, and the noun after it ("8-year-old *boy*")."""
    axis, word = read_axis(doc.axis), doc.text[age.start : age.end]
    source = band_of(age.years, axis)
    adult = _as_adult(doc, age) if target == "adult" and age.years >= _ADULT else None
    if adult is None and (source == target or (target == "adult" and age.years >= _ADULT)):
        return doc.reject("already the target", f"'{word}' is {target} already")
    hit = Hit(*age.whole, doc.axis, (Reading(source, "age", word, {}),), ())
    if (reason := reject_context(doc, hit, target)) is not None:
        return reason
    if adult is not None:
        return source, [adult]
    changes = [Replacement(age.start, age.end, new_age(age, doc.text, target, axis, rng))]
    return source, changes + _fitting_noun(doc, age, target)


def _as_adult(doc: Document, age: Age) -> Replacement | None:
    """An adult's years without a number: "37-year-old" → "adult", "aged 40" → "as an adult"."""
    start, end = age.whole
    whole = doc.text[start:end]
    if age.is_decade and (decade := _DECADE.search(whole)):
        return Replacement(start + decade.start(), end, "adulthood")
    years = _YEARS_OLD.fullmatch(whole)
    after = ""
    if _AT_AGE.fullmatch(whole):
        after = "as an adult"
    elif doc.word_before(start) in AGES.be or not age.is_certain:
        after = "an adult"
    elif years is not None:
        after = f"adult{years[1]}"
    if whole[0].isupper():
        after = after[:1].upper() + after[1:]
    return Replacement(start, end, after) if after else None


def _fitting_noun(doc: Document, age: Age, target: str) -> list[Replacement]:
    """The noun after a number, or before one ("a *girl* of 8"), of a child or of an adult."""
    match = _NOUN_OF.match(doc.text, age.whole[0]) or _NEXT_NOUN.match(doc.text, age.whole[1])
    hits = finder_for(doc.axis).find(match[1]) if match else []
    kind = "child" if target == "child" else "adult"
    if not match or not hits or hits[0].pos != "noun" or hits[0].attribute == kind:
        return []
    written = hits[0].readings[0].written.get(kind, match[1])
    return [Replacement(*match.span(1), cased(written, match[1], doc.text))]


def _described(doc: Document, span: tuple[int, int], target: str) -> Changes | Rejection:
    """A person's noun or name that says no age, with an adjective: "his *elderly* wife"."""
    word = doc.text[slice(*span)]
    said = doc.word_before(span[0]) in AGES.adjectives
    if doc.pointed and (noun := _PRONOUNS.get(word.lower())) is not None:
        [hit] = finder_for(doc.axis).find(noun)  # "*she* left" → "*the old woman* left"
        after = cased(f"the {hit.readings[0].written[target]}", word, doc.text)
        return _UNKNOWN, [Replacement(*span, after)]
    described = None if said else with_adjective(doc, span, usual_adjective().written[target])
    if described is None:
        return doc.reject("no reference", f"'{word}' says no age of a person")
    return _UNKNOWN, [described]
