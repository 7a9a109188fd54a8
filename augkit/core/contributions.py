"""What a linear model makes of each n-gram of a text: models give it, attribution shares it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from augkit.core.types import Example

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Contributions:
    """N-grams where they occur, and what each adds to the score of one label; rows in order.

    The score s_y(x) = Σ_o scores_o + bias is the label's, less the mean over all labels: what is
    the same for every label decides nothing.
    """

    fields: tuple[str, ...]
    tokens: NDArray[np.int64]
    """int[tokens, 4]: row, number of its field, start and end in its text."""
    scores: NDArray[np.float64]
    """float[occurrences]: what each occurrence of an n-gram adds."""
    parts: NDArray[np.int64]
    """int[parts, 2]: occurrence, token. An n-gram of two words has two parts."""
    bias: NDArray[np.float64]
    """float[rows]: what remains of the score where no word is known."""


@runtime_checkable
class LinearModel(Protocol):
    """A classifier whose score is a sum over n-grams."""

    def contributions(self, examples: Sequence[Example], labels: Sequence[str]) -> Contributions:
        """The n-grams of the examples, and what they add to the score of each one's label."""
        ...
