"""Data with a planted shortcut: arrays, and texts of two fields."""

import random

import numpy as np
import pytest

from augkit.core.types import example


def _shortcut_arrays(seed, rows=1200):
    """Eight weak features and one easy cue, right nine times in ten; the cue as bias features."""
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, 2, rows)
    sign = 2 * targets - 1
    evidence = np.where(rng.random((rows, 8)) < 0.63, sign[:, None], -sign[:, None])
    agrees = rng.random(rows) < 0.9
    cue = np.where(agrees, sign, -sign)
    features = np.column_stack([evidence, 2.5 * cue]).astype(float)
    return features, targets, np.column_stack([cue > 0, cue < 0]).astype(float), agrees


@pytest.fixture
def shortcut_arrays():
    return _shortcut_arrays


def _claims(seed, rows, shortcut):
    """Claims with a cue word that agrees with the label in a share of the rows, and evidence."""
    rng = random.Random(seed)
    made, agree = [], []
    for _ in range(rows):
        label = rng.choice(["refutes", "supports"])
        agrees = rng.random() < shortcut
        negated = (label == "refutes") == agrees
        cue = "never" if negated else "always"
        side = {"refutes": "dark", "supports": "light"}
        other = {"refutes": "light", "supports": "dark"}
        words = [side[label] if rng.random() < 0.65 else other[label] for _ in range(5)]
        shown = [f"{word}{index}" for index, word in enumerate(words)]
        claim = f"she {cue} wore number{rng.randrange(9)}"
        made.append(example({"claim": claim, "evidence": " ".join(shown)}, label))
        agree.append(agrees)
    return made, np.array(agree)


@pytest.fixture
def claims():
    return _claims


@pytest.fixture
def as_texts():
    """The two fields of every row joined into one."""
    return lambda rows: [example(" ".join(row.fields.values()), row.label) for row in rows]
