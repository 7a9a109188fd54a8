"""EDA, easy data augmentation: synonym replacement, random insertion, swap and deletion.

Reference: wei2019eda. Where this departs from the paper, so that the text stays a text: only plain
words are touched (no number, contraction, address, tag); a synonym has the inflection and the
casing of the word it replaces; a/an follows the next word; words change places only with words of
the same casing; a capitalised word or a negation is never deleted; a deletion takes at least one
word and never all; the table of synonyms keeps to the meaning a word usually has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.augmenters.eda_operations import OPERATIONS, Draws, FieldWords
from augkit.config import MethodConfig
from augkit.data import Draft, Edit, Example, Refusal, digest
from augkit.errors import UnknownName
from augkit.protocols import Tools
from augkit.text.articles import refit
from augkit.text.tokens import plain_word_spans

_ARTICLES = frozenset({"a", "an", "A", "An", "AN"})
_FINE = 1 << 30
"""Steps in which an operation is drawn by its weight."""


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
        self._key = (str(config.seed), self.name)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Refusal]:
        """``copies`` drafts per example."""
        for parent in batch:
            texts = [_Text(name, parent.fields[name]) for name in self._chosen(parent)]
            if not any(text.places for text in texts):
                yield Refusal(parent, "no plain word")
                continue
            start = int(digest(parent.id, *self._key), 16)
            for copy in range(self.config.copies):
                yield self._variant(parent, texts, copy, Draws(start, copy))

    def _chosen(self, parent: Example) -> Sequence[str]:
        for name in self.config.fields:
            if name not in parent.fields:
                raise UnknownName("field", name, parent.fields)
        return self.config.fields or tuple(parent.fields)

    def _variant(
        self, parent: Example, texts: Sequence[_Text], copy: int, draws: Draws
    ) -> Draft | Refusal:
        for name in _drawn(self._weights, draws):
            operation = OPERATIONS[name]
            edits: list[Edit] = []
            fields = {**parent.fields}
            for text in texts:
                count = int(self.config.alpha * len(text.places)) or 1
                if changed := operation(text.field, count, draws):
                    made = text.edits(changed)
                    edits += made
                    fields[text.name] = _applied(text.text, made)
            if edits:
                return Draft(parent, fields, parent.label, copy=copy, edits=tuple(edits))
        return Refusal(parent, "nothing to change", "too few words, or none with a synonym", copy)


class _Text:
    """A field with the places of its plain words, read once for all variants."""

    __slots__ = ("articles", "field", "name", "places", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.places = plain_word_spans(text)
        words = [text[start:end] for start, end in self.places]
        self.field = FieldWords(words)
        self.articles = [at for at, word in enumerate(words[:-1]) if word in _ARTICLES]

    def edits(self, changed: dict[int, str]) -> list[Edit]:
        """The changes as edits; a or an follows the word after it."""
        if self.articles:
            changed = _with_articles(self, changed)
        return _as_edits(self.name, self.text, self.places, changed)


def _drawn(weights: dict[str, float], draws: Draws) -> Iterator[str]:
    """All operations in a random order, the heavier ones sooner."""
    left, total = weights, sum(weights.values())
    while left:
        name = _heavy(left, draws.below(_FINE) * total / _FINE)
        yield name
        left = {other: weight for other, weight in left.items() if other != name}
        total = sum(left.values())


def _heavy(weights: dict[str, float], point: float) -> str:
    """The name whose weight covers a point of their sum."""
    for name, weight in weights.items():
        point -= weight
        if point < 0:
            return name
    return next(reversed(weights))  # rounding put the point at the very end


def _with_articles(text: _Text, changed: dict[int, str]) -> dict[int, str]:
    """The changes, and a or an where the word that now follows asks for the other one."""
    near = [at for at in text.articles if at in changed or at + 1 in changed]
    if not near:
        return changed
    words, fitted = text.field.words, dict(changed)
    for index in near:
        head, _, inserted = changed.get(index, words[index]).partition(" ")
        following = inserted or _following(text, index, changed)
        if head == words[index] and following:
            fitted[index] = f"{refit(head, words[index + 1], following)} {inserted}".rstrip()
    return {index: word for index, word in fitted.items() if word != words[index]}


def _following(text: _Text, index: int, changed: dict[int, str]) -> str:
    """The word that follows after the changes; "" where something else than space is between."""
    words, places = text.field.words, text.places
    for later in range(index + 1, len(words)):
        if not text.text[places[later - 1][1] : places[later][0]].isspace():
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
    for edit in reversed(edits):
        text = text[: edit.start] + edit.after + text[edit.end :]
    return text
