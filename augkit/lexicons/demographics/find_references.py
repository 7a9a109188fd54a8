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
from typing import NamedTuple

from augkit.lexicons.demographics import ages
from augkit.lexicons.demographics.axes import AxisFile, read_axis
from augkit.lexicons.demographics.find_names import (
    Named,
    has_capital,
    is_joined,
    may_be_verb,
    names_in,
)
from augkit.lexicons.demographics.first_names import FirstName, first_names
from augkit.lexicons.demographics.fixed_phrases import Stop, stops_of
from augkit.lexicons.demographics.term_senses import Reading, name_readings, readings
from augkit.lexicons.phrase_table import PhraseTable, TextWords, lower_in_place, text_words

_SIGNS = (
    "\t\n\r.,;:!?\"'()[]{}<>*|~`^%$+=\\/-_@#&\u2010\u2011\u2013\u2014\u2026\u201c\u201d\u2018\u2019"
)
_SPACED = dict.fromkeys(map(ord, _SIGNS), " ")


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

    def is_plain(self, target: str) -> bool:
        """Whether it can be replaced as it stands: nothing to find out, no verb to make agree."""
        if self.needs or self.blocked or self.is_weak:
            return False
        verb_changes = any(target in reading.verb_changes for reading in self.readings)
        return not verb_changes and len(self.options(target)) == 1


class _Term(NamedTuple):
    """All readings of one form on one axis, and what they need."""

    readings: tuple[Reading, ...]
    needs: tuple[str, ...]


class _AxisTable(NamedTuple):
    """An axis compiled for search; ``names`` are the first names that belong to it.

    A term is held twice: as it is understood with a capital, and in small letters.
    """

    axis: str
    file: AxisFile
    terms: PhraseTable[tuple[_Term, _Term]]
    stops: PhraseTable[Stop]
    names: Mapping[str, FirstName]


class ReferenceFinder:
    """Finds the references of some axes; ``finder_for`` makes one."""

    def __init__(self, axes: Sequence[AxisFile], *, names: bool = True) -> None:
        """Compile the axes; with ``names``, first names are found too."""
        self.axes = tuple(axes)
        self._tables = [_compile(axis, names=names) for axis in axes]
        needed = [_needed_words(table) for table in self._tables]
        self._vocabulary = frozenset[str]().union(*needed)

    def may_have(self, text: str) -> bool:
        """Whether a reference could be in the text; a no is certain."""
        return not self._vocabulary.isdisjoint(text.lower().translate(_SPACED).split())

    def find(self, text: str) -> list[Hit]:
        """The references of a text, in the order of their places, then of the axes."""
        if not self.may_have(text):
            return []
        words = text_words(lower_in_place(text))
        hits = [hit for table in self._tables for hit in _hits(table, text, words)]
        hits.sort(key=_start)
        return hits


def finder_for(*axes: str) -> ReferenceFinder:
    """The finder of some axes, by bundled name or by path; made once.

    >>> [hit.axis for hit in finder_for("gender", "age").find("A boy sat down.")]
    ['gender', 'age']
    """
    return _finder(axes)


@cache
def _finder(axes: tuple[str, ...]) -> ReferenceFinder:
    return ReferenceFinder([read_axis(axis) for axis in axes])


def _start(hit: Hit) -> int:
    return hit.start


def _compile(axis: AxisFile, *, names: bool) -> _AxisTable:
    forms: dict[str, list[Reading]] = defaultdict(list)
    for reading in readings(axis):
        forms[reading.form.lower()].append(reading)
    terms = ((form, (_term(some), _term(_untitled(some)))) for form, some in forms.items())
    known = {
        word: name
        for word, name in (first_names().items() if names else ())
        if name.gender in axis.attributes or name.group in axis.attributes
    }
    stops = stops_of(axis, forms, known)
    return _AxisTable(axis.axis, axis, PhraseTable(terms), PhraseTable(stops), known)


def _needed_words(table: _AxisTable) -> frozenset[str]:
    words = table.terms.needed_words() | table.names.keys()
    return words | ages.WORDS if table.file.bands else words


def _term(some: Sequence[Reading]) -> _Term:
    return _Term(tuple(some), tuple(dict.fromkeys(need for one in some for need in one.needs)))


def _untitled(some: Sequence[Reading]) -> Sequence[Reading]:
    """Readings without those as a title, which has a capital, if others are left."""
    return [reading for reading in some if reading.pos != "title"] or some


def _hits(table: _AxisTable, text: str, words: TextWords) -> list[Hit]:
    found = list(_terms(table, text, words))
    if table.names:
        taken = {hit.start for hit in found}
        found += [_named(table.axis, one) for one in names_in(text, words, table.names, taken)]
    if table.file.bands and not ages.WORDS.isdisjoint(words.words):
        found = _with_ages(found, table.file, text)
    if not found:
        return found
    stops: dict[int, str] = {}
    for first, last, stop in table.stops.find(words):
        ends = (text[words.spans[offset][0]] for offset in (first, last))
        expected = zip(stop.capitals, ends, strict=True)
        if any(name and sign.islower() for name, sign in expected) and not text.islower():
            continue
        for offset in range(words.spans[first][0], words.spans[last][1]):
            stops.setdefault(offset, stop.why)
    return [_stopped(hit, stops) for hit in found] if stops else found


def _with_ages(found: Sequence[Hit], axis: AxisFile, text: str) -> list[Hit]:
    """The hits and the ages in numbers; the "old" of "8-year-old" is part of the number."""
    found_ages = list(ages.find_ages(text))
    inside = {offset for age in found_ages for offset in range(*age.whole)}
    kept = [hit for hit in found if not {hit.start, hit.end - 1} <= inside]
    return kept + [_age(axis, age, text) for age in found_ages]


def _age(axis: AxisFile, age: ages.Age, text: str) -> Hit:
    form = text[age.start : age.end]
    reading = Reading(axis.axis, ages.band_of(age.years, axis), "age", form, {})
    needs = ("sense",) if age.is_certain else ("sense", "number")
    return Hit(age.start, age.end, axis.axis, (reading,), needs)


def _stopped(hit: Hit, stops: Mapping[int, str]) -> Hit:
    """The hit, blocked if it lies in a phrase that is left alone."""
    why = next((stops[offset] for offset in range(hit.start, hit.end) if offset in stops), None)
    return hit if why is None else hit._replace(blocked=why)


def _terms(table: _AxisTable, text: str, words: TextWords) -> Iterator[Hit]:
    for first, last, (with_capital, lower) in table.terms.find(words):
        start, end = words.spans[first][0], words.spans[last][1]
        titled = not text[start].islower() or _is_before_name(table, text, words, last)
        term = with_capital if titled else lower
        needs = _needs(term, text, words, (first, start, end))
        yield Hit(start, end, table.axis, term.readings, needs)


def _named(axis: str, found: Named) -> Hit:
    return Hit(found.start, found.end, axis, name_readings(axis, found.name), found.doubts)


def _is_before_name(table: _AxisTable, text: str, words: TextWords, last: int) -> bool:
    """As in "sir anthony", in a text without capitals."""
    name = table.names.get(words.words[last + 1]) if last + 1 < len(words.words) else None
    return name is not None and name.is_clear and words.link(last) == " " and text.islower()


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
