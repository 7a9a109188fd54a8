"""Names drawn anew: a name that goes with one label tells it as well as a pronoun does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from augkit.lexicons.demographics.first_names import cased_like, first_names, look_up, name_lists

_COMMON = 100
"""Names of a gender that are drawn from: the most frequent ones."""


class FreshNames:
    """Gives every name of a row another one, drawn among common names of a gender."""

    def __init__(self, texts: Sequence[str], generator: Random) -> None:
        """Start with no name given; the words of the texts are taken."""
        self._taken = {word.strip(".,;:!?'\"()").lower() for text in texts for word in text.split()}
        self._generator = generator
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
