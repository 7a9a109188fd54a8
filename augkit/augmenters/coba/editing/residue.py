"""What may still speak for the old side after editing: other words with a feeling, and denials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.coba.editing.contexts import NEGATORS
from augkit.augmenters.coba.editing.negation import Change
from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words
from augkit.language.triples import Span
from augkit.lexicons.evaluative import Side
from augkit.lexicons.valence import valences

_STRONG = 2.0
"""Valence from which a word that no lexicon of judgements knows may still tell the side."""
_JUDGING = frozenset({"ADJ", "ADV", "INTJ"})
"""What kinds of words judge; nouns and verbs with a feeling are mostly of the story."""
_EMPTY = frozenset({"pretty", "honestly", "sincerely", "super"})
"""Adverbs whose valence is another reading's: "pretty bad"."""
_DENYING = NEGATORS | negation_words("quantifier", "only") | {"too", "why", "hell", "lack"}


_DEGREES = frozenset(
    "really truly absolutely completely totally utterly extremely incredibly unbelievably fairly "
    "highly deeply thoroughly entirely particularly especially equally simply merely definitely "
    "certainly surely actually honestly basically generally mostly usually literally fully wholly "
    "purely overly nearly hardly relatively reasonably consistently constantly frankly seriously "
    "genuinely obviously clearly visually technically emotionally musically artistically morally "
    "physically historically immediately suddenly finally eventually ultimately initially probably "
    "possibly apparently awfully terribly exceptionally remarkably astonishingly surprisingly "
    "slightly largely partly downright positively practically virtually undoubtedly easily exactly "
    "previously originally recently personally unusually strangely only early family".split()
)
"""Adverbs that say how much, how surely or when, and judge nothing."""


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
    """Words close to a changed one that stay and may say the same as it did.

    Adjectives joined to it ("scattered and dull") and adverbs of manner before it ("risibly bad").
    """
    for token in analysis.tokens:
        if _changed(token, changes):
            continue
        near: list[Token] = []
        if token.upos == "ADJ":
            near = [t for t in analysis.children(token, "conj") if _is_joined(analysis, t)]
            near += [analysis.head(token)] if _is_joined(analysis, token) else []
        elif token.head == token.index + 1 and _has_manner(token):
            near = [analysis.head(token)]
        if any(_changed(each, changes) and each.upos == "ADJ" for each in near):
            yield Span(token.start, token.end)


def _is_joined(analysis: Analysis, token: Token) -> bool:
    """Whether it is a further adjective, and not the predicate of a clause of its own."""
    return token.is_relation("conj") and not analysis.children(token, "nsubj")


def _has_manner(token: Token) -> bool:
    small = token.text.lower()
    return small.endswith("ly") and len(small) > 4 and small not in _DEGREES


def _judges(token: Token) -> bool:
    is_empty = token.upos == "ADV" and token.text.lower() in _EMPTY
    return token.upos in _JUDGING and not is_empty


def _changed(token: Token, changes: Sequence[Change]) -> bool:
    return any(c.start < token.end and token.start < c.end for c in changes)
