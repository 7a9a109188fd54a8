import random

import pytest

from augkit.core.types import example

WORDS = "the a film house dog runs sings quickly red green table water over under".split()


@pytest.fixture
def planted():
    """A function that makes rows with a planted word."""
    return planted_rows


def planted_rows(seed=0, rows=400):
    """Rows of random words; "indeed" stands in two thirds of one label's and few of the other's."""
    rng = random.Random(seed)
    examples = []
    for number in range(rows):
        label = "yes" if number % 2 else "no"
        words = rng.choices(WORDS, k=8)
        if rng.random() < (0.66 if label == "yes" else 0.03):
            words[rng.randrange(8)] = "indeed"
        examples.append(example(" ".join(words), label, occurrence=number))
    return examples
