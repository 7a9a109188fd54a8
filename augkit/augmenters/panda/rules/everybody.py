"""All persons of a text at once, by a map of genders: nobody needs to know who is who.

Where all men become the same, no mention has to be linked to another one, and nobody changes by
halves. Only verbs after "they", and a few uses of "her" and "his", need a parse.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from augkit.augmenters.panda.perturbers.protocol import NOBODY
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.gender import gender_changes
from augkit.augmenters.panda.rules.left_alone import is_in_compound, is_single, leave_alone
from augkit.augmenters.panda.rules.left_names import has_full_name, unlisted_name
from augkit.augmenters.panda.rules.names import Renaming
from augkit.augmenters.panda.rules.scenes import NEUTRAL
from augkit.core.edits import Replacement
from augkit.core.types import Variant
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.names import may_be_one

OPPOSITE = {"man": "woman", "woman": "man"}
"""What undoes itself. Other words for people, such as "person", stay."""


def change_everybody(doc: Document, becomes: Mapping[str, str]) -> list[Replacement] | Variant:
    """The changes that make everybody what the map says of their gender.

    Where it is ``OPPOSITE``, names get their fixed counterpart, which undoes itself. Else they are
    drawn, those of persons who stay as they are too, as a name can tell the label like a gender.
    """
    hits = [hit for hit in doc.hits if _says_gender(hit)]
    renaming = Renaming(doc.words, doc.rng)
    are_drawn = becomes != OPPOSITE
    if {"man", "woman"} <= {hit.attribute for hit in hits}:
        becomes = _of_men_and_women(becomes)
    known = _known_genders(doc, hits)
    changes: list[Replacement] = []
    changing: list[Hit] = []
    left: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: hit.pos == "name"):  # what is drawn comes last
        target = becomes.get(hit.attribute, hit.attribute)
        doc.target = target
        fits = target == hit.attribute and not (are_drawn and hit.pos == "name")
        fits = fits or (hit.pos == "name" and hit.attribute == "non-binary")  # it fits anybody
        if fits or _may_be_known(hit, known):
            continue
        if (reason := leave_alone(doc, hit)) is not None:
            if reason.reason in NOBODY:
                left.append(hit)
                continue
            return reason
        changed = gender_changes(doc, hit, renaming, drawn=are_drawn)
        if isinstance(changed, Variant):  # nobody changes by halves
            return changed
        changes += changed
        changing.append(hit)
    if stays := _who_stays(doc, changing, left):
        return doc.refuse("contrast lost", f"'{stays}' stays, and may be somebody who changes")
    if not (changes or becomes):
        detail = "men and women stay what they are"
        return replace(doc.refuse("identity permutation", detail), stays=True)
    return list(dict.fromkeys(changes))


def _who_stays(doc: Document, changing: Sequence[Hit], left: Sequence[Hit]) -> str:
    """A word that stays, and may be of somebody who changes; nothing if there is none."""
    for stays in left:
        if any(_may_be_one_person(hit, stays) for hit in changing):
            return doc.text_of(stays)
    renamed = {doc.text_of(hit).lower() for hit in changing if hit.pos == "name"}
    capitalised: list[str] = re.findall(r"\b[^\W\d_a-z]\w*", doc.text) if renamed else []
    for word in capitalised:  # "Patrick ... Pat"
        is_other = word.lower() not in renamed
        if is_other and any(may_be_one(word.lower(), name) for name in renamed):
            return word.lower()
    calls = any(hit.pos == "pronoun" for hit in changing) and doc.target != NEUTRAL
    return unlisted_name(doc) if calls else ""


def _may_be_one_person(hit: Hit, other: Hit) -> bool:
    """Whether two references may be to one person: two names are to two."""
    if hit.pos == other.pos == "name":
        return False
    return hit.attribute == other.attribute and is_single(hit) and is_single(other)


def _of_men_and_women(becomes: Mapping[str, str]) -> Mapping[str, str]:
    """The map for a text about men and women, who are exchanged or stay.

    "A man and a person" tells that one of them has no gender, which nobody means. Of the six
    permutations three exchange, so both genders stay equally likely.
    """
    exchange = becomes.get("man") == "woman" or becomes.get("woman") == "man"
    return OPPOSITE if exchange else {}


def _says_gender(hit: Hit) -> bool:
    """Whether a reference says the gender of somebody, and no phrase or compound holds it."""
    return not (hit.is_weak or hit.blocked or is_in_compound(hit) or "surname" in hit.needs)


def _known_genders(doc: Document, hits: Sequence[Hit]) -> frozenset[str]:
    """The genders that pronouns give to somebody whom the text may call by a full name."""
    if not has_full_name(doc):
        return frozenset()
    return frozenset(hit.attribute for hit in hits if hit.pos == "pronoun")


def _may_be_known(hit: Hit, known: frozenset[str]) -> bool:
    """Whether a noun may be said of a known person, as a pronoun of its gender may be."""
    return hit.pos == "noun" and hit.attribute in known and is_single(hit)
