"""Normalise: what carries no content is made alike in all candidates of an item, by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.choices.style_rules import alike, chosen_rules
from augkit.core.choices import candidate_fields, choice_of
from augkit.core.config import MethodConfig
from augkit.core.protocols import Tools
from augkit.core.types import Example, Variant, refused


class NormaliseConfig(MethodConfig):
    """Which rules are applied beside, or without, those that keep the meaning for certain."""

    with_rules: tuple[str, ...] = Field(
        (), description="rules to apply that are off by default, as [numbering, capitals]"
    )
    without_rules: tuple[str, ...] = Field(
        (), description="rules not to apply that are on by default, as [closings]"
    )


class Normalise(Augmenter[NormaliseConfig]):
    """Make Markdown, quotation marks, openings, closings and spaces of all candidates alike.

    The winner stays the winner. Code, addresses and words with content stay. A row whose candidates
    would have one text is rejected: they differ in nothing else.
    """

    name = "normalise"
    Config = NormaliseConfig
    reads = "choices"
    mix = "replace"

    def __init__(self, config: NormaliseConfig, tools: Tools | None = None) -> None:
        """Find the rules; an unknown name is an error at once."""
        super().__init__(config, tools)
        self._rules = chosen_rules(config.with_rules, config.without_rules)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """One draft for each row in which a rule changes anything."""
        for row in batch:
            before = choice_of(row).candidates
            after, rules = alike(before, self._rules)
            if not rules:
                yield refused(row, "nothing to change", stays=True)
            elif len(set(after)) < len(set(before)):
                yield refused(row, "candidates differ in style alone", " | ".join(after)[:200])
            else:
                fields = {**row.fields, **candidate_fields(after)}
                yield Variant(row, fields, row.label, about={"rules": ", ".join(rules)})
