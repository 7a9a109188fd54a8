"""Perturbability: how much of a text can be perturbed (Eq. 2 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from augkit.augmenters.panda.references import references
from augkit.text.tokens import words

ENTITY_WEIGHT, WORD_WEIGHT = 1.0, 0.5
"""m0 and m1 of Eq. 2."""


def perturbability(fields: Mapping[str, str], axes: Sequence[str]) -> float:
    """The weighted share of a text's words that are references (Eq. 2).

        (m0 · named entities + m1 · words of the lists) / words

    Reference: qian2022perturbation.

    >>> perturbability({"text": "He lost his keys"}, ["gender"])
    0.25
    """
    found = references(fields, axes)
    entities = len({(r.field, r.start) for r in found if r.is_name})
    listed = len({(r.field, r.start) for r in found if not r.is_name})
    total = sum(len(words(text)) for text in fields.values())
    return (ENTITY_WEIGHT * entities + WORD_WEIGHT * listed) / total if total else 0.0
