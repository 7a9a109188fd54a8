"""Close opposites of evaluative words: one to four words that fit wherever the word fits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from augkit.lexicons.evaluative import Kind
from augkit.lexicons.load import data_yaml


@cache
def close_opposites() -> Mapping[tuple[Kind, str], tuple[str, ...]]:
    """(Kind, word) → its close opposites, from ``data/evaluative/close.yaml``.

    >>> close_opposites()["adjective", "delicious"]
    ('disgusting', 'bland', 'tasteless')
    """
    table: dict[tuple[Kind, str], tuple[str, ...]] = {}
    for kind, groups in data_yaml("evaluative/close.yaml").items():
        if kind == "strong":
            continue
        for words, opposites in groups:
            for word in words.split():
                table[kind, word] = tuple(opposites.split())
    return table


@cache
def strong_words() -> frozenset[str]:
    """The opposites that take no "very" or "fairly" before them: "terrible"."""
    return frozenset(data_yaml("evaluative/close.yaml")["strong"].split())
