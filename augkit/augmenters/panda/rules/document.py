"""A text as the rules read it: its references and, when a rule first needs it, its parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.references import WORD_OR_SIGN, find_hits
from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Edit, FieldSpan, HasSpan, Replacement, Span, overlap
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.phrase_table import letter_runs, lower_in_place

BETWEEN = "\n\n"
"""Joins fields: no sentence goes over a blank line."""
_BEFORE = re.compile(r"(?:[\w'\u2019]+(?:-\w+)*|[^\w\s]|\n)$")
_ENDS = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St|Sr|Jr))(?<!\b(?:Mrs|Rev|Gen))"
    r"[.!?]['\"\u201d)]*\s+(?=[\"'\u201c(]*[A-Z0-9])|\n+| [.!?] "
)
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Mx|Dr|St|Sr|Jr|Rev|Gen|Sen|Gov|Prof)\.$")
_SENTENCE_END = frozenset('.!?\n:;"\u201c\u201d([*>')


class NotParsed(Exception):
    """A rule asks for the parse of a text that is not parsed yet."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mention stands: its head, its role, and the predicate of its clause."""

    head: Token
    role: str
    clause: Token


class JoinedText:
    """The fields of an example as one text; ``starts`` says where each begins."""

    def __init__(self, fields: Mapping[str, str], between: str) -> None:
        """Join the fields by ``between``."""
        self.fields = fields
        self.text = between.join(fields.values())
        self.starts: dict[str, int] = {}
        start = 0
        for name, text in fields.items():
            self.starts[name] = start
            start += len(text) + len(between)
        self._names, self._offsets = list(fields), list(self.starts.values())

    def field_at(self, offset: int) -> str:
        """The field of a character."""
        return self._names[bisect_right(self._offsets, offset) - 1]

    def in_field(self, start: int, end: int) -> FieldSpan | None:
        """The span of a field that a span of the text is; None where it goes beyond the field."""
        name = self.field_at(start)
        first = self.starts[name]
        if end - first > len(self.fields[name]):
            return None
        return FieldSpan(name, start - first, end - first)

    def edits(self, changes: Iterable[Replacement]) -> tuple[Edit, ...]:
        """Replacements as edits of the fields, without those that change nothing."""
        edits = []
        for start, end, after in changes:
            span = self.in_field(start, end)
            if span is not None and self.text[start:end] != after:
                edits.append(Edit(*span, self.text[start:end], after))
        return tuple(edits)


class Document(JoinedText):
    """The fields of a task as one text, with what the rules ask about it.

    The chosen word is ``text[start:end]`` and, where the lists have it, ``hit``. ``words`` are
    those of the text in lower case.
    """

    def __init__(
        self, task: PerturbTask, parses: Mapping[str, Analysis], *, full_names: bool = False
    ) -> None:
        """Join the fields of a task; ``parses`` of texts, as far as they are made.

        ``full_names``: persons with a full name change like others.
        """
        super().__init__(task.fields, BETWEEN)
        self.axis = task.axis
        self.target = task.target
        self.word = task.word
        self.pointed = task.pointed
        self.rng = task.rng
        self.refuse = task.refuse
        first = self.starts[task.field]
        self.start = first + task.start
        self.end = first + task.end
        self.given = [
            Span(self.starts[name] + a, self.starts[name] + b) for name, a, b in task.mentions
        ]
        self.full_names = full_names
        self.lower = lower = lower_in_place(self.text)
        self.words = letter_runs(lower)
        self.places: dict[int, Place | None] = {}
        self._parses = parses
        self._hits: dict[str, list[Hit]] = {}
        self.hits = self.hits_of(self.axis)
        self.hit = next((h for h in self.hits if overlap(h, self)), None)

    def is_chosen(self, span: HasSpan) -> bool:
        """Whether a span of the text holds the chosen word or a part of it."""
        return overlap(span, self)

    def hits_of(self, axis: str) -> list[Hit]:
        """The references to an axis, field by field: fixed phrases end where a field does."""
        if axis not in self._hits:
            self._hits[axis] = [
                hit._replace(start=hit.start + shift, end=hit.end + shift) if shift else hit
                for name, shift in self.starts.items()
                for hit in find_hits(axis, self.fields[name])
                if not self.given or self.is_given(Span(hit.start + shift, hit.end + shift))
            ]
        return self._hits[axis]

    def is_given(self, span: HasSpan) -> bool:
        """Whether a span of the text holds a word that the task names as the person's."""
        return any(overlap(span, mention) for mention in self.given)

    def text_of(self, hit: Hit) -> str:
        """The text of a reference."""
        return self.text[hit.start : hit.end]

    def field_span(self, offset: int) -> tuple[int, int]:
        """Where the field of a character begins and ends."""
        name = self.field_at(offset)
        return self.starts[name], self.starts[name] + len(self.fields[name])

    @cached_property
    def parsed(self) -> Analysis:
        """The dependency parse; ``NotParsed`` where that was not made."""
        if self.text not in self._parses:
            raise NotParsed
        return self._parses[self.text]

    def token(self, offset: int) -> Token | None:
        """The token at a character."""
        return self.parsed.token_at(offset)

    def words_after(self, end: int) -> Iterator[str]:
        """The next words and signs in lower case; empty ones at the end of the text."""
        for match in WORD_OR_SIGN.finditer(self.text, end, end + 160):
            yield match.group().lower()
        while True:
            yield ""

    def word_after(self, end: int) -> str:
        """The next word or sign in lower case; nothing at the end."""
        return next(self.words_after(end))

    def word_before(self, start: int) -> str:
        """The word or sign before in lower case; nothing at the beginning."""
        before = self.text[max(0, start - 60) : start].rstrip(" \t")
        match = _BEFORE.search(before, before.rfind(" ") + 1)
        return match[0].lower() if match else ""

    def opens_sentence(self, start: int) -> bool:
        """Whether a sentence begins at a character, as far as the signs before it say."""
        before = self.text[max(0, start - 20) : start].rstrip(" '\u2018")
        return not before or (before[-1] in _SENTENCE_END and not _ABBREVIATED.search(before))

    def sentence_span(self, offset: int) -> tuple[int, int]:
        """Where the sentence of a character begins and ends."""
        ends = [0, *self._sentence_ends, len(self.text)]
        index = bisect_right(self._sentence_ends, offset)
        return ends[index], ends[index + 1]

    @cached_property
    def _sentence_ends(self) -> list[int]:
        return [match.end() for match in _ENDS.finditer(self.text)]
