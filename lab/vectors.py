"""Sentence vectors kept on disk, and heads trained on them.

Vectors come from any transformer with mean pooling; every text is embedded once and kept in a
folder, so that an experiment can be repeated in seconds. A pair becomes [u, v, |u - v|, u·v].
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from augkit.core.types import Example, digest
from augkit.models.language_models.vectors import open_vectors

CHUNK = 1024
STRENGTHS = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2)
LONGEST = 900
"""Characters of a text that are read: about two hundred word pieces."""


class Encoder:
    """Texts to vectors of length 1, each computed once and kept as files of a folder."""

    def __init__(self, path: str, folder: Path) -> None:
        """Read what the folder has."""
        self.path, self.folder = path, folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.model = None
        self.known: dict[str, np.ndarray] = {}
        for file in sorted(folder.glob("*.npz")):
            with np.load(file) as held:
                self.known.update(zip(held["keys"].tolist(), held["vectors"], strict=True))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of the texts, in their order: float32[texts, width]."""
        keys = [digest(text[:LONGEST]) for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self.known
        }
        ordered = sorted(missing.items(), key=lambda item: (len(item[1]), item[0]))
        for start in range(0, len(ordered), CHUNK):
            self._add(ordered[start : start + CHUNK])
        return np.stack([self.known[key] for key in keys])

    def _add(self, items: Sequence[tuple[str, str]]) -> None:
        if self.model is None:
            self.model = open_vectors(self.path, "mean")
        found = self.model.sentences([text[:LONGEST] for _, text in items])
        found = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
        keys = [key for key, _ in items]
        np.savez(self.folder / f"{digest(*keys)}.npz", keys=np.array(keys), vectors=found)
        self.known.update(zip(keys, found, strict=True))


def pair_features(rows: Sequence[Example], encoder: Encoder) -> np.ndarray:
    """[u, v, |u - v|, u·v] of the two fields of each row."""
    first, second = (encoder([row.fields[name] for row in rows]) for name in rows[0].fields)
    return np.hstack([first, second, np.abs(first - second), first * second])


class Head:
    """Logistic regression on standardised features."""

    def __init__(self, features: np.ndarray, labels: Sequence[str], strength: float) -> None:
        """Fit; ``strength`` is C: larger holds the weights back less."""
        self.scale = StandardScaler().fit(features)
        self.model = LogisticRegression(C=strength, max_iter=300)
        self.model.fit(self.scale.transform(features), list(labels))

    def right(self, features: np.ndarray, labels: Sequence[str]) -> np.ndarray:
        """For each row whether the answer is its label."""
        return np.asarray(self.model.predict(self.scale.transform(features)) == np.array(labels))


def best_strength(features: np.ndarray, labels: Sequence[str]) -> float:
    """The C whose heads do best on held-out fifths of these rows."""
    folds = np.arange(len(labels)) % 5
    answers = np.array(labels)

    def accuracy(strength: float) -> float:
        right = []
        for fold in range(5):
            inside, outside = folds != fold, folds == fold
            head = Head(features[inside], answers[inside].tolist(), strength)
            right.append(head.right(features[outside], answers[outside].tolist()).mean())
        return float(np.mean(right))

    return max(STRENGTHS, key=accuracy)


def bootstrap(before: np.ndarray, after: np.ndarray, *, seeds: bool = False) -> list[float]:
    """Difference of two accuracies over the same rows, with a 95 % bootstrap interval, in points.

    ``before`` and ``after`` are bool[seeds, rows]; rows are drawn, and seeds too if asked.
    """
    gaps = after.astype(float) - before
    draw = np.random.default_rng(0)
    copies, rows = gaps.shape
    means = []
    for _ in range(2000):
        some = gaps[draw.integers(0, copies, copies)] if seeds else gaps
        means.append(some.mean(axis=0)[draw.integers(0, rows, rows)].mean())
    return [round(100 * float(v), 2) for v in (gaps.mean(), *np.quantile(means, [0.025, 0.975]))]
