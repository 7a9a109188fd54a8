"""New names: the same for the same name in a text, and none that the text holds already."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.first_names import (
    cased_like,
    first_names,
    look_up,
    name_lists,
    of_gender,
    of_group,
)
from augkit.lexicons.demographics.surnames import surnames_of_group

_WORDS = re.compile(r"[^\W\d_]+")
_COMMON = 100
"""Names of a gender that are drawn from: the most frequent ones."""


class Renaming:
    """Gives every name of a text its new name."""

    def __init__(self, text: str, rng: Random) -> None:
        """Start with no name given; the words of the text are taken."""
        self._taken = {word.lower() for word in _WORDS.findall(text)}
        self._rng = rng
        self._given: dict[str, str] = {}

    def of_gender(self, name: str, gender: str) -> str:
        """The name of a gender that takes the place of ``name``."""
        known = look_up(name)
        if known is not None and known.gender in {gender, "non-binary"}:
            return name
        return self._give(name, _names_of_gender(name, gender, self._rng))

    def of_group(self, name: str, group: str, gender: str) -> str:
        """The first name of a group that takes the place of ``name``; it keeps its gender.

        ``gender`` counts for a name that is in no list.
        """
        return self._give(name, _names_of_group(name, group, gender))

    def surname(self, name: str, group: str) -> str:
        """The surname of a group that takes the place of ``name``."""
        return self._give(name, surnames_of_group(name, group))

    def _give(self, name: str, options: Iterator[str]) -> str:
        known = self._given.get(name.lower())
        if known is None:
            taken = self._taken | PEOPLE.deities  # nobody is made a Jesus
            known = next(option for option in options if option.lower() not in taken)
            self._given[name.lower()] = known
            self._taken.add(known.lower())
        return cased_like(known, name)


class RandomNames:
    """Gives every name of a row another one, drawn among common names of a gender."""

    def __init__(self, texts: Sequence[str], rng: Random) -> None:
        """Start with no name given; the words of the texts are taken."""
        self._taken = {word.lower() for text in texts for word in _WORDS.findall(text)}
        self._rng = rng
        self._given: dict[str, str] = {}

    def instead_of(self, name: str, gender: str) -> str:
        """The new name: the same for the same name, of its group where that is known."""
        key = name.lower()
        if key not in self._given:
            known = look_up(name)
            pool = _pool(gender, known.group if known else "")
            free = [other for other in pool if other.lower() not in self._taken] or list(pool)
            self._given[key] = self._rng.choice(free)
            self._taken.add(self._given[key].lower())
        return cased_like(self._given[key], name)


def _names_of_gender(name: str, gender: str, rng: Random) -> Iterator[str]:
    """Names of a gender: the counterpart, then those of the same group and about as frequent."""
    known = look_up(name)
    if known is not None:
        yield of_gender(name, gender, rng)
    if gender == "non-binary":
        yield from rng.sample(name_lists().neutral, len(name_lists().neutral))
    if known is None:
        yield from _rotated(_pool(gender, ""), name)
    bearers, group = (known.bearers, known.group) if known else (0, "")
    fitting = [n for n in first_names().values() if n.gender == gender and n.is_clear]
    fitting.sort(key=lambda other: (other.group != group, abs(other.bearers - bearers)))
    yield from (other.text for other in fitting)


def _names_of_group(name: str, group: str, gender: str) -> Iterator[str]:
    known = look_up(name)
    if known is not None:
        yield of_group(name, group)
        gender = known.gender
    names = name_lists().groups[group]
    yield from _rotated(names.women if gender == "woman" else names.men, name)


def _rotated(options: Sequence[str], name: str) -> Iterator[str]:
    """The options, from a place on that depends on the name alone."""
    first = zlib.crc32(name.lower().encode()) % len(options)
    yield from (*options[first:], *options[:first])


@cache
def _pool(gender: str, group: str) -> tuple[str, ...]:
    """Names to draw from.

    >>> "James" in _pool("man", ""), "Mary" in _pool("woman", "")
    (True, True)
    """
    lists = name_lists()
    if gender == "non-binary":
        return lists.neutral
    if group in lists.groups:
        names = lists.groups[group]
        return names.women if gender == "woman" else names.men
    fitting = [name for name in first_names().values() if name.gender == gender and name.is_clear]
    fitting.sort(key=lambda name: (-name.bearers, name.text))
    return tuple(name.text for name in fitting[:_COMMON])
