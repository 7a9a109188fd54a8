"""The persons met so far in a text, found again by place, name or noun."""

from __future__ import annotations

from collections import OrderedDict, defaultdict

from augkit.core.analysis import Analysis, Token
from augkit.language.coreference.antecedents import Candidate, agrees
from augkit.language.coreference.mentions import Sighting

WINDOW = 30
"""So many persons are remembered for pronouns, those last mentioned."""

FARTHEST = 12
"""A pronoun does not look back further, in sentences."""


class Register:
    """Persons in the making while a text is read from left to right."""

    def __init__(self, analysis: Analysis) -> None:
        """Begin with nobody."""
        self.analysis = analysis
        self.candidates: list[Candidate] = []
        self._recent: OrderedDict[int, Candidate] = OrderedDict()
        self._places: dict[int, Candidate] = {}
        self._names: defaultdict[str, list[tuple[tuple[str, ...], Candidate]]] = defaultdict(list)
        self._nouns: defaultdict[str, list[Candidate]] = defaultdict(list)

    def open(self) -> Candidate:
        """A new person."""
        self.candidates.append(Candidate())
        return self.candidates[-1]

    def enter(self, seen: Sighting, owner: Candidate) -> None:
        """Write down that a mention is one of ``owner``."""
        owner.add(seen)
        if seen.mention.kind != "group":
            self._places[seen.token.index] = owner
        if seen.mention.kind == "name":
            for word in (seen.words[0], seen.words[-1]):
                self._names[word] = [*self._names[word][-8:], (seen.words, owner)]
        elif seen.mention.kind == "noun":
            self._nouns[seen.words[0]] = [*self._nouns[seen.words[0]][-8:], owner]
        self._recent[id(owner)] = owner
        self._recent.move_to_end(id(owner))
        if len(self._recent) > WINDOW:
            self._recent.popitem(last=False)

    def at(self, token: Token) -> Candidate | None:
        """Whom the word at a place mentions, as far as read."""
        return self._places.get(token.index)

    def merge(self, one: Candidate, other: Candidate) -> None:
        """Make the mentions of ``one`` those of ``other``; nobody is left in ``one``."""
        for seen in one.sightings:
            self._places[seen.token.index] = other
            other.add(seen)
            if seen.mention.kind == "noun":
                self._nouns[seen.words[0]].append(other)
        other.sightings.sort(key=lambda seen: seen.token.index)
        one.sightings = []
        self._recent.pop(id(one), None)

    def latest(self, seen: Sighting) -> list[Candidate]:
        """The persons mentioned not long before, the latest first.

        A doubted pronoun counts within its sentence only, so that no doubt runs through a text.
        """
        return [
            each
            for each in reversed(self._recent.values())
            if seen.token.sentence - each.last.token.sentence <= (0 if each.doubted else FARTHEST)
        ]

    def namesake(self, seen: Sighting) -> Candidate | None:
        """The person called by a name that fits: "Obama" after "Barack Obama".

        Where it fits several, the one called exactly so, then the one mentioned most.
        """
        known = {
            id(owner): (words == seen.words, len(owner.sightings), owner)
            for words, owner in (*self._names[seen.words[0]], *self._names[seen.words[-1]])
            if same_name(seen.words, words) and agrees(seen, owner)
        }
        return max(known.values(), key=lambda entry: entry[:2])[2] if known else None

    def repeated(self, seen: Sighting) -> Candidate | None:
        """The person last called by the noun, where the noun is definite: "the doctor"."""
        if seen.article not in {"definite", "possessive"}:
            return None
        for owner in reversed(self._nouns[seen.words[0]]):
            if not owner.sightings:
                continue
            near = seen.token.sentence - owner.last.token.sentence <= FARTHEST
            if near and agrees(seen, owner) and self._same_owner(seen, owner):
                return owner
        return None

    def _same_owner(self, seen: Sighting, person: Candidate) -> bool:
        """Whether "his wife" and an earlier "his wife" have the same husband."""
        mine = self._possessors(seen.token)
        return any(
            self._possessors(other.token) == mine
            for other in person.sightings
            if other.words == seen.words
        )

    def _possessors(self, token: Token) -> set[object]:
        found: set[object] = set()
        for child in self.analysis.children(token, "nmod:poss"):
            owner = self.at(child)
            found.add(id(owner) if owner else child.text.lower())
        return found


def same_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names can be one person's.

    >>> same_name(("obama",), ("barack", "obama")), same_name(("john", "doe"), ("jane", "doe"))
    (True, False)
    """
    if len(one) == 1 or len(other) == 1:
        short, long = sorted((one, other), key=len)
        return short[0] in {long[0], long[-1]}
    first, second = one[0].rstrip("."), other[0].rstrip(".")
    initial = len(first) == 1 or len(second) == 1
    same_first = first == second or (initial and first[0] == second[0])
    return same_first and one[-1] == other[-1]
