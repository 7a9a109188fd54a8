"""Clauses that can stand alone, cut out of sentences that say too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.language.analysis import Analysis, Token
from augkit.language.triples import Span

_LEAST = 3
"""Words of a clause that is worth a row."""
_HANGING = frozenset({"which", "who", "that", "whose", "whom", "because", "as", "so", "than"})
"""First words that need something before them."""


def clauses_alone(analysis: Analysis, sentence: Sequence[Token]) -> list[Span]:
    """The main clauses of a sentence, where it has something beside them.

    Each has a subject and a finite verb, and is one piece of text without the conjunction before
    it; adverbial clauses ("although ...", "if ...") are left out.
    """
    heads = [token for token in sentence if _heads(analysis, token)]
    found = (_span(analysis, head, heads) for head in heads)
    whole = sum(token.upos != "PUNCT" for token in sentence)
    return [span for span, size in found if _LEAST <= size < whole]


def _heads(analysis: Analysis, token: Token) -> bool:
    """Whether a word is the predicate of a main clause with a subject of its own."""
    if not token.is_root and not token.is_relation("conj", "parataxis"):
        return False
    subjects = analysis.children(token, "nsubj", "expl", "csubj")
    verbs = (token, *analysis.children(token, "cop", "aux"))
    finite = any(verb.morph.get("VerbForm") == "Fin" for verb in verbs)
    if not (finite and subjects):
        return False
    return token.is_root or _heads(analysis, analysis.head(token))


def _span(analysis: Analysis, head: Token, heads: Sequence[Token]) -> tuple[Span, int]:
    """Where a clause stands, and its words; none where it is not one piece."""
    gone = {t.index for part in _parted(analysis, head, heads) for t in analysis.subtree(part)}
    own = [t for t in analysis.subtree(head) if t.index not in gone]
    own.sort(key=lambda token: token.index)
    while own and (own[0].upos in {"PUNCT", "CCONJ"} or own[0].is_relation("cc", "punct")):
        own.pop(0)
    while own and own[-1].upos == "PUNCT":
        own.pop()
    is_piece = bool(own) and own[-1].index - own[0].index == len(own) - 1
    if not is_piece or own[0].text.lower() in _HANGING:
        return Span(0, 0), 0
    return Span(own[0].start, own[-1].end), len(own)


def _parted(analysis: Analysis, head: Token, heads: Sequence[Token]) -> Iterator[Token]:
    """The other main clauses that hang on this one, and its adverbial clauses."""
    inside = {token.index for token in analysis.subtree(head)}
    yield from (t for t in heads if t.index in inside and t.index != head.index)
    yield from analysis.children(head, "advcl", "parataxis", "discourse")
