"""A text as the rules read it: its references and, when a rule first needs it, its parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from augkit.augmenters.panda.edits import JoinedText
from augkit.augmenters.panda.perturbers.protocol import NamePolicy, PerturbTask, Reason
from augkit.augmenters.panda.references import find_hits
from augkit.core.analysis import Analysis, Token
from augkit.core.protocols import Parser
from augkit.core.types import Rejection
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.phrase_table import letter_runs, lower_in_place

BETWEEN = "\n\n"
"""Joins fields: no sentence goes over a blank line."""
_KEPT_CHARS = 500_000
"""Characters of text whose parses are kept: some hundred reviews, about 30 MB."""
_PART = re.compile(r"[\w'\u2019]+(?:-\w+)*|[^\w\s]|\n")
_BEFORE = re.compile(r"([\w'\u2019]+(?:-\w+)*|[^\w\s]|\n)[ \t]*$")
_ENDS = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St|Sr|Jr))(?<!\b(?:Mrs|Rev|Gen))"
    r"[.!?]['\"\u201d)]*\s+(?=[\"'\u201c(]*[A-Z0-9])|\n+| [.!?] "
)
_SIGNS = '&"\u201c'
_SENTENCE_END = frozenset('.!?\n:;"\u201c\u201d([*>')


class NotParsed(Exception):
    """A rule asks for the parse of a text that is not parsed yet."""


class ParseCache:
    """Parses texts, and keeps the latest: the persons of a row change one after the other."""

    def __init__(self, parser: Parser) -> None:
        """Start empty."""
        self._parser = parser
        self._kept: dict[str, Analysis] = {}

    def get(self, text: str) -> Analysis:
        """The parse of a text that was added."""
        if text not in self._kept:
            raise NotParsed
        return self._kept[text]

    def add(self, texts: Iterable[str]) -> None:
        """Parse the texts that were not parsed yet, all in one batch."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if new and sum(map(len, self._kept)) > _KEPT_CHARS:
            self._kept.clear()
        if new:
            self._kept.update(zip(new, self._parser.parse(new), strict=True))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mention stands: its head, its role, and the predicate of its clause."""

    head: Token
    role: str
    clause: Token


class Document(JoinedText):
    """The fields of an example as one text, with what the rules ask about it."""

    def __init__(self, task: PerturbTask, parses: ParseCache, names: NamePolicy = "any") -> None:
        """Join the fields of a task. ``names``: see ``NamePolicy``."""
        super().__init__(task.fields, BETWEEN)
        self.example = task.example
        self.axis = task.axis
        self.pointed = task.pointed
        self.given = task.mentions
        self.names = names
        self.lower = lower_in_place(self.text)
        self.cases: dict[int, str | None] = {}
        self.places: dict[int, Place | None] = {}
        self._parses = parses
        self._hits: dict[str, list[Hit]] = {}
        self.hits = self.hits_of(self.axis)

    def reject(self, reason: Reason, detail: str) -> Rejection:
        """The rejection of a task on this text."""
        return Rejection(self.example, reason, detail)

    def span(self, task: PerturbTask) -> tuple[int, int]:
        """Where the chosen word of a task is in the joined text."""
        return self.starts[task.field] + task.start, self.starts[task.field] + task.end

    def hits_of(self, axis: str) -> list[Hit]:
        """The references to an axis, field by field: fixed phrases end where a field does."""
        if axis not in self._hits:
            self._hits[axis] = [
                hit._replace(start=hit.start + shift, end=hit.end + shift) if shift else hit
                for name, shift in self.starts.items()
                for hit in find_hits(axis, self.fields[name])
                if not self.given or self.is_given(hit.start + shift, hit.end + shift)
            ]
        return self._hits[axis]

    def is_given(self, start: int, end: int) -> bool:
        """Whether a span of the text holds a word that the task names as the person's."""
        places = (
            (self.starts[name] + first, self.starts[name] + last)
            for name, first, last in self.given
        )
        return any(first < end and start < last for first, last in places)

    def hit_at(self, start: int, end: int) -> Hit | None:
        """The reference that a span is, holds or lies in."""
        return next((h for h in self.hits if h.start < end and start < h.end), None)

    def text_of(self, hit: Hit) -> str:
        """The text of a reference."""
        return self.text[hit.start : hit.end]

    def field_span(self, offset: int) -> tuple[int, int]:
        """Where the field of a character begins and ends."""
        name = self.field_at(offset)
        return self.starts[name], self.starts[name] + len(self.fields[name])

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the text in lower case, and the signs that contexts look for."""
        return frozenset((*letter_runs(self.lower), *filter(self.lower.__contains__, _SIGNS)))

    @cached_property
    def parsed(self) -> Analysis:
        """The dependency parse; ``NotParsed`` where that was not made."""
        return self._parses.get(self.text)

    def token(self, offset: int) -> Token | None:
        """The token at a character."""
        return self.parsed.token_at(offset)

    def words_after(self, end: int) -> Iterator[str]:
        """The next words and signs in lower case; empty ones at the end of the text."""
        for match in _PART.finditer(self.text, end, end + 160):
            yield match.group().lower()
        while True:
            yield ""

    def word_after(self, end: int) -> str:
        """The next word or sign in lower case; nothing at the end."""
        return next(self.words_after(end))

    def word_before(self, start: int) -> str:
        """The word or sign before in lower case; nothing at the beginning."""
        match = _BEFORE.search(self.text, max(0, start - 60), start)
        return match[1].lower() if match else ""

    def opens_sentence(self, start: int) -> bool:
        """Whether a sentence begins at a character, as far as the signs before it say."""
        before = self.text[max(0, start - 20) : start].rstrip(" '\u2018")
        return not before or before[-1] in _SENTENCE_END

    def sentence_span(self, offset: int) -> tuple[int, int]:
        """Where the sentence of a character begins and ends."""
        ends = [0, *self._sentence_ends, len(self.text)]
        index = bisect_right(self._sentence_ends, offset)
        return ends[index], ends[index + 1]

    @cached_property
    def _sentence_ends(self) -> list[int]:
        return [match.end() for match in _ENDS.finditer(self.text)]
