"""Nationalities and peoples as references to race: "a *German* poet", "two *Germans*".

A nationality is no race, and people who rewrite a person's race change it all the same (PANDA): it
is read as a reference to the group that most of its people are counted with, or to none
(``UNKNOWN``), and the words of the target group are written in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from augkit.lexicons.load import data_yaml

UNKNOWN = "unknown"
"""The group of a nationality whose name says none."""

Forms = Mapping[str, str]
"""The group of each form."""


@cache
def peoples() -> Mapping[str, Forms]:
    """Kind of form → form → group; kinds: adj, singular, plural, and man/men, woman/women.

    >>> peoples()["plural"]["Spaniards"], peoples()["adj"]["French"], peoples()["adj"]["American"]
    ('white', 'white', 'unknown')
    """
    by_kind: dict[str, dict[str, str]] = {}
    for group, lists in data_yaml("peoples.yaml").items():
        for kind, form in _forms(lists):
            by_kind.setdefault(kind, {}).setdefault(form, group)
    return by_kind


@cache
def is_people(word: str) -> bool:
    """Whether a word, in any case, names a people: "German", "french"; not "Asian"."""
    return any(word.lower() == form.lower() for forms in peoples().values() for form in forms)


def _forms(lists: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for noun in _words(lists.get("nouns", "")):
        yield from (("adj", noun), ("singular", noun), ("plural", f"{noun}s"))
    for adjective in _words(lists.get("adjectives", "")):
        yield "adj", adjective
    pairs = lists.get("pairs", {})
    for adjective, noun in pairs.items() if isinstance(pairs, dict) else ():
        yield from (("adj", adjective), ("singular", noun), ("plural", f"{noun}s"))
    for kinds, key in ((("man", "men"), "men"), (("woman", "women"), "women")):
        for pair in _words(lists.get(key, "")):
            yield from zip(kinds, pair.split("/"), strict=True)


def _words(listed: object) -> list[str]:
    return listed.split() if isinstance(listed, str) else [str(word) for word in listed or ()]  # type: ignore[attr-defined]
