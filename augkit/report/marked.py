"""Words marked in a text: what carries the label, or what was changed.

The terminal sets them in brackets, the page in colour; both take the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from augkit.core.results import MarkedText, WordMark

Span = tuple[int, int, str]
"""Start, end, and what is said of it."""
Piece = tuple[str, str]
"""A part of the text, and what is said of it; nothing of what lies between."""


def split_spans(text: str, spans: Iterable[Span]) -> Iterator[Piece]:
    """The text in parts: the spans, and what lies between them.

    Of spans that overlap the first one counts.

    >>> list(split_spans("a bad film", [(2, 5, "neg")]))
    [('a ', ''), ('bad', 'neg'), (' film', '')]
    """
    last = 0
    for start, end, about in sorted(spans):
        if start < last:
            continue
        if last < start:
            yield text[last:start], ""
        yield text[start:end], about
        last = end
    if last < len(text):
        yield text[last:], ""


def in_brackets(text: str, marks: Sequence[WordMark]) -> str:
    """The text with its marked words in brackets; what they are is said where marks differ.

    >>> marks = [WordMark("text", 2, 5, "principal"), WordMark("text", 6, 10, "spurious")]
    >>> in_brackets("a bad film", marks), in_brackets("a bad film", marks[:1])
    ('a [bad: principal] [film: spurious]', 'a [bad] film')
    """
    differ = len({mark.kind for mark in marks}) > 1
    parts = []
    for part, kind in split_spans(text, [(mark.start, mark.end, mark.kind) for mark in marks]):
        if not kind:
            parts.append(part)
        elif differ:
            parts.append(f"[{part}: {kind}]")
        else:
            parts.append(f"[{part}]")
    return "".join(parts)


def marked_lines(marked: MarkedText) -> Iterator[str]:
    """What is said of a text, then its fields with the marked words in brackets."""
    yield marked.note
    for name, text in marked.fields.items():
        marks = [mark for mark in marked.marks if mark.field == name]
        shown = in_brackets(text, marks)
        yield f"  {name}: {shown}" if len(marked.fields) > 1 else f"  {shown}"


def marked_fields(marked: MarkedText) -> dict[str, Any]:
    """The same for the page: what is said, and the pieces of each field."""
    fields = {}
    for name, text in marked.fields.items():
        spans = [(mark.start, mark.end, mark.kind) for mark in marked.marks if mark.field == name]
        fields[name] = list(split_spans(text, spans))
    return {"note": marked.note, "fields": fields}
