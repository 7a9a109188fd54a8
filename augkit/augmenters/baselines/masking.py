"""Masking: words or whole phrases are replaced by a mask. The simplest of baselines.

``mask-words`` masks listed words, or words sampled at random; ``mask-phrase`` masks listed phrases,
or one run of words sampled at random. With a finder both mask its strongest targets. The label is
kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter
from augkit.augmenters.fields import chosen_fields
from augkit.core.config import ChangedFields, MethodConfig
from augkit.core.edits import Edit, FieldSpan, apply, overlap_in_row
from augkit.core.protocols import Finder
from augkit.core.types import Example, Variant, refused
from augkit.lexicons.phrase_table import PhraseTable, TextWords
from augkit.text.tokens import plain_word_spans


class MaskConfig(MethodConfig):
    """The mask, and the fields in which it may stand."""

    mask: str = Field("[MASK]", min_length=1, description="what replaces the words")
    fields: ChangedFields = ()


class MaskWordsConfig(MaskConfig):
    """Which words are masked."""

    words: tuple[str, ...] = Field((), description="words to mask; none: a random share of all")
    share: float = Field(0.15, gt=0, le=1, description="share of random words, at least one")
    targets: int = Field(3, ge=1, description="with a finder: most targets masked in an example")


class MaskWords(Augmenter[MaskWordsConfig]):
    """Mask the listed words of a row, or a random share of its words; the label is kept.

    With a finder its strongest targets are masked instead, one variant per example.
    """

    name = "mask-words"
    Config = MaskWordsConfig
    uses = frozenset({"finder"})

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """``copies`` drafts per example; one where a list of words or a finder decides."""
        if self.tools.finder is not None:
            yield from _mask_targets(batch, self.tools.finder, self.config, self.config.targets)
            return
        listed = {word.lower() for word in self.config.words}
        for parent in batch:
            spans = _word_spans(parent, self.config.fields)
            if listed:
                chosen = [span for span in spans if _text(parent, span).lower() in listed]
                yield _masked(parent, chosen, self.config.mask, 0, "no listed word")
                continue
            for copy in range(self.config.copies):
                count = min(len(spans), max(1, int(self.config.share * len(spans))))
                chosen = self.random(parent, copy).sample(spans, count)
                yield _masked(parent, chosen, self.config.mask, copy, "no plain word")


class MaskPhraseConfig(MaskConfig):
    """Which phrases are masked, or how long a random one is."""

    phrases: tuple[str, ...] = Field(
        (), description="phrases to mask, as [on opening night]; none: one random run of words"
    )
    longest: int = Field(5, ge=1, description="most words of a random phrase")

    @field_validator("phrases")
    @classmethod
    def _have_words(cls, phrases: tuple[str, ...]) -> tuple[str, ...]:
        if not all(any(map(str.isalnum, phrase)) for phrase in phrases):
            raise ValueError("a phrase needs a word")
        return phrases


class MaskPhrase(Augmenter[MaskPhraseConfig]):
    """Mask the listed phrases of a row, or one random run of words; the label is kept.

    With a finder its strongest target is masked instead, one variant per example.
    """

    name = "mask-phrase"
    Config = MaskPhraseConfig
    uses = frozenset({"finder"})

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """``copies`` drafts per example; one where a list of phrases or a finder decides."""
        if self.tools.finder is not None:
            yield from _mask_targets(batch, self.tools.finder, self.config, 1)
            return
        for parent in batch:
            if self.config.phrases:
                chosen = self._listed(parent)
                yield _masked(parent, chosen, self.config.mask, 0, "no listed phrase")
                continue
            spans = _word_spans(parent, self.config.fields)
            for copy in range(self.config.copies):
                chosen = self._phrase(parent, spans, copy) if spans else []
                yield _masked(parent, chosen, self.config.mask, copy, "no plain word")

    def _listed(self, parent: Example) -> list[FieldSpan]:
        names = chosen_fields(parent.fields, self.config.fields)
        texts = {name: TextWords(parent.fields[name]) for name in names}
        return [
            FieldSpan(name, words.span(first)[0], words.span(last)[1])
            for name, words in texts.items()
            for first, last, _ in self._phrases.find(words)
        ]

    @cached_property
    def _phrases(self) -> PhraseTable[None]:
        return PhraseTable((phrase, None) for phrase in self.config.phrases)

    def _phrase(self, parent: Example, spans: Sequence[FieldSpan], copy: int) -> list[FieldSpan]:
        rng = self.random(parent, copy)
        first = rng.randrange(len(spans))
        field, start, end = spans[first]
        last = first + rng.randint(1, self.config.longest)
        ends = [later_end for name, _, later_end in spans[first + 1 : last] if name == field]
        return [FieldSpan(field, start, max([end, *ends]))]


def _mask_targets(
    batch: Sequence[Example], finder: Finder, config: MaskConfig, limit: int
) -> Iterator[Variant]:
    """One draft per example with its strongest targets masked; overlapping ones count once."""
    for parent, targets in zip(batch, finder.find(batch), strict=True):
        names = chosen_fields(parent.fields, config.fields)
        chosen: list[FieldSpan] = []
        for target in sorted(targets, key=lambda target: -target.strength):
            is_free = not any(overlap_in_row(target, span) for span in chosen)
            if target.field in names and is_free:
                chosen.append(FieldSpan(target.field, target.start, target.end))
        yield _masked(parent, chosen[:limit], config.mask, 0, "no target")


def _word_spans(parent: Example, chosen: Sequence[str]) -> list[FieldSpan]:
    return [
        FieldSpan(name, start, end)
        for name in chosen_fields(parent.fields, chosen)
        for start, end in plain_word_spans(parent.fields[name])
    ]


def _text(parent: Example, span: FieldSpan) -> str:
    name, start, end = span
    return parent.fields[name][start:end]


def _masked(
    parent: Example, spans: Sequence[FieldSpan], mask: str, copy: int, reason: str
) -> Variant:
    if not spans:
        return refused(parent, reason, copy=copy)
    edits = tuple(Edit(*span, _text(parent, span), mask) for span in sorted(spans))
    return Variant(parent, apply(parent.fields, edits), parent.label, copy=copy, edits=edits)
