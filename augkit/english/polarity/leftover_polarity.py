"""What may keep the old polarity after editing: other words with a valence, and negations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement, Span, overlap
from augkit.english.negation import negation_words
from augkit.english.polarity.contexts import NEGATORS, context_words
from augkit.lexicons.evaluative import Polarity
from augkit.lexicons.load import valences

_STRONG = 2.0
"""Valence from which a word outside the evaluative lexicon may still show the polarity."""
_COMPARATIVES = frozenset({"JJR", "RBR"})
_COMPARED = 1.0
"""The same of a comparative, which the lexicon mostly leaves alone: "the company was better"."""
_EVALUATIVE_POS = frozenset({"ADJ", "ADV", "INTJ"})
"""Nouns and verbs with a valence mostly belong to the story."""
_NEGATIVE = (
    NEGATORS | negation_words("quantifier", "only") | context_words("further_negative_words")
)


def leftover_words(
    analysis: Analysis, polarity: Polarity, changes: Sequence[Replacement]
) -> Iterator[Span]:
    """Words of a polarity, by their valence, that no change touched."""
    sign = 1 if polarity == "positive" else -1
    for token in analysis.tokens:
        least = _COMPARED if token.xpos in _COMPARATIVES else _STRONG
        strong = sign * valences().get(token.text.lower(), 0.0) >= least
        if strong and _is_evaluative(token) and not _changed(token, changes):
            yield Span(token.start, token.end)


def leftover_comparatives(analysis: Analysis, changes: Sequence[Replacement]) -> Iterator[Span]:
    """Evaluative comparatives that stay: "I have had better" is no praise.

    Before a noun they are about other things: "a poor imitation of better thrillers".
    """
    for token in analysis.tokens:
        if token.xpos not in _COMPARATIVES or token.is_relation("amod"):
            continue
        strength = abs(valences().get(token.text.lower(), 0.0))
        if strength >= _COMPARED and not _changed(token, changes):
            yield Span(token.start, token.end)


def leftover_negations(analysis: Analysis, changes: Sequence[Replacement]) -> Iterator[Span]:
    """Words such as "no" and "why" that stay: criticism often needs no negative word."""
    for token in analysis.tokens:
        if token.text.lower() in _NEGATIVE and not _changed(token, changes):
            yield Span(token.start, token.end)


def coordinated_words(analysis: Analysis, changes: Sequence[Replacement]) -> Iterator[Span]:
    """Words next to a changed one that stay and may share its old polarity.

    Coordinated adjectives ("scattered and dull") and manner adverbs before it ("risibly bad").
    """
    for token in analysis.tokens:
        if _changed(token, changes):
            continue
        near: list[Token] = []
        if token.upos == "ADJ":
            near = [t for t in analysis.children(token, "conj") if _is_coordinated(analysis, t)]
            near += [analysis.head(token)] if _is_coordinated(analysis, token) else []
        elif token.head == token.index + 1 and _is_manner_adverb(token):
            near = [analysis.head(token)]
        if any(_changed(each, changes) and each.upos == "ADJ" for each in near):
            yield Span(token.start, token.end)


def _is_coordinated(analysis: Analysis, token: Token) -> bool:
    """Whether it is a further adjective, and not the predicate of a clause of its own."""
    return token.is_relation("conj") and not analysis.children(token, "nsubj")


def _is_manner_adverb(token: Token) -> bool:
    word = token.text.lower()
    return word.endswith("ly") and len(word) > 4 and word not in context_words("degree_adverbs")


def _is_evaluative(token: Token) -> bool:
    is_empty = token.upos == "ADV" and token.text.lower() in context_words("empty_adverbs")
    return token.upos in _EVALUATIVE_POS and not is_empty


def _changed(token: Token, changes: Sequence[Replacement]) -> bool:
    return any(overlap(change, token) for change in changes)
