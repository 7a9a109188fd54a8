"""What a text tells that people of one gender or age have, wear or do: others would not fit it.

Nobody knows whose dress or stroller it is, so a word for one anywhere in a row counts.
"""

from __future__ import annotations

import re

from augkit.augmenters.panda.rules.document import Document
from augkit.core.types import Variant
from augkit.lexicons.demographics.cues import LEFT_ALONE
from augkit.lexicons.demographics.find_references import Hit

BOYS = frozenset("boy boys girl girls lad lads lass lasses".split())
NEUTRAL = "non-binary"
_SPEAKER = re.compile(r"\b(?:i|my|me|we|our|us|i'm|i've|we're)\b")


def misfit(doc: Document, hit: Hit) -> Variant | None:
    """The reason for leaving somebody as they are, whom the text would not fit as the target."""
    words = _said_of_others(doc, hit).intersection(doc.words)
    if not words:
        return None
    detail = f"'{doc.text_of(hit)}': '{min(words)}' does not go with the target"
    return doc.refuse("no word for the target", detail)


def _said_of_others(doc: Document, hit: Hit) -> frozenset[str]:
    """The words that are said of others than the target."""
    if hit.axis == "gender":
        by_target = {"man": LEFT_ALONE.women_only, "woman": LEFT_ALONE.men_only}
        if all(other.pos == "pronoun" for other in doc.hits):  # a dog is "he" or "she"
            by_target[NEUTRAL] = LEFT_ALONE.animals
        return by_target.get(doc.target, frozenset())
    if hit.axis == "age" and doc.target == "child":
        return LEFT_ALONE.adults_only
    is_young = hit.attribute == "young" and hit.pos == "adj"  # "a *young* child"
    if hit.axis == "age" and (hit.attribute == "child" or is_young):
        return LEFT_ALONE.children_only
    return frozenset()


def is_unwritten(doc: Document, hit: Hit, word: str) -> bool:
    """Whether hardly anybody writes a word for a reference: only where somebody points at it."""
    if doc.pointed or hit.pos == "title":
        return False
    if word.lower() in LEFT_ALONE.unwritten:
        return True
    if doc.target != NEUTRAL or not speaks(doc):
        return False
    is_grown = doc.text_of(hit).lower() in BOYS  # a reviewer's "girl" is no child
    return is_grown or word.lower() in LEFT_ALONE.unspoken


def speaks(doc: Document) -> bool:
    """Whether somebody tells of themselves."""
    return _SPEAKER.search(doc.lower) is not None
