"""The age axis: numbers, decades and words that say an age, made those of the target."""

from __future__ import annotations

import re
from copy import copy

from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.gender import Changes
from augkit.augmenters.panda.rules.left_alone import leave_alone, reject_hit
from augkit.augmenters.panda.rules.readings import with_adjective, written
from augkit.core.edits import Replacement, Span
from augkit.core.types import Variant
from augkit.lexicons.demographics.ages import Age, band_of, find_ages, new_age
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.cues import AGES
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.peoples import UNKNOWN
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.demographics.term_senses import Reading
from augkit.text.casing import cased
from augkit.text.quantities import to_number

_NEXT_NOUN = re.compile(r"[ -](\w+)\b(?! (?:band|bands|scout))")
_BESIDE = re.compile(r"[ -]?(?:(?!and |or |but |his |her |an? |the )[a-z-]+ )?")
_NOUN_OF = re.compile(r"(\w+) of ")
_OTHERS = frozenset({"another", "other", "second", "one"})
_TURNING = frozenset({"turned", "turns", "turning"})
_LEADING = frozenset({"age", "aged", "(", "at", "of"})


def change_age(doc: Document) -> Changes | Variant:
    """The attribute that the chosen person had, and the changes that make it the target."""
    number = _chosen_number(doc)
    if number is not None:
        return _with_new_number(doc, number)
    before = (h for h in doc.hits if h.pos == "adj" and h.end == doc.start - 1)
    hit, target = doc.hit or next(before, None), doc.target  # "an old *clerk*"
    if hit is None:
        described = with_adjective(doc)
        missing = doc.refuse("no reference", f"'{doc.word}' says no age of a person")
        return missing if described is None else (UNKNOWN, [described])
    if (reason := reject_hit(doc, hit)) is not None:
        return reason
    word = doc.text_of(hit)
    after = finder_for(doc.axis).find(doc.word_after(hit.end)) if hit.pos == "adj" else []
    if target in {hit.attribute, *(h.attribute for h in after if h.pos == "noun")}:
        return doc.refuse("already the target", f"'{word}' is {target} already")
    replaced = [(h, c) for h in _alike(doc, hit) if (c := written(doc, h)) is not None]
    changes = [c for _, c in replaced]
    if hit.pos == "adj":
        changes += [c for h, _ in replaced for c in _fitting_noun(doc, (h.start, h.end))]
    elif hit.pos == "noun":
        changes = [_with_adjective_before(doc, change) for change in changes]
    if not changes:
        return doc.refuse("no word for the target", f"there is no word for '{word}' as {target}")
    return hit.attribute, changes


def _alike(doc: Document, hit: Hit) -> list[Hit]:
    """The reference and its repetitions: "a boy ... the boy", "old men ... the old men"."""

    def said(reference: Hit) -> tuple[str, ...]:
        after = doc.word_after(reference.end) if reference.pos == "adj" else ""
        return reference.attribute, reference.pos, doc.text_of(reference).split()[-1].lower(), after

    same = [h for h in doc.hits if said(h) == said(hit) and not h.blocked]
    same = [h for h in same if doc.word_before(h.start) not in _OTHERS]
    return same if hit in same else [hit]


def _with_adjective_before(doc: Document, change: Replacement) -> Replacement:
    """The change of a noun, in place of an adjective for an age before it too: "a *baby child*"."""
    for hit in doc.hits:
        describes = any(reading.pos == "adj" for reading in hit.readings) and not hit.blocked
        if describes and doc.text[hit.end : change.start] == " ":
            return change._replace(start=hit.start)
    return change


def _chosen_number(doc: Document) -> Age | None:
    """The age in numbers that the chosen word says: "8", "8-year-old", a bare number."""
    span = (doc.start, doc.end)
    word = doc.word.lower()
    noun = doc.hit.pos == "noun" if doc.hit else is_person_word(word)
    for age in find_ages(doc.text):
        beside = noun and _BESIDE.fullmatch(
            doc.lower, age.whole[1], doc.start
        )  # "2-year-old *boy*"
        if (beside or doc.is_chosen(Span(*age.whole))) and (age.is_certain or doc.pointed):
            return age
    years = int(word) if word.isdigit() and len(word) < 3 else to_number(word)
    if doc.hit is None and years is not None and is_bare_age(doc, span):
        return Age(*span, years, is_decade=False, is_certain=True, whole=span)
    return None


def is_bare_age(doc: Document, span: tuple[int, int]) -> bool:
    """As in "She turned 80.", "He is 19": nothing is counted."""
    before = doc.word_before(span[0])
    after = doc.word_after(span[1])
    if before in _TURNING:
        return not after.endswith("s")
    led = before in AGES.be | AGES.reaching | _LEADING or before.endswith(("'s", "'m", "'re"))
    return led and (not after.isalnum() or after in AGES.after_numbers)


def _with_new_number(doc: Document, age: Age) -> Changes | Variant:
    """A number or decade of the target's band, and the noun after it ("8-year-old *boy*").

    Ages that repeat it change too: "a 4-year-old ... the 4-year-old".
    """
    axis = read_axis(doc.axis)
    target = doc.target
    word = doc.text[age.start : age.end]
    source = band_of(age.years, axis)
    if source == target:
        return doc.refuse("already the target", f"'{word}' is {target} already")
    reading = Reading(source, "age", word, {})
    other_ages = (a for a in find_ages(doc.text) if a.is_certain and a.start != age.start)
    other_ages = (a for a in other_ages if not doc.given or doc.is_given(Span(*a.whole)))
    stated = (age.years, age.is_decade)
    changes = list[Replacement]()
    for same in (age, *(a for a in other_ages if (a.years, a.is_decade) == stated)):
        reason = leave_alone(doc, Hit(*same.whole, doc.axis, (reading,), ()))
        if reason is not None and same is age:
            return reason
        if reason is None:
            new = new_age(same, doc.text, target, axis, copy(doc.rng))  # one draw
            changes += [Replacement(same.start, same.end, new), *_fitting_noun(doc, same.whole)]
    return source, changes


def _fitting_noun(doc: Document, whole: tuple[int, int]) -> list[Replacement]:
    """The noun after an age, or before one ("a *girl* of 8"), of a child or of an adult."""
    beside = _BESIDE.match(doc.lower, whole[1])  # "a 12-year-old tall *boy*"
    starts = (whole[1], beside.end() - 1 if beside else whole[1])
    nouns = (_NOUN_OF.match(doc.text, whole[0]), *(_NEXT_NOUN.match(doc.text, s) for s in starts))
    candidates = ((m, finder_for(doc.axis).find(m[1])) for m in nouns if m is not None)
    match, hits = next(((m, h) for m, h in candidates if h and h[0].pos == "noun"), (None, []))
    kind, *fitting = ("child",) if doc.target == "child" else ("adult", "senior")
    if match is None or hits[0].attribute in {kind, *fitting}:  # a young grandmother is one
        return []
    written = hits[0].readings[0].written.get(kind, match[1])
    return [Replacement(*match.span(1), cased(written, match[1], doc.text))]
