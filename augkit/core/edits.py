"""Spans, edits and labelled spans of the fields of a row: overlap, apply, undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from operator import attrgetter
from typing import Literal, NamedTuple, Protocol

_START = attrgetter("start")
_PLACE = attrgetter("start", "end")


class Span(NamedTuple):
    """A piece of a text: ``text[start:end]``."""

    start: int
    end: int


class FieldSpan(NamedTuple):
    """A piece of a field of a row."""

    field: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in one field; offsets are characters of the first parent's text.

    Attributes:
        field: Name of the field.
        start: First character that is replaced.
        end: The character after the last one.
        before: The text there in the original.
        after: The text that replaces it.
    """

    field: str
    start: int
    end: int
    before: str
    after: str


class Replacement(NamedTuple):
    """``after`` takes the place of ``text[start:end]``."""

    start: int
    end: int
    after: str = ""

    def in_field(self, field: str, text: str) -> Edit:
        """The edit of the field that holds the text."""
        return Edit(field, self.start, self.end, text[self.start : self.end], self.after)


SpanKind = Literal["mention", "answer", "quote", "boundary"]
"""A mention stays true where its text changes in kind; all places of an answer change alike; a
quote (in another column) and a boundary (between the messages of a chat) never change."""


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """A part of a field that means something, as an entity or the answer to a question.

    Attributes:
        field: Name of the field.
        start: First character.
        end: The character after the last one.
        label: What it is, such as "PER".
        column: Column of the dataset that holds it.
        kind: "mention", "answer", "quote", or "boundary" (between the messages of a chat).
    """

    field: str
    start: int
    end: int
    label: str = ""
    column: str = ""
    kind: SpanKind = "mention"


class HasSpan(Protocol):
    """A span, a replacement, an edit, a token: whatever begins and ends in a text."""

    @property
    def start(self) -> int:
        """The first character."""
        ...

    @property
    def end(self) -> int:
        """The character after the last one."""
        ...


class HasFieldSpan(HasSpan, Protocol):
    """Whatever begins and ends in a field of a row."""

    @property
    def field(self) -> str:
        """Name of the field."""
        ...


def overlap(first: HasSpan, second: HasSpan) -> bool:
    """Whether two spans of one text share a character.

    >>> overlap(Span(0, 4), Span(3, 5)), overlap(Span(0, 4), Span(4, 5))
    (True, False)
    """
    return first.start < second.end and second.start < first.end


def any_overlap(spans: Iterable[HasSpan]) -> bool:
    """Whether two of the spans share a character."""
    return any(starmap(overlap, pairwise(sorted(spans, key=_PLACE))))


def overlap_in_row(first: HasFieldSpan, second: HasFieldSpan) -> bool:
    """Whether two spans of one row share a character."""
    return first.field == second.field and overlap(first, second)


def apply(fields: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The fields after the edits, whose offsets all refer to the given texts.

    >>> apply({"text": "a bad film"}, [Edit("text", 2, 5, "bad", "good")])
    {'text': 'a good film'}
    """
    changed = dict(fields)
    # From the right, so that the offsets of the remaining edits stay valid.
    for edit in sorted(edits, key=_START, reverse=True):
        text = changed[edit.field]
        changed[edit.field] = text[: edit.start] + edit.after + text[edit.end :]
    return changed


def undo(fields: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The original of a variant: the inverse of ``apply``.

    >>> undo({"text": "a good film"}, [Edit("text", 2, 5, "bad", "good")])
    {'text': 'a bad film'}
    """
    restored = dict(fields)
    for edit in sorted(edits, key=lambda edit: edit.start):
        # Edits are undone from the left, so all before this one is the original again and its
        # original offset is right.
        text = restored[edit.field]
        after_edit = text[edit.start + len(edit.after) :]
        restored[edit.field] = text[: edit.start] + edit.before + after_edit
    return restored


def reproduces(before: Mapping[str, str], edits: Sequence[Edit], after: Mapping[str, str]) -> bool:
    """Whether the edits turn ``before`` into ``after``: ``apply(before, edits) == after``.

    >>> edits = [Edit("text", 2, 5, "bad", "good")]
    >>> reproduces({"text": "a bad film"}, edits, {"text": "a good film"})
    True
    """
    if len(before) != 1 or len(after) != 1:
        return apply(before, edits) == dict(after)
    edited = ""
    last = 0
    previous = -1
    name = next(iter(before))
    text = before[name]
    for edit in edits:
        start = edit.start
        end = edit.end
        if not previous < start >= last or not start <= end <= len(text) or edit.field != name:
            return apply(before, edits) == dict(after)  # out of order, or out of the text
        edited += text[last:start] + edit.after
        previous = start
        last = end
    return after.get(name) == edited + text[last:]
