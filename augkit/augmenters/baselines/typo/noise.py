"""Kinds of noise: each changes one word of a text, given by its span."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import product
from math import hypot

from augkit.lexicons.load import data_yaml
from augkit.text.hash_random import HashRandom

Change = tuple[int, int, str]
"""Start, end and what stands there instead."""
Noise = Callable[[str, int, int, HashRandom], Change | None]
"""Text, span of a word, random numbers → a change; None where this kind cannot change the word."""

_NEIGHBOUR = 1.26
"""Greatest distance of two neighbouring keys, in key widths."""


def noise_kinds(keyboard: str = "qwerty") -> dict[str, Noise]:
    """Every kind of noise by its name."""
    return {
        "keyboard": partial(_neighbour_key, neighbours(keyboard)),
        "transpose": _transposed,
        "omit": _omitted,
        "double": _doubled,
        "ocr": _misread,
        "case": _recased,
        "space": _spaced,
    }


def keyboards() -> list[str]:
    """The names of the known keyboards."""
    return sorted(_tables()["keyboards"])


@cache
def neighbours(keyboard: str) -> Mapping[str, str]:
    """Each letter of a keyboard with those on the keys around it.

    >>> neighbours("qwerty")["g"]
    'fhtbvy'
    """
    keys = {
        letter: (offset + column, row)
        for row, (offset, letters) in enumerate(_tables()["keyboards"][keyboard])
        for column, letter in enumerate(letters)
    }
    near: dict[str, list[tuple[float, str]]] = {letter: [] for letter in keys}
    for (one, (x, y)), (other, (other_x, other_y)) in product(keys.items(), repeat=2):
        distance = hypot(x - other_x, y - other_y)
        if 0 < distance <= _NEIGHBOUR:
            near[one].append((distance, other))
    return {letter: "".join(other for _, other in sorted(near[letter])) for letter in keys}


@cache
def _tables() -> Mapping[str, dict[str, list[tuple[float, str]]]]:
    tables: Mapping[str, dict[str, list[tuple[float, str]]]] = data_yaml("typos.yaml")
    return tables


@cache
def _misreadings() -> tuple[tuple[str, str], ...]:
    return tuple((before, after) for before, after in data_yaml("typos.yaml")["ocr"])


def _neighbour_key(
    table: Mapping[str, str], text: str, start: int, end: int, rng: HashRandom
) -> Change | None:
    typed = [at for at in range(start, end) if text[at].lower() in table]
    if not typed:
        return None
    at = rng.pick(typed)
    key = rng.pick(table[text[at].lower()])
    return at, at + 1, key.upper() if text[at].isupper() else key


def _transposed(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    """Two letters in the wrong order; the first letter stays, people seldom miss it."""
    first = start + 1 if end - start > 2 else start
    places = [at for at in range(first, end - 1) if text[at] != text[at + 1]]
    if not places:
        return None
    at = rng.pick(places)
    return at, at + 2, text[at + 1] + text[at]


def _omitted(_text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    if end - start < 3:
        return None
    at = rng.pick(range(start + 1, end))
    return at, at + 1, ""


def _doubled(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    at = rng.pick(range(start, end))
    return at, at + 1, text[at] * 2


def _misread(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    found = [
        (at, at + len(before), after)
        for before, after in _misreadings()
        if (at := text.find(before, start, end)) >= 0
    ]
    return rng.pick(found) if found else None


def _recased(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    """The first letter in the other case, or the whole word as with the caps-lock key.

    A text that is all in one case has no capitals to get wrong.
    """
    if text.islower() or text.isupper():
        return None
    word = text[start:end]
    if rng.below(2) and len(word) > 1:
        other = word.swapcase()
        return (start, end, other) if other != word and len(other) == len(word) else None
    first = word[0].swapcase()
    return (start, start + 1, first) if first != word[0] else None


def _spaced(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    """A space inside the word, or none after it."""
    joins = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    if joins and rng.below(2):
        return end, end + 1, ""
    if end - start < 4:
        return (end, end + 1, "") if joins else None
    at = rng.pick(range(start + 1, end))
    return at, at, " "
