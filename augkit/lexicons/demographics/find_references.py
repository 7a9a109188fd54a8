"""Which demographic references stand in a text, without a parse.

A set says at once whether any could be there, and only then are they placed.

    >>> text = "He lost her keys."
    >>> hits = finder_for("gender").find(text)
    >>> [(text[hit.start : hit.end], hit.attribute, len(hit.readings)) for hit in hits]
    [('He', 'man', 1), ('her', 'woman', 2)]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from augkit.core.edits import Span, overlap
from augkit.lexicons.demographics import ages
from augkit.lexicons.demographics.axes import AxisFile, bundled_axis, read_axis
from augkit.lexicons.demographics.cues import NAMES, PEOPLE
from augkit.lexicons.demographics.names import first_names
from augkit.lexicons.demographics.term_senses import Reading, name_readings, readings
from augkit.lexicons.load import closed_classes, word_set
from augkit.lexicons.phrase_table import PhraseTable, TextWords, letter_runs

_SHARED = {"age": "gender"}
"""Axes that have words in common with another: "boy band" is left alone on both."""
_NEXT_NAME = re.compile(r" (?:(?:\w\.|de|van|von|der|del|di|da|la|le) )*[^\W\d_a-z][^\W\d_]+")
_NEGATED = re.compile("['\u2019]t\\b", re.IGNORECASE)
"""The rest of "Don't"."""
_NAME_LINK = re.compile(r" (?:[^\W\d_a-z](?:\.|\w*) )*")
"""Between a first name and a surname: "Charles *Tenney* Jackson"; no sentence ends there."""
_LAST = re.compile(r"[^ -]+$")
_JOINING = frozenset("-\u2010\u2011_@#&/")
"""Signs that make a word part of something larger: a compound, an address, a tag."""


class Hit(NamedTuple):
    """A reference to an attribute of one axis: ``text[start:end]`` and what it can mean.

    ``needs`` names what is in doubt: ``sense``, ``number``, ``pos``; ``name`` (it may be no first
    name), ``place`` (it may be one), ``surname`` (it stands where one does), ``joined`` (a sign
    ties it to a neighbour). ``blocked`` is the reason for leaving it alone, if there is one.
    """

    start: int
    end: int
    axis: str
    readings: tuple[Reading, ...]
    needs: tuple[str, ...]
    blocked: str = ""

    @property
    def attribute(self) -> str:
        """The attribute of the first reading."""
        return self.readings[0].attribute

    @property
    def pos(self) -> str:
        """The part of speech of the first reading."""
        return self.readings[0].pos

    @property
    def case(self) -> str:
        """The case of the first reading, of a pronoun."""
        return self.readings[0].case

    @property
    def is_weak(self) -> bool:
        """Whether the word is so general that it counts only where the caller points at it."""
        return self.readings[0].weak and all(reading.weak for reading in self.readings)


class ReferenceFinder:
    """Finds the references to one axis; ``finder_for`` makes one."""

    def __init__(self, axis: AxisFile) -> None:
        """Compile the axis."""
        self._axis = axis
        forms: dict[str, list[Reading]] = defaultdict(list)
        for reading in readings(axis):
            forms[reading.form.lower()].append(reading)
        small = {
            form: [r for r in readings if r.pos != "title"] for form, readings in forms.items()
        }
        self._terms = PhraseTable(
            (form, (_with_needs(readings), _with_needs(small[form] or readings)))
            for form, readings in forms.items()
        )
        self._names = {
            word: name
            for word, name in first_names().items()
            if name.gender in axis.attributes or name.group in axis.attributes
        }
        self._stops = PhraseTable(_stops_of(axis, [*forms, *self._names]))
        age_words = ages.WORDS if axis.bands else frozenset()
        words = self._terms.needed_words() | age_words
        # In a text without capitals, words that mean something else too are no names.
        self._small_names = {
            word: name
            for word, name in self._names.items()
            if name.is_clear and len(word) > 2 and word not in NAMES.not_small
        }
        self._vocabulary, self._small = words | self._names.keys(), words | self._small_names.keys()

    def may_have(self, words: TextWords) -> bool:
        """Whether a reference could be among the words of a text; a no is certain."""
        vocabulary = self._small if words.is_lower else self._vocabulary
        return not vocabulary.isdisjoint(words.words)

    def find(self, text: str) -> list[Hit]:
        """The references of a text, in order."""
        words = TextWords(text)
        if not self.may_have(words):
            return []
        hits = list(self._found_terms(text, words))
        if not self._names.keys().isdisjoint(words.words):
            hits += self._found_names(text, words, {hit.start for hit in hits})
        if self._axis.bands and not ages.WORDS.isdisjoint(words.words):
            hits = _with_ages(hits, self._axis, text)
        stops = list(self._stopped_spans(text, words)) if hits else []
        if stops:
            hits = [_blocked(hit, stops) for hit in hits]
        return sorted(hits, key=lambda hit: hit.start)

    def _found_terms(self, text: str, words: TextWords) -> Iterator[Hit]:
        axis = self._axis.axis
        lower = words.is_lower
        for first, last, (term, small) in self._terms.find(words):
            start = words.span(first)[0]
            end = words.span(last)[1]
            fitting, needs = term if lower or not text[start].islower() else small
            joined = ("joined",) if is_joined(text, start, end) else ()
            yield Hit(start, end, axis, fitting, (*joined, *needs))

    def _found_names(self, text: str, words: TextWords, taken: set[int]) -> Iterator[Hit]:
        axis = self._axis.axis
        lower = words.is_lower
        last = -2
        names = self._small_names if lower else self._names
        listed = [*words.words, ""]
        for index in [index for index, word in enumerate(listed) if word in names]:
            word, following = listed[index : index + 2]
            name, (start, end) = names[word], words.span(index)
            if start in taken or not (lower or text[start].isupper()):
                continue  # a name has a capital
            if _NEGATED.match(text, end) or self._is_modal(word, following):
                continue
            doubts = ["name"] if not name.is_clear or lower else []
            doubts += ["place"] if name.is_place else []
            follows = last >= 0 and _NAME_LINK.fullmatch(text, words.span(last)[1], start)
            if follows or _is_surname(text, words, index):
                doubts.append("surname")
            if is_joined(text, start, end):
                doubts.append("joined")
            if following and words.link(index) == "-":  # "Mei-Ling" is listed, "Jean-Pierre" is not
                whole = self._names.get(f"{word}-{following}")
                if whole or following in self._names:
                    name = whole or name
                    end = words.span(index + 1)[1]
                    doubts = []
            last = index
            yield Hit(start, end, axis, name_readings(axis, name.text), tuple(doubts))

    def _is_modal(self, word: str, following: str) -> bool:
        """Whether an auxiliary stands before a first name: "*Will* Emily come?"."""
        name = self._names.get(following)
        return closed_classes().get(word) == "modal" and name is not None and name.is_clear

    def _stopped_spans(self, text: str, words: TextWords) -> Iterator[tuple[int, int, str]]:
        """Start and end of the phrases that are left alone, and why."""
        for first, last, (phrase, why) in self._stops.find(words):
            start = words.span(first)[0]
            end = words.span(last)[1]
            capitals = ((phrase, start), (_LAST.findall(phrase)[0], words.span(last)[0]))
            lacking = any(name[0].isupper() and text[at].islower() for name, at in capitals)
            if not lacking or words.is_lower:  # "old navy" need not be the name "Old Navy"
                yield start, end, why


@cache
def finder_for(axis: str) -> ReferenceFinder:
    """The finder of an axis, by bundled name or by path; made once.

    >>> [hit.attribute for hit in finder_for("age").find("A boy sat down.")]
    ['child']
    """
    return ReferenceFinder(read_axis(axis))


def _with_needs(readings: Sequence[Reading]) -> tuple[tuple[Reading, ...], tuple[str, ...]]:
    """The readings of a form, and what they need."""
    return tuple(readings), tuple(sorted({need for reading in readings for need in reading.needs}))


def _is_surname(text: str, words: TextWords, index: int) -> bool:
    last = words.words[index - 1] if index else ""
    rank = last in PEOPLE.titles and last not in NAMES.before_first_names and not words.is_lower
    if not (rank or last in NAMES.before_surnames) or words.link(index - 1) != " ":
        return last in NAMES.particles
    return _NEXT_NAME.match(text, words.span(index)[1]) is None


def is_joined(text: str, start: int, end: int) -> bool:
    """Whether a sign ties the word to a neighbour, as in "man-made" or "#women"."""
    if start and text[start - 1] in _JOINING:
        return text[start - 1] in "@#" or (start > 1 and not text[start - 2].isspace())
    return end + 1 < len(text) and text[end] in _JOINING and not text[end + 1].isspace()


def _with_ages(hits: Sequence[Hit], axis: AxisFile, text: str) -> list[Hit]:
    """The hits and the ages in numbers; the "old" of "8-year-old" is part of the number."""
    numbers = list(ages.find_ages(text))
    inside = {offset for age in numbers for offset in range(*age.whole)}
    left = [hit for hit in hits if not {hit.start, hit.end - 1} <= inside]
    for age in numbers:
        form = text[age.start : age.end]
        reading = Reading(ages.band_of(age.years, axis), "age", form, {})
        needs = ("sense",) if age.is_certain else ("sense", "number")
        left.append(Hit(age.start, age.end, axis.axis, (reading,), needs))
    return left


def _blocked(hit: Hit, stops: Iterable[tuple[int, int, str]]) -> Hit:
    """The hit, blocked by the first phrase in which it lies that is left alone."""
    reasons = (why for start, end, why in stops if overlap(hit, Span(start, end)))
    return hit._replace(blocked=next(reasons, ""))


def _stops_of(axis: AxisFile, words: Iterable[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The phrases that are left alone on an axis, and why; of two alike the first counts."""
    for phrase in axis.fixed:
        yield phrase, (phrase, f"'{phrase}' is a fixed phrase")
    for phrase, why in axis.refuse.items():
        yield phrase, (phrase, f"'{phrase}': {why}")
    shared = bundled_axis(_SHARED[axis.axis]).fixed if axis.axis in _SHARED else ()
    vocabulary = frozenset(words)
    phrases = (*word_set("named_phrases"), *shared)
    named = {p for p in phrases if not vocabulary.isdisjoint(letter_runs(p.lower()))}
    named |= {
        f"{p[:-1]}ies" if p.endswith(("dy", "by", "ly", "ty", "ry")) else f"{p}s"
        for p in (*axis.fixed, *named)
    }
    for phrase in sorted(named):
        yield phrase, (phrase, f"'{phrase}' names no person")
