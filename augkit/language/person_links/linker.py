"""Link the mentions of a text into persons, by a log-linear model fitted on annotated texts.

    >>> text = "Anna lost her keys."
    >>> link(text, [PersonMention(0, 4, "name", "woman", "singular"),
    ...             PersonMention(10, 13, "pronoun", "woman", "singular")])
    [0, 0]

Mentions are read from left to right. Each joins one of the persons found so far with which it
agrees in gender, number and name, or begins a new person:

    P(p | m) = exp(Σ w(f)) / Z    over the features f of the mention m and the person p

The weights w (``model.json``) were fitted by ``scripts/train_linker.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import NamedTuple

from augkit.language.person_links.readings import MentionReading, PersonMention, TextReader, model

Feature = tuple[str, ...]
Weights = dict[Feature, float]
Rows = Sequence[Sequence[Feature]]
_WINDOW = 15
"""How many persons a mention may join: those mentioned last, and any with its words."""
_UP_TO = ("0", "1", "2", "3", "4", "5")
_YES = ("", "y")
_SIZE = ("0", "1", "2", "3", "3", "5", "5", "5", "5", "9")


@dataclass(eq=False, slots=True)
class PersonCluster:
    """The mentions of one person so far; ``shown`` if a pronoun or noun shows the gender."""

    readings: list[MentionReading] = field(default_factory=list)
    gender: str = "unknown"
    number: str = ""
    shown: bool = False
    neutral: bool = False
    names: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, reading: MentionReading) -> None:
        """Add a mention."""
        mention = reading.mention
        self.readings.append(reading)
        if mention.gender == "they":
            self.neutral = True
        else:
            self.number = self.number or mention.number
            if mention.gender != "unknown":
                self.gender = mention.gender
                self.shown = self.shown or mention.kind != "name"
        if mention.kind == "name" and reading.words not in self.names:
            self.names.append(reading.words)

    def accepts(self, reading: MentionReading) -> bool:
        """Whether gender, number and name allow a mention to be of this person.

        "They" may be one person whose gender no pronoun or noun shows.
        """
        mention, gender = reading.mention, reading.mention.gender
        if gender == "they":
            return self.number == "plural" or not self.shown
        if self.number and self.number != mention.number:
            return False
        if gender != "unknown":
            if self.gender not in {"unknown", gender}:
                return False
            if self.neutral and mention.kind != "name" and mention.number == "singular":
                return False
        return mention.kind != "name" or all(names_agree(reading.words, n) for n in self.names)


def names_agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names may be of one person: "Barack Obama" and "Obama", "Ben" and "Benjamin"."""
    short, long = sorted((one, other), key=len)
    if all(word in long for word in short):
        return True
    first, second = sorted((short[0], long[0]), key=len)
    begins = second.startswith(first) and (len(first) > 2 or len(short) > 1)
    return begins and (len(short) == 1 or short[-1] == long[-1])


Chooser = Callable[[MentionReading, Sequence[PersonCluster], Rows], int]
"""Chooses among the candidates of a mention, given the features of each and, last, of none."""


def decode(
    reader: TextReader, readings: Sequence[MentionReading], choose: Chooser
) -> list[PersonCluster]:
    """The person of each reading, from left to right."""
    chosen, recent = list[PersonCluster](), dict[int, PersonCluster]()
    by_word: dict[str, dict[int, PersonCluster]] = {}
    for reading in readings:
        nominal = reading.mention.kind != "pronoun"
        latest = dict.fromkeys(reversed(recent.values()))
        if nominal:
            latest |= {p: None for w in reading.words for p in by_word.get(w, {}).values()}
        found = [person for person in latest if person.accepts(reading)]
        rows = [joining(reader, reading, person, n, len(found)) for n, person in enumerate(found)]
        known = nominal and any(word in by_word for word in reading.words)
        index = choose(reading, found, [*rows, beginning(reading, len(found), known=known)])
        person = found[index] if index < len(found) else PersonCluster()
        person.add(reading)
        recent.pop(id(person), None)
        recent[id(person)] = person
        if len(recent) > _WINDOW:
            del recent[next(iter(recent))]
        for word in reading.words if nominal else ():
            by_word.setdefault(word, {})[id(person)] = person
        chosen.append(person)
    return chosen


def joining(
    reader: TextReader, reading: MentionReading, person: PersonCluster, rank: int, count: int
) -> list[Feature]:
    """The features of a mention and a person, after whom ``rank`` of ``count`` were mentioned."""
    last, shape, kind = person.readings[-1], reading.shape, reading.mention.kind
    apart, words = reading.sentence - last.sentence, reading.begin - last.last
    near, place = _UP_TO[min(apart, 2)], _UP_TO[min(rank, 5)]
    size = _SIZE[min(len(person.readings), 9)]
    found: list[Feature] = [
        ("shapes", shape, last.shape, near),
        ("role", kind, place, last.role, near),
        ("lead", shape, place, last.role, near, last.lead),
        ("rank", shape, place, _UP_TO[min(count, 5)]),
        ("size", shape, size),
        ("gender", shape, "shown" if person.shown else person.gender),
        ("number", shape, person.number),
        ("quote", shape, near, _YES[last.quote > 0], _YES[last.quote == reading.quote]),
        ("words", shape, str(words.bit_length())),
    ]
    if not apart:
        found.append(("clauses", shape, last.role, _UP_TO[min(reading.clause - last.clause, 4)]))
        if kind == "pronoun" and reading.role != "subject":  # "met Ann and thanked her"
            since = _UP_TO[min(reading.begin - reading.opened, 4)]
            found.append(("opened", shape, last.role, reader.kinds[reading.opened], since))
        if words < 5:
            gap = slice(last.last + 1, reading.begin)
            between, signs = " ".join(reader.words[gap]), " ".join(reader.kinds[gap])
            found.append(("between", kind, last.mention.kind, between))
            found.append(("signs", shape, last.role, signs))
    if kind != "pronoun":
        like, far = _likeness(reading, person), _SIZE[min(apart, 9)]
        found += [("same", shape, like), ("same", shape, like, far), ("size", shape, like, size)]
    return found


def beginning(reading: MentionReading, count: int, *, known: bool) -> list[Feature]:
    """The features of a mention as the first of a new person, with ``count`` candidates."""
    shape = reading.shape
    return [
        ("new", shape, _UP_TO[min(count, 5)]),
        ("new role", shape, reading.role),
        ("new quote", shape, _YES[reading.quote > 0]),
        ("new start", shape, _UP_TO[min(reading.sentence, 3)]),
        ("new known", shape, _YES[known]),
    ]


def _likeness(reading: MentionReading, person: PersonCluster) -> str:
    """How a name or noun repeats the words of a person: "Obama", "the *old man*"."""
    if reading.mention.kind == "noun":
        nouns = [r for r in person.readings if r.mention.kind == "noun"]
        same = [r.before for r in nouns if r.words == reading.words]
        if same:
            return "same" if reading.before in same else "other modifier"
        return "other" if nouns else ""
    words, names = reading.words, person.names
    if not names or words in names:
        return "same" if names else ""
    long = max(names, key=len)
    return "first" if long[0] == words[0] else "last" if long[-1] == words[-1] else "part"


class PersonLink(NamedTuple):
    """The person of a mention, as a number, and the probability of that choice."""

    person: int
    probability: float


class Linker:
    """Links mentions by the bundled weights, or by others."""

    def __init__(self, weights: Weights | None = None) -> None:
        """Take the weights."""
        self.weights = model()[1] if weights is None else weights

    def link(self, text: str, mentions: Sequence[PersonMention]) -> list[PersonLink]:
        """The person of each mention, numbered by first mention, and how probable it is."""
        shares: list[float] = []

        def choose(_: MentionReading, __: Sequence[PersonCluster], rows: Rows) -> int:
            found = self.probabilities(rows)
            shares.append(max(found))
            return found.index(shares[-1])

        reader, numbers = TextReader(text), dict[int, int]()
        order = sorted(range(len(mentions)), key=lambda index: mentions[index].start)
        persons = decode(reader, reader.read([mentions[index] for index in order]), choose)
        ids = [numbers.setdefault(id(person), len(numbers)) for person in persons]
        links = dict(zip(order, map(PersonLink, ids, shares), strict=True))
        return [links[index] for index in range(len(mentions))]

    def score(
        self, text: str, mention: PersonMention, person_mentions: Sequence[PersonMention]
    ) -> float:
        """The probability that a mention is of a person, and not of one not mentioned before."""
        mentions = sorted(person_mentions, key=lambda one: one.start)
        before = [one for one in mentions if one.start < mention.start]
        if mentions and not before:  # then the person's first mention joins this one
            before, mention = [mention], mentions[0]
        reader, person = TextReader(text), PersonCluster()
        *others, reading = reader.read([*before, mention])
        for other in others:
            person.add(other)
        if not others or not person.accepts(reading):
            return 0.0
        rows = [joining(reader, reading, person, 0, 1), beginning(reading, 1, known=True)]
        return self.probabilities(rows)[0]

    def probabilities(self, rows: Rows) -> list[float]:
        """The probability of each candidate by its features."""
        weight = self.weights.get
        scores = [sum([weight(feature, 0.0) for feature in row]) for row in rows]
        top = max(scores)
        shares = [exp(score - top) for score in scores]
        total = sum(shares)
        return [share / total for share in shares]


def link(text: str, mentions: Sequence[PersonMention]) -> list[int]:
    """The person of each mention, as a number per mention, in order."""
    return [one.person for one in Linker().link(text, mentions)]
