"""Masking: words, or whole phrases, are hidden behind a sign. The plainest of baselines.

``mask-words`` hides chosen words (a list, or those of one part of the demographic lexicons), or
words drawn at random; ``mask-phrase`` hides one run of words drawn at random. The label is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.core.config import MethodConfig
from augkit.core.errors import UnknownName
from augkit.core.types import Draft, Edit, Example, Rejection
from augkit.text.tokens import plain_word_spans

Span = tuple[str, int, int]
"""Field, start and end of what is hidden."""


class MaskWordsConfig(MethodConfig):
    """Which words are hidden, and behind what."""

    words: tuple[str, ...] = Field((), description="words to hide; none: a random share of all")
    share: float = Field(0.15, gt=0, le=1, description="share of random words, at least one")
    sign: str = Field("[MASK]", min_length=1, description="what stands in their place")
    fields: tuple[str, ...] = Field(
        (), description="fields to change, as [hypothesis]; empty: every field of the example"
    )


class MaskWords(Augmenter[MaskWordsConfig]):
    """Hide the listed words of a row, or a random share of its words; the label is kept."""

    name = "mask-words"
    Config = MaskWordsConfig

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """``copies`` drafts per example; a list of words leaves nothing to draw: one suffices."""
        listed = {word.lower() for word in self.config.words}
        for parent in batch:
            spans = _words(parent, self.config.fields)
            if listed:
                chosen = [span for span in spans if _text(parent, span).lower() in listed]
                yield _hidden(parent, chosen, self.config.sign, 0, "no listed word")
                continue
            for copy in range(self.config.copies):
                count = min(len(spans), max(1, int(self.config.share * len(spans))))
                drawn = self.random(parent, copy).sample(spans, count)
                yield _hidden(parent, drawn, self.config.sign, copy, "no plain word")


class MaskPhraseConfig(MethodConfig):
    """How long the hidden phrase is, and behind what it is hidden."""

    longest: int = Field(5, ge=1, description="most words of the phrase")
    sign: str = Field("[MASK]", min_length=1, description="what stands in its place")
    fields: tuple[str, ...] = Field(
        (), description="fields to change, as [hypothesis]; empty: every field of the example"
    )


class MaskPhrase(Augmenter[MaskPhraseConfig]):
    """Hide one run of neighbouring words, drawn at random; the label is kept."""

    name = "mask-phrase"
    Config = MaskPhraseConfig

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """``copies`` drafts per example."""
        for parent in batch:
            spans = _words(parent, self.config.fields)
            for copy in range(self.config.copies):
                chosen = self._phrase(parent, spans, copy) if spans else []
                yield _hidden(parent, chosen, self.config.sign, copy, "no plain word")

    def _phrase(self, parent: Example, spans: Sequence[Span], copy: int) -> list[Span]:
        generator = self.random(parent, copy)
        first = generator.randrange(len(spans))
        field, start, end = spans[first]
        for _, _, later in [
            span
            for span in spans[first + 1 : first + generator.randint(1, self.config.longest)]
            if span[0] == field
        ]:
            end = later
        return [(field, start, end)]


def _words(parent: Example, chosen: Sequence[str]) -> list[Span]:
    for name in chosen:
        if name not in parent.fields:
            raise UnknownName("field", name, parent.fields)
    return [
        (name, start, end)
        for name in chosen or tuple(parent.fields)
        for start, end in plain_word_spans(parent.fields[name])
    ]


def _text(parent: Example, span: Span) -> str:
    name, start, end = span
    return parent.fields[name][start:end]


def _hidden(
    parent: Example, spans: Sequence[Span], sign: str, copy: int, nothing: str
) -> Draft | Rejection:
    if not spans:
        return Rejection(parent, nothing, copy=copy)
    edits = tuple(
        Edit(name, start, end, parent.fields[name][start:end], sign)
        for name, start, end in sorted(spans)
    )
    fields = dict(parent.fields)
    for edit in reversed(edits):
        text = fields[edit.field]
        fields[edit.field] = text[: edit.start] + sign + text[edit.end :]
    return Draft(parent, fields, parent.label, copy=copy, edits=edits)
