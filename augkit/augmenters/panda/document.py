"""A text as the rules read it: its references and, when a rule first needs it, its parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from augkit.augmenters.panda.perturbers.protocol import NamePolicy, PerturbTask, Reason
from augkit.augmenters.panda.references import find_hits
from augkit.core.analysis import Analysis, Token
from augkit.core.protocols import Parser
from augkit.core.types import Rejection
from augkit.language.coreference.resolve import People, resolve_people
from augkit.language.parse_repair import repair_parse
from augkit.lexicons.demographics.cues import PERSONS_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.term_senses import name_readings

BETWEEN = "\n\n"
"""Joins fields: no sentence goes over a blank line."""
_KEPT_CHARS = 500_000
"""Characters of text whose parses are kept: some hundred reviews, about 30 MB."""


class _Span(Protocol):
    """What has a first and a last character."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class ParsedText:
    """The parse of a text, and its coreference."""

    def __init__(self, analysis: Analysis) -> None:
        """Keep the parse; coreference is resolved when first read."""
        self.analysis = analysis

    @cached_property
    def people(self) -> People:
        """The persons of the text and their mentions."""
        return resolve_people(self.analysis)


class ParseCache:
    """Parses texts, and keeps the latest: the persons of a row change one after the other."""

    def __init__(self, parser: Parser) -> None:
        """Start empty."""
        self._parser = parser
        self._kept: dict[str, ParsedText] = {}

    def get(self, text: str) -> ParsedText:
        """The parse of a text, made now if it was not made before."""
        kept = self._kept.get(text)
        return kept if kept is not None else self._parse([text])[0]

    def add(self, texts: Iterable[str]) -> None:
        """Parse the texts that were not parsed yet, all in one batch."""
        if new := [text for text in dict.fromkeys(texts) if text not in self._kept]:
            self._parse(new)

    def _parse(self, texts: list[str]) -> list[ParsedText]:
        parses = [ParsedText(repair_parse(analysis)) for analysis in self._parser.parse(texts)]
        self._kept.update(zip(texts, parses, strict=True))
        excess = sum(map(len, list(self._kept))) - _KEPT_CHARS
        for oldest in list(self._kept)[: -len(texts)] if excess > 0 else ():
            if excess > 0:
                self._kept.pop(oldest, None)
                excess -= len(oldest)
        return parses


class Document:
    """The fields of an example as one text, with what the rules ask about it."""

    def __init__(
        self,
        task: PerturbTask,
        parses: ParseCache,
        names: NamePolicy = "any",
    ) -> None:
        """Join the fields; ``starts`` says where each begins. ``names``: see ``NamePolicy``."""
        example = task.example
        self.names = names
        self.pointed = task.pointed
        self.example = example
        self.fields = example.fields
        self.axis = task.axis
        self.text = BETWEEN.join(self.fields.values())
        self.starts: dict[str, int] = {}
        self._parses = parses
        start = 0
        for name, text in self.fields.items():
            self.starts[name] = start
            start += len(text) + len(BETWEEN)

    def reject(self, reason: Reason, detail: str) -> Rejection:
        """The rejection of a task on this text."""
        return Rejection(self.example, reason, detail)

    def span(self, task: PerturbTask) -> tuple[int, int]:
        """Where the chosen word of a job is in the joined text."""
        return self.starts[task.field] + task.start, self.starts[task.field] + task.end

    def text_of(self, part: _Span) -> str:
        """The text of a reference, mention or token."""
        return self.text[part.start : part.end]

    def has_pronoun(self, attribute: str, after: int = -1) -> bool:
        """Whether a pronoun of an attribute begins after an offset."""
        return any(
            hit.pos == "pronoun" and hit.attribute == attribute and hit.start > after
            for hit in self.hits
        )

    def field_at(self, offset: int) -> str:
        """The field that a character of the joined text belongs to."""
        names = list(self.starts)
        return names[bisect_right(list(self.starts.values()), offset) - 1]

    def field_text(self, offset: int) -> str:
        """The text of the field that a character belongs to."""
        return self.fields[self.field_at(offset)]

    @cached_property
    def hits(self) -> list[Hit]:
        """The references to the axis, field by field: fixed phrases end where a field does."""
        found: list[Hit] = []
        for name, text in self.fields.items():
            shift = self.starts[name]
            for hit in find_hits(self.axis, text):
                whole = _counted(text, _after_years(text, hit))
                found.append(whole._replace(start=whole.start + shift, end=whole.end + shift))
        return _whole_names(self.text, found)

    @cached_property
    def hit_by_start(self) -> dict[int, Hit]:
        """The references by where they begin."""
        return {hit.start: hit for hit in self.hits}

    def hit_at(self, start: int, end: int) -> Hit | None:
        """The reference that a span is, holds or lies in."""
        for hit in self.hits:
            if hit.start < end and start < hit.end:
                return hit
        return None

    @cached_property
    def _parse(self) -> ParsedText:
        return self._parses.get(self.text)

    @property
    def people(self) -> People:
        """The persons of the text and their mentions; parses the text where that was not done."""
        return self._parse.people

    @cached_property
    def parsed(self) -> Analysis:
        """The dependency parse, made now where that was not done."""
        return self._parse.analysis

    def token(self, offset: int) -> Token | None:
        """The token at a character."""
        return self.parsed.token_at(offset)

    def is_name_word(self, offset: int) -> bool:
        """Whether the parser takes the word at a character for a proper noun."""
        token = self.token(offset)
        return token is not None and token.upos == "PROPN"

    def word_after(self, end: int) -> str:
        """The next word in lower case; the sign where one stands before it, nothing at the end."""
        rest = self.text[end : end + 60].lstrip(" \t")
        match = PERSONS_RE.word.match(rest)
        return match.group().lower() if match else rest[:1]

    def word_before(self, start: int) -> str:
        """The word before in lower case; the sign where one stands between."""
        part = self.text[max(0, start - 60) : start].rstrip(" \t")
        last = part[-1:]
        if last.isalpha():  # the usual case: what follows the last space ends with the word
            match = PERSONS_RE.before.search(part, part.rfind(" ") + 1)
            word = match[1].lower() if match is not None else last
            # without the mark that opens a quotation: "let" of "'let her go'", but "'s"
            return word[1:] if word[0] in "'\u2019" and len(word) > 3 else word
        match = PERSONS_RE.before.search(part)
        return last if match is None or match[2] else match[1].lower()

    def words_before(self, start: int, reach: int = 40) -> list[str]:
        """What stands between spaces before a place, in lower case, ``reach`` characters back."""
        return self.text[max(0, start - reach) : start].lower().split()

    def next_words(self, end: int, count: int) -> list[str]:
        """The next words and signs in lower case, at most ``count``."""
        found = []
        for match in re.finditer(r"[\w'\u2019]+(?:-\w+)*|[^\w\s]|\n", self.text[end : end + 120]):
            found.append(match.group().lower())
            if len(found) == count:
                break
        return found


def _after_years(text: str, hit: Hit) -> Hit:
    """The noun alone in "80-year-old woman": its "old" belongs to the number."""
    before = text[max(0, hit.start - 8) : hit.start + 4]
    if hit.axis != "age" or not PERSONS_RE.old_after_years.search(before):
        return hit
    inner = find_hits(hit.axis, text[hit.start + 4 : hit.end])
    start = hit.start + 4
    return hit._replace(start=start, readings=inner[0].readings, needs=()) if inner else hit


def _counted(text: str, hit: Hit) -> Hit:
    """The noun as one where its article says so: "*A women* is smiling" is a slip."""
    if hit.number != "plural" or not PERSONS_RE.one_of.search(
        text, max(0, hit.start - 24), hit.start
    ):
        return hit
    one = tuple(replace(reading, number="singular") for reading in hit.readings)
    return hit._replace(readings=one)


def _whole_names(text: str, hits: list[Hit]) -> list[Hit]:
    """The hits, with the two halves of a name such as "Mei-Ling" made one."""
    found: list[Hit] = []
    for hit in hits:
        last = found[-1] if found else None
        named = hit.pos == "name" and last is not None
        if named and last and last.pos == "name" and text[last.end : hit.start] == "-":
            name = look_up(text[last.start : hit.end])
            both = last.readings if name is None else name_readings(hit.axis, name)
            if name is None and last.attribute != hit.attribute:
                both = hit.readings  # "Jean-Jacques"
            found[-1] = last._replace(end=hit.end, readings=both, needs=())
        else:
            found.append(hit)
    return found
