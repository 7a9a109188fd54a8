"""Reviews whose adjectives give the label away."""

import random

import pytest

from augkit.core.types import example

GOOD, BAD = ["warm", "clever", "bright", "tender"], ["dull", "clumsy", "grim", "stale"]


@pytest.fixture(scope="session")
def adjectives():
    """Words of good reviews and of bad ones."""
    return GOOD, BAD


def _reviews(count=60, seed=0, noise=0.0):
    """Reviews with the label of their adjectives, but for a share of them."""
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        label, words = (("pos", GOOD), ("neg", BAD))[number % 2]
        text = f"The {rng.choice(words)} film {rng.randrange(999)} was {rng.choice(words)}."
        given = rng.choice(["pos", "neg"]) if rng.random() < noise else label
        rows.append(example(text, given, occurrence=number))
    return rows


@pytest.fixture(scope="session")
def reviews():
    """The function that writes so many of them."""
    return _reviews
