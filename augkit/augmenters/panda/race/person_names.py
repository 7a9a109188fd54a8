"""The names of persons in a text, cut into first name and surname, and whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.cues import NAMES, PEOPLE
from augkit.lexicons.demographics.first_names import FirstName, look_up
from augkit.lexicons.demographics.peoples import peoples
from augkit.lexicons.demographics.person_words import titles
from augkit.lexicons.demographics.surnames import surnames
from augkit.lexicons.load import closed_classes

_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011'\u2019][^\W\d_]+)*")
_OWNED = ("'s", "\u2019s", "'S", "\u2019S")
_SUFFIXES = frozenset("jr sr ii iii iv v vi vii viii ix xi xii xiii esq".split())
_PLACE_BEFORE = frozenset(
    "in at from near into across throughout around outside inside via toward towards".split()
)
_LONGEST = 6


class Word(NamedTuple):
    """A word of a text without the sign of possession."""

    start: int
    end: int
    text: str

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()


class PersonName(NamedTuple):
    """One mention of a person by name: ``parts`` are its words, without title and "Jr."."""

    parts: tuple[Word, ...]
    titled: bool
    before: str

    @property
    def start(self) -> int:
        """Where the name begins, after the title."""
        return self.parts[0].start

    @property
    def end(self) -> int:
        """Where the name ends."""
        return self.parts[-1].end

    @property
    def words(self) -> frozenset[str]:
        """Its words in lower case."""
        return frozenset(part.lower for part in self.parts)

    @property
    def is_full(self) -> bool:
        """Whether it has a first name and a surname."""
        return len(self.parts) > 1

    @property
    def is_sure(self) -> bool:
        """Whether its words alone show that a person is meant."""
        first = look_up(self.parts[0].text)
        if self.titled:
            return True
        if first is None or first.is_thing:
            return False
        if self.is_full:
            return first.is_clear or self.parts[-1].lower in surnames()
        return first.is_clear and not self.is_after_place

    @property
    def is_likely(self) -> bool:
        """Whether a reader who points at it can mean a person, by the lists of names."""
        if self.is_sure:
            return True
        first, last = self.parts[0], self.parts[-1]
        known = last.lower in surnames() and not (self.is_full and parts_of_speech(last.lower))
        known = known or _first(first) is not None
        return known and not self.is_after_place and first.lower not in PEOPLE.no_names

    @property
    def is_after_place(self) -> bool:
        """Whether it stands as a place does: "in Victoria"."""
        return self.before in _PLACE_BEFORE and not self.is_full


def person_names(text: str, chosen: int = -1) -> list[PersonName]:
    """The words of a text that can be names of persons, in order.

    In a text without capitals only names that are nothing else are found, and the word at
    ``chosen`` with them.

    >>> [[p.text for p in n.parts] for n in person_names("Then Dr. John Locke met Mary's aunt.")]
    [['John', 'Locke'], ['Mary']]
    """
    small = text.islower()
    found = []
    for run in _runs(text, small=small, chosen=chosen):
        name = _name(text, run)
        if name is not None:
            found.append(name)
    return found


def same_bearer(names: list[PersonName], chosen: PersonName) -> list[PersonName]:
    """The mentions of the bearer of a name; a surname that two persons share is not told apart.

    >>> names = person_names("John Locke wrote. Locke and John Smith argued.")
    >>> [name.start for name in same_bearer(names, names[1])]
    [0, 18]
    """
    full = next((n for n in names if n.is_full and chosen.words <= n.words), chosen)
    return [n for n in names if n.words <= full.words or n.words >= full.words]


def _runs(text: str, *, small: bool, chosen: int) -> Iterator[list[Word]]:
    """Words that can be parts of a name and stand side by side."""
    run: list[Word] = []
    for match in _WORD.finditer(text):
        word = _bare(match)
        fits = _fits_small(word, chosen) if small else word.text[0].isupper()
        if not fits and not (run and word.lower in NAMES.particles):
            yield from _ended(run)
            run = []
            continue
        if run and not _adjoins(text, run[-1], word):
            yield from _ended(run)
            run = []
        run.append(word)
        if text[word.end : word.end + 1] in {"'", "\u2019"}:
            yield from _ended(run)
            run = []
    yield from _ended(run)


def _ended(run: list[Word]) -> Iterator[list[Word]]:
    while run and not run[-1].text[0].isupper() and run[-1].lower in NAMES.particles:
        run = run[:-1]
    if run and len(run) <= _LONGEST:
        yield run


def _bare(match: re.Match[str]) -> Word:
    text = match.group()
    if text.endswith(_OWNED):
        text = text[:-2]
    return Word(match.start(), match.start() + len(text), text)


def _adjoins(text: str, last: Word, word: Word) -> bool:
    between = text[last.end : word.start]
    return between == " " or (between == ". " and (len(last.text) == 1 or last.lower in titles()))


def _fits_small(word: Word, chosen: int) -> bool:
    """In a text without capitals: a first name or surname that is no other word."""
    if word.start <= chosen < word.end:
        name = look_up(word.text)
        return not parts_of_speech(word.lower) or (name is not None and name.is_clear)
    known = word.lower in surnames() or _first(word) is not None
    return known and not parts_of_speech(word.lower) and word.lower not in NAMES.not_small


def _first(word: Word) -> FirstName | None:
    name = look_up(word.text)
    return name if name is not None and not name.is_thing else None


@cache
def _peoples() -> frozenset[str]:
    return frozenset(form.lower() for forms in peoples().values() for form in forms)


def _name(text: str, run: list[Word]) -> PersonName | None:
    """The name in a run, without titles, nationalities and what else has a capital before it."""
    titled = False
    inner = [index for index, word in enumerate(run) if word.lower in titles()]
    run = run[inner[-1] :] if inner and inner[-1] < len(run) - 1 else run
    while run and (_is_title(text, run) or _is_opening(text, run)):
        titled = _is_title(text, run)
        run = run[1:]
    while run and run[-1].lower in _SUFFIXES:
        run = run[:-1]
    if (
        not run
        or all(len(word.text) == 1 for word in run)
        or not PEOPLE.organisations.isdisjoint(word.lower for word in run)
    ):
        return None
    if not titled and any(word.lower in _peoples() for word in run):
        return None
    before = _WORD.findall(text[max(0, run[0].start - 30) : run[0].start])
    return PersonName(tuple(run), titled, before[-1].lower() if before else "")


def _is_title(text: str, run: list[Word]) -> bool:
    return run[0].lower in titles() and (len(run) > 1 or text[run[0].end : run[0].end + 1] == ".")


def _is_opening(text: str, run: list[Word]) -> bool:
    """Whether the first word is none of the name: "*Then* John", "*Scottish* Mary"."""
    word = run[0]
    if word.lower in closed_classes() or word.lower in _peoples():
        return True
    before = text[: word.start].rstrip()
    opens = not before or before[-1] in '.!?:;"\u201c\u2018(\n'
    is_word = bool(parts_of_speech(word.lower)) and look_up(word.text) is None
    return opens and is_word and word.lower not in surnames()
