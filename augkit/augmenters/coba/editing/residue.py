"""What may still speak for the old side after editing: other words with a feeling, and denials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.coba.editing.contexts import NEGATORS
from augkit.augmenters.coba.editing.negation import Change
from augkit.language.analysis import Analysis, Token
from augkit.language.triples import Span
from augkit.lexicons.evaluative import Side
from augkit.lexicons.valence import valences

_STRONG = 2.0
"""Valence from which a word that no lexicon of judgements knows may still tell the side."""
_JUDGING = frozenset({"ADJ", "ADV", "INTJ"})
"""What kinds of words judge; nouns and verbs with a feeling are mostly of the story."""
_EMPTY = frozenset({"pretty", "honestly", "sincerely", "super"})
"""Adverbs whose valence is another reading's: "pretty bad"."""
_DENYING = NEGATORS | frozenset(
    {"too", "why", "little", "few", "hell", "barely", "lack", "only", "zero"}
)


def residue(analysis: Analysis, side: Side, changes: Sequence[Change]) -> Iterator[Span]:
    """Words of a side, by their valence, that no change touched."""
    sign = 1 if side == "positive" else -1
    for token in analysis.tokens:
        strong = sign * valences().get(token.text.lower(), 0.0) >= _STRONG
        if strong and _judges(token) and not _changed(token, changes):
            yield Span(token.start, token.end)


def denials(analysis: Analysis, changes: Sequence[Change]) -> Iterator[Span]:
    """Words such as "no" and "why" that stay: blame often needs no word of blame."""
    for token in analysis.tokens:
        if token.text.lower() in _DENYING and not _changed(token, changes):
            yield Span(token.start, token.end)


def beside(analysis: Analysis, changes: Sequence[Change]) -> Iterator[Span]:
    """Adjectives joined to a changed word that stay: "scattered and dull" may blame twice."""
    for token in analysis.tokens:
        if token.upos != "ADJ" or _changed(token, changes):
            continue
        joined = [analysis.head(token)] if token.is_relation("conj") else []
        joined += analysis.children(token, "conj")
        if any(_changed(each, changes) for each in joined):
            yield Span(token.start, token.end)


def _judges(token: Token) -> bool:
    is_empty = token.upos == "ADV" and token.text.lower() in _EMPTY
    return token.upos in _JUDGING and not is_empty


def _changed(token: Token, changes: Sequence[Change]) -> bool:
    return any(c.start < token.end and token.start < c.end for c in changes)
