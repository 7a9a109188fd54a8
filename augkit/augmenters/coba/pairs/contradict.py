"""Towards contradiction: one thing that the premise says is denied by a word that excludes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from augkit.augmenters.coba.pairs.scene import Link, Scene, is_named, number_of, part_of, word_of
from augkit.augmenters.coba.pairs.writing import Change, swapped
from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.lexicons.taxonomy import scenes
from augkit.text.numbers import MOST, to_words

_FEWEST = 2
_FIRST_YEAR = 1000
_PATH = frozenset({"down", "across", "through", "along", "up", "past", "toward", "towards", "into"})
_OUTSIDE = {"outside": "inside", "outdoors": "indoors", "outdoor": "indoor"}
_INSIDE = {there: here for here, there in _OUTSIDE.items()}


def hypothesis_contradicted(scene: Scene, draw: Random) -> list[Change]:
    """Changes of the hypothesis: a word that the premise says gives way to one it excludes."""
    changes = []
    for link in scene.by_support("said"):
        for word in _drawn(denials(scene.hypothesis, link.word), draw):
            if not says(scene, word, link.word):
                edits = swapped(scene.second, scene.hypothesis, link.word, word)
                if edits:
                    changes.append(Change(edits, f"denied {_kind(link.word)}"))
                    break
    changes += [Change(edits, "turned place") for edits in _turned(scene)]
    return changes


def premise_contradicted(scene: Scene, draw: Random) -> list[Change]:
    """Changes of the premise: the only word that says one of the hypothesis' gives way."""
    changes = []
    for link in scene.by_support("said"):
        supporters = scene.supporters(link.word)
        if len(supporters) != 1:
            continue
        other = supporters[0]
        edits = _moved(scene, link, other, draw) or _replaced(scene, link, other, draw)
        if edits:
            changes.append(Change(edits, f"denied {_kind(link.word)}"))
    return changes


def _replaced(scene: Scene, link: Link, other: Token, draw: Random) -> tuple[Edit, ...] | None:
    part = part_of(link.word)
    here = word_of(link.word)
    for word in _drawn(denials(scene.premise, other), draw):
        number = other.upos == "NUM"
        if not number and (part is None or not scenes().excludes(here, word, part)):
            continue
        if word in scene.premise_words or word in scene.hypothesis_words:
            continue
        return swapped(scene.first, scene.premise, other, word)
    return None


def _moved(scene: Scene, link: Link, other: Token, draw: Random) -> tuple[Edit, ...] | None:
    """Another place for the whole scene, where the hypothesis says outside or inside."""
    here = word_of(link.word)
    lexicon = scenes()
    if here not in {*_OUTSIDE, *_INSIDE} or word_of(other) == here:
        return None
    cases = scene.premise.children(other, "case")
    modifiers = [
        t for t in scene.premise.children(other) if t.is_relation("det", "case", "amod", "compound")
    ]
    if len(cases) != 1 or len(scene.premise.children(other)) != len(modifiers):
        return None
    places = lexicon.indoors if here in _OUTSIDE else lexicon.outdoors
    usual = sorted(p for p in places if lexicon.broader["noun", p][0] not in places)
    place = draw.choice(usual)
    start = min(token.start for token in (*modifiers, other))
    preposition = (
        "in"
        if here in _OUTSIDE or place not in {"beach", "street", "mountain", "farm", "bridge"}
        else "on"
    )
    text = scene.premise.text[start : other.end]
    new = f"{preposition} a {place}" if place[0] not in "aeiou" else f"{preposition} an {place}"
    return (Edit(scene.first, start, other.end, text, new),)


def denials(analysis: Analysis, token: Token) -> tuple[str, ...]:
    """Words that exclude a token where it stands."""
    if token.upos == "NUM":
        return _other_numbers(token)
    part = part_of(token)
    if part is None or is_named(analysis, token):
        return ()
    frame = _frame(analysis, token) if part == "verb" else ""
    return scenes().instead_of(word_of(token), part, frame)


def _other_numbers(token: Token) -> tuple[str, ...]:
    """Numbers near one, in words or digits as it is; years a few years off."""
    number = number_of(token)
    if number is None or number < _FEWEST:
        return ()
    if number >= _FIRST_YEAR:
        return tuple(str(number + off) for off in (-12, -7, -3, 4, 8, 11))
    near = [n for n in range(_FEWEST, max(8, number + 4)) if n != number]
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
    return "path" if prepositions & _PATH else "place"


def says(scene: Scene, word: str, instead: Token) -> bool:
    """Whether the premise says, of anything, what the new word would say."""
    part = part_of(instead)
    if word in scene.premise_words or word in scene.hypothesis_words:
        return True
    if part is None:
        return False
    return any(
        scenes().holds_of(word, word_of(other), part)
        or scenes().holds_of(word_of(other), word, part)
        for other in scene.premise.tokens
        if part_of(other) == part
    )


def _turned(scene: Scene) -> Iterator[tuple[Edit, ...]]:
    """A preposition turned round, where the premise has it with the same noun: "behind a house"."""
    opposite = scenes().prepositions
    for link in scene.by_support("said"):
        if link.other is None:
            continue
        there = {case.text.lower() for case in scene.premise.children(link.other, "case")}
        for case in scene.hypothesis.children(link.word, "case"):
            small = case.text.lower()
            if small in there and small in opposite:
                yield (Edit(scene.second, case.start, case.end, case.text, opposite[small]),)


def _kind(token: Token) -> str:
    return {"NUM": "number", "NOUN": "thing", "PROPN": "thing", "VERB": "doing"}.get(
        token.upos, "quality"
    )


def _drawn(words: Sequence[str], draw: Random) -> list[str]:
    return draw.sample(words, len(words))
