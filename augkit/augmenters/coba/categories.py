"""Which triples carry the label, which carry a shortcut, and which neither."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.augmenters.coba.config import Precedence
from augkit.augmenters.coba.steps import Category, Words
from augkit.language.triples import Triple
from augkit.text.tokens import words as words_of


def categorise(
    triples: Sequence[Triple], words: Words, precedence: Precedence = "principal"
) -> dict[int, Category]:
    """The category of every triple, by id.

    A triple that holds words of both kinds is principal, or, with ``precedence="spurious"`` (the
    paper's order), spurious: it is then left alone, and the label may not flip.

    >>> from augkit.language.triples import Element
    >>> told = Triple(1, Element("the plot"), Element("bores"), Element("kids"))
    >>> categorise([told], Words(frozenset({"bores"}), frozenset({"kids"})))
    {1: 'principal'}
    """
    return {triple.id: _category(triple, words, precedence) for triple in triples}


def _category(triple: Triple, words: Words, precedence: Precedence) -> Category:
    held = {word.casefold() for element in triple.elements for word in words_of(element.text)}
    found: dict[Precedence, bool] = {
        "principal": not held.isdisjoint(words.principal),
        "spurious": not held.isdisjoint(words.spurious),
    }
    if found[precedence]:
        return precedence
    other: Precedence = "spurious" if precedence == "principal" else "principal"
    return other if found[other] else "normal"
