"""Which rows of a dataset are used: the first ones, or some drawn by a seed."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from random import Random
from typing import TypeVar

from pydantic import Field

from augkit.core.config import StrictModel

A = TypeVar("A")


class RowSelection(StrictModel):
    """The first ``limit`` rows, and of these ``sample`` rows drawn by the seed."""

    limit: int | None = Field(None, ge=1, description="use only the first N rows")
    sample: int | None = Field(
        None, ge=1, description="use only N rows, drawn by the seed; after the limit"
    )
    seed: int = Field(0, description="draws the sample")

    @property
    def is_partial(self) -> bool:
        """Whether rows may be left out."""
        return self.limit is not None or self.sample is not None

    def numbers(self, total: int) -> Sequence[int]:
        """The numbers of the rows among ``total``, in order; a larger sample holds a smaller one.

        >>> RowSelection(limit=2).numbers(5)
        range(0, 2)
        >>> RowSelection(sample=2).numbers(5)
        [2, 3]
        """
        first = range(total if self.limit is None else min(self.limit, total))
        if self.sample is None or self.sample >= len(first):
            return first
        rng = Random(self.seed)  # noqa: S311 - a sample, not a secret
        drawn = nsmallest(self.sample, ((rng.random(), number) for number in first))
        return sorted(number for _, number in drawn)

    def of(self, rows: Sequence[A]) -> Sequence[A]:
        """The selected ones of all rows."""
        return [rows[number] for number in self.numbers(len(rows))] if self.is_partial else rows
