"""Symmetric pairs: where a value alone decides between true and false, it is exchanged.

Reference: schuster2019towards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import known_lemmas
from augkit.english.negation import negation_pattern
from augkit.english.rewriting.candidates import apply_edits
from augkit.english.rewriting.pairs.values import (
    Value,
    subject_tokens,
    values_of,
)
from augkit.english.rewriting.words import table, word_list
from augkit.lexicons.demographics.peoples import peoples
from augkit.lexicons.load import closed_classes, word_set

_WORD = re.compile(r"[\w']+")
_NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"])")
_BRACKET = re.compile(r"-[LR][RS]B-")
_DASH = r"(?:--|[-\u2013\u2212])"
_LIFE_SPAN = re.compile(rf"\d{{4}} ({_DASH}) (?:[\w,]+ ){{0,3}}\d{{4}}")
_BIRTH = frozenset({"bear", "birth", "birthday", "birthdate"})
_RANGE_AFTER = re.compile(rf"\s*,? ?(?:{_DASH}|(?:to|until|through|and) (?:\w+ )?(?:\d+ ,? ?)?\d)")
_RANGE_BEFORE = re.compile(rf"{_DASH} (?:\w+ ){{0,2}}$")
_AND_NAME = re.compile(r"\s*(?:,|and|&) [A-Z]")
_HOME = re.compile(r"\b(?:from|born in|raised in|based in|native of) (?:the )?[A-Z]|\w-born\b")
_CONTENT = frozenset({"NOUN", "VERB", "ADJ", "PROPN", "NUM", "ADV"})
MOST_VALUES = 2
"""Values of a pair that are changed by default."""
_MOST_PLACES = 3
"""Places of a value in the first text."""
_NEAR = 4
"""Words after a number among which the thing counted must be."""


class SymmetricPair(NamedTuple):
    """Both texts of a pair, and whether it has the label of the given one."""

    first: str
    second: str
    keeps_label: bool


def symmetric_pairs(
    first: str, analysis: Analysis, *, true: bool, rng: Random, most: int = MOST_VALUES
) -> Iterator[SymmetricPair]:
    """Three more pairs for each of ``most`` values by which the first text decides the label.

    Of a true pair both texts have the value, and get another one; of a false pair they have
    different ones, which are exchanged. ``analysis`` is the parse of the second text.
    """
    second, done = analysis.text, 0
    values = () if _NEGATION.search(second) else values_of(analysis)
    for value in values:
        held = value.text if true else _only_other(first, value)
        if done == most or not held or not _is_decided(first, analysis, value, held):
            continue
        new = _another(f"{first} {second}", value, rng) if true else value.text
        if new:
            done += 1
            new_first = _put(first, held, new)
            new_second = _put(second, value.text, new if true else held)
            yield SymmetricPair(first, new_second, keeps_label=False)
            yield SymmetricPair(new_first, second, keeps_label=False)
            yield SymmetricPair(new_first, new_second, keeps_label=True)


def _another(both: str, value: Value, rng: Random) -> str | None:
    known = _words(both.lower())
    others = [one for one in value.kind.others(value.text) if not _words(one.lower()) & known]
    return rng.choice(others) if others else None


def _only_other(first: str, value: Value) -> str | None:
    """The one value of the kind in the first text, if that has not the value itself."""
    found = {one for one in _words(first) if value.kind.pattern.fullmatch(one)}
    return found.pop() if len(found) == 1 and value.text not in found else None


def _is_decided(first: str, analysis: Analysis, value: Value, held: str) -> bool:
    """Whether the first text decides by the value that it holds, and by nothing else."""
    second, text = analysis.text, value.text
    if len(_places(second, text)) != 1 or not 0 < len(_places(first, held)) <= _MOST_PLACES:
        return False
    named = re.search(rf"\([^)]*\b(?:{text}|{held})\b", second)  # "Heat (1995 film)"
    if named or _is_part(second, text) or _is_part(first, held):
        return False
    whole = held != text  # of a false pair the subject too, whose words may be what is false
    owned = any(one.deprel == "nmod:poss" for one in subject_tokens(analysis))
    if whole and owned and value.about.lemma not in word_list("life_dates"):
        return False  # "Olsen's first album" may be that of another
    if value.kind.name == "nationality":
        said = _covers(first, analysis, text, whole=whole)
        return said and _is_own_nationality(first, analysis, held)
    sentences = [one for one in _SENTENCE.split(first) if _places(one, held)]
    if any(not word_list("not_yet").isdisjoint(_words(one)) for one in sentences):
        return False
    said = any(_covers(one, analysis, text, whole=whole) for one in sentences)
    return said and not any(_is_one_of_many(one, value, held) for one in sentences)


def _covers(sentence: str, analysis: Analysis, value: str, *, whole: bool) -> bool:
    """Whether a sentence has all content words of the second text but for the value.

    Those of the subject need not be there, unless the ``whole`` is asked for; its names never.
    """
    known = set(word_list("general_words"))
    for word in _WORD.findall(sentence):
        known |= _lemmas(word)
    if _LIFE_SPAN.search(sentence):
        known |= {"bear", "die"}
    known |= {one for one, by in table("words.yaml")["said_by"].items() if known & set(by.split())}
    subject = {one.index for one in subject_tokens(analysis) if not whole or one.text[:1].isupper()}
    said = (one for one in analysis.tokens if _has_content(one) and one.index not in subject)
    return all(one.text in value or not known.isdisjoint(_lemmas(one.text)) for one in said)


def _has_content(token: Token) -> bool:
    return token.upos in _CONTENT and token.text.lower() not in closed_classes()


@cache
def _lemmas(word: str) -> frozenset[str]:
    lower = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word.lower())
    return frozenset({lower, *(one for some in known_lemmas(lower).values() for one in some)})


def _is_one_of_many(sentence: str, value: Value, held: str) -> bool:
    """Whether a sentence names more such values, a range of them, or counts something else."""
    if value.kind.counts and _counts_more(sentence, value, held):
        return True
    sentence = _BRACKET.sub(" ( ", sentence)
    span = _LIFE_SPAN.search(sentence)
    for start, end in _places(sentence, held):
        before, after = sentence[:start], sentence[end:]
        if value.kind.name == "person":
            many = _AND_NAME.match(after) is not None or "co-" in before
        elif value.about.lemma in word_list("life_events") | word_list("life_dates"):
            birth = value.about.lemma in _BIRTH
            many = span is not None and birth != (start < span.start(1))
        else:
            near = {one.lower() for one in _WORD.findall(before)[-2:]}
            many = not near.isdisjoint(word_list("open_ranges"))
            many |= bool(_RANGE_AFTER.match(after) or _RANGE_BEFORE.search(before))
        if many:
            return True
    return False


def _counts_more(sentence: str, value: Value, held: str) -> bool:
    """Whether a number or rank is not that of the same thing, or stands among others."""
    others = _words(sentence) - {held}
    if "including" in others or any(map(value.kind.pattern.fullmatch, others)):
        return True
    near = (_WORD.findall(sentence[end:])[:_NEAR] for _, end in _places(sentence, held))
    thing = value.about.lemma.lower()
    return not all(any(thing in _lemmas(one) for one in words) for words in near)


def _is_own_nationality(first: str, analysis: Analysis, held: str) -> bool:
    """Whether the first text calls the same subject so, and names no other people or place."""
    rest = _words(first) - {held}
    if re.search(rf"[A-Z]\w+ {held}\b", first):  # "South Korean"
        return False
    if not rest.isdisjoint(peoples()["adj"]) or _HOME.search(first):
        return False
    if any(one[:1].isupper() and one.lower() in word_set("places") for one in rest):
        return False
    named = {one.text for one in subject_tokens(analysis) if one.text[:1].isupper()}
    said = re.search(rf"\b(?:is|was|are|were) (?:an?|the) (?:[\w-]+ ){{0,3}}{held}\b", first)
    return said is not None and not named.isdisjoint(_words(first))


def _is_part(text: str, value: str) -> bool:
    """Whether a value is part of a longer one: "1,979", "9 million"."""
    word, plain = re.escape(value), _BRACKET.sub(" ", text)
    joined = rf"[-,.$#'/\u2013\u2019]{word}\b|\b{word}[-,.'/\u2013\u2019%]\w"
    return re.search(rf"{joined}|\b{word} (?:million|billion|BC)\b", plain) is not None


def _put(text: str, value: str, other: str) -> str:
    return apply_edits(text, [Replacement(*place, other) for place in _places(text, value)])


def _places(text: str, value: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(rf"(?<![\w']){re.escape(value)}(?![\w'])", text)]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))
