"""Semantic triples (subject, predicate, object) of a text, each with its spans.

A triple shows a statement and helps to decide what to change; the change itself is made at the
spans of the source text, so what no triple holds is never lost.
"""

from __future__ import annotations

from dataclasses import dataclass

from augkit.core.edits import Span


@dataclass(frozen=True, slots=True)
class Element:
    """A subject, predicate or object: its words, and their spans in the source text.

    ``spans`` is empty for an implicit element: the "is" of an apposition.
    """

    text: str = ""
    spans: tuple[Span, ...] = ()


NONE = Element()
"""No object: "She laughed"."""


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement of a text. ``id`` counts from 1 within an example, over all its fields."""

    id: int
    subject: Element
    predicate: Element
    object: Element = NONE
    field: str = "text"
    sentence: int = 0

    @property
    def elements(self) -> tuple[Element, Element, Element]:
        """Subject, predicate, object."""
        return self.subject, self.predicate, self.object

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of its words, in order."""
        return tuple(sorted({span for element in self.elements for span in element.spans}))
