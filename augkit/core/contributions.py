"""What a linear model makes of each n-gram of a text: models give it, attribution shares it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from augkit.core.arrays import Floats, Ints
from augkit.core.types import Example


@dataclass(frozen=True)
class Contributions:
    """N-grams where they occur, and what each adds to the score of one label; rows in order.

    The score s_y(x) = Σ_o scores_o + bias is the label's, less the mean over all labels: what is
    the same for every label decides nothing.
    """

    fields: tuple[str, ...]
    tokens: Ints
    """int[tokens, 4]: row, number of its field, start and end in its text."""
    scores: Floats
    """float[occurrences]: what each occurrence of an n-gram adds."""
    parts: Ints
    """int[parts, 2]: occurrence, token. An n-gram of two words has two parts."""
    bias: Floats
    """float[rows]: what remains of the score where no word is known."""


@runtime_checkable
class LinearModel(Protocol):
    """A classifier whose score is a sum over n-grams."""

    def contributions(self, examples: Sequence[Example], labels: Sequence[str]) -> Contributions:
        """The n-grams of the examples, and what they add to the score of each one's label."""
