"""A text to be rewritten beside its context, and the relation that their label states."""

from __future__ import annotations

from typing import NamedTuple

from augkit.augmenters.relations import Relation
from augkit.core.analysis import Analysis, Token


class PairedText(NamedTuple):
    """A text to be rewritten, its context, and how it relates to that."""

    analysis: Analysis
    context: str
    relation: Relation | None


def only_root(analysis: Analysis) -> Token | None:
    """The root of a text that has exactly one."""
    roots = [token for token in analysis.tokens if token.is_root]
    return roots[0] if len(roots) == 1 else None


def capitalised(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def uncapitalised(text: str) -> str:
    """The text with a lower-case first letter."""
    return text[:1].lower() + text[1:]
