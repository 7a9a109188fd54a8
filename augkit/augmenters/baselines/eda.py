"""EDA, easy data augmentation: synonym replacement, random insertion, swap and deletion.

Reference: wei2019eda. It departs from the paper so that the text stays a text. Only plain words are
changed (no number, contraction, address, tag). A synonym has the inflection and the casing of the
word it replaces, a/an follows the next word, and only words of the same casing are swapped. A
capitalised word or a negation is never deleted. A deletion takes at least one word and never all.
The table of synonyms keeps to the usual meaning of a word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, compress, count

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_fields
from augkit.core.config import ChangedFields, MethodConfig
from augkit.core.edits import Edit
from augkit.core.protocols import Tools
from augkit.core.types import Example, Variant, new_edit, new_variant, refused
from augkit.english.negation import negation_words
from augkit.lexicons.load import synonyms
from augkit.text.articles import refit
from augkit.text.casing import match_case
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import PlainWords

_ARTICLES = frozenset({"a", "an", "A", "An", "AN"})
_FINE = 1 << 30
"""Resolution at which an operation is sampled by its weight."""
# The label would go with it: "I did not like this film" must not become "I did like this film".
_NEGATIONS = negation_words(
    *"determiner particle adverb pronoun place correlative conjunction modal".split(),
    *"preposition hardly".split(),
)


class EdaConfig(MethodConfig):
    """How much changes, and by which operations; a weight of 0 switches one off."""

    alpha: float = Field(0.1, gt=0, le=1, description="share of the words that one variant changes")
    replace: float = Field(1.0, ge=0, description="weight of replacing words by synonyms")
    insert: float = Field(1.0, ge=0, description="weight of inserting synonyms of words present")
    swap: float = Field(1.0, ge=0, description="weight of swapping words")
    delete: float = Field(1.0, ge=0, description="weight of deleting words")
    fields: ChangedFields = ()

    @model_validator(mode="after")
    def _something_to_do(self) -> Self:
        if not any(getattr(self, name) for name in OPERATIONS):
            raise ValueError(f"every operation is switched off: {', '.join(OPERATIONS)}")
        return self


class Eda(Augmenter[EdaConfig]):
    """Replace, insert, swap or delete a few random words; the label is kept.

    One operation per variant, sampled by weight; where it finds nothing, another is sampled.
    With n words in a field, max(1, ⌊alpha · n⌋) of them are changed. Every field named in
    ``fields`` (by default all) is changed where possible.
    """

    name = "eda"
    Config = EdaConfig
    traits = Traits(english="rows")

    def __init__(self, config: EdaConfig, tools: Tools | None = None) -> None:
        """Read the weights once."""
        super().__init__(config, tools)
        weighed = {operation: getattr(config, name) for name, operation in OPERATIONS.items()}
        self._choice = _Choice(
            {operation: weight for operation, weight in weighed.items() if weight}
        )
        self._key = (str(config.seed), self.name)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """``copies`` drafts per example."""
        copies = range(self.config.copies)
        for parent, texts in zip(batch, list(map(self._texts, batch)), strict=True):
            if not texts:
                yield refused(parent, "no plain word")
                continue
            rng = HashRandom(parent.id, *self._key)
            for copy in copies:
                yield self._variant(parent, texts, copy, rng)

    def _texts(self, parent: Example) -> list[_Text]:
        """The chosen fields that have a plain word."""
        names = chosen_fields(parent.fields, self.config.fields)
        texts = [_Text(name, parent.fields[name], self.config.alpha) for name in names]
        return [text for text in texts if text.field.words]

    def _variant(
        self, parent: Example, texts: Sequence[_Text], copy: int, rng: HashRandom
    ) -> Variant:
        choice: _Choice | None = self._choice
        while choice:
            operation = choice.sample(rng)
            edits: list[Edit] = []
            fields = {**parent.fields}
            for text in texts:
                if changed := operation(text.field, text.count, rng):
                    fields[text.name] = text.changed(changed, edits)
            if edits:
                return new_variant(parent, fields, parent.label, "kept", copy, tuple(edits))
            choice = choice.without(operation)
        return refused(parent, "nothing to change", "too few words, or none with a synonym", copy)


class _Text:
    """A field with its plain words, read once for all variants."""

    __slots__ = ("articles", "beside", "count", "field", "name", "plain", "text")

    def __init__(self, name: str, text: str, alpha: float) -> None:
        self.name = name
        self.text = text
        self.plain = PlainWords(text)
        words = self.plain.words
        self.count = int(alpha * len(words)) or 1
        self.field = FieldWords(words)
        self.articles = list(compress(count(), map(_ARTICLES.__contains__, words[:-1])))
        self.beside = {index for at in self.articles for index in (at, at + 1)}

    def changed(self, changed: dict[int, str], edits: list[Edit]) -> str:
        """The text with these words replaced and a/an fitted; the edits are added to ``edits``."""
        if not self.beside.isdisjoint(changed):
            changed = _with_articles(self, changed)
        text = self.text
        last = 0
        written = ""
        for index, after in sorted(changed.items()) if len(changed) > 1 else changed.items():
            start, end = self.plain.span(index)
            if not after:
                # The space before the word goes too, or the one after it if that is taken.
                if start > last and text[start - 1].isspace():
                    start -= 1
                else:
                    end += text[end : end + 1].isspace()
            edits.append(new_edit(self.name, start, end, text[start:end], after))
            written += text[last:start] + after
            last = end
        return written + text[last:]


class _Choice:
    """Operations, sampled by their weights."""

    __slots__ = ("_bounds", "_operations", "_others", "_scale", "_weights")

    def __init__(self, weights: dict[Operation, float]) -> None:
        self._weights = weights
        self._operations = list(weights)
        *self._bounds, total = accumulate(weights.values())
        self._scale = total / _FINE
        self._others: dict[Operation, _Choice] = {}

    def sample(self, rng: HashRandom) -> Operation:
        """One of them."""
        return self._operations[bisect_right(self._bounds, rng.below(_FINE) * self._scale)]

    def without(self, operation: Operation) -> _Choice | None:
        """The choice among the others, if there are any."""
        if len(self._operations) == 1:
            return None
        if operation not in self._others:
            left = {**self._weights}
            del left[operation]
            self._others[operation] = _Choice(left)
        return self._others[operation]


def _with_articles(text: _Text, changed: dict[int, str]) -> dict[int, str]:
    """The changes, with a/an fitted to the word that now follows."""
    words = text.field.words
    fitted = dict(changed)
    for index in [at for at in text.articles if at in changed or at + 1 in changed]:
        head, _, inserted = changed.get(index, words[index]).partition(" ")
        following = inserted or _following(text, index, changed)
        if head == words[index] and following:
            fitted[index] = f"{refit(head, words[index + 1], following)} {inserted}".rstrip()
    return {index: word for index, word in fitted.items() if word != words[index]}


def _following(text: _Text, index: int, changed: dict[int, str]) -> str:
    """The word that follows after the changes; "" where more than space is between."""
    words = text.field.words
    span = text.plain.span
    for later in range(index + 1, len(words)):
        if not text.text[span(later - 1)[1] : span(later)[0]].isspace():
            return ""
        if word := changed.get(later, words[later]):
            return word.partition(" ")[0]
    return ""


class FieldWords:
    """The plain words of a field; what can be done to them is computed when first needed."""

    __slots__ = ("_deletable", "_groups", "_others", "_with_synonyms", "lower", "words")

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
        self._with_synonyms: list[int] | None = None
        self._deletable: Sequence[int] | None = None
        self._groups: list[Sequence[int]] | None = None

    def with_synonyms(self) -> list[int]:
        """Indices of the words that have a synonym."""
        if self._with_synonyms is None:
            self._with_synonyms = list(compress(count(), map(synonyms().__contains__, self.lower)))
        return self._with_synonyms

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
    table = synonyms()
    changed = {}
    for index in rng.sample(field.with_synonyms(), count):
        word = field.words[index]
        new = rng.pick(table[field.lower[index]])
        changed[index] = new if word.islower() else match_case(new, word)
    return changed


def insert_words(field: FieldWords, count: int, rng: HashRandom) -> dict[int, str]:
    """Insert a synonym of a word present after any word, ``count`` times."""
    with_synonyms = field.with_synonyms()
    if not with_synonyms:
        return {}
    table = synonyms()
    changed = {}
    for index in rng.sample(range(len(field.words)), count):
        synonym = rng.pick(table[field.lower[rng.pick(with_synonyms)]])
        word = field.words[index]
        capitals = not word.islower() and casing(word) == "UPPER"
        changed[index] = f"{word} {synonym.upper() if capitals else synonym}"
    return changed


def swap_words(field: FieldWords, count: int, rng: HashRandom) -> dict[int, str]:
    """Swap two words of the same casing, ``count`` times."""
    words = field.words
    groups = field.groups()
    order: dict[int, str] = {}
    for _ in range(count if groups else 0):
        group = groups[0] if len(groups) == 1 else _sample_group(groups, rng)
        first = rng.pick(group)
        second = rng.pick(group)
        here = order.get(first, words[first])
        while order.get(second, words[second]) == here:  # a group has two different words
            second = rng.pick(group)
        order[first] = order.get(second, words[second])
        order[second] = here
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
