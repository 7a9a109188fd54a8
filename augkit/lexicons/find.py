"""Which demographic references stand in a text, without a parse.

A set says at once whether any could be there, and only then are they placed. A reference that can
be understood in one way only says so; the others name what must be found out.

    >>> text = "He lost her keys."
    >>> hits = finder_for("gender").find(text)
    >>> [(text[hit.start : hit.end], hit.attribute, hit.options("man")) for hit in hits]
    [('He', 'man', ('he',)), ('her', 'woman', ('him', 'his'))]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from augkit.lexicons import ages
from augkit.lexicons.axes import AxisFile, read_axis
from augkit.lexicons.load import closed_classes
from augkit.lexicons.names import FirstName, first_names
from augkit.lexicons.phrases import Phrases, Words, in_small_letters, split
from augkit.lexicons.readings import Reading, name_readings, readings
from augkit.lexicons.stops import Stop, stops_of

_SIGNS = (
    "\t\n\r.,;:!?\"'()[]{}<>*|~`^%$+=\\/-_@#&\u2010\u2011\u2013\u2014\u2026\u201c\u201d\u2018\u2019"
)
_SPACED = dict.fromkeys(map(ord, _SIGNS), " ")
_JOINING = frozenset("-\u2010\u2011_@#&/")
"""Signs that make a word part of something larger: a compound, an address, a tag."""
_ENDING = frozenset('.!?:"\u201c\u2018([\n*-\u2013\u2014>')
"""Signs after which a sentence may begin with a capital."""
_BEFORE_NOUNS = frozenset(
    {"a", "an", "the", "this", "that", "every", "each", "one", "another", "no", "some", "any"}
    | {"my", "your", "his", "her", "our", "their", "its", "old", "young", "poor", "good", "first"}
)
"""After these a word that could also be a verb is a noun."""


_BEFORE_VERBS = frozenset(
    {"to", "will", "would", "can", "could", "should", "must", "may", "might", "shall", "ll"}
    | {"i", "you", "we", "they", "who", "t"}
)
"""After these it may be a verb ("t" and "ll" end "don't" and "we'll")."""
_BEFORE_OBJECTS = frozenset(
    {"a", "an", "the", "this", "that", "these", "those", "all", "both", "every", "each", "some"}
    | {"any", "no", "my", "your", "his", "her", "our", "their", "its", "one", "two", "three", "up"}
)
"""A verb with an object is followed by one of these, or by a name."""


_PARTICLES = frozenset({"de", "von", "van", "del", "della", "di", "da", "du", "le", "al", "bin"})
"""After these too, in small letters or not."""
_BEFORE_PLACES = frozenset({"san", "el", "los", "las", "sao", "la"})
"""After these, with a capital, it is a place."""
_NEXT_NAME = re.compile(r" [^\W\d_a-z][^\W\d_]+")
_BEFORE_SURNAMES = frozenset(
    {
        "mr",
        "mrs",
        "ms",
        "miss",
        "mx",
        "lord",
        "lady",
        "mister",
        "dr",
        "prof",
        "professor",
        "senator",
        "judge",
    }
)
"""After these a name is a surname."""


_RARE = 300
"""A first name of fewer bearers per million that follows another is a surname, here and later."""
_MANY = 1_700
"""One of fewer is, where it ends a name: "Rob *Marshall* ... Marshall"."""
_LIKELY = 100
"""Bearers that a name of two letters needs without a capital: "ok" and "eh" are none."""
_NOT_SMALL = frozenset({"lan", "lil", "les", "sha"})
"""Names that are something else without one."""


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
    terms: Phrases[tuple[_Term, _Term]]
    stops: Phrases[Stop]
    names: Mapping[str, FirstName]


class Finder:
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
        words = split(in_small_letters(text))
        hits = [hit for table in self._tables for hit in _hits(table, text, words)]
        hits.sort(key=_start)
        return hits


def finder_for(*axes: str) -> Finder:
    """The finder of some axes, by bundled name or by path; made once.

    >>> [hit.axis for hit in finder_for("gender", "age").find("A boy sat down.")]
    ['gender', 'age']
    """
    return _finder(axes)


@cache
def _finder(axes: tuple[str, ...]) -> Finder:
    return Finder([read_axis(axis) for axis in axes])


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
    return _AxisTable(axis.axis, axis, Phrases(terms), Phrases(stops), known)


def _needed_words(table: _AxisTable) -> frozenset[str]:
    words = table.terms.needed_words() | table.names.keys()
    return words | ages.WORDS if table.file.bands else words


def _term(some: Sequence[Reading]) -> _Term:
    return _Term(tuple(some), tuple(dict.fromkeys(need for one in some for need in one.needs)))


def _untitled(some: Sequence[Reading]) -> Sequence[Reading]:
    """Readings without those as a title, which has a capital, if others are left."""
    return [reading for reading in some if reading.pos != "title"] or some


def _hits(table: _AxisTable, text: str, words: Words) -> list[Hit]:
    found = list(_terms(table, text, words))
    if table.names:
        found += _names(table, text, words, {hit.start for hit in found})
    if table.file.bands and not ages.WORDS.isdisjoint(words.words):
        found = _with_ages(found, table.file, text)
    if not found:
        return found
    stops: dict[int, str] = {}
    for first, last, stop in table.stops.find(words):
        ends = (text[words.spans[place][0]] for place in (first, last))
        wanted = zip(stop.capitals, ends, strict=True)
        if any(name and sign.islower() for name, sign in wanted) and not text.islower():
            continue
        for place in range(words.spans[first][0], words.spans[last][1]):
            stops.setdefault(place, stop.why)
    return [_stopped(hit, stops) for hit in found] if stops else found


def _with_ages(found: Sequence[Hit], axis: AxisFile, text: str) -> list[Hit]:
    """The hits and the ages in numbers; the "old" of "8-year-old" is part of the number."""
    said = list(ages.find_ages(text))
    inside = {place for age in said for place in range(*age.whole)}
    kept = [hit for hit in found if not {hit.start, hit.end - 1} <= inside]
    return kept + [_age(axis, age, text) for age in said]


def _age(axis: AxisFile, age: ages.Age, text: str) -> Hit:
    form = text[age.start : age.end]
    reading = Reading(axis.axis, ages.band_of(age.years, axis), "age", form, {})
    needs = ("sense",) if age.is_certain else ("sense", "number")
    return Hit(age.start, age.end, axis.axis, (reading,), needs)


def _stopped(hit: Hit, stops: Mapping[int, str]) -> Hit:
    """The hit, blocked if it lies in a phrase that is left alone."""
    why = next((stops[place] for place in range(hit.start, hit.end) if place in stops), None)
    return hit if why is None else hit._replace(blocked=why)


def _terms(table: _AxisTable, text: str, words: Words) -> Iterator[Hit]:
    for first, last, (with_capital, small) in table.terms.find(words):
        start, end = words.spans[first][0], words.spans[last][1]
        titled = not text[start].islower() or _is_before_name(table, text, words, last)
        term = with_capital if titled else small
        needs = _needs(term, text, words, (first, start, end))
        yield Hit(start, end, table.axis, term.readings, needs)


def _is_before_name(table: _AxisTable, text: str, words: Words, last: int) -> bool:
    """As in "sir anthony", in a text without capitals."""
    name = table.names.get(words.words[last + 1]) if last + 1 < len(words.words) else None
    return name is not None and name.is_clear and words.link(last) == " " and text.islower()


def _needs(term: _Term, text: str, words: Words, place: tuple[int, int, int]) -> tuple[str, ...]:
    """What a term needs, less what its neighbours settle, plus what they put in doubt."""
    index, start, end = place
    needs = term.needs
    if "pos" in needs and not _may_be_verb(words.words, index):
        needs = tuple(need for need in needs if need != "pos")
    if _is_capital(text, start, term.readings[0].form):
        needs = (*needs, "capital")
    return (*needs, "joined") if _is_joined(text, start, end) else needs


def _may_be_verb(words: Sequence[str], index: int) -> bool:
    """Whether a noun could be a verb with its object here: "man the pumps"."""
    before, after = words[max(0, index - 1) : index], words[index + 1 : index + 2]
    if not _BEFORE_VERBS.isdisjoint(before):
        return True
    return _BEFORE_NOUNS.isdisjoint(before) and not _BEFORE_OBJECTS.isdisjoint(after)


def _is_capital(text: str, start: int, form: str) -> bool:
    """Whether a word has a capital that neither its spelling nor its place explains."""
    if text[start] == form[0] or not text[start].isupper():
        return False
    if text[start : start + 2].isupper() and text[start + 1 : start + 2].isalpha():
        return False
    before = text[:start].rstrip() if start < 200 else text[start - 200 : start].rstrip()
    return bool(before) and before[-1] not in _ENDING


def _is_joined(text: str, start: int, end: int) -> bool:
    """Whether a sign ties the word to a neighbour, as in "man-made" or "#women"."""
    if start and text[start - 1] in _JOINING:
        return text[start - 1] in "@#" or (start > 1 and not text[start - 2].isspace())
    return end + 1 < len(text) and text[end] in _JOINING and not text[end + 1].isspace()


def _names(table: _AxisTable, text: str, words: Words, taken: set[int]) -> Iterator[Hit]:
    known = table.names
    all_small = text.islower()
    before = -2
    surnames = _titled(text, words)
    for place in [place for place, word in enumerate(words.words) if word in known]:
        name = known[words.words[place]]
        start, end = words.spans[place]
        if start in taken or not _may_be_name(name, text[start], all_small=all_small):
            continue
        if _is_part(text, words, place) or (all_small and _is_ending(words, place)):
            continue
        follows = _follows(text, words, before, place)
        if follows and name.bearers < (_MANY if _ends_name(text, words, place) else _RARE):
            surnames.add(words.words[place])  # "Thomas Brennan ... Brennan"
        last = words.words[place - 1] if place else ""
        follows = follows or last in _PARTICLES or words.words[place] in surnames
        before = place
        needs = _doubts(name, text, (start, end), surname=follows, small=all_small)
        yield Hit(start, end, table.axis, name_readings(table.axis, name), needs)


def _follows(text: str, words: Words, before: int, place: int) -> bool:
    """Whether a name stands after another, or after that and an initial: "Joseph L. *Bruno*"."""
    if before == place - 1:
        return words.link(before) == " "
    if before != place - 2 or before < 0 or len(words.words[place - 1]) > 1:
        return False
    between = text[words.spans[place - 1][1] : words.spans[place][0]]
    return words.link(before) == " " and between in {". ", " "}


def _ends_name(text: str, words: Words, place: int) -> bool:
    """Whether no further word with a capital follows."""
    return _NEXT_NAME.match(text, words.spans[place][1]) is None


def _titled(text: str, words: Words) -> set[str]:
    """The names that stand after a title somewhere, which makes them surnames everywhere."""
    if _BEFORE_SURNAMES.isdisjoint(words.words):
        return set()
    return {
        words.words[place + 1]
        for place, word in enumerate(words.words[:-1])
        if word in _BEFORE_SURNAMES and not _NEXT_NAME.match(text, words.spans[place + 1][1])
    }


def _is_part(text: str, words: Words, place: int) -> bool:
    """Whether a word is part of a name that is no first name: "San Jose", "O'Fallon", "Don't"."""
    start, end = words.spans[place]
    if text[end : end + 3].lower().lstrip(" ")[:2] in {"'t", "\u2019t"}:
        return True  # "don't", or "don 't" in a text whose words were set apart
    if not place:
        return False
    if text[start - 1] in "'\u2019" and len(words.words[place - 1]) == 1:
        return True
    before = text[words.spans[place - 1][0]]
    return words.words[place - 1] in _BEFORE_PLACES and (before.isupper() or text.islower())


def _is_ending(words: Words, place: int) -> bool:
    """As in "text ed to you", "et al .": two letters, and no surname after them."""
    if len(words.words[place]) != 2:
        return False
    after = words.words[place + 1] if place + 1 < len(words.words) else ""
    return not after or words.link(place) != " " or after in closed_classes()


def _may_be_name(name: FirstName, first: str, *, all_small: bool) -> bool:
    """A name has a capital; in a text without any, words that mean something else are no names."""
    if first.isupper():
        return True
    word = name.text.lower()
    likely = name.bearers >= _LIKELY if len(word) == 2 else word not in _NOT_SMALL
    return all_small and name.is_clear and likely


def _doubts(
    name: FirstName, text: str, span: tuple[int, int], *, surname: bool, small: bool
) -> tuple[str, ...]:
    checks = {
        "name": not name.is_clear or small,
        "surname": surname,
        "joined": _is_joined(text, *span),
    }
    return tuple(doubt for doubt, holds in checks.items() if holds)
