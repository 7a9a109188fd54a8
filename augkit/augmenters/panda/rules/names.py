"""New names: the same for the same name in a text, and none that the text holds already."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from random import Random

from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.names import (
    cased_like,
    first_names,
    look_up,
    name_lists,
    surnames,
)

_COMMON = 100
"""Names of a gender that are drawn from: the most frequent ones."""


class Renaming:
    """Gives every name of some texts its new name."""

    def __init__(self, words: Iterable[str], rng: Random) -> None:
        """Start with no name given; the words of the texts are taken, and nobody is made a god."""
        self._taken = set(words)
        self._rng = rng
        self._given: dict[str, str] = {}

    def of_gender(self, name: str, gender: str) -> str:
        """The first name of a gender that takes the place of ``name``; itself where it fits.

        Between man and woman the choice is fixed and undoes itself; a name that leaves gender open
        is drawn.

        >>> renaming = Renaming([], Random(0))
        >>> renaming.of_gender("VICTOR", "woman"), renaming.of_gender("Helena", "woman")
        ('VICTORIA', 'Helena')
        """
        listed = look_up(name)
        if listed is not None and listed.gender in {gender, "non-binary"}:
            return name
        fixed = []
        if listed is not None:
            is_open = gender == "non-binary"
            fixed = [self._rng.choice(name_lists().neutral) if is_open else listed.counterpart]
        pool = _pool(gender, listed.group if listed else "")
        return self._give(name, chain(fixed, _rotated(pool, name)))

    def of_group(self, name: str, group: str, gender: str) -> str:
        """The first name of a group that takes the place of ``name``; it keeps its gender.

        The n-th name of one group becomes the n-th of another, which undoes itself; those that
        stand in no list are spread evenly. ``gender`` counts for a name that is in no list.

        >>> Renaming([], Random(0)).of_group("Keisha", "white", "")
        'Colleen'
        """
        listed = look_up(name)
        pool = _pool(listed.gender if listed is not None else gender, group)
        fixed = []
        if listed is not None:
            of_own_group = listed.group in name_lists().groups
            parallel = _pool(listed.gender, listed.group) if of_own_group else ()
            spread = zlib.crc32(listed.text.encode()) % len(pool)
            place = parallel.index(listed.text) if listed.text in parallel else spread
            fixed = [pool[place]]
        return self._give(name, chain(fixed, _rotated(pool, name)))

    def surname(self, name: str, group: str) -> str:
        """The surname of a group that takes the place of ``name``: its counterpart, if listed."""
        lists = name_lists().groups
        surnames_of_group = (
            lists[listed_group].surnames if (listed_group := surnames().get(name.lower())) else ()
        )
        counterparts = zip(surnames_of_group, lists[group].surnames, strict=False)
        fixed = [new for old, new in counterparts if old.lower() == name.lower()]
        return self._give(name, chain(fixed, _rotated(lists[group].surnames, name)))

    def drawn(self, name: str, gender: str) -> str:
        """A common name of a gender, and of the group of ``name`` where that is known."""
        listed = look_up(name)
        of_group = listed is not None and gender != "non-binary"  # their names are in one list
        pool = _pool(gender, listed.group if listed and of_group else "")
        return self._give(name, (self._rng.choice(pool) for _ in range(9 * _COMMON)))

    def _give(self, name: str, options: Iterable[str]) -> str:
        new_name = self._given.get(name.lower())
        if new_name is None:
            free = (o for o in options if o.lower() not in self._taken)
            new_name = next((o for o in free if o.lower() not in PEOPLE.deities), name)
            self._given[name.lower()] = new_name
            self._taken.add(new_name.lower())
        return cased_like(new_name, name)


def _rotated(options: Sequence[str], name: str) -> Iterator[str]:
    """The options, from a place on that depends on the name alone."""
    first = zlib.crc32(name.lower().encode()) % len(options)
    yield from (*options[first:], *options[:first])


@cache
def _pool(gender: str, group: str) -> tuple[str, ...]:
    """The names of a group, or the common ones, that are of a gender.

    >>> "James" in _pool("man", ""), "Mary" in _pool("woman", "")
    (True, True)
    """
    lists = name_lists()
    if group in lists.groups:
        names = lists.groups[group]
        return names.women if gender == "woman" else names.men
    if gender == "non-binary":
        return lists.neutral
    clear = (n.text for n in first_names().values() if n.gender == gender and n.is_clear)
    return tuple(islice(clear, _COMMON))  # the list begins with the most frequent
