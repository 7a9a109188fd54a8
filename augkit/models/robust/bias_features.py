"""What a model of the bias sees of a row: one field of a pair, or the words that give labels away.

A hypothesis should not tell its label without the premise, nor a single word that of a text. Which
field, or which words, can be named or found from the training rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augkit.core.errors import ConfigError
from augkit.core.types import Example
from augkit.models.classifiers.labels import class_labels, label_numbers
from augkit.models.classifiers.linear import LinearClassifier, LinearConfig, train_linear
from augkit.models.classifiers.ngrams import count_ngrams, tokens_of
from augkit.models.ensembles.folds import assign_folds
from augkit.text.association import corrected, label_counts, p_values, z_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ALPHA = 0.05
_FOLDS = 3
_PROBED = 3_000
"""Rows that are enough to tell which of two fields gives more away."""


@dataclass(frozen=True)
class BiasView:
    """One field, or where none is named some words of all fields; nothing else of a row."""

    field: str | None = None
    words: tuple[str, ...] = ()

    def __call__(self, examples: Sequence[Example]) -> list[Example]:
        """The rows as the model of the bias reads them.

        >>> from augkit.core.types import example
        >>> BiasView(words=("never",))([example("She never wore it.")])[0].fields["text"]
        'never'
        """
        return [
            Example(self._seen(row), row.label, row.id, row.columns, row.fault) for row in examples
        ]

    def told(self) -> dict[str, Any]:
        """As plain values."""
        return {"field": self.field, "words": list(self.words)}

    def __str__(self) -> str:
        """In words."""
        if self.field is not None:
            return f"the field '{self.field}' alone"
        shown = ", ".join(self.words[:5]) + (" ..." if self.words[5:] else "")
        return f"{len(self.words)} words alone ({shown})"

    def _seen(self, row: Example) -> dict[str, str]:
        if self.field is not None:
            if self.field not in row.fields:
                raise ConfigError(
                    f"the rows have no field '{self.field}': they have {', '.join(row.fields)}"
                )
            return {self.field: row.fields[self.field]}
        kept = frozenset(self.words)
        return {
            name: " ".join(token.word for token in tokens_of(text) if token.word in kept)
            for name, text in row.fields.items()
        }


def find_view(examples: Sequence[Example], most_words: int) -> BiasView:
    """Of pairs the field that alone tells most of the label; of single texts telling words."""
    fields = tuple(examples[0].fields)
    if len(fields) > 1:
        return BiasView(field=max(fields, key=lambda name: _alone(examples, name)))
    return BiasView(words=telling_words(examples, most_words))


def telling_words(examples: Sequence[Example], most: int) -> tuple[str, ...]:
    """The words that go with a label most, of those that chance (Holm, 5 %) does not explain.

    Nothing here knows a shortcut from a word that tells the label by right: both are found. Name
    the words where you know them.
    """
    import numpy as np

    labels = class_labels(examples)
    counted = count_ngrams(examples, 1, 2)
    # The last space is that of all fields together.
    present = (counted.counts[-1] > 0).astype(np.int64)
    numbers = label_numbers(examples, labels)
    counts, totals = label_counts(present, numbers, len(labels)), np.bincount(numbers)
    chance = corrected(p_values(counts, totals), "holm").min(axis=1)
    strength = np.where(chance <= _ALPHA, z_scores(counts, totals).max(axis=1), -np.inf)
    order = np.argsort(-strength, kind="stable")[:most]
    terms = counted.vocabularies[-1].terms
    found = tuple(terms[place] for place in order.tolist() if strength[place] > 0)
    if not found:
        raise ConfigError(
            f"no word of the {len(examples)} rows goes with a label more than chance would have "
            "it, so there is no bias to train against. Name words, or train without it"
        )
    return found


def train_view(
    examples: Sequence[Example], view: BiasView, config: LinearConfig
) -> tuple[LinearClassifier, Any]:
    """A model of the bias alone, and its features of the rows: sparse float[rows, hints]."""
    seen = view(examples)
    model = train_linear(seen, config)
    return model, model.features(seen)


def _alone(examples: Sequence[Example], field: str) -> float:
    """Held-out accuracy of a classifier that sees one field."""
    import numpy as np

    rows = BiasView(field=field)(sorted(examples, key=lambda row: row.id)[:_PROBED])
    folds = np.array(assign_folds(rows, _FOLDS, 0, None))
    right = [_share(rows, folds == fold) for fold in range(_FOLDS)]
    return float(np.mean(right))


def _share(rows: Sequence[Example], held_out: NDArray[np.bool_]) -> float:
    parted = list(zip(rows, held_out.tolist(), strict=True))
    model = train_linear([row for row, out in parted if not out], LinearConfig(iterations=100))
    asked = [row for row, out in parted if out]
    answers = model.predict(asked).argmax(axis=1)
    right = [model.labels[n] == row.label for n, row in zip(answers, asked, strict=True)]
    return float(sum(right) / len(right))
