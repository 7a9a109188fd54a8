"""Positions: candidates in other orders, so that the place of the winner says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.core.choices import Choice, candidate_fields, choice_of, rotation, winners_label
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError
from augkit.core.protocols import Tools
from augkit.core.types import Example, Variant, refused
from augkit.datasets.choices.shapes import find_shape

_NAMES_A_PLACE = re.compile(
    r"\b(?:all|none|any|both|neither|either|each) of the (?:above|below|following|others|options)"
    r"|\b(?:above|below|options?|answers?|choices?) \(?[A-E1-5]\b"
    r"|(?<!\w)\(?[A-E]\)?(?:,? (?:and|or|&) |, ?)\(?[A-E]\)?(?!\w)",
    re.IGNORECASE,
)


class PositionsConfig(MethodConfig):
    """Whether every row gets further orders, or one that is drawn."""

    drawn: bool = Field(
        default=False,
        description="draw one order for each row, which replaces it, so that winners are evenly at "
        "all places; else the orders of copies rotations are added",
    )


class Positions(Augmenter[PositionsConfig]):
    """Rotate the candidates; the winner moves with them.

    With as many copies as there are further places every candidate stands at every place once. For
    columns that name the winner, and for verdicts, there is no other order: an error.
    """

    name = "positions"
    Config = PositionsConfig
    reads = "choices"

    def __init__(self, config: PositionsConfig, tools: Tools | None = None) -> None:
        """A drawn order takes the place of the row."""
        super().__init__(config, tools)
        if config.drawn:
            self.mix = "replace"

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """The rotations of each row; each moves all candidates on by so many places."""
        for row in batch:
            _check_places(row)
            choice = choice_of(row)
            if named := next(filter(_NAMES_A_PLACE.search, choice.candidates), None):
                yield refused(row, "a candidate names a place", named[:200])
            elif self.config.drawn:
                yield self._drawn(row, choice)
            else:
                further = min(self.config.copies, len(choice.candidates) - 1)
                yield from (
                    rotated(row, choice, steps, steps - 1) for steps in range(1, further + 1)
                )

    def _drawn(self, row: Example, choice: Choice) -> Variant:
        steps = self.random(row).randrange(len(choice.candidates))
        if not steps:
            return refused(row, "drawn order is that of the row", stays=True)
        return rotated(row, choice, steps, 0)


def rotated(row: Example, choice: Choice, steps: int, copy: int) -> Variant:
    """The row with every candidate moved on by so many places; the last go to the front."""
    order = rotation(len(choice.candidates), steps)
    moved = choice.reordered(order)
    fields = {**row.fields, **candidate_fields(moved.candidates)}
    about = {"order": " ".join(str(place + 1) for place in order)}
    return Variant(row, fields, winners_label(moved.winners), copy=copy, about=about)


def _check_places(row: Example) -> None:
    """Raise where the order of a row's candidates is not free."""
    shape = find_shape(list(row.columns), [dict(row.columns)])
    if shape is not None and not shape.places_matter:
        raise DataError(
            "positions: chosen and rejected are named by their columns: there is no place to change"
        )
    if "judge" in row.columns or "verdict" in row.columns:
        raise DataError(
            "positions: a verdict is about the order that the judge was shown: ask the judge again "
            "(augkit audit --judge) in place of another order"
        )
