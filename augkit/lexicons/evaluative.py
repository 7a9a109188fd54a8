"""Evaluative words and phrases of two polarities, grouped by aspect.

The files are ``data/evaluative/*.yaml``; ``general.yaml`` says what their marks mean. A lexicon of
your own has the same keys: ``adjective``, ``superlative``, ``comparative``, ``adverb``, ``verb``
and ``noun`` hold groups, ``phrases`` the two lists of ``phrases.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field

from augkit.core.config import StrictModel, validate
from augkit.core.yaml_files import read_yaml
from augkit.lexicons.load import data_yaml

Polarity = Literal["positive", "negative"]
_POLARITIES: tuple[Polarity, ...] = ("positive", "negative")
Kind = Literal["adjective", "superlative", "comparative", "adverb", "verb", "noun"]
KINDS: tuple[Kind, ...] = ("adjective", "superlative", "comparative", "adverb", "verb", "noun")
_EDGE = r"(?<![\w-])"
"""Before a phrase."""
_NOT_BY_LOWER = re.compile("[\u0130\u0131\u017f\u212a]")
"""Letters that are an i, s or k where case does not count, and not so in lower case."""
RUN = re.compile(r"[^\W\d_]+")
"""A run of letters."""
DOMAINS = ("general", "criticism", "products", "food")


def opposite(polarity: Polarity) -> Polarity:
    """The opposite polarity."""
    return "negative" if polarity == "positive" else "positive"


class Group(StrictModel):
    """Words of one aspect and two polarities, each a string of words with spaces between them."""

    aspect: str
    positive: str
    negative: str


class PhraseLists(StrictModel):
    """Patterns with their replacements: ``[pattern, replacement, ...]``."""

    positive: tuple[tuple[str, ...], ...] = ()
    negative: tuple[tuple[str, ...], ...] = ()


class LexiconFile(StrictModel):
    """What stands in a lexicon file."""

    adjective: tuple[Group, ...] = ()
    superlative: tuple[Group, ...] = ()
    comparative: tuple[Group, ...] = ()
    adverb: tuple[Group, ...] = ()
    verb: tuple[Group, ...] = ()
    noun: tuple[Group, ...] = ()
    phrases: PhraseLists = Field(default_factory=PhraseLists)


@dataclass(frozen=True, slots=True)
class Entry:
    """An evaluative word: its polarity, and its opposites."""

    word: str
    kind: Kind
    polarity: Polarity
    aspect: str
    conditional: bool
    """Counts only if its target is something that reviews judge."""
    opposites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """An evaluative stock phrase, and its opposites."""

    pattern: re.Pattern[str]
    polarity: Polarity
    opposites: tuple[str, ...]
    stands_alone: bool = False
    """Whether its opposites read well in a sentence alone."""


class Phrases(tuple[Phrase, ...]):  # noqa: SLOT001 - it keeps its pattern
    """The phrases of a polarity, the more specific first; hashed by identity, which is quick."""

    __hash__ = object.__hash__

    @cached_property
    def begins(self) -> re.Pattern[str]:
        """Finds every place of a text at which one of them begins, in one pass over the text."""
        bare = (phrase.pattern.pattern.removeprefix(_EDGE) for phrase in self)
        return re.compile(rf"{_EDGE}(?=(?:{'|'.join(bare) or '(?!)'}))", re.IGNORECASE)

    @cached_property
    def begins_in_lower(self) -> re.Pattern[str]:
        """The same for lower-case texts, six times as fast: ``re`` can compare first letters.

        A phrase of a user's lexicon with a capital is found by the slower one.
        """
        written = re.sub(r"\\.", "", self.begins.pattern)
        if written != written.lower():
            return self.begins
        return re.compile(self.begins.pattern)

    def find(self, text: str) -> Iterator[tuple[Phrase, re.Match[str]]]:
        """Each phrase where it stands: what ``finditer`` of their patterns gives, in turn."""
        if text.isascii() or not _NOT_BY_LOWER.search(text):
            places = [match.start() for match in self.begins_in_lower.finditer(text.lower())]
        else:
            places = [match.start() for match in self.begins.finditer(text)]
        for phrase in self if places else ():
            end = 0
            for place in places:
                if place >= end and (match := phrase.pattern.match(text, place)):
                    yield phrase, match
                    end = match.end()


@dataclass(frozen=True)
class Evaluative:
    """An evaluative lexicon; made by ``bundled`` or ``read``."""

    entries: Mapping[tuple[Kind, str], Entry]
    phrases: tuple[Phrase, ...]

    def find(self, kind: Kind, word: str) -> Entry | None:
        """The entry of a lower-case word (of a verb or noun: its lemma)."""
        return self.entries.get((kind, word))

    def judgement(self, word: str) -> Polarity | None:
        """How a lower-case word judges whatever it is said of; of "loud", that depends on it.

        >>> [bundled_lexicon().judgement(word) for word in ("great", "awful", "loud", "branch")]
        ['positive', 'negative', None, None]
        """
        entries = (self.find(kind, word) for kind in KINDS)
        return next((entry.polarity for entry in entries if entry and not entry.conditional), None)

    def of_polarity(self, polarity: Polarity) -> Phrases:
        """The phrases of a polarity, the more specific first."""
        return self._by_polarity[polarity]

    @cached_property
    def _by_polarity(self) -> dict[Polarity, Phrases]:
        return {
            polarity: Phrases(phrase for phrase in self.phrases if phrase.polarity == polarity)
            for polarity in _POLARITIES
        }

    @cached_property
    def compounds(self) -> Mapping[str, Entry]:
        """Entries with a hyphen, which a tokenizer may cut in pieces."""
        return {word: entry for (_, word), entry in self.entries.items() if "-" in word}

    @cached_property
    def letters(self) -> frozenset[str]:
        """The longest run of letters of every entry: a text with none of them has no entry."""
        return frozenset(_longest_run(word) for _, word in self.entries)

    @cached_property
    def letters_of_lemmas(self) -> frozenset[str]:
        """The same of verbs and nouns, which are looked up by their lemmas."""
        kinds = ("verb", "noun")
        return frozenset(_longest_run(word) for kind, word in self.entries if kind in kinds)

    @cached_property
    def words(self) -> Mapping[str, Polarity]:
        """Every word with its polarity; one that has both (in two kinds) is left out."""
        polarities: dict[str, set[Polarity]] = {}
        for (_, word), entry in self.entries.items():
            polarities.setdefault(word, set()).add(entry.polarity)
        return {word: next(iter(sides)) for word, sides in polarities.items() if len(sides) == 1}


@dataclass(frozen=True)
class Judged:
    """Nouns and pronouns for what a review judges."""

    things: frozenset[str]
    pronouns: frozenset[str]
    before: Mapping[str, frozenset[str]]
    """Word → following words with which it judges nothing: a good deal, poor man."""


@cache
def bundled_lexicon(domains: tuple[str, ...] = DOMAINS) -> Evaluative:
    """The lexicon that ships with augkit; of two entries for a word the first domain's is kept."""
    held = [
        validate(LexiconFile, data_yaml(f"evaluative/{name}.yaml"), f"{name}.yaml")
        for name in domains
    ]
    lists = validate(PhraseLists, data_yaml("evaluative/phrases.yaml"), "phrases.yaml")
    return _lexicon(held, lists)


@cache
def read_lexicon(path: Path) -> Evaluative:
    """A lexicon of the user; an error names the file and the key."""
    return lexicon_of(validate(LexiconFile, read_yaml(path), str(path)))


def lexicon_of(held: LexiconFile) -> Evaluative:
    """The lexicon of a file, or of fitted values in the same form."""
    return _lexicon([held], held.phrases)


@cache
def judged() -> Judged:
    """What reviews judge: ``data/evaluative/judged.yaml``."""
    values = data_yaml("evaluative/judged.yaml")
    before = {word: frozenset(listed.split()) for word, listed in values["before"].items()}
    things, pronouns = (frozenset(values[key].split()) for key in ("things", "pronouns"))
    return Judged(things, pronouns, before)


def _lexicon(held: Iterable[LexiconFile], lists: PhraseLists) -> Evaluative:
    entries: dict[tuple[Kind, str], Entry] = {}
    for file in held:
        for kind in KINDS:
            for group in getattr(file, kind):
                for entry in _entries(kind, group):
                    entries.setdefault((kind, entry.word), entry)
    phrases = tuple(
        _phrase(polarity, row) for polarity in _POLARITIES for row in getattr(lists, polarity)
    )
    return Evaluative(entries, phrases)


def _entries(kind: Kind, group: Group) -> Iterator[Entry]:
    written = {polarity: _marked(getattr(group, polarity)) for polarity in _POLARITIES}
    for polarity in _POLARITIES:
        opposites = tuple(word for word, marks in written[opposite(polarity)] if "*" not in marks)
        for word, marks in written[polarity]:
            yield Entry(word, kind, polarity, group.aspect, "?" in marks, opposites)


def _longest_run(word: str) -> str:
    """The longest run of letters in a word: "numbing" of "mind-numbing"."""
    return max(RUN.findall(word), key=len, default="")


def _marked(words: str) -> list[tuple[str, str]]:
    """Words with their marks: ``flat?`` → ("flat", "?")."""
    bare = ((word.rstrip("?*"), word) for word in words.split())
    return [(word, marked[len(word) :]) for word, marked in bare]


def _phrase(polarity: Polarity, row: tuple[str, ...]) -> Phrase:
    written, *opposites = row
    pattern = written.removeprefix("+").replace("'", "['\u2019]").replace(" ", r"\s+")
    return Phrase(
        re.compile(rf"{_EDGE}{pattern}(?![\w])", re.IGNORECASE),
        polarity,
        tuple(opposites),
        written.startswith("+"),
    )
