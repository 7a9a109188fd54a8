"""Random trees."""

import numpy as np
import pytest

from augkit.grammars.trees import Trees


def forest(rng, documents, symbols=4, words=5, most=7):
    """Random binary trees: leaves in random numbers, joined at random."""
    columns = {name: [] for name in ("label", "left", "right", "leaf_a", "leaf_b", "doc")}
    for document in range(documents):
        grow(rng, columns, document, int(rng.integers(1, most)), (symbols, words))
    return Trees(**{name: np.array(values, dtype=np.int32) for name, values in columns.items()})


def grow(rng, columns, document, leaves, sizes):
    """Append a tree in post-order and return the index of its root."""
    symbols, words = sizes
    children, pair = (-1, -1), (-1, -1)
    if leaves > 1:
        cut = int(rng.integers(1, leaves))
        children = tuple(grow(rng, columns, document, part, sizes) for part in (cut, leaves - cut))
    else:
        pair = (int(rng.integers(0, words)), int(rng.integers(-1, words)))
    label = int(rng.integers(0, symbols)) + (0 if leaves > 1 else symbols)
    row = dict(zip(columns, (label, *children, *pair, document), strict=True))
    for name, value in row.items():
        columns[name].append(value)
    return len(columns["label"]) - 1


@pytest.fixture(scope="session")
def make_forest():
    """The function that makes random trees."""
    return forest
