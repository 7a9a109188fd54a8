"""Mentions of persons, and what the linker reads in the words around them."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

_TOKENS = re.compile(r"\w+|\n\s*\n|[^\w\s]")
_NOUN_PHRASE = 4
"""How many words before a noun may be its determiner."""


@dataclass(frozen=True, slots=True)
class PersonMention:
    """A word or phrase that refers to a person or to several: ``text[start:end]``.

    A pronoun, a name with or without its title, or the head of a noun phrase. ``gender`` is what
    the form shows: "man", "woman", "they" (the pronoun) or "unknown". ``case`` is that of a
    pronoun: "subject", "object", "possessive", "reflexive", or "" where it is not known.
    """

    start: int
    end: int
    kind: Literal["pronoun", "name", "noun"]
    gender: str
    number: Literal["singular", "plural"]
    case: str = ""


@dataclass(slots=True)
class MentionReading:
    """A mention and its surroundings.

    ``shape`` is the kind with the case or the determiner, ``words`` those of the name or the noun,
    ``before`` the word before, ``begin`` and ``last`` the places of the phrase in the text,
    ``clause`` how many clauses were opened, the last at ``opened``, ``quote`` the number of the
    quotation or 0, ``lead`` "y" for the first mention of a sentence.
    """

    mention: PersonMention
    shape: str
    role: str
    words: tuple[str, ...]
    before: list[str]
    begin: int
    last: int
    sentence: int
    clause: int
    opened: int
    quote: int
    lead: str


@cache
def model() -> tuple[dict[str, str], dict[tuple[str, ...], float]]:
    """The class of each word, and the weight of each feature: ``model.json``."""
    found = json.loads(files("augkit.language").joinpath("person_links/model.json").read_bytes())
    classes = {word: name for name, words in found["classes"].items() for word in words.split()}
    return classes, {tuple(name.split("|")): weight for name, weight in found["weights"].items()}


class TextReader:
    """The words of a text, in lower case, with the class of each, and their sentences."""

    def __init__(self, text: str) -> None:
        """Read a text from left to right."""
        self.text, (classes, _) = text, model()
        self.starts, self.words, self.kinds = list[int](), list[str](), list[str]()
        self._marks: list[tuple[int, int, int, int]] = []
        sentence = clause = quote = quotes = ended = opened = 0
        for match in _TOKENS.finditer(text):
            start, word = match.start(), match[0].lower()
            kind = classes.get(word, "")
            if ended and kind != "close":
                sentence, clause, ended, opened = sentence + 1, clause + 1, 0, len(self.words)
            if kind == "quote":
                quotes += not quote
                quote = 0 if quote else quotes
            elif kind in {"opener", "joiner"}:
                clause, opened = clause + 1, len(self.words)
            elif kind == "end":
                ended = not (word == "." and self._is_abbreviation(start))
            elif word.isspace():
                ended, quote = 1, 0
            self.starts.append(start)
            self.words.append(word)
            self.kinds.append(kind)
            self._marks.append((sentence, clause, opened, quote))

    def _is_abbreviation(self, stop: int) -> bool:
        """Whether a full stop belongs to the word before: "Mrs." or "J."."""
        before = self.words[-1] if self.words else ""
        glued = self.text[stop - len(before) : stop].istitle()
        return glued and (len(before) == 1 or self.kinds[-1] == "title")

    def read(self, mentions: Sequence[PersonMention]) -> list[MentionReading]:
        """The readings of mentions, which are in order of the text."""
        found, sentence = list[MentionReading](), -1
        for mention in mentions:
            if not self.text[mention.start : mention.end].strip():
                raise ValueError(f"{mention} has no word of the text ({len(self.text)} characters)")
            last = bisect_left(self.starts, mention.end) - 1
            first = min(bisect_left(self.starts, mention.start), last)
            while first < last and (self.kinds[first] == "title" or self.words[first] == "."):
                first += 1  # "Mrs. Hale": Hale
            words, before = tuple(self.words[first : last + 1]), self.words[first - 1 : first]
            begin, shape = self._shape(mention, first, last)
            role, marks = self._role(shape, begin, last), self._marks[first]
            lead, sentence = "y" if marks[0] != sentence else "", marks[0]
            found.append(
                MentionReading(mention, shape, role, words, before, begin, last, *marks, lead)
            )
        return found

    def _shape(self, mention: PersonMention, first: int, last: int) -> tuple[int, str]:
        """Where the noun phrase begins, and the kind of mention with its case or determiner."""
        if mention.kind == "pronoun":
            short = self.words[first].endswith(("he", "hey"))  # he, she, they
            case = mention.case or ("subject" if short else "object")
            return first, f"{'they' if mention.gender == 'they' else 'he'}:{case}"
        plural = "s" if mention.number == "plural" else ""
        if mention.kind == "name":
            return first, f"name{plural}:{1 + (last > first)}"
        for index in range(first - 1, max(-1, first - 1 - _NOUN_PHRASE), -1):
            kind = self.kinds[index]
            if kind in {"definite", "indefinite", "owner"}:
                return index, f"noun{plural}:{kind}"
            if kind:
                return first, f"noun{plural}:{'of name' if kind == 'close' else 'bare'}"
        return first, f"noun{plural}:bare"

    def _role(self, shape: str, start: int, last: int) -> str:
        """The role of a mention in its clause, guessed from the words beside it."""
        kind, _, case = shape.partition(":")
        after = self.words[last + 1 : last + 3]
        if case == "possessive" or after in (["'", "s"], ["\u2019", "s"]):
            return "possessor"
        before = self.kinds[start - 1] if start else "end"
        if before == "preposition":
            return "oblique"
        if kind in {"he", "they"}:
            return "subject" if case == "subject" else "object"
        verb = "verb" in self.kinds[last + 1 : last + 2] or "".join(after[:1]).endswith("ed")
        return "subject" if verb or before in {"end", "opener", "joiner", "quote"} else "object"
