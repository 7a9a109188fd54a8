"""The score of a text with words left out: what LIME and Shapley values are made of.

The score that all methods explain is s_y(x) = ln p_y - (1/L) Σ_l ln p_l, the log-probability of the
label less the mean over all L labels. Words add up in it where they do so in the model; in
probabilities they never do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from augkit.attribution.explanation import Explanation, Measure, Piece, word_weights
from augkit.core.arrays import Flags, Floats
from augkit.core.errors import DataError
from augkit.core.protocols import Classifier
from augkit.core.types import Example
from augkit.text.tokens import word_spans

_LEAST = 1e-12
"""Probabilities below this are taken for it, so that their logarithm is a number."""


class Player(NamedTuple):
    """A word that can be left out."""

    field: str
    start: int
    end: int


Game = Callable[[Floats], Floats]
"""Scores of a text: which words are there, float[texts, players] of 0 and 1 → float[texts]."""


def players_of(example: Example) -> list[Player]:
    """The words of all fields."""
    return [
        Player(field, start, end)
        for field, text in example.fields.items()
        for start, end in word_spans(text)
    ]


def game_of(classifier: Classifier, example: Example, label: str) -> Game:
    """The score of the label as a function of which words are there."""
    players = players_of(example)

    def game(present: Floats) -> Floats:
        texts = [_without(example, players, row) for row in present > 0.5]
        return label_scores(classifier, texts, label)

    return game


def label_scores(classifier: Classifier, examples: Sequence[Example], label: str) -> Floats:
    """s_y of each example: float[examples]."""
    import numpy as np

    if label not in classifier.labels:
        raise DataError(
            f"the classifier was not trained on the label '{label}': it knows "
            f"{', '.join(classifier.labels)}"
        )
    logs = np.log(np.maximum(classifier.predict(examples), _LEAST))
    return np.asarray(logs[:, list(classifier.labels).index(label)] - logs.mean(axis=1))


def explained(
    example: Example, label: str, weights: Sequence[float], error: float, measure: Measure
) -> Explanation:
    """An explanation from the weights of the players."""
    pieces: dict[str, list[Piece]] = {}
    for player, weight in zip(players_of(example), weights, strict=True):
        pieces.setdefault(player.field, []).append((player.start, player.end, weight))
    words, rest = word_weights(example, pieces)
    return Explanation(label, words, rest, error, measure)


def _without(example: Example, players: Sequence[Player], present: Flags) -> Example:
    fields = dict(example.fields)
    for player, there in zip(reversed(players), present[::-1].tolist(), strict=True):
        if not there:
            text = fields[player.field]
            fields[player.field] = text[: player.start] + text[player.end :]
    return Example(fields)
