"""The words of a phrase, short enough for an element of a triple."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.language.triples import Element, Span

LONGEST = 12
"""The most words of an element."""

_CORE = frozenset(
    "det amod compound nummod nmod:poss flat fixed advmod goeswith cc:preconj nmod:unmarked "
    "obl:unmarked case punct".split()
)
_CLAUSAL = ("acl", "advcl", "ccomp", "csubj", "parataxis", "appos", "nsubj", "cop", "aux", "mark")
_JOINERS = frozenset({"-", "/", "'", "\u2019", "&"})
_DEEPEST = 8


def phrase(analysis: Analysis, head: Token, *, case: bool = False) -> list[Token]:
    """A noun, adjective or adverb with what modifies it, in order; clauses are left out.

    "The cast of the film", not "the cast that I had never heard of": at most ``LONGEST`` words.
    With ``case`` the preposition before it is part of it.
    """
    tokens = _core(analysis, head, 0, case=case)
    for child in analysis.children(head, "nmod", "conj"):
        more = _whole(analysis, child)
        if more and child.index > head.index and _count(tokens) + _count(more) <= LONGEST:
            tokens += more
    return _nearest(sorted(tokens, key=lambda t: t.index), head)


def _core(analysis: Analysis, head: Token, depth: int, *, case: bool = False) -> list[Token]:
    found = [head]
    if depth >= _DEEPEST:
        return found
    for child in analysis.children(head):
        if child.deprel == "case" and not (case or child.index > head.index):
            continue
        if child.deprel == "punct" and not _joins(analysis, child):
            continue
        if child.deprel in _CORE or child.is_relation("det", "amod", "compound", "flat"):
            found += _core(analysis, child, depth + 1)
            found += [
                token
                for other in analysis.children(child, "conj")
                if child.is_relation("amod")
                for token in (*analysis.children(other, "cc"), *_core(analysis, other, depth + 1))
            ]
    return found


def _joins(analysis: Analysis, sign: Token) -> bool:
    """Whether a sign makes one word of two: the hyphen of "foot-dragging"."""
    around = analysis.text[max(0, sign.start - 1) : sign.end + 1]
    return sign.text in _JOINERS and " " not in around


def _whole(analysis: Analysis, head: Token) -> list[Token]:
    """A modifier with its preposition or "and"; nothing where a clause is inside."""
    tokens = analysis.subtree(head)
    if any(t.is_relation(*_CLAUSAL) for t in tokens if t.index != head.index):
        return []
    return [t for t in tokens if t.upos != "PUNCT" or t.text in _JOINERS | {","}]


def _count(tokens: Iterable[Token]) -> int:
    return sum(t.upos != "PUNCT" for t in tokens)


def _nearest(tokens: list[Token], head: Token) -> list[Token]:
    """At most ``LONGEST`` words, those nearest to the head."""
    while len(tokens) > LONGEST:
        first, last = tokens[0], tokens[-1]
        tokens = tokens[1:] if head.index - first.index > last.index - head.index else tokens[:-1]
    return tokens


def element(analysis: Analysis, tokens: Sequence[Token]) -> Element:
    """The words as written, with the span of each unbroken run."""
    runs: list[list[Token]] = []
    for token in sorted({t.index: t for t in tokens}.values(), key=lambda t: t.index):
        if runs and runs[-1][-1].index == token.index - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    spans = tuple(Span(run[0].start, run[-1].end) for run in runs)
    written = " ".join(analysis.text[span.start : span.end] for span in spans)
    return Element(" ".join(written.split()), spans)
