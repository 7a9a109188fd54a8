"""Which demographic references stand in a text, without a parse.

A set says at once whether any could be there, and only then are they placed. A reference that can
be understood in one way only says so; the others name what must be found out.

    >>> text = "He lost her keys."
    >>> hits = finder_for("gender").find(text)
    >>> [(text[hit.start : hit.end], hit.attribute, hit.options("man")) for hit in hits]
    [('He', 'man', ('he',)), ('her', 'woman', ('him', 'his'))]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from augkit.lexicons.demographics import ages
from augkit.lexicons.demographics.axes import AxisFile, bundled_axis, read_axis
from augkit.lexicons.demographics.find_names import (
    has_capital,
    is_joined,
    may_be_verb,
    names_in,
)
from augkit.lexicons.demographics.first_names import first_names
from augkit.lexicons.demographics.term_senses import Reading, name_readings, readings
from augkit.lexicons.load import word_set
from augkit.lexicons.phrase_table import PhraseTable, TextWords, lower_in_place, text_words

_SIGNS = (
    "\t\n\r.,;:!?\"'()[]{}<>*|~`^%$+=\\/-_@#&\u2010\u2011\u2013\u2014\u2026\u201c\u201d\u2018\u2019"
)
_SPACED = dict.fromkeys(map(ord, _SIGNS), " ")
_START = attrgetter("start")
_SHARED = {"age": "gender"}
"""Axes that have words in common with another: "boy band" is left alone on both."""
_PLURALS = {"man": "men", "child": "children", "ay": "ays", "ey": "eys", "oy": "oys", "y": "ies"}
_PLURALS |= {ending: f"{ending}es" for ending in ("sh", "ch", "x", "ss")}


class Hit(NamedTuple):
    """A reference to an attribute of one axis: ``text[start:end]`` and what it can mean.

    ``needs`` names what must be found out before it may be changed: ``pos``, ``sense``, ``number``;
    ``capital`` (it may be part of a name or title), ``name`` (it may be no first name), ``surname``
    (it stands where one does), ``joined`` (a hyphen or sign ties it to a neighbour). ``blocked`` is
    the reason for leaving it alone, if there is one.
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
    def number(self) -> str:
        """The number of the first reading."""
        return self.readings[0].number

    @property
    def case(self) -> str:
        """The case of the first reading, of a pronoun."""
        return self.readings[0].case

    @property
    def form(self) -> str:
        """The form of the first reading, as the lexicon has it."""
        return self.readings[0].form

    @property
    def is_weak(self) -> bool:
        """Whether the word is so general that it counts only where the caller points at it."""
        return all(reading.weak for reading in self.readings)

    def options(self, target: str) -> tuple[str, ...]:
        """What it may become for an attribute, in the casing of the lexicon."""
        found = (reading.written.get(target) for reading in self.readings)
        return tuple(dict.fromkeys(word for word in found if word is not None))


class _Term(NamedTuple):
    """All readings of one form on one axis, and what they need."""

    readings: tuple[Reading, ...]
    needs: tuple[str, ...]


class ReferenceFinder:
    """Finds the references to one axis; ``finder_for`` makes one."""

    def __init__(self, axis: AxisFile) -> None:
        """Compile the axis. A term is held twice: as understood with a capital, and without."""
        self._axis = axis
        forms: dict[str, list[Reading]] = defaultdict(list)
        for reading in readings(axis):
            forms[reading.form.lower()].append(reading)
        self._terms = PhraseTable(
            (form, (_term(some), _term(_untitled(some)))) for form, some in forms.items()
        )
        self._names = {
            word: name
            for word, name in first_names().items()
            if name.gender in axis.attributes or name.group in axis.attributes
        }
        self._stops = PhraseTable(_stops_of(axis, forms, self._names))
        age_words = ages.WORDS if axis.bands else frozenset()
        self._vocabulary = self._terms.needed_words() | self._names.keys() | age_words

    def may_have(self, text: str) -> bool:
        """Whether a reference could be in the text; a no is certain."""
        return not self._vocabulary.isdisjoint(text.lower().translate(_SPACED).split())

    def find(self, text: str) -> list[Hit]:
        """The references of a text, in order."""
        if not self.may_have(text):
            return []
        words = text_words(lower_in_place(text))
        found = list(self._found_terms(text, words))
        if self._names:
            found += self._found_names(text, words, {hit.start for hit in found})
        if self._axis.bands and not ages.WORDS.isdisjoint(words.words):
            found = _with_ages(found, self._axis, text)
        stops = self._stopped_offsets(text, words) if found else {}
        if stops:
            found = [_stopped(hit, stops) for hit in found]
        return sorted(found, key=_START)

    def _found_terms(self, text: str, words: TextWords) -> Iterator[Hit]:
        for first, last, (with_capital, lower) in self._terms.find(words):
            start, end = words.spans[first][0], words.spans[last][1]
            titled = not text[start].islower() or self._is_before_name(text, words, last)
            term = with_capital if titled else lower
            needs = _needs(term, text, words, (first, start, end))
            yield Hit(start, end, self._axis.axis, term.readings, needs)

    def _is_before_name(self, text: str, words: TextWords, last: int) -> bool:
        """As in "sir anthony", in a text without capitals."""
        name = self._names.get(words.words[last + 1]) if last + 1 < len(words.words) else None
        return name is not None and name.is_clear and words.link(last) == " " and text.islower()

    def _found_names(self, text: str, words: TextWords, taken: set[int]) -> Iterator[Hit]:
        axis = self._axis.axis
        for start, end, name, doubts in names_in(text, words, self._names, taken):
            yield Hit(start, end, axis, name_readings(axis, name), doubts)

    def _stopped_offsets(self, text: str, words: TextWords) -> Mapping[int, str]:
        """Offset → why it is left alone, in the phrases that are."""
        stops: dict[int, str] = {}
        for first, last, stop in self._stops.find(words):
            ends = (text[words.spans[index][0]] for index in (first, last))
            expected = zip(stop.capitals, ends, strict=True)
            if any(name and sign.islower() for name, sign in expected) and not text.islower():
                continue
            for offset in range(words.spans[first][0], words.spans[last][1]):
                stops.setdefault(offset, stop.why)
        return stops


@cache
def finder_for(axis: str) -> ReferenceFinder:
    """The finder of an axis, by bundled name or by path; made once.

    >>> [hit.attribute for hit in finder_for("age").find("A boy sat down.")]
    ['child']
    """
    return ReferenceFinder(read_axis(axis))


def _term(some: Sequence[Reading]) -> _Term:
    return _Term(tuple(some), tuple(dict.fromkeys(need for one in some for need in one.needs)))


def _untitled(some: Sequence[Reading]) -> Sequence[Reading]:
    """Readings without those as a title, which has a capital, if others are left."""
    return [reading for reading in some if reading.pos != "title"] or some


def _with_ages(found: Sequence[Hit], axis: AxisFile, text: str) -> list[Hit]:
    """The hits and the ages in numbers; the "old" of "8-year-old" is part of the number."""
    found_ages = list(ages.find_ages(text))
    inside = {offset for age in found_ages for offset in range(*age.whole)}
    kept = [hit for hit in found if not {hit.start, hit.end - 1} <= inside]
    return kept + [_age(axis, age, text) for age in found_ages]


def _age(axis: AxisFile, age: ages.Age, text: str) -> Hit:
    form = text[age.start : age.end]
    reading = Reading(ages.band_of(age.years, axis), "age", form, {})
    needs = ("sense",) if age.is_certain else ("sense", "number")
    return Hit(age.start, age.end, axis.axis, (reading,), needs)


def _stopped(hit: Hit, stops: Mapping[int, str]) -> Hit:
    """The hit, blocked if it lies in a phrase that is left alone."""
    why = next((stops[offset] for offset in range(hit.start, hit.end) if offset in stops), None)
    return hit if why is None else hit._replace(blocked=why)


def _needs(
    term: _Term, text: str, words: TextWords, position: tuple[int, int, int]
) -> tuple[str, ...]:
    """What a term needs, less what its neighbours settle, plus what they put in doubt."""
    index, start, end = position
    needs = term.needs
    if "pos" in needs and not may_be_verb(words.words, index):
        needs = tuple(need for need in needs if need != "pos")
    if has_capital(text, start, term.readings[0].form):
        needs = (*needs, "capital")
    return (*needs, "joined") if is_joined(text, start, end) else needs


class _Stop(NamedTuple):
    """A phrase that is left alone, as the list writes it, and why."""

    phrase: str
    why: str

    @property
    def capitals(self) -> tuple[bool, bool]:
        """Whether its first and last words have one: "old navy" need not be the name "Old Navy"."""
        last = self.phrase.replace("-", " ").rpartition(" ")[2]
        return self.phrase[:1].isupper(), last[:1].isupper()


def _stops_of(axis: AxisFile, *references: Mapping[str, object]) -> Iterator[tuple[str, _Stop]]:
    """The phrases that are left alone on an axis; of two with the same words the first counts.

    ``references`` are the words, in lower case, that could be taken for a reference.
    """
    for phrase in axis.fixed:
        yield phrase, _Stop(phrase, f"'{phrase}' is a fixed phrase")
    for phrase, why in axis.refuse.items():
        yield phrase, _Stop(phrase, f"'{phrase}': {why}")
    shared = bundled_axis(_SHARED[axis.axis]).fixed if axis.axis in _SHARED else ()
    named = {*word_set("named_phrases"), *shared}
    named = {phrase for phrase in named if _has_any(phrase, *references)}
    named |= {in_plural(phrase) for phrase in (*axis.fixed, *named)}
    for phrase in sorted(named):
        yield phrase, _Stop(phrase, f"'{phrase}' names no person")


def in_plural(phrase: str) -> str:
    """A phrase with its last word in the plural, as most nouns form it.

    >>> in_plural("painted lady"), in_plural("gingerbread man"), in_plural("king crab")
    ('painted ladies', 'gingerbread men', 'king crabs')
    """
    for ending, plural in _PLURALS.items():
        if phrase.endswith(ending):
            return phrase.removesuffix(ending) + plural
    return phrase if phrase.endswith("s") else f"{phrase}s"


def _has_any(phrase: str, *some: Mapping[str, object]) -> bool:
    words = text_words(lower_in_place(phrase)).words
    return any(word in known for known in some for word in words)
