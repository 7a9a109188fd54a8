"""Words beside another that tell what it is: "moved to" before a town, "album" beside "Queen".

They stand under ``data/cues/``: a file for what they tell, and in it lists with a name each, whose
comment says what the words do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from augkit.lexicons.load import data_yaml


@cache
def cues(about: str, name: str) -> frozenset[str]:
    """The words of a list.

    >>> "moved" in cues("towns", "going")
    True
    """
    return frozenset(_listed(about, name))


def has_cue(about: str, name: str, words: Iterable[str]) -> bool:
    """Whether one of some words is in a list.

    >>> has_cue("towns", "told", ["was", "hit", "by", "hail"])
    True
    """
    return not cues(about, name).isdisjoint(words)


@cache
def either(about: str, name: str) -> str:
    """The words or phrases of a list as the alternatives of a pattern, in their order.

    >>> either("works", "speaking_before")
    'said|says|asked|replied|shouted|added|whispered|answered|cried'
    """
    return "|".join(_listed(about, name))


def _listed(about: str, name: str) -> list[str]:
    """A list is words between spaces, or one of phrases and patterns."""
    listed = _lists(about)[name]
    return listed.split() if isinstance(listed, str) else listed


@cache
def _lists(about: str) -> Mapping[str, str | list[str]]:
    lists: Mapping[str, str | list[str]] = data_yaml(f"cues/{about}.yaml")
    return lists
