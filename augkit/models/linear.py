"""A linear classifier: TF-IDF of word n-grams and logistic regression.

A text of several fields (premise and hypothesis) has a feature space per field, so that a word of
the hypothesis is not the same feature as that word in the premise, and one space of all fields
together. No n-gram reaches from one field into the next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from pydantic import Field

from augkit.config import StrictModel, validate
from augkit.data import Example
from augkit.errors import DataError
from augkit.models.labels import class_labels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FORMAT = 1


class LinearConfig(StrictModel):
    """How texts become features and how strongly the weights are held back."""

    ngrams: int = Field(2, ge=1, le=5, description="longest word n-gram; all shorter ones count")
    min_df: int = Field(2, ge=1, description="a feature must occur in this many training rows")
    sublinear: bool = Field(default=True, description="1 + ln(count) in the place of the count")
    strength: float = Field(
        10.0, gt=0, description="C of the logistic regression: larger holds the weights back less"
    )
    iterations: int = Field(1000, ge=1, description="most steps of the optimiser")


@dataclass(frozen=True)
class Space:
    """One feature space: the fields it is counted in, its n-grams and their idf: float[terms]."""

    fields: tuple[str, ...]
    terms: tuple[str, ...]
    idf: Floats


@dataclass(frozen=True)
class LinearClassifier:
    """Trained weights; satisfies ``protocols.Classifier``.

    ``weights`` is float[labels, features], the features of all spaces one after another, and
    p(label | x) = softmax(weights · x + bias).
    """

    config: LinearConfig
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    spaces: tuple[Space, ...]
    weights: Floats
    bias: Floats

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities: float[examples, labels]."""
        import numpy as np
        from scipy.special import softmax

        if not examples:
            return np.empty((0, len(self.labels)))
        scores = self.features(examples) @ self.weights.T + self.bias
        return np.asarray(softmax(scores, axis=1), dtype=np.float64)

    def features(self, examples: Sequence[Example]) -> Any:
        """The sparse features: float[examples, features]."""
        from scipy.sparse import hstack

        texts = _texts(examples, self.fields)
        spaces = [
            _weighted(_counts(counter, texts, space.fields), space.idf, self.config)
            for space, counter in zip(self.spaces, self._counters, strict=True)
        ]
        return hstack(spaces, format="csr")

    @cached_property
    def _counters(self) -> list[Any]:
        return [_counter(self.config, space.terms) for space in self.spaces]

    def save(self, folder: Path) -> None:
        """Write ``model.json`` (settings, labels, n-grams) and ``model.npz`` (numbers)."""
        import numpy as np

        told = {
            "format": _FORMAT,
            "config": self.config.model_dump(mode="json"),
            "labels": self.labels,
            "fields": self.fields,
            "spaces": [{"fields": space.fields, "terms": space.terms} for space in self.spaces],
        }
        arrays: dict[str, Any] = {"weights": self.weights, "bias": self.bias}
        arrays |= {f"idf_{number}": space.idf for number, space in enumerate(self.spaces)}
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(folder / "model.npz", **arrays)
        text = json.dumps(told, ensure_ascii=True)
        (folder / "model.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> LinearClassifier:
        """Read a saved classifier; nothing in the files is executed."""
        told = _read_json(folder / "model.json")
        arrays = _read_arrays(folder / "model.npz")
        spaces = tuple(
            Space(tuple(space["fields"]), tuple(space["terms"]), arrays[f"idf_{number}"])
            for number, space in enumerate(told["spaces"])
        )
        return cls(
            config=validate(LinearConfig, told["config"], str(folder / "model.json")),
            labels=tuple(told["labels"]),
            fields=tuple(told["fields"]),
            spaces=spaces,
            weights=arrays["weights"],
            bias=arrays["bias"],
        )


def train_linear(
    examples: Sequence[Example], config: LinearConfig | None = None
) -> LinearClassifier:
    """Train on labelled examples.

    The loss is convex and the optimiser draws nothing, so there is no seed: the same rows give
    the same classifier.
    """
    from scipy.sparse import hstack

    config = LinearConfig() if config is None else config
    labels = class_labels(examples)
    fields = tuple(examples[0].fields)
    texts = _texts(examples, fields)
    groups = [fields] if len(fields) == 1 else [*((name,) for name in fields), fields]
    learnt = [made for group in groups if (made := _learn_space(texts, group, config))]
    if not learnt:
        raise DataError(
            f"no word or n-gram occurs in {config.min_df} or more of the {len(examples)} rows, so "
            "there is nothing to learn from. Give more rows, or set min_df to 1"
        )
    spaces, features = zip(*learnt, strict=True)
    weights, bias = _fit(hstack(features, format="csr"), examples, labels, config)
    return LinearClassifier(config, labels, fields, tuple(spaces), weights, bias)


def _learn_space(
    texts: Mapping[str, Sequence[str]], fields: tuple[str, ...], config: LinearConfig
) -> tuple[Space, Any] | None:
    """The space of these fields and its training features; None where no n-gram is left."""
    import numpy as np

    counter = _counter(config)
    try:
        counter.fit(text for name in fields for text in texts[name])
    except ValueError:  # scikit-learn's only complaint about strings: there is no word in them
        return None
    counts = _counts(counter, texts, fields)
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    kept = np.flatnonzero(frequency >= config.min_df)
    if not kept.size:
        return None
    terms = tuple(counter.get_feature_names_out()[kept].tolist())
    idf = np.log((1 + counts.shape[0]) / (1 + frequency[kept])) + 1
    space = Space(fields, terms, idf)
    return space, _weighted(counts[:, kept], idf, config)


def _fit(
    features: Any, examples: Sequence[Example], labels: Sequence[str], config: LinearConfig
) -> tuple[Floats, Floats]:
    """Weights and bias of a softmax over all labels, two labels included."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    number = {label: index for index, label in enumerate(labels)}
    targets = [number[str(row.label)] for row in examples]
    model = LogisticRegression(C=config.strength, max_iter=config.iterations)
    model.fit(features, targets)
    weights, bias = model.coef_, model.intercept_
    if len(labels) == 2:  # sigmoid(s) = softmax(-s/2, s/2)
        weights, bias = np.vstack([-weights, weights]) / 2, np.hstack([-bias, bias]) / 2
    return np.asarray(weights, dtype=np.float64), np.asarray(bias, dtype=np.float64)


def _counter(config: LinearConfig, terms: Sequence[str] | None = None) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(ngram_range=(1, config.ngrams), vocabulary=terms)


def _counts(counter: Any, texts: Mapping[str, Sequence[str]], fields: Sequence[str]) -> Any:
    """N-grams counted field by field and added up: int[examples, terms]."""
    first, *rest = (counter.transform(texts[name]) for name in fields)
    return sum(rest, first).tocsr()


def _weighted(counts: Any, idf: Floats, config: LinearConfig) -> Any:
    """TF-IDF, each row of length 1 (or 0): float[examples, terms]."""
    import numpy as np
    from sklearn.preprocessing import normalize

    weighted = counts.astype(np.float64)
    if config.sublinear:
        weighted.data = np.log(weighted.data) + 1
    weighted.data *= idf[weighted.indices]
    return normalize(weighted, copy=False)


def _texts(examples: Sequence[Example], fields: Sequence[str]) -> dict[str, list[str]]:
    for row in examples:
        if set(row.fields) != set(fields):
            raise DataError(
                f"this classifier reads {', '.join(fields)}, and a row has "
                f"{', '.join(row.fields)}: train and test must have the same text fields"
            )
    return {name: [row.fields[name] for row in examples] for name in fields}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DataError(f"{path.parent}: no classifier is saved there ({path.name})") from error
    except ValueError as error:
        raise DataError(f"{path}: damaged: {error}") from error
    if told.get("format") != _FORMAT:
        raise DataError(f"{path}: saved by another version of augkit; train it again")
    return told


def _read_arrays(path: Path) -> dict[str, Floats]:
    import numpy as np

    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, BadZipFile) as error:
        raise DataError(f"{path}: missing or damaged: {error}") from error
