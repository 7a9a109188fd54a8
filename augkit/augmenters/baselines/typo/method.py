"""``typo``: spelling noise, to train or test a classifier on text as people type it.

Every change is recorded, and the same row gets the same typos in every run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter
from augkit.augmenters.baselines.typo.noise import Change, keyboards, noise_kinds
from augkit.augmenters.fields import chosen_fields
from augkit.core.config import MethodConfig
from augkit.core.protocols import Tools
from augkit.core.types import Draft, Example, Rejection, new_draft, new_edit
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import PlainWords

_T = TypeVar("_T")
Kind = Literal["keyboard", "transpose", "omit", "double", "ocr", "case", "space"]


class TypoConfig(MethodConfig):
    """How many words get a typo, and of which kinds."""

    share: float = Field(0.1, gt=0, le=1, description="share of the words that get a typo")
    kinds: tuple[Kind, ...] = Field(
        ("keyboard", "transpose", "omit", "double", "ocr", "case", "space"),
        min_length=1,
        description="keyboard (a neighbouring key), transpose, omit, double (letters), ocr "
        "(characters that scanners confuse), case, space",
    )
    keyboard: str = Field("qwerty", description="qwerty, qwertz or azerty")
    fields: tuple[str, ...] = Field(
        (), description="fields to change, as [hypothesis]; empty: every field of the example"
    )

    @field_validator("keyboard")
    @classmethod
    def _is_known(cls, keyboard: str) -> str:
        if keyboard not in keyboards():
            raise ValueError(f"unknown keyboard. Known: {', '.join(keyboards())}")
        return keyboard


class Typo(Augmenter[TypoConfig]):
    """Misspell some words as keyboards, scanners and people do; the label is kept.

    max(1, ⌊share · n⌋) of the n plain words of a field get a typo. Numbers, addresses,
    mentions, tags and words with apostrophes or hyphens are left alone.
    """

    name = "typo"
    Config = TypoConfig
    replaces_in_kind = True

    def __init__(self, config: TypoConfig, tools: Tools | None = None) -> None:
        """Read the tables once."""
        super().__init__(config, tools)
        known = noise_kinds(config.keyboard)
        self._noise = [known[kind] for kind in config.kinds]
        self._key = (str(config.seed), self.name)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """``copies`` drafts per example."""
        for parent in batch:
            names = chosen_fields(parent.fields, self.config.fields)
            plain = [(name, PlainWords(parent.fields[name])) for name in names]
            plain = [(name, words) for name, words in plain if words.words]
            if not plain:
                yield Rejection(parent, "no plain word")
                continue
            rng = HashRandom(parent.id, *self._key)
            for copy in range(self.config.copies):
                yield self._variant(parent, plain, copy, rng)

    def _variant(
        self,
        parent: Example,
        plain: Sequence[tuple[str, PlainWords]],
        copy: int,
        rng: HashRandom,
    ) -> Draft | Rejection:
        fields, edits = {**parent.fields}, []
        for name, words in plain:
            text = parent.fields[name]
            changes = self._changes(text, words, rng)
            edits += [
                new_edit(name, start, end, text[start:end], after) for start, end, after in changes
            ]
            fields[name] = _changed(text, changes)
        if not edits:
            return Rejection(parent, "nothing to change", "no word allows these kinds", copy)
        return new_draft(parent, fields, parent.label, "kept", copy, tuple(edits))

    def _changes(self, text: str, words: PlainWords, rng: HashRandom) -> list[Change]:
        """The typos of a field, in order; none touches another."""
        count = int(self.config.share * len(words.words)) or 1
        changes = []
        for index in sorted(rng.sample(range(len(words.words)), count)):
            start, end = words.span(index)
            for noise in _shuffled(self._noise, rng):
                if change := noise(text, start, end, rng):
                    changes.append(change)
                    break
        return changes


def _shuffled(items: Sequence[_T], rng: HashRandom) -> Iterator[_T]:
    for index in rng.sample(range(len(items)), len(items)):
        yield items[index]


def _changed(text: str, changes: Sequence[Change]) -> str:
    kept, last = [], 0
    for start, end, after in changes:
        kept += [text[last:start], after]
        last = end
    return "".join(kept) + text[last:]
