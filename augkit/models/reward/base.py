"""What all reward models are: a score for every candidate, and as a classifier its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from augkit.core.arrays import Floats
from augkit.core.choices import Choice, choice_of, winners_label
from augkit.core.types import Example
from augkit.text.features.item_features import ItemTexts
from augkit.text.features.within_items import Items

_MOST_CANDIDATES = 26


class RewardModel(Protocol):
    """Scores the candidates of choices: the higher, the better."""

    @property
    def config(self) -> Any:
        """Its settings."""

    def scores(self, choices: Sequence[Choice]) -> Floats:
        """A score for every candidate, one choice after another: float[candidates]."""


def items_of(choices: Sequence[Choice]) -> Items:
    """The candidates of all choices, one choice after another, and which of them won."""
    return ItemTexts(choices, places_matter=False).items


def choice_units(choices: Sequence[Choice]) -> list[str]:
    """What each choice belongs to: its group, else its prompt, else its candidates."""
    return ItemTexts(choices, places_matter=False).units


def candidate_texts(choices: Sequence[Choice]) -> list[str]:
    """All candidates, one choice after another."""
    return [text for choice in choices for text in choice.candidates]


@dataclass(frozen=True)
class RewardClassifier:
    """A reward model as a ``protocols.Classifier`` of rows that are choices.

    The labels are places: "1", "2" and so on. The probability of a place is the softmax of the
    scores of the row's candidates.
    """

    model: RewardModel
    fields: tuple[str, ...] = ()

    @property
    def config(self) -> Any:
        """The settings of the reward model."""
        return self.model.config

    @property
    def labels(self) -> tuple[str, ...]:
        """The places."""
        return tuple(str(number) for number in range(1, _MOST_CANDIDATES + 1))

    def predict(self, examples: Sequence[Example]) -> Floats:
        """The probability of every place; those that a row does not have get 0."""
        choices = [choice_of(row) for row in examples]
        return place_probabilities(choices, self.model.scores(choices), len(self.labels))


def place_probabilities(choices: Sequence[Choice], scores: Floats, places: int) -> Floats:
    """The softmax of the scores of each choice: float[choices, places]."""
    import numpy as np

    sizes = [len(choice.candidates) for choice in choices]
    padded = np.full((len(choices), max([places, *sizes])), -np.inf)
    if choices:
        padded[np.arange(padded.shape[1]) < np.array(sizes)[:, None]] = scores
        powers = np.exp(padded - padded.max(axis=1, keepdims=True))
        padded = powers / powers.sum(axis=1, keepdims=True)
    return np.asarray(padded)


def best_places(probabilities: Sequence[float]) -> tuple[int, ...]:
    """The places, from 0, with the highest probability.

    >>> best_places([0.4, 0.2, 0.4])
    (0, 2)
    """
    best = max(probabilities)
    return tuple(place for place, share in enumerate(probabilities) if share == best)


def best_labels(probabilities: Floats) -> list[str]:
    """The label of each row: the places with the highest probability, "1+2" where they tie."""
    return [winners_label(best_places(row)) or "" for row in probabilities.tolist()]
