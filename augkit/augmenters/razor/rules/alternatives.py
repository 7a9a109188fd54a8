"""Slots: words that could be exchanged for others of the same category, and for which ones."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from augkit.augmenters.razor.rules.word_lists import read_word_file
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel, validate
from augkit.language.morphology import plural_of, singular_of

Shape = Literal["noun", "adjective", "name", "number"]

_YEAR = re.compile(r"1[5-9]\d\d|20[0-4]\d")


class Category(StrictModel):
    """Words of one category; see ``alternatives.yaml``."""

    exclusive: bool
    inserted: tuple[str, ...]
    known: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """All its words."""
        return (*self.inserted, *self.known)


@dataclass(frozen=True)
class Slot:
    """A word of a text, and its category."""

    token: Token
    category: str
    shape: Shape
    exclusive: bool
    plural: bool = False


@cache
def categories() -> Mapping[str, Category]:
    """The categories by name."""
    return {
        name: validate(Category, values, f"alternatives.yaml: {name}")
        for name, values in read_word_file("alternatives.yaml").items()
    }


@cache
def _category_of() -> Mapping[str, str]:
    """Word, in lower case unless it is a name → its category; the first one wins."""
    found: dict[str, str] = {}
    for name, category in categories().items():
        for word in category.words:
            found.setdefault(word, name)
    return found


def slots(analysis: Analysis) -> list[Slot]:
    """Every word of the text with a known category: heads of phrases, adjectives, years."""
    found = []
    for token in analysis.tokens:
        slot = _year(analysis, token) or _word(token)
        if slot is not None and _stands_free(analysis, slot):
            found.append(slot)
    return found


def mentioned(text: str) -> dict[str, set[str]]:
    """The known words of a text by category."""
    found: dict[str, set[str]] = {}
    for word, category in _category_of().items():
        if _contains(text, word):
            found.setdefault(category, set()).add(word)
    return found


def holds(text: str, word: str) -> bool:
    """Whether a text holds a word, or its plural or singular."""
    return any(_contains(text, form) for form in {word, plural_of(word), singular_of(word)})


def others(slot: Slot, context: str, rng: random.Random, limit: int) -> list[str]:
    """Random words of the slot's category and number that the context does not hold."""
    if slot.category == "year":
        year = int(slot.token.text)
        near = [str(year + step) for step in range(-40, 12) if abs(step) > 2]
        rng.shuffle(near)
        return [other for other in near if other not in context][:limit]
    pool = [word for word in categories()[slot.category].inserted if not holds(context, word)]
    rng.shuffle(pool)
    return [plural_of(word) if slot.plural else word for word in pool[:limit]]


def _year(analysis: Analysis, token: Token) -> Slot | None:
    """A year that does not end a range: another end would change more than one thing."""
    before = analysis.tokens[token.index - 1].text.lower() if token.index else ""
    if _YEAR.fullmatch(token.text) and before not in {"to", "from", "and", "between", "until"}:
        return Slot(token, "year", "number", exclusive=True)
    return None


def _word(token: Token) -> Slot | None:
    if token.upos not in {"NOUN", "ADJ", "PROPN"}:
        return None
    plural = token.morph.get("Number") == "Plur" and token.upos == "NOUN"
    word = singular_of(token.text) if plural else token.text
    name = _category_of().get(word)
    if name is None:
        return None
    adjective = name in {"nationalities", "colours"}
    named = word[:1].isupper() and not adjective and name != "works"
    shape: Shape = "adjective" if adjective else "name" if named else "noun"
    exclusive = categories()[name].exclusive
    return Slot(token, name, shape, exclusive, plural)


def _stands_free(analysis: Analysis, slot: Slot) -> bool:
    """Whether the word is outside subjects, names, compounds, brackets and quotations."""
    token = slot.token
    part = token.is_relation("compound", "nmod:poss", "appos", "flat") and slot.shape == "noun"
    listed = token.is_relation("conj") or bool(analysis.children(token, "conj"))
    # "an American" is a person: another adjective would make "a Danish" of it.
    person = slot.shape == "adjective" and bool(analysis.children(token, "det"))
    enclosed = is_enclosed(analysis.text, token)
    if enclosed or part or listed or person or _in_subject(analysis, token):
        return False
    if slot.shape == "noun" and not _is_counted(analysis, slot):
        return False
    return not _inside_a_name(analysis, token, slot)


def is_enclosed(text: str, token: Token) -> bool:
    """Whether a word is in brackets or quotation marks, and so may be part of a name."""
    before = text[: token.start]
    return before.count("(") > before.count(")") or before.count('"') % 2 == 1


def _is_counted(analysis: Analysis, slot: Slot) -> bool:
    """Whether a noun names one thing of its kind: "an office", not "in office"."""
    if slot.category == "sports" or slot.plural:
        return slot.category != "kinds of thing"
    placed = bool(analysis.children(slot.token, "case"))
    predicate = bool(analysis.children(slot.token, "cop")) and not placed
    if slot.category == "kinds of thing":
        return predicate
    return predicate or bool(analysis.children(slot.token, "det"))


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
    if slot.category == "months":
        return False
    around = (token.index - 1, token.index + 1)
    neighbours = [analysis.tokens[i] for i in around if 0 <= i < len(analysis.tokens)]
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
