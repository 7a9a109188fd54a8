"""EDA's four operations on the words of a field, each linear in what it changes.

What is not random (which words have synonyms, may be deleted or swapped) is computed once for all
variants of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, count

from augkit.english.negation import negation_words
from augkit.lexicons.load import synonyms
from augkit.text.casing import match_case
from augkit.text.hash_random import HashRandom

# The label would go with it: "I did not like this film" must not become "I did like this film".
_NEGATIONS = negation_words(
    *"determiner particle adverb pronoun place correlative conjunction modal".split(),
    *"preposition hardly".split(),
)


class FieldWords:
    """The plain words of a field; what can be done to them is computed when first needed."""

    __slots__ = ("_deletable", "_groups", "_known", "_others", "lower", "words")

    def __init__(self, words: list[str]) -> None:
        """Keep the words as written, and in lower case."""
        self.words = self.lower = words
        self._others: dict[int, str] = {}
        """Index → casing of the words that are not in lower case."""
        written = "".join(words)
        if not (written.isascii() and written.islower()):
            self.lower = words.copy()
            for index in [at for at, word in enumerate(words) if not word.islower()]:
                self._others[index] = casing(words[index])
                self.lower[index] = words[index].lower()
        self._known: list[int] | None = None
        self._deletable: Sequence[int] | None = None
        self._groups: list[Sequence[int]] | None = None

    def known(self) -> list[int]:
        """Indices of the words that have a synonym."""
        if self._known is None:
            self._known = list(compress(count(), map(synonyms().__contains__, self.lower)))
        return self._known

    def deletable(self) -> Sequence[int]:
        """Indices of the words that may be deleted: no capitalised one, no negation."""
        if self._deletable is None:
            fixed = {at for at, how in self._others.items() if how == "Capitalised"}
            if not _NEGATIONS.isdisjoint(self.lower):
                fixed |= {at for at, word in enumerate(self.lower) if word in _NEGATIONS}
            self._deletable = self._without(sorted(fixed))
        return self._deletable

    def groups(self) -> list[Sequence[int]]:
        """Indices of the words of one casing, where they are not all the same word."""
        if self._groups is None:
            alike: dict[str, list[int]] = {}
            for index, how in self._others.items():
                alike.setdefault(how, []).append(index)
            every = (self._without(list(self._others)), *alike.values())
            self._groups = [group for group in every if len(group) > 1 and self._differ(group)]
        return self._groups

    def _without(self, excluded: Sequence[int]) -> Sequence[int]:
        """All indices but these, which are in order."""
        if not excluded:
            return range(len(self.words))
        left = list(range(len(self.words)))
        for at in reversed(excluded):
            del left[at]
        return left

    def _differ(self, group: Sequence[int]) -> bool:
        if self.words[group[0]] != self.words[group[1]]:  # nearly always
            return True
        return any(self.words[at] != self.words[group[0]] for at in group)


Operation = Callable[[FieldWords, int, HashRandom], dict[int, str]]
"""Words, how many to change, random numbers → index of a changed word → its replacement."""


def replace_words(field: FieldWords, count: int, rng: HashRandom) -> dict[int, str]:
    """Replace ``count`` words by synonyms."""
    table, changed = synonyms(), {}
    for index in rng.sample(field.known(), count):
        word, others = field.words[index], table[field.lower[index]]
        new = rng.pick(others)
        changed[index] = new if word.islower() else match_case(new, word)
    return changed


def insert_words(field: FieldWords, count: int, rng: HashRandom) -> dict[int, str]:
    """Insert a synonym of a word present after any word, ``count`` times."""
    known = field.known()
    if not known:
        return {}
    table, changed = synonyms(), {}
    for index in rng.sample(range(len(field.words)), count):
        others = table[field.lower[rng.pick(known)]]
        word, new = field.words[index], rng.pick(others)
        capitals = not word.islower() and casing(word) == "UPPER"
        changed[index] = f"{word} {new.upper() if capitals else new}"
    return changed


def swap_words(field: FieldWords, count: int, rng: HashRandom) -> dict[int, str]:
    """Swap two words of the same casing, ``count`` times."""
    words, groups = field.words, field.groups()
    order: dict[int, str] = {}
    for _ in range(count if groups else 0):
        group = groups[0] if len(groups) == 1 else _sample_group(groups, rng)
        first, second = rng.pick(group), rng.pick(group)
        here = order.get(first, words[first])
        while order.get(second, words[second]) == here:  # a group has two different words
            second = rng.pick(group)
        order[first], order[second] = order.get(second, words[second]), here
    if count == 1:
        return order
    return {index: word for index, word in order.items() if word != words[index]}


def delete_words(field: FieldWords, count: int, rng: HashRandom) -> dict[int, str]:
    """Delete ``count`` words, never a capitalised one or a negation, never all."""
    return dict.fromkeys(rng.sample(field.deletable(), min(count, len(field.words) - 1)), "")


OPERATIONS: dict[str, Operation] = {
    "replace": replace_words,
    "insert": insert_words,
    "swap": swap_words,
    "delete": delete_words,
}
"""Name of the setting with its weight → the operation."""


def casing(word: str) -> str:
    """The casing of a word: only words of the same casing are swapped.

    >>> [casing(word) for word in ("film", "FILM", "Film", "\u5f71")]
    ['lower', 'UPPER', 'Capitalised', 'none']
    """
    if word.islower():
        return "lower"
    if word.isupper() and len(word) > 1:
        return "UPPER"
    return "Capitalised" if word[:1].isupper() else "none"


def _sample_group(groups: Sequence[Sequence[int]], rng: HashRandom) -> Sequence[int]:
    """A group, sampled by size."""
    number = rng.below(sum(map(len, groups)))
    for group in groups:
        if number < len(group):
            return group
        number -= len(group)
    raise IndexError(number)
