"""Slots: words that could have been others of their kind, and which others."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from augkit.augmenters.razor.rules.bundled import read_bundled
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel, validate
from augkit.language.morphology import plural_of, singular_of

Shape = Literal["noun", "adjective", "name", "number"]

_YEAR = re.compile(r"1[5-9]\d\d|20[0-4]\d")


class Kind(StrictModel):
    """Words of one kind."""

    exclusive: bool
    drawn: tuple[str, ...]
    known: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """A word of a text, by its places, and the kind it is of."""

    start: int
    end: int
    text: str
    kind: str
    shape: Shape
    token: Token
    exclusive: bool
    plural: bool = False


@cache
def kinds() -> Mapping[str, Kind]:
    """The bundled kinds by name."""
    return {
        name: validate(Kind, values, f"alternatives.yaml: {name}")
        for name, values in read_bundled("alternatives.yaml").items()
    }


@cache
def _kind_of() -> Mapping[str, str]:
    """Word, in lower case unless it is a name → its kind; the first kind wins."""
    found: dict[str, str] = {}
    for name, kind in kinds().items():
        for word in (*kind.drawn, *kind.known):
            found.setdefault(word, name)
    return found


def slots(analysis: Analysis) -> list[Slot]:
    """Every word of the text that is of a known kind: heads of phrases, adjectives, years."""
    found = []
    for token in analysis.tokens:
        slot = _year(analysis, token) or _word(token)
        if slot is not None and _stands_free(analysis, slot):
            found.append(slot)
    return found


def mentioned(text: str) -> dict[str, set[str]]:
    """The known words of a text by their kind."""
    found: dict[str, set[str]] = {}
    for word, kind in _kind_of().items():
        if _contains(text, word):
            found.setdefault(kind, set()).add(word)
    return found


def holds(text: str, word: str) -> bool:
    """Whether a text holds a word, or its plural or singular."""
    return any(_contains(text, form) for form in {word, plural_of(word), singular_of(word)})


def others(slot: Slot, context: str, draw: random.Random, most: int = 3) -> list[str]:
    """Words of the slot's kind, in its number, that the context does not hold, drawn at random."""
    if slot.kind == "year":
        return _other_years(slot, context, draw, most)
    pool = [word for word in kinds()[slot.kind].drawn if not holds(context, word)]
    draw.shuffle(pool)
    chosen = pool[:most]
    return [plural_of(word) if slot.plural else word for word in chosen]


def _other_years(slot: Slot, context: str, draw: random.Random, most: int) -> list[str]:
    year = int(slot.text)
    near = [year + step for step in range(-40, 12) if abs(step) > 2]
    draw.shuffle(near)
    return [str(other) for other in near if str(other) not in context][:most]


def _year(analysis: Analysis, token: Token) -> Slot | None:
    """A year that is no end of a span: another end would not change one thing alone."""
    before = analysis.tokens[token.index - 1].text.lower() if token.index else ""
    if _YEAR.fullmatch(token.text) and before not in {"to", "from", "and", "between", "until"}:
        return Slot(token.start, token.end, token.text, "year", "number", token, exclusive=True)
    return None


def _word(token: Token) -> Slot | None:
    if token.upos not in {"NOUN", "ADJ", "PROPN"}:
        return None
    plural = token.morph.get("Number") == "Plur" and token.upos == "NOUN"
    word = singular_of(token.text) if plural else token.text
    name = _kind_of().get(word)
    if name is None:
        return None
    adjective = name in {"nationalities", "colours"}
    named = word[:1].isupper() and not adjective and name != "works"
    shape: Shape = "adjective" if adjective else "name" if named else "noun"
    exclusive = kinds()[name].exclusive
    return Slot(token.start, token.end, token.text, name, shape, token, exclusive, plural)


def _stands_free(analysis: Analysis, slot: Slot) -> bool:
    """Whether the word is no part of a subject, a name, a compound, a bracket or a quotation."""
    token = slot.token
    text = analysis.text
    bracketed = text.count("(", 0, token.start) > text.count(")", 0, token.start)
    quoted = text.count('"', 0, token.start) % 2 == 1
    part = token.is_relation("compound", "nmod:poss", "appos", "flat") and slot.shape == "noun"
    listed = token.is_relation("conj") or bool(analysis.children(token, "conj"))
    # "an American" is a person: another adjective would make "a Danish" of it.
    person = slot.shape == "adjective" and bool(analysis.children(token, "det"))
    if bracketed or quoted or part or listed or person or _in_subject(analysis, token):
        return False
    if slot.shape == "noun" and not _is_counted(analysis, slot):
        return False
    return not _inside_a_name(analysis, token, slot)


def _is_counted(analysis: Analysis, slot: Slot) -> bool:
    """Whether a noun names one thing of its kind: "an office", not "in office"."""
    if slot.kind == "sports" or slot.plural:
        return slot.kind != "kinds of thing"
    placed = bool(analysis.children(slot.token, "case"))
    said_to_be = bool(analysis.children(slot.token, "cop")) and not placed
    if slot.kind == "kinds of thing":
        return said_to_be
    return said_to_be or bool(analysis.children(slot.token, "det"))


def _in_subject(analysis: Analysis, token: Token) -> bool:
    for _ in range(12):
        if token.is_relation("nsubj", "csubj"):
            return True
        if token.is_root:
            return False
        token = analysis.head(token)
    return True


def _inside_a_name(analysis: Analysis, token: Token, slot: Slot) -> bool:
    """Whether the word is part of a longer name: "French" in "the French Resistance"."""
    if slot.kind == "months":
        return False
    around = [place for place in (token.index - 1, token.index + 1) if place >= 0]
    neighbours = [analysis.tokens[place] for place in around if place < len(analysis.tokens)]
    capital = token.text[:1].isupper()
    if slot.shape == "noun" and capital:
        return True
    return any(
        near.upos == "PROPN" and near.text[:1].isupper() and (capital or near.index > token.index)
        for near in neighbours
    )


def _contains(text: str, word: str) -> bool:
    return word in text and bool(_bounded(word).search(text))


@cache
def _bounded(word: str) -> re.Pattern[str]:
    # New Mexico is not Mexico.
    return re.compile(rf"(?<!\w)(?<!\bNew ){re.escape(word)}(?!\w)")
