"""Texts of two fields with a planted shortcut, and a small problem."""

import random

import numpy as np
import pytest

from augkit.core.types import example


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


@pytest.fixture(scope="session")
def claims():
    return _claims


@pytest.fixture(scope="session")
def as_texts():
    """The two fields of every row joined into one."""
    return lambda rows: [example(" ".join(row.fields.values()), row.label) for row in rows]


@pytest.fixture
def problem():
    """Small random features, bias features and three labels."""
    rng = np.random.default_rng(5)
    features, bias_features = rng.normal(size=(60, 3)), (rng.random((60, 4)) < 0.4).astype(float)
    truth = features @ rng.normal(size=(3, 3)) + bias_features @ rng.normal(size=(4, 3))
    return features, bias_features, (truth + rng.gumbel(size=(60, 3))).argmax(axis=1)
