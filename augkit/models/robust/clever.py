"""CLEVER's classifier: the scores of a model of the bias are taken off when an answer is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augkit.core.protocols import SavedClassifier
from augkit.core.types import Example
from augkit.models.classifiers.linear import LinearClassifier
from augkit.models.classifiers.storage import read_json, write_json
from augkit.models.robust.bias_features import BiasView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FILE = "debiased.json"


@dataclass(frozen=True)
class DebiasedClassifier:
    """Any classifier, a linear one that sees the bias alone, and how much of it is subtracted.

        p(y | x) = softmax( log p_whole(y | x) - k · log p_bias(y | view(x)) )

    A log-probability is a score less a number that all labels share, which the softmax takes out
    again: this is the difference of the two models' scores.

    Reference: xu2023counterfactual.
    """

    whole: SavedClassifier
    bias: LinearClassifier
    view: BiasView
    subtract: float

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the probabilities."""
        return tuple(self.whole.labels)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields it reads."""
        return tuple(self.whole.fields)

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities: float[examples, labels]."""
        import numpy as np
        from scipy.special import softmax

        tiny = np.finfo(float).tiny
        whole, bias = (
            np.log(np.maximum(found, tiny))
            for found in (self.whole.predict(examples), self.bias.predict(self.view(examples)))
        )
        return np.asarray(softmax(whole - self.subtract * bias, axis=1), dtype=np.float64)

    def save(self, folder: Path) -> None:
        """Write both models into folders of their own, and what the second sees."""
        self.whole.save(folder / "whole")
        self.bias.save(folder / "bias")
        write_json(folder / FILE, {"view": self.view.told(), "subtract": self.subtract})

    @classmethod
    def load(cls, folder: Path) -> DebiasedClassifier:
        """Read what ``save`` wrote."""
        from augkit.models.classifiers.saved import load_classifier

        told = read_json(folder / FILE)
        view = BiasView(told["view"]["field"], tuple(told["view"]["words"]))
        whole, bias = load_classifier(folder / "whole"), LinearClassifier.load(folder / "bias")
        return cls(whole, bias, view, told["subtract"])
