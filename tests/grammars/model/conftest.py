"""Texts, and settings of a grammar that is trained in a moment."""

import numpy as np
import pytest


def _draw_texts(count, seed):
    """Nouns 0-4 each followed by a verb 5-9, two to four times."""
    rng = np.random.default_rng(seed)
    return [
        np.array(
            [w for _ in range(rng.integers(2, 5)) for w in (rng.integers(5), 5 + rng.integers(5))]
        )
        for _ in range(count)
    ]


@pytest.fixture(scope="session")
def draw_texts():
    """The function that draws so many texts with a seed."""
    return _draw_texts


@pytest.fixture(scope="session")
def small():
    """Settings of a small grammar of these words."""
    return {
        "words": 11,
        "symbols": 3,
        "leaves": 4,
        "width": 16,
        "epochs": 2,
        "device": "cpu",
        "learning_rate": 1e-2,
    }
