"""Step 3, categorise: principal triples may change, spurious ones stay, normal ones are free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from augkit.augmenters.coba.config import Precedence
from augkit.augmenters.coba.identify import Words
from augkit.english.decompose import Triple
from augkit.text.tokens import folded_words

Category = Literal["principal", "spurious", "normal"]


def categorise(
    triples: Sequence[Triple], words: Words, precedence: Precedence = "principal"
) -> dict[int, Category]:
    """The category of every triple, by id.

    A triple that holds words of both kinds is principal, or, with ``precedence="spurious"`` (the
    paper's order), spurious: it is then left alone, and the label may not flip.

    >>> from augkit.english.decompose import Element
    >>> triple = Triple(1, Element("the plot"), Element("bores"), Element("kids"))
    >>> categorise([triple], Words(frozenset({"bores"}), frozenset({"kids"})))
    {1: 'principal'}
    """
    kinds: list[Precedence] = sorted(("principal", "spurious"), key=lambda kind: kind != precedence)
    categories: dict[int, Category] = {}
    for triple in triples:
        held = {word for element in triple.elements for word in folded_words(element.text)}
        named = (kind for kind in kinds if not held.isdisjoint(getattr(words, kind)))
        categories[triple.id] = next(named, "normal")
    return categories
