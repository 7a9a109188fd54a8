"""CLEVER: the scores of a bias model are subtracted at prediction time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.core.arrays import Floats
from augkit.core.types import Example
from augkit.models.classifiers.linear import LinearClassifier
from augkit.models.classifiers.storage import load_record, save_record
from augkit.models.classifiers.train import TrainedClassifier, load_trained_classifier
from augkit.models.robust.bias_view import BiasView

FILE = "debiased.json"


@dataclass(frozen=True)
class DebiasedClassifier:
    """Any classifier, a linear one that sees the bias alone, and how much of it is subtracted.

        p(y | x) = softmax( log p_whole(y | x) - k · log p_bias(y | view(x)) )

    A log-probability is a score less a number that all labels share, which the softmax takes out
    again: this is the difference of the two models' scores.

    Reference: xu2023counterfactual.
    """

    whole: TrainedClassifier
    bias: LinearClassifier
    view: BiasView
    subtract: float

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the probabilities."""
        return self.whole.labels

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields it reads."""
        return self.whole.fields

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities: float[examples, labels]."""
        import numpy as np
        from scipy.special import softmax

        tiny = np.finfo(float).tiny
        whole, bias = (
            np.log(np.maximum(classifier.predict(rows), tiny))
            for classifier, rows in ((self.whole, examples), (self.bias, self.view(examples)))
        )
        return np.asarray(softmax(whole - self.subtract * bias, axis=1), dtype=np.float64)

    def save(self, folder: Path) -> None:
        """Write both models into folders of their own, and what the second sees."""
        self.whole.save(folder / "whole")
        self.bias.save(folder / "bias")
        save_record(folder / FILE, {"view": self.view.record(), "subtract": self.subtract})

    @classmethod
    def load(cls, folder: Path) -> DebiasedClassifier:
        """Read a saved classifier."""
        record = load_record(folder / FILE)
        view = BiasView(record["view"]["field"], tuple(record["view"]["words"]))
        whole = load_trained_classifier(folder / "whole")
        return cls(whole, LinearClassifier.load(folder / "bias"), view, record["subtract"])
