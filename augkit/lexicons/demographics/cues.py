"""Cue words and patterns: what beside a word shows what it is ("moved to" before a town).

They are tables under ``data/cues/``, one file per subject; a comment says what each list is for. A
table is read when one of its lists is first used.

    >>> "moved" in PLACES.going, bool(NAMES_RE.number.match(" 1792"))
    (True, True)
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

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

NEAR = 400
"""Characters to both sides within which a cue counts."""


@cache
def sayings() -> re.Pattern[str]:
    """What finds any of the sayings.

    >>> sayings().search("One man's trash is another man's treasure.").group()
    "One man's trash is another man's"
    """
    return re.compile("|".join(_contexts()["sayings"]), re.IGNORECASE)


@cache
def field_cues() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Word in lower case → for each field that it is a term of, what finds the cues.

    >>> [cue.search("the mattress is a queen").group() for cue in field_cues()["queens"][1:2]]
    ['mattress']
    """
    found: dict[str, list[re.Pattern[str]]] = defaultdict(list)
    for field in _contexts()["fields"]:
        cues = re.compile(rf"\b(?:{'|'.join(map(re.escape, field['cues']))})\b")
        for word in field["words"]:
            found[word].append(cues)
    return {word: tuple(cues) for word, cues in found.items()}


class NameFrame(NamedTuple):
    """A frame in which a first name names nobody, and what it then is.

    One that is ``sure`` holds although a pronoun of the name's gender stands in the text.
    """

    about: str
    names: frozenset[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    cues: re.Pattern[str]
    sure: bool

    def holds(self, text: str, start: int, end: int) -> bool:
        """Whether a name stands in the frame."""
        return (
            (not self.names or text[start:end].lower() in self.names)
            and self.after.match(text, end) is not None
            and self.before.search(text, max(0, start - 60), start) is not None
            and self.cues.search(text, max(0, start - NEAR), end + NEAR) is not None
        )


@cache
def name_frames() -> tuple[NameFrame, ...]:
    """The frames in which a first name names nobody.

    >>> [f.about for f in name_frames() if f.holds("Roe v. Wade fell in 2022.", 0, 3)]
    ['a case at law']
    """
    return tuple(map(_name_frame, _contexts()["name_frames"]))


def _name_frame(frame: Mapping[str, Any]) -> NameFrame:
    before, after, cues = (re.compile(frame.get(part, "")) for part in ("before", "after", "cues"))
    names = frozenset(frame.get("names", ()))
    return NameFrame(frame["about"], names, before, after, cues, bool(frame.get("sure", False)))


@cache
def _contexts() -> Mapping[str, Any]:
    contexts: Mapping[str, Any] = data_yaml("contexts.yaml")
    return contexts
