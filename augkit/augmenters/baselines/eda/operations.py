"""EDA's four operations on the words of a field, each linear in what it changes.

What does not depend on the draw (which words have synonyms, which may go, which may change places)
is worked out once for all variants of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import compress, count
from struct import Struct
from typing import TypeVar

from augkit.core.types import digest
from augkit.language.negation import negation_words
from augkit.lexicons.load import synonyms
from augkit.text.casing import match_case

T = TypeVar("T")
_sixteen = Struct("<16I").unpack

# The label would go with it: "I did not like this film" must not become "I did like this film".
_NEGATIONS = negation_words(
    *"determiner particle adverb pronoun place correlative conjunction modal".split(),
    *"preposition hardly".split(),
)


class Draws:
    """Random numbers that follow from a key: its hash, sixteen numbers at a time.

    Python's own generator takes longer to seed than a whole variant takes to make.
    """

    __slots__ = ("_hash", "_left")

    def __init__(self, *key: str) -> None:
        """Begin where the key says."""
        self._hash = blake2b(digest(*key).encode())
        self._left: Iterator[int] = iter(_sixteen(self._hash.digest()))

    def below(self, count: int) -> int:
        """A whole number from 0 up to ``count``, which is left out."""
        for number in self._left:
            return number * count >> 32
        return self._more() * count >> 32

    def pick(self, items: Sequence[T]) -> T:
        """One of the items: ``items[draws.below(len(items))]``, with one call less."""
        for number in self._left:
            return items[number * len(items) >> 32]
        return items[self._more() * len(items) >> 32]

    def some(self, items: Sequence[int], count: int) -> list[int]:
        """``count`` different items, or all there are, in random order."""
        if count == 1 and items:
            return [self.pick(items)]
        left = list(items)
        chosen = []
        for _ in range(min(count, len(left))):
            place = self.below(len(left))
            chosen.append(left[place])
            left[place] = left[-1]
            left.pop()
        return chosen

    def _more(self) -> int:
        """The first of the next sixteen numbers: of the hash of a key that is one sign longer."""
        self._hash.update(b"+")
        self._left = iter(_sixteen(self._hash.digest()))
        return next(self._left)


class FieldWords:
    """The plain words of a field; what can be done to them is worked out when first asked for."""

    __slots__ = ("_groups", "_known", "_others", "_spare", "lower", "words")

    def __init__(self, words: list[str]) -> None:
        """Keep the words as written, and in small letters."""
        self.words = self.lower = words
        self._others: dict[int, str] = {}
        """Place → casing of the words that are not in small letters."""
        written = "".join(words)
        if not (written.isascii() and written.islower()):
            self.lower = words.copy()
            for index in [at for at, word in enumerate(words) if not word.islower()]:
                self._others[index] = casing(words[index])
                self.lower[index] = words[index].lower()
        self._known: list[int] | None = None
        self._spare: Sequence[int] | None = None
        self._groups: list[Sequence[int]] | None = None

    def known(self) -> list[int]:
        """Places of the words that have a synonym."""
        if self._known is None:
            self._known = list(compress(count(), map(synonyms().__contains__, self.lower)))
        return self._known

    def spare(self) -> Sequence[int]:
        """Places of the words that may go: no capitalised one, no negation."""
        if self._spare is None:
            fixed = {at for at, how in self._others.items() if how == "Capitalised"}
            if not _NEGATIONS.isdisjoint(self.lower):
                fixed |= {at for at, word in enumerate(self.lower) if word in _NEGATIONS}
            self._spare = self._without(sorted(fixed))
        return self._spare

    def groups(self) -> list[Sequence[int]]:
        """Places of the words of one casing, where they are not all the same word."""
        if self._groups is None:
            alike: dict[str, list[int]] = {}
            for index, how in self._others.items():
                alike.setdefault(how, []).append(index)
            every = (self._without(list(self._others)), *alike.values())
            self._groups = [group for group in every if len(group) > 1 and self._differ(group)]
        return self._groups

    def _without(self, some: Sequence[int]) -> Sequence[int]:
        """All places but some, which are in order."""
        if not some:
            return range(len(self.words))
        left = list(range(len(self.words)))
        for at in reversed(some):
            del left[at]
        return left

    def _differ(self, group: Sequence[int]) -> bool:
        if self.words[group[0]] != self.words[group[1]]:  # nearly always, and so soon told
            return True
        return any(self.words[at] != self.words[group[0]] for at in group)


Operation = Callable[[FieldWords, int, Draws], dict[int, str]]
"""Words, how many to change, the draws → place of a changed word → what stands there now."""


def replace_words(field: FieldWords, count: int, draws: Draws) -> dict[int, str]:
    """Synonyms in the place of ``count`` words that have one."""
    table, changed = synonyms(), {}
    for index in draws.some(field.known(), count):
        word, others = field.words[index], table[field.lower[index]]
        new = draws.pick(others)
        changed[index] = new if word.islower() else match_case(new, word)
    return changed


def insert_words(field: FieldWords, count: int, draws: Draws) -> dict[int, str]:
    """A synonym of a word present, put after any word; ``count`` times at different places."""
    known = field.known()
    if not known:
        return {}
    table, changed = synonyms(), {}
    for index in draws.some(range(len(field.words)), count):
        others = table[field.lower[draws.pick(known)]]
        word, new = field.words[index], draws.pick(others)
        changed[index] = f"{word} {new if word.islower() else _shouted(new, word)}"
    return changed


def swap_words(field: FieldWords, count: int, draws: Draws) -> dict[int, str]:
    """Two words of the same casing change places, ``count`` times."""
    words, groups = field.words, field.groups()
    order: dict[int, str] = {}
    for _ in range(count if groups else 0):
        group = groups[0] if len(groups) == 1 else _drawn_group(groups, draws)
        first, second = draws.pick(group), draws.pick(group)
        here = order.get(first, words[first])
        while order.get(second, words[second]) == here:  # a group has two different words
            second = draws.pick(group)
        order[first], order[second] = order.get(second, words[second]), here
    if count == 1:
        return order
    return {index: word for index, word in order.items() if word != words[index]}


def delete_words(field: FieldWords, count: int, draws: Draws) -> dict[int, str]:
    """``count`` words fewer, never a capitalised one or a negation, never all."""
    return dict.fromkeys(draws.some(field.spare(), min(count, len(field.words) - 1)), "")


OPERATIONS: dict[str, Operation] = {
    "replace": replace_words,
    "insert": insert_words,
    "swap": swap_words,
    "delete": delete_words,
}
"""Name of the setting that weighs it → the operation."""


def casing(word: str) -> str:
    """How a word is written: words change places only with words written alike.

    >>> [casing(word) for word in ("film", "FILM", "Film", "\u5f71")]
    ['lower', 'UPPER', 'Capitalised', 'none']
    """
    if word.islower():
        return "lower"
    if word.isupper() and len(word) > 1:
        return "UPPER"
    return "Capitalised" if word[:1].isupper() else "none"


def _shouted(new: str, word: str) -> str:
    return new.upper() if casing(word) == "UPPER" else new


def _drawn_group(groups: Sequence[Sequence[int]], draws: Draws) -> Sequence[int]:
    """A group, the larger ones sooner."""
    number = draws.below(sum(map(len, groups)))
    for group in groups:
        if number < len(group):
            return group
        number -= len(group)
    raise IndexError(number)
