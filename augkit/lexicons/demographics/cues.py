"""Word lists that help to read a text: ``data/people.yaml`` and the tables under ``data/cues``.

>>> "president" in PEOPLE.titles
True
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from augkit.lexicons.load import data_yaml


class WordLists:
    """The word lists of a table, as attributes; the table is read when one is first used."""

    def __init__(self, table: str) -> None:
        """Name the file, without its ending."""
        self._table = table

    def __getattr__(self, name: str) -> frozenset[str]:
        """The words of a list, kept for the next time."""
        if name.startswith("_") or name not in cue_table(self._table):
            raise AttributeError(f"no list '{name}' in {self._table}.yaml")
        listed = cue_table(self._table)[name]
        words = frozenset(listed.split() if isinstance(listed, str) else map(str, listed))
        setattr(self, name, words)
        return words


@cache
def cue_table(name: str) -> Mapping[str, Any]:
    """A table by its name, read once."""
    values: Mapping[str, Any] = data_yaml(f"{name}.yaml")
    return values


PEOPLE = WordLists("people")
HER = WordLists("cues/her")
VERBS = WordLists("cues/verbs")
AGES = WordLists("cues/ages")
NAMES = WordLists("cues/names")
LEFT_ALONE = WordLists("cues/left_alone")
