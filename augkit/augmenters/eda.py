"""EDA, easy data augmentation: synonym replacement, random insertion, swap and deletion.

Reference: wei2019eda. Where this departs from the paper, so that the text stays a text: only plain
words are touched (no number, contraction, address, tag); a synonym has the inflection and the
casing of the word it replaces; a/an follows the next word; words change places only with words of
the same casing; a capitalised word or a negation is never deleted; a deletion takes at least one
word and never all; the table of synonyms keeps to the meaning a word usually has.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.config import MethodConfig
from augkit.data import Draft, Edit, Example, Refusal
from augkit.errors import UnknownName
from augkit.lexicons.load import synonyms
from augkit.protocols import Tools
from augkit.text.articles import refit
from augkit.text.casing import match_case
from augkit.text.tokens import plain_word_spans

Operation = Callable[[list[str], int, random.Random], dict[int, str]]
"""Words, how many to change, the generator → index of a changed word → what stands there now."""


class EdaConfig(MethodConfig):
    """How much changes, and in which way; a weight of 0 switches an operation off."""

    alpha: float = Field(0.1, gt=0, le=1, description="share of the words that one variant changes")
    replace: float = Field(1.0, ge=0, description="weight of replacing words by synonyms")
    insert: float = Field(1.0, ge=0, description="weight of inserting synonyms of words present")
    swap: float = Field(1.0, ge=0, description="weight of words changing places")
    delete: float = Field(1.0, ge=0, description="weight of deleting words")
    fields: tuple[str, ...] = Field(
        (), description="fields to change, as [hypothesis]; empty: every field of the example"
    )

    @model_validator(mode="after")
    def _something_to_do(self) -> Self:
        if not any(getattr(self, name) for name in OPERATIONS):
            raise ValueError(f"every operation is switched off: {', '.join(OPERATIONS)}")
        return self


class Eda(Augmenter[EdaConfig]):
    """One operation per variant, drawn by its weight; where it finds nothing, the next is drawn.

    With n words in a field, max(1, ⌊alpha · n⌋) of them are changed. Every field named in
    ``fields`` (all, unless said otherwise) is changed where it can be. The label is kept.
    """

    name = "eda"
    Config = EdaConfig

    def __init__(self, config: EdaConfig, tools: Tools | None = None) -> None:
        """Read the weights once."""
        super().__init__(config, tools)
        weighed = {name: getattr(config, name) for name in OPERATIONS}
        self._weights = {name: weight for name, weight in weighed.items() if weight}

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Refusal]:
        """``copies`` drafts per example."""
        for parent in batch:
            spans = {name: plain_word_spans(parent.fields[name]) for name in self._chosen(parent)}
            if not any(spans.values()):
                yield Refusal(parent, "no plain word")
                continue
            for copy in range(self.config.copies):
                yield self._variant(parent, spans, copy)

    def _chosen(self, parent: Example) -> Sequence[str]:
        for name in self.config.fields:
            if name not in parent.fields:
                raise UnknownName("field", name, parent.fields)
        return self.config.fields or tuple(parent.fields)

    def _variant(
        self, parent: Example, spans: dict[str, list[tuple[int, int]]], copy: int
    ) -> Draft | Refusal:
        generator = self.random(parent, copy)
        for operation in _drawn(self._weights, generator):
            fields, edits = dict(parent.fields), list[Edit]()
            for name, places in spans.items():
                made = self._edits(name, fields[name], places, operation, generator)
                fields[name] = _applied(fields[name], made)
                edits += made
            if edits:
                return Draft(parent, fields, parent.label, copy=copy, edits=tuple(edits))
        return Refusal(parent, "nothing to change", "too few words, or none with a synonym", copy)

    def _edits(
        self,
        name: str,
        text: str,
        places: list[tuple[int, int]],
        operation: str,
        generator: random.Random,
    ) -> list[Edit]:
        words = [text[start:end] for start, end in places]
        count = max(1, int(self.config.alpha * len(words)))
        changed = OPERATIONS[operation](words, count, generator)
        if not changed:
            return []
        return _as_edits(name, text, places, _with_articles(words, changed, text, places))


def replace_words(words: list[str], count: int, generator: random.Random) -> dict[int, str]:
    """Synonyms in the place of ``count`` words that have one."""
    table = synonyms()
    known = [index for index, word in enumerate(words) if word.lower() in table]
    chosen = generator.sample(known, min(count, len(known)))
    return {index: _synonym(words[index], generator) for index in chosen}


def insert_words(words: list[str], count: int, generator: random.Random) -> dict[int, str]:
    """A synonym of a word present, put after any word; ``count`` times at different places."""
    table = synonyms()
    known = [word.lower() for word in words if word.lower() in table]
    if not known:
        return {}
    places = generator.sample(range(len(words)), min(count, len(words)))
    made = {index: generator.choice(table[generator.choice(known)]) for index in places}
    return {
        index: f"{words[index]} {word.upper() if _casing(words[index]) == 'UPPER' else word}"
        for index, word in made.items()
    }


def swap_words(words: list[str], count: int, generator: random.Random) -> dict[int, str]:
    """Two words of the same casing change places, ``count`` times."""
    order = list(words)
    alike: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        alike.setdefault(_casing(word), []).append(index)
    groups = [group for group in alike.values() if len({words[index] for index in group}) > 1]
    for _ in range(count if groups else 0):
        group = generator.choices(groups, list(map(len, groups)))[0]
        first = generator.choice(group)
        second = generator.choice([index for index in group if order[index] != order[first]])
        order[first], order[second] = order[second], order[first]
    return {index: word for index, word in enumerate(order) if word != words[index]}


def delete_words(words: list[str], count: int, generator: random.Random) -> dict[int, str]:
    """``count`` words fewer, never a capitalised one or a negation, never all."""
    spare = [
        index
        for index, word in enumerate(words)
        if _casing(word) != "Capitalised" and not _NEGATION.fullmatch(word)
    ]
    most = min(count, len(words) - 1, len(spare))
    return dict.fromkeys(generator.sample(spare, max(0, most)), "")


OPERATIONS: dict[str, Operation] = {
    "replace": replace_words,
    "insert": insert_words,
    "swap": swap_words,
    "delete": delete_words,
}
"""Name of the setting that weighs it → the operation."""

# The label would go with it: "I did not like this film" must not become "I did like this film".
_NEGATION = re.compile(
    r"not?|never|none|nothing|nobody|nowhere|neither|nor|cannot|without|hardly|\w+n['\u2019]t",
    re.IGNORECASE,
)

_ARTICLES = frozenset({"a", "an", "A", "An", "AN"})


def _drawn(weights: dict[str, float], generator: random.Random) -> Iterator[str]:
    """All operations in a random order, the heavier ones sooner."""
    left = dict(weights)
    while left:
        name = generator.choices(list(left), list(left.values()))[0]
        del left[name]
        yield name


def _synonym(word: str, generator: random.Random) -> str:
    return match_case(generator.choice(synonyms()[word.lower()]), word)


def _casing(word: str) -> str:
    if word.islower():
        return "lower"
    if word.isupper() and len(word) > 1:
        return "UPPER"
    return "Capitalised" if word[:1].isupper() else "none"


def _with_articles(
    words: list[str], changed: dict[int, str], text: str, places: list[tuple[int, int]]
) -> dict[int, str]:
    """The changes, and a or an where the word that now follows asks for the other one."""
    fitted = dict(changed)
    for index in range(len(words) - 1):
        if words[index] not in _ARTICLES or not (index in changed or index + 1 in changed):
            continue
        head, _, inserted = changed.get(index, words[index]).partition(" ")
        following = inserted or _following(index, words, changed, text, places)
        if head == words[index] and following:
            fitted[index] = f"{refit(head, words[index + 1], following)} {inserted}".rstrip()
    return {index: word for index, word in fitted.items() if word != words[index]}


def _following(
    index: int,
    words: list[str],
    changed: dict[int, str],
    text: str,
    places: list[tuple[int, int]],
) -> str:
    """The word that follows after the changes; "" where something else than space is between."""
    for later in range(index + 1, len(words)):
        if not text[places[later - 1][1] : places[later][0]].isspace():
            return ""
        if now := changed.get(later, words[later]):
            return now.partition(" ")[0]
    return ""


def _as_edits(
    name: str, text: str, places: list[tuple[int, int]], changed: dict[int, str]
) -> list[Edit]:
    """Edits from left to right; a deleted word takes the space before it along, or after it."""
    edits: list[Edit] = []
    last = 0
    for index in sorted(changed):
        start, end = places[index]
        if not changed[index]:
            if text[start - 1 : start].isspace() and start > last:
                start -= 1
            elif text[end : end + 1].isspace():
                end += 1
        edits.append(Edit(name, start, end, text[start:end], changed[index]))
        last = end
    return edits


def _applied(text: str, edits: list[Edit]) -> str:
    kept, last = [], 0
    for edit in edits:
        kept += [text[last : edit.start], edit.after]
        last = edit.end
    return "".join([*kept, text[last:]])
