"""A step as a scikit-learn estimator. The only module that imports scikit-learn for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import (  # noqa: TID253 - imported only when an estimator is used
    BaseEstimator,
    TransformerMixin,
)
from typing_extensions import Self

from augkit.augmenters.base import numbered_examples, pairs_by_original
from augkit.augmenters.create import create
from augkit.core.errors import NotFitted
from augkit.core.protocols import Step
from augkit.core.types import Example, Pair


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

    Args:
        step: The name of a method, or any step.
        settings: Settings of the method, where ``step`` is a name.

    >>> swap = TextResampler("swap", {"pairs": [["film", "movie"]]})
    >>> swap.fit_resample(["A film.", "Fine."], [0, 1])
    (['A film.', 'Fine.', 'A movie.'], [0, 1, 0])
    """

    def fit_resample(
        self,
        X: Sequence[str],  # noqa: N803 - theirs
        y: Sequence[Any],
    ) -> tuple[list[str], list[Any]]:
        """All texts and all their variants, each with its label.

        Args:
            X: The texts.
            y: Their labels.
        """
        self.fit(X, y)
        values = {str(value): value for value in y}
        texts, labels = list(X), list(y)
        for pairs in self._augmented(_examples(X, y)):
            for pair in pairs:
                texts.append(pair.variant.fields["text"])
                labels.append(values.get(str(pair.variant.label), pair.variant.label))
        return texts, labels


def _examples(texts: Sequence[object], labels: Sequence[Any] | None) -> list[Example]:
    values = list(texts)
    return numbered_examples(values, None if labels is None else [str(label) for label in labels])
