"""Spans of a sentence that can stand alone: main clauses, and inner ones that are asserted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span
from augkit.english.polarity.contexts import context_words

_MIN_WORDS = 3
"""Least length of a span that becomes a row."""
_INCOMPLETE = frozenset({"ADP", "SCONJ", "CCONJ", "DET", "PART"})
"""Parts of speech after which something is missing, where words follow."""


def main_clauses(analysis: Analysis, sentence: Sequence[Token]) -> list[Span]:
    """The main clauses of a sentence, where it has something beside them.

    Each has a subject and a finite verb, and is one span without the conjunction before
    it; adverbial clauses ("although ...", "if ...") are not included.
    """
    heads = [token for token in sentence if _is_main(analysis, token)]
    return _clauses(analysis, sentence, heads)


def inner_clauses(analysis: Analysis, sentence: Sequence[Token]) -> list[Span]:
    """Clauses inside a sentence that are asserted: "I think that the cast is superb"."""
    inner = [token for token in sentence if _is_asserted(analysis, token)]
    return _clauses(analysis, sentence, inner)


def _is_main(analysis: Analysis, token: Token) -> bool:
    """Whether a word is the predicate of a main clause with a subject of its own."""
    if not token.is_root and not token.is_relation("conj", "parataxis"):
        return False
    if not _is_finite(analysis, token):
        return False
    return token.is_root or _is_main(analysis, analysis.head(token))


def _is_asserted(analysis: Analysis, token: Token) -> bool:
    """Whether a word is the predicate of an inner clause that is asserted."""
    if not _is_finite(analysis, token):
        return False
    if token.is_relation("advcl"):
        marks = {mark.text.lower() for mark in analysis.children(token, "mark")}
        return bool(marks & context_words("asserting_conjunctions"))
    return token.is_relation("ccomp") and analysis.head(token).lemma.lower() in context_words(
        "reporting_verbs"
    )


def _is_finite(analysis: Analysis, token: Token) -> bool:
    verbs = (token, *analysis.children(token, "cop", "aux"))
    finite = any(verb.morph.get("VerbForm") == "Fin" for verb in verbs)
    return finite and bool(analysis.children(token, "nsubj", "expl", "csubj"))


def _clauses(analysis: Analysis, sentence: Sequence[Token], heads: Sequence[Token]) -> list[Span]:
    """The clauses of some heads, each without those that depend on it."""
    whole = sum(token.upos != "PUNCT" for token in sentence)
    clauses = (_clause(analysis, head, heads) for head in heads)
    return [
        Span(tokens[0].start, tokens[-1].end)
        for tokens in clauses
        if _MIN_WORDS <= len(tokens) < whole
    ]


def _clause(analysis: Analysis, head: Token, heads: Sequence[Token]) -> list[Token]:
    """The tokens of a clause; none where they are not one span."""
    inside = {token.index for token in analysis.subtree(head)}
    dependent = [t for t in heads if t.index in inside and t.index != head.index]
    loose = analysis.children(head, "advcl", "parataxis", "discourse", "mark")
    tokens = _connected(analysis, head, (*dependent, *loose))
    opens = tokens and tokens[0].text.lower() in context_words("dependent_openers")
    return [] if opens else tokens


def _connected(analysis: Analysis, head: Token, gone: Iterable[Token]) -> list[Token]:
    """The subtree of a word without some parts, and without punctuation around it."""
    lost = {token.index for part in gone for token in analysis.subtree(part)}
    tokens = [token for token in analysis.subtree(head) if token.index not in lost]
    while tokens and tokens[0].upos in {"PUNCT", "CCONJ"}:
        tokens.pop(0)
    while tokens and tokens[-1].upos == "PUNCT":
        tokens.pop()
    is_span = bool(tokens) and tokens[-1].index - tokens[0].index == len(tokens) - 1
    return tokens if is_span and not _is_cut(analysis, tokens) else []


def _is_cut(analysis: Analysis, tokens: Sequence[Token]) -> bool:
    """Whether a bracket or quotation is broken, or the last word needs what follows it."""
    text = "".join(token.text for token in tokens)
    if text.count("(") != text.count(")") or text.count('"') % 2:
        return True
    last = tokens[-1]
    follows = analysis.tokens[last.index + 1 : last.index + 2]
    is_last = not follows or follows[0].sentence != last.sentence or follows[0].upos == "PUNCT"
    return last.upos in _INCOMPLETE and not is_last
