"""Words whose inflection their spelling does not tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from augkit.lexicons.load import data_yaml


@dataclass(frozen=True)
class Irregular:
    """The tables of ``irregular.yaml``, which says what each of them holds."""

    to_plural_subject: Mapping[str, str]
    uninflected: frozenset[str]
    bases_in_s: frozenset[str]
    bases_in_e: frozenset[str]
    bases_in_ie: frozenset[str]
    plain_s: frozenset[str]
    plurals: Mapping[str, str]
    same_in_plural: frozenset[str]

    @cached_property
    def to_singular_subject(self) -> Mapping[str, str]:
        """Verb forms for "they" → for "he"."""
        return {plural: singular for singular, plural in self.to_plural_subject.items()}

    @cached_property
    def singulars(self) -> Mapping[str, str]:
        """Irregular plurals → their singular."""
        return {plural: singular for singular, plural in self.plurals.items()}


@cache
def irregular() -> Irregular:
    """The bundled tables.

    >>> irregular().plurals["ox"], irregular().singulars["oxen"]
    ('oxen', 'ox')
    """
    tables: dict[str, Any] = data_yaml("irregular.yaml")
    words = {name: frozenset(t.split()) for name, t in tables.items() if isinstance(t, str)}
    return Irregular(**(tables | words))
