"""New first names: the same for the same name in a text, and none that the text holds already."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from augkit.augmenters.panda.disambiguation.first_name_senses import is_divine
from augkit.augmenters.panda.document import Document
from augkit.lexicons.demographics.cues import NAMES, NAMES_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import (
    cased_like,
    first_names,
    look_up,
    name_lists,
    of_gender,
    of_group,
)
from augkit.lexicons.demographics.surnames import surnames_of_group

_COMMON = 100
"""Names of a gender that are drawn from: the most frequent ones."""


class Renaming:
    """Gives every name of a text its new name."""

    def __init__(self, text: str, rng: Random) -> None:
        """Start with no name given; the words of the text are taken."""
        self._taken = {word.lower() for word in NAMES_RE.words.findall(text)}
        self._generator = rng
        self._given: dict[str, str] = {}

    def of_gender(self, name: str, gender: str) -> str:
        """The name of a gender that takes the place of ``name``, or of both halves of one."""
        halves = name.split("-")
        if gender != "non-binary" and len(halves) == 2 and look_up(name) is None:
            return "-".join(self._half(half, gender) for half in halves)
        return self._give(name, self._genders(_listed(name), gender))

    def _half(self, name: str, gender: str) -> str:
        known = look_up(name)
        if known is None or known.gender in {gender, "non-binary"}:
            return name
        return self._give(name, self._genders(name, gender))

    def of_group(self, name: str, group: str, gender: str = "man") -> str:
        """The first name of a group that takes the place of ``name``.

        ``gender`` counts for a name that is in no list.
        """
        return self._give(name, self._groups(_listed(name), group, gender))

    def surname(self, name: str, group: str, _: str = "") -> str:
        """The surname of a group that takes the place of ``name``."""
        return self._give(name, surnames_of_group(name, group))

    def is_called(self, doc: Document, hit: Hit) -> bool:
        """Whether two names in a row are two: "everyone calls William Bill"."""
        words = doc.words_before(hit.start, 60)
        return len(words) > 1 and words[-2] in NAMES.calling

    def _give(self, name: str, options: Iterator[str]) -> str:
        known = self._given.get(name.lower())
        if known is None:
            known = next(option for option in options if self._is_free(option))
            self._given[name.lower()] = known
            self._taken.add(known.lower())
        return cased_like(known, name)

    def _is_free(self, name: str) -> bool:
        """Not somebody else's here, and not a god's: nobody is made a Jesus."""
        return name.lower() not in self._taken and not is_divine(name, 0, len(name))

    def _genders(self, name: str, gender: str) -> Iterator[str]:
        yield of_gender(name, gender, self._generator)
        if gender == "non-binary":
            neutral = list(name_lists().neutral)
            self._generator.shuffle(neutral)
            yield from neutral
        yield from _alike(name, gender)

    def _groups(self, name: str, group: str, gender: str) -> Iterator[str]:
        known = look_up(name)
        if known is not None:
            yield of_group(name, group)
            gender = known.gender
        names = name_lists().groups[group]
        options = names.women if gender == "woman" else names.men
        first = zlib.crc32(name.lower().encode()) % len(options)
        yield from (*options[first:], *options[:first])


def _listed(name: str) -> str:
    """The name, or the first half of a double one that is not listed as such."""
    return name if look_up(name) is not None else name.partition("-")[0]


def _alike(name: str, gender: str) -> Iterator[str]:
    """Names of a gender, those of the same group and about as frequent first."""
    known = look_up(name)
    bearers, group = (known.bearers, known.group) if known else (0, "")
    fitting = [n for n in first_names().values() if n.gender == gender and n.is_clear]
    fitting.sort(key=lambda other: (other.group != group, abs(other.bearers - bearers)))
    yield from (other.text for other in fitting)


class RandomNames:
    """Gives every name of a row another one, drawn among common names of a gender."""

    def __init__(self, texts: Sequence[str], rng: Random) -> None:
        """Start with no name given; the words of the texts are taken."""
        self._taken = {word.strip(".,;:!?'\"()").lower() for text in texts for word in text.split()}
        self._generator = rng
        self._given: dict[str, str] = {}

    def instead_of(self, name: str, gender: str) -> str:
        """The new name: the same for the same name, of its group where that is known."""
        key = name.lower()
        if key not in self._given:
            known = look_up(name)
            pool = _pool(gender, known.group if known else "")
            free = [other for other in pool if other.lower() not in self._taken] or list(pool)
            self._given[key] = self._generator.choice(free)
            self._taken.add(self._given[key].lower())
        return cased_like(self._given[key], name)


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
