"""What a bias model sees of a row: one field of a pair, or words that predict the label.

A hypothesis should not decide the label without the premise, nor a single word that of a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import ConfigError
from augkit.core.types import Example
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.classifiers.ngrams import tokens_of
from augkit.models.classifiers.settings import LinearConfig


@dataclass(frozen=True)
class BiasView:
    """What a bias model sees of a row: one field, or some words of all fields.

    Attributes:
        field: Name of the field, or None.
        words: The words, where there is no field.
    """

    field: str | None = None
    words: tuple[str, ...] = ()

    def __call__(self, examples: Sequence[Example]) -> list[Example]:
        """The rows as the bias model reads them.

        >>> from augkit.core.types import example
        >>> BiasView(words=("never",))([example("She never wore it.")])[0].fields["text"]
        'never'
        """
        return [
            Example(self._seen(row), row.label, row.id, row.columns, row.fault) for row in examples
        ]

    def record(self) -> dict[str, Any]:
        """As plain values."""
        return {"field": self.field, "words": list(self.words)}

    def __str__(self) -> str:
        """For messages."""
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
        seen_words = frozenset(self.words)
        return {
            name: " ".join(token.word for token in tokens_of(text) if token.word in seen_words)
            for name, text in row.fields.items()
        }


def fit_bias_model(
    examples: Sequence[Example], view: BiasView, config: LinearConfig
) -> tuple[LinearClassifier, Any]:
    """A linear model of the bias alone, and its features: sparse float[rows, features]."""
    seen = view(examples)
    model = train_linear(seen, config)
    return model, model.features(seen)
