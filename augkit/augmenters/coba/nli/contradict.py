"""Towards contradiction: replace a word that the premise states by one that it excludes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from augkit.augmenters.coba.nli.edits import RelationEdit, replace_token
from augkit.augmenters.coba.nli.parsed_pair import (
    ParsedPair,
    WordLink,
    is_named,
    number_of,
    part_of,
    word_of,
)
from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.lexicons.load import word_group
from augkit.lexicons.taxonomy import taxonomy
from augkit.text.numbers import MOST, to_words

_MIN_NUMBER = 2
_FIRST_YEAR = 1000
_words = partial(word_group, "nli_words")
_OUTSIDE = {"outside": "inside", "outdoors": "indoors", "outdoor": "indoor"}
_INSIDE = {there: here for here, there in _OUTSIDE.items()}


def contradict_hypothesis(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Edits of the hypothesis: replace a word that the premise states by one it excludes."""
    changes = []
    for link in pair.by_support("stated"):
        for word in _shuffled(excluding_words(pair.hypothesis, link.word), rng):
            if not is_stated(pair, word, link.word):
                edits = replace_token(pair.second, pair.hypothesis, link.word, word)
                if edits:
                    changes.append(RelationEdit(edits, f"exclude {_kind(link.word)}"))
                    break
    changes += [RelationEdit(edits, "reverse preposition") for edits in _reverse_preposition(pair)]
    return changes


def contradict_premise(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Edits of the premise: replace the only word that states one of the hypothesis."""
    changes = []
    for link in pair.by_support("stated"):
        supporters = pair.supporters(link.word)
        if len(supporters) != 1:
            continue
        other = supporters[0]
        edits = _relocated(pair, link, other, rng) or _replaced(pair, link, other, rng)
        if edits:
            changes.append(RelationEdit(edits, f"exclude {_kind(link.word)}"))
    return changes


def _replaced(
    pair: ParsedPair, link: WordLink, other: Token, rng: Random
) -> tuple[Edit, ...] | None:
    part = part_of(link.word)
    here = word_of(link.word)
    for word in _shuffled(excluding_words(pair.premise, other), rng):
        number = other.upos == "NUM"
        if not number and (part is None or not taxonomy().excludes(here, word, part)):
            continue
        if word in pair.premise_words or word in pair.hypothesis_words:
            continue
        return replace_token(pair.first, pair.premise, other, word)
    return None


def _relocated(
    pair: ParsedPair, link: WordLink, other: Token, rng: Random
) -> tuple[Edit, ...] | None:
    """Another location, where the hypothesis says outside or inside."""
    here = word_of(link.word)
    lexicon = taxonomy()
    if here not in {*_OUTSIDE, *_INSIDE} or word_of(other) == here:
        return None
    cases = pair.premise.children(other, "case")
    modifiers = [
        t for t in pair.premise.children(other) if t.is_relation("det", "case", "amod", "compound")
    ]
    if len(cases) != 1 or len(pair.premise.children(other)) != len(modifiers):
        return None
    places = lexicon.indoors if here in _OUTSIDE else lexicon.outdoors
    usual = sorted(p for p in places if lexicon.broader["noun", p][0] not in places)
    place = rng.choice(usual)
    start = min(token.start for token in (*modifiers, other))
    on = here in _INSIDE and place in {"beach", "street", "mountain", "farm", "bridge"}
    text = pair.premise.text[start : other.end]
    new = f"{'on' if on else 'in'} {'an' if place[0] in 'aeiou' else 'a'} {place}"
    return (Edit(pair.first, start, other.end, text, new),)


def excluding_words(analysis: Analysis, token: Token) -> tuple[str, ...]:
    """Words that exclude a token where it stands."""
    if token.upos == "NUM":
        return _other_numbers(token)
    part = part_of(token)
    if part is None or is_named(analysis, token):
        return ()
    frame = _frame(analysis, token) if part == "verb" else ""
    return taxonomy().instead_of(word_of(token), part, frame)


def _other_numbers(token: Token) -> tuple[str, ...]:
    """Numbers near one, in words or digits as it is; years a few years off."""
    number = number_of(token)
    if number is None or number < _MIN_NUMBER:
        return ()
    if number >= _FIRST_YEAR:
        return tuple(str(number + off) for off in (-12, -7, -3, 4, 8, 11))
    near = [n for n in range(_MIN_NUMBER, max(8, number + 4)) if n != number]
    digits = token.text.isdigit()
    return tuple(str(n) if digits else to_words(n) for n in near if n <= MOST)


def _frame(analysis: Analysis, verb: Token) -> str:
    if analysis.children(verb, "obj", "ccomp", "xcomp"):
        return "object"
    prepositions = {
        case.text.lower()
        for child in analysis.children(verb, "obl")
        for case in analysis.children(child, "case")
    }
    if verb.index + 1 < len(analysis.tokens):
        prepositions.add(analysis.tokens[verb.index + 1].text.lower())
    return "path" if prepositions & _words("path_prepositions") else "place"


def is_stated(pair: ParsedPair, word: str, instead: Token) -> bool:
    """Whether the premise states the new word of anything."""
    part = part_of(instead)
    if word in pair.premise_words or word in pair.hypothesis_words:
        return True
    if part is None:
        return False
    return any(
        taxonomy().holds_of(word, word_of(other), part)
        or taxonomy().holds_of(word_of(other), word, part)
        for other in pair.premise.tokens
        if part_of(other) == part
    )


def _reverse_preposition(pair: ParsedPair) -> Iterator[tuple[Edit, ...]]:
    """The opposite preposition, where the premise has it with the same noun: "behind a house"."""
    opposite = taxonomy().prepositions
    for link in pair.by_support("stated"):
        if link.other is None:
            continue
        there = {case.text.lower() for case in pair.premise.children(link.other, "case")}
        for case in pair.hypothesis.children(link.word, "case"):
            word = case.text.lower()
            if word in there and word in opposite:
                yield (Edit(pair.second, case.start, case.end, case.text, opposite[word]),)


def _kind(token: Token) -> str:
    return {"NUM": "number", "NOUN": "noun", "PROPN": "noun", "VERB": "verb"}.get(
        token.upos, "modifier"
    )


def _shuffled(words: Sequence[str], rng: Random) -> list[str]:
    return rng.sample(words, len(words))
