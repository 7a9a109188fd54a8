"""A step as a scikit-learn estimator. The only module that imports scikit-learn for it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import (  # noqa: TID253 - imported only when an estimator is used
    BaseEstimator,
    TransformerMixin,
)
from typing_extensions import Self

from augkit.augmenters.base import numbered_examples, pairs_by_original
from augkit.augmenters.create import create
from augkit.augmenters.mix import Mix
from augkit.augmenters.training_set import augmented_rows
from augkit.core.errors import ConfigError, NotFitted
from augkit.core.protocols import Step
from augkit.core.types import Example, Pair
from augkit.datasets.readers.arrow import plain_value
from augkit.text.printable import counted


class _TextEstimator(BaseEstimator):  # type: ignore[misc] # sklearn has no types
    """``step`` is a method's name (made with ``settings``) or any step."""

    def __init__(self, step: str | Step = "eda", settings: Mapping[str, Any] | None = None) -> None:
        """Keep the parameters as they are, as scikit-learn asks."""
        self.step = step
        self.settings = settings

    def __sklearn_clone__(self) -> Self:
        """Steps never change, so a clone shares its own; a model behind it is not copied."""
        return type(self)(self.step, self.settings)

    def fit(self, X: Sequence[str], y: Sequence[Any] | None = None) -> Self:  # noqa: N803 - theirs
        """Create the step, and fit it to the texts where it learns."""
        step = (
            create(self.step, **(self.settings or {})) if isinstance(self.step, str) else self.step
        )
        self.step_ = step.fit(_examples(X, y)) if hasattr(step, "fit") else step
        return self

    def _augmented(self, originals: list[Example]) -> list[list[Pair]]:
        if not hasattr(self, "step_"):
            raise NotFitted(type(self).__name__)
        return list(pairs_by_original(self.step_, originals).values())


class TextTransformer(TransformerMixin, _TextEstimator):  # type: ignore[misc] # no types
    """Change texts one to one where scikit-learn expects a transformer.

    Each text gives its first variant, or itself where there is none. In a ``Pipeline`` this also
    happens when predicting; to augment training data alone, use ``TextResampler``.

    Args:
        step: The name of a method, or any step.
        settings: Settings of the method, where ``step`` is a name.

    >>> TextTransformer("swap", {"pairs": [["film", "movie"]]}).fit_transform(["A film.", "Fine."])
    ['A movie.', 'Fine.']
    """

    def transform(self, X: Sequence[str]) -> list[str]:  # noqa: N803 - theirs
        """Each text's first variant, or the text itself.

        Args:
            X: The texts.
        """
        augmented = self._augmented(_examples(X, None))
        return [
            pairs[0].variant.fields["text"] if pairs else text
            for text, pairs in zip(X, augmented, strict=True)
        ]


class TextResampler(_TextEstimator):
    """Augment training texts where imbalanced-learn expects a sampler.

    The texts and their order are those that ``augkit run`` writes for a file with them.

    Args:
        step: The name of a method, or any step.
        settings: Settings of the method, where ``step`` is a name.
        mix: How variants join the originals: append, replace or balance; the method's own way
            unless given.

    >>> swap = TextResampler("swap", {"pairs": [["film", "movie"]]})
    >>> swap.fit_resample(["A film.", "Fine."], [0, 1])
    (['A film.', 'A movie.', 'Fine.'], [0, 0, 1])
    """

    def __init__(
        self,
        step: str | Step = "eda",
        settings: Mapping[str, Any] | None = None,
        mix: Mix | None = None,
    ) -> None:
        """Keep the parameters as they are, as scikit-learn asks."""
        super().__init__(step, settings)
        self.mix = mix

    def __sklearn_clone__(self) -> Self:
        """As of every estimator here, with the mix."""
        return type(self)(self.step, self.settings, self.mix)

    def fit_resample(
        self,
        X: Sequence[str],  # noqa: N803 - theirs
        y: Sequence[Any],
    ) -> tuple[list[str], list[Any]]:
        """The training texts, originals and variants, each with its label.

        Args:
            X: The texts.
            y: Their labels.
        """
        originals = _examples(X, y)
        rows = {original.id: row for original, *row in zip(originals, X, y, strict=True)}
        names = dict(zip(map(_label, y), y, strict=True))
        texts = []
        labels = []
        for original, pair in augmented_rows(self.step, originals, self.mix, self.settings):
            text, label = rows[original.id]
            if pair is not None:
                text = pair.variant.fields["text"]
                label = names.get(str(pair.variant.label), pair.variant.label)
            texts.append(text)
            labels.append(label)
        return texts, labels


def _examples(texts: Sequence[object], labels: Sequence[Any] | None) -> list[Example]:
    """The texts with their labels; an error where X is a single text, or y has other rows."""
    if isinstance(texts, str):
        raise ConfigError("X is one text: give a list of texts, as in ['A film.']")
    if labels is not None and len(texts) != len(labels):
        raise ConfigError(
            f"X has {counted(len(texts), 'text')} and y has {counted(len(labels), 'label')}: every "
            "text needs one label"
        )
    return numbered_examples(list(texts), None if labels is None else list(map(_label, labels)))


def _label(value: Any) -> str:
    """A label as text, as it is read from a file."""
    plain = plain_value(value.item() if hasattr(value, "item") else value)
    return plain if isinstance(plain, str) else json.dumps(plain, default=str)
