"""Cue words and patterns: what beside a word shows what it is ("moved to" before a town).

They are tables under ``data/cues/``, one file per subject; a comment says what each list is for. A
table is read when one of its lists is first used.

    >>> "moved" in PLACES.going, bool(NAMES_RE.number.match(" 1792"))
    (True, True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from augkit.lexicons.load import data_yaml


class WordLists:
    """The word lists of a table, as attributes."""

    def __init__(self, table: str) -> None:
        """Name the file, without its ending."""
        self._table = table

    def __getattr__(self, name: str) -> frozenset[str]:
        """The words of a list, kept for the next time."""
        if name not in _table(self._table):
            raise AttributeError(f"no list '{name}' in {self._table}.yaml")
        words = frozenset(_listed(self._table, name))
        setattr(self, name, words)
        return words


class Patterns:
    """The regular expressions of a table, as attributes."""

    def __init__(self, table: str) -> None:
        """Name the file, without its ending."""
        self._table = table

    def __getattr__(self, name: str) -> re.Pattern[str]:
        """A compiled pattern, kept for the next time."""
        if name not in _table(self._table).get("patterns", {}):
            raise AttributeError(f"no pattern '{name}' in {self._table}.yaml")
        written = _table(self._table)["patterns"][name]
        pattern = re.compile(re.sub(r"\{([a-z_]+)\}", lambda m: self._either(m[1]), written))
        setattr(self, name, pattern)
        return pattern

    def _either(self, name: str) -> str:
        return "|".join(_listed(self._table, name))


def has_any(words: Iterable[str], listed: frozenset[str]) -> bool:
    """Whether one of some words is in a list.

    >>> has_any(["was", "hit", "by", "hail"], PLACES.town_events)
    True
    """
    return not listed.isdisjoint(words)


@cache
def _table(name: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = data_yaml(f"{name}.yaml")
    return table


def _listed(table: str, name: str) -> list[str]:
    """A list is words with spaces between them, or a sequence of phrases or patterns."""
    listed = _table(table)[name]
    return listed.split() if isinstance(listed, str) else [str(word) for word in listed]


PEOPLE = WordLists("people")
AGES, AGES_RE = WordLists("cues/ages"), Patterns("cues/ages")
BODIES, BODIES_RE = WordLists("cues/bodies"), Patterns("cues/bodies")
HER = WordLists("cues/her")
NAMES, NAMES_RE = WordLists("cues/names"), Patterns("cues/names")
NEIGHBOURS = WordLists("cues/neighbours")
NOUNS, NOUNS_RE = WordLists("cues/nouns"), Patterns("cues/nouns")
PERSONS, PERSONS_RE = WordLists("cues/persons"), Patterns("cues/persons")
PLACES, PLACES_RE = WordLists("cues/places"), Patterns("cues/places")
RACES, RACES_RE = WordLists("cues/races"), Patterns("cues/races")
THINGS, THINGS_RE = WordLists("cues/things"), Patterns("cues/things")
VERBS, VERBS_RE = WordLists("cues/verbs"), Patterns("cues/verbs")
WORKS_RE, WORKS = Patterns("cues/works"), WordLists("cues/works")
