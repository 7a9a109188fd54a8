"""The edits between two texts, and what becomes of labelled spans under edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, takewhile
from operator import attrgetter, eq

from augkit.core.edits import Edit, LabelledSpan
from augkit.core.types import new_edit
from augkit.text.tokens import pieces

_START = attrgetter("start")
_FULL_DIFF_PIECES = 2_000
"""With more pieces the matcher is too slow; everything that differs is then one edit."""


def diff(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Edit, ...]:
    """Edits from ``before`` to ``after``, whole words at a time, field by field."""
    edits: list[Edit] = []
    for name, text in before.items():
        if after[name] != text:
            edits.extend(_diff_text(name, text, after[name]))
    return tuple(edits)


def _diff_text(name: str, before: str, after: str) -> list[Edit]:
    old = pieces(before)
    new = pieces(after)
    head = _same(old, new)
    tail = _same(old[head:][::-1], new[head:][::-1])
    old_middle = old[head : len(old) - tail]
    new_middle = new[head : len(new) - tail]
    starts = list(accumulate(map(len, old), initial=0))
    edits = []
    for i, j, k, m in _changes(old_middle, new_middle):
        start = starts[head + i]
        end = starts[head + j]
        edits.append(new_edit(name, start, end, before[start:end], "".join(new_middle[k:m])))
    return edits


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """One edit for neighbouring words: people read "very bad → quite good", not two halves."""
    if max(len(old), len(new)) > _FULL_DIFF_PIECES:
        return [(0, len(old), 0, len(new))]
    joined: list[tuple[int, int, int, int]] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if joined and all(piece.isspace() for piece in old[joined[-1][1] : i]):
            joined[-1] = (joined[-1][0], j, joined[-1][2], m)
        else:
            joined.append((i, j, k, m))
    return joined


class SpanTouched(Exception):
    """A span does not survive the edits; the message says which, and why."""


def project_spans(
    spans: Sequence[LabelledSpan],
    edits: Iterable[Edit],
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    in_kind: bool,
) -> tuple[LabelledSpan, ...]:
    """The spans in the edited fields, in the same order; ``SpanTouched`` where one is lost.

    An edit before a span moves it. An edit inside it changes its text: allowed where the method
    replaces words ``in_kind``, as a name by a name. An edit over one of its ends, its deletion, and
    a cut through a word lose it. All places of an answer must read alike.

    >>> edits = [Edit("text", 0, 4, "Jane", "Janet"), Edit("text", 18, 23, "Emma.", "it.")]
    >>> before, after = {"text": "Jane Austen wrote Emma."}, {"text": "Janet Austen wrote it."}
    >>> [span] = project_spans([LabelledSpan("text", 0, 11)], edits, before, after, in_kind=True)
    >>> after["text"][span.start : span.end]
    'Janet Austen'
    """
    by_field: dict[str, list[Edit]] = {}
    for edit in sorted(edits, key=_START):
        by_field.setdefault(edit.field, []).append(minimal(edit))
    projected: list[LabelledSpan] = []
    answers: dict[tuple[str, str], str] = {}
    for span in spans:
        old = before[span.field][span.start : span.end]
        start, end = _moved(span, old, by_field.get(span.field, ()))
        new = after[span.field][start:end]
        if new != old and (not in_kind or span.kind in {"boundary", "quote"}):
            raise SpanTouched(f"{_named(span, old)} would become {new!r}")
        if _is_cut(span, before[span.field], (start, end), after[span.field]):
            raise SpanTouched(f"{_named(span, old)} would end inside a word")
        if span.kind == "answer" and answers.setdefault((span.column, span.label), new) != new:
            raise SpanTouched(f"{_named(span, old)} would change in one place and not in another")
        projected.append(LabelledSpan(span.field, start, end, span.label, span.column, span.kind))
    return tuple(projected)


def minimal(edit: Edit) -> Edit:
    """The edit without the words and spaces that it leaves as they are.

    >>> minimal(Edit("text", 4, 9, "Jane ", "Jane once "))
    Edit(field='text', start=9, end=9, before='', after='once ')
    """
    old = pieces(edit.before)
    new = pieces(edit.after)
    head = _same(old, new)
    tail = _same(old[head:][::-1], new[head:][::-1])
    start = edit.start + sum(map(len, old[:head]))
    before = "".join(old[head : len(old) - tail])
    after = "".join(new[head : len(new) - tail])
    return Edit(edit.field, start, start + len(before), before, after)


def _moved(span: LabelledSpan, text: str, edits: Iterable[Edit]) -> tuple[int, int]:
    """Start and end after the edits, which are in order and do not overlap."""
    start = span.start
    end = span.end
    for edit in edits:
        growth = len(edit.after) - len(edit.before)
        if edit.end <= span.start:
            start = start + growth
            end = end + growth
        elif span.start <= edit.start and edit.end <= span.end and edit.start < span.end:
            end += growth
        elif edit.start < span.end:
            raise SpanTouched(f"an edit of {edit.before!r} reaches over an end of {text!r}")
    if start == end:
        raise SpanTouched(f"{_named(span, text)} would be deleted")
    return start, end


def _is_cut(span: LabelledSpan, before: str, place: tuple[int, int], after: str) -> bool:
    """Whether an end of the span is inside a word or on a space, where it was not before."""
    old = before[span.start : span.end]
    new = after[place[0] : place[1]]
    if new.strip() != new and old.strip() == old:
        return True
    ends = zip((span.start, span.end), place, strict=True)
    return any(_inside_word(after, moved) and not _inside_word(before, was) for was, moved in ends)


def _inside_word(text: str, index: int) -> bool:
    return 0 < index < len(text) and text[index - 1].isalnum() and text[index].isalnum()


def _named(span: LabelledSpan, text: str) -> str:
    if span.kind == "boundary":
        return "the space between two messages"
    return f"{text!r} ({span.label})" if span.label and span.label != text else repr(text)


def _same(first: Sequence[str], second: Sequence[str]) -> int:
    """How many pieces at the start are alike."""
    return sum(1 for _ in takewhile(bool, map(eq, first, second)))
