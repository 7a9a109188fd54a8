"""Structures of a sentence in which an edit leaves the label unclear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import HasSpan, Span, overlap

_NOMINAL = frozenset({"NOUN", "PROPN"})
_OF_ITS_OWN = frozenset({"ADJ", "ADV", "VERB"})
_MARKS = frozenset({"PUNCT", "SYM", "INTJ"})
_SAME_LEVEL = ("conj", "flat", "compound")
_DEEP = 2
"""Steps from the predicate at which an edited phrase may no longer decide the label."""


def is_half_turned(
    analysis: Analysis,
    span: Span,
    changes: Sequence[HasSpan],
    kept: Sequence[HasSpan] = (),
) -> bool:
    """Whether of two conjuncts in a span one is edited and the other is not.

    "[Rude] staff, always willing to help". One adjective before two nouns is said of both:
    "[horrible] food and service". A conjunct with a word that is ``kept`` on purpose may stay.
    """
    for first, second in _conjuncts(analysis, span):
        stays = _unedited_conjunct(analysis, first, second, changes)
        if stays and not any(_is_edited(token, kept) for token in stays):
            return True
    return False


def _conjuncts(analysis: Analysis, span: Span) -> Iterator[tuple[Token, Token]]:
    for second in analysis.tokens:
        if second.is_root or not second.is_relation("conj", "parataxis"):
            continue
        first = analysis.head(second)
        inside = all(span.start <= token.start < span.end for token in (first, second))
        if inside and second.upos not in _MARKS:
            yield first, second


def _unedited_conjunct(
    analysis: Analysis, first: Token, second: Token, changes: Sequence[HasSpan]
) -> Sequence[Token]:
    """The words of the conjunct that is not edited beside one that is; none where both are."""
    of_second = analysis.subtree(second)
    others = {
        token.index
        for conjunct in analysis.children(first, "conj", "parataxis")
        for token in analysis.subtree(conjunct)
    }
    of_first = [token for token in analysis.subtree(first) if token.index not in others]
    edited_first = [token for token in of_first if _is_edited(token, changes)]
    is_second_edited = any(_is_edited(token, changes) for token in of_second)
    if edited_first and not is_second_edited:
        if first.upos in _NOMINAL and second.upos in _NOMINAL:
            is_before = any(token.index < first.index for token in edited_first)
            has_its_own = any(token.upos in _OF_ITS_OWN for token in of_second)
            if is_before and not has_its_own:
                return ()
        return of_second
    return of_first if is_second_edited and not edited_first else ()


def hangs_deep(analysis: Analysis, span: Span, changes: Sequence[HasSpan]) -> bool:
    """Whether an edited phrase of a span hangs two or more steps below its predicate.

    "A way to feel [good] about a dull film" judges little.
    """
    for change in changes:
        if span.start <= change.start and change.end <= span.end:
            edited = [token for token in analysis.tokens if overlap(token, change)]
            if edited and _depth(analysis, span, edited[-1]) >= _DEEP:
                return True
    return False


def is_only_in_subject(analysis: Analysis, span: Span, changes: Sequence[HasSpan]) -> bool:
    """Whether a subject in a span is edited, and nothing of what is said of it.

    "The [elegant] screenplay fades into pomposity" says the same of another screenplay.
    """
    for subject in analysis.tokens:
        if not span.start <= subject.start < span.end or not subject.is_relation("nsubj"):
            continue
        inside = analysis.subtree(subject)
        if any(_is_edited(token, changes) for token in inside):
            indices = {token.index for token in inside}
            clause = analysis.subtree(analysis.head(subject))
            rest = (token for token in clause if token.index not in indices)
            if not any(_is_edited(token, changes) for token in rest):
                return True
    return False


def _depth(analysis: Analysis, span: Span, token: Token) -> int:
    steps = 0
    if token.is_relation("amod"):
        token = analysis.head(token)  # the phrase is its noun's
    while not token.is_root:
        above = analysis.head(token)
        if not span.start <= above.start < span.end:
            break  # the predicate of a clause that stands alone
        if not token.is_relation(*_SAME_LEVEL):
            steps += 1
        token = above
    return steps


def _is_edited(token: Token, changes: Sequence[HasSpan]) -> bool:
    return any(overlap(token, change) for change in changes)
