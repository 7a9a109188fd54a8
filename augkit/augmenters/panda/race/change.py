"""The rule of the race axis: the chosen word is a nationality, a name, or a word for a race."""

from __future__ import annotations

from random import Random

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.race.peoples import change_people, is_people, unlisted_people
from augkit.augmenters.panda.race.renaming import rename
from augkit.augmenters.panda.race.terms import (
    group_word,
    is_beside_name,
    is_of_people,
    is_surname,
    others_alike,
    reject_thing,
    reject_wrong,
    term_reading,
)
from augkit.core.types import Rejection
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.peoples import UNKNOWN
from augkit.text.articles import Replacement


def change_race(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = doc.text[slice(*span)]
    hit = doc.hit_at(*span)
    if hit is None and (people := unlisted_people(doc, span)) is not None:
        return UNKNOWN, [Replacement(*span, people.written[target])]
    if hit is None or (not hit.blocked and hit.pos == "name"):
        return rename(doc, span, target, rng)
    if not hit.blocked and is_surname(doc, hit, word) and is_beside_name(doc, hit):
        return rename(doc, span, target, rng)
    if hit.blocked and not is_of_people(doc, hit):
        return doc.reject("fixed phrase", hit.blocked)
    return change_people(doc, hit, target) if is_people(hit) else _change_term(doc, hit, target)


def _change_term(doc: Document, hit: Hit, target: str) -> tuple[str, list[Replacement]] | Rejection:
    """A word for a race, in every place that says it of the same person."""
    word = doc.text_of(hit)
    if (reason := reject_wrong(doc, hit, word) or reject_thing(doc, hit, word)) is not None:
        return reason
    if hit.attribute == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    reading = term_reading(doc, hit)
    if isinstance(reading, Rejection):
        return reading
    changes = [group_word(doc, hit, reading, target)]
    for other in others_alike(doc, hit):
        found = term_reading(doc, other)
        if not isinstance(found, Rejection):
            changes.append(group_word(doc, other, found, target))
    return hit.attribute, changes
