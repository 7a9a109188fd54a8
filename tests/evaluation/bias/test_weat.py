"""WEAT on anybody's vectors against the formula, written as loops."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import augkit
from augkit.core.errors import DataError

FIFTEEN = ["1", "2", "3", "3b", "4", "5", "5b", "6", "6b", "7", "7b", "8", "8b", "9", "10"]


def cosine(one, other):
    """The cosine of two vectors by its definition."""
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def by_the_formula(vectors, targets, attributes):
    """The effect size, and the association of every target."""
    sides = [
        [
            np.mean([cosine(vectors[word], vectors[a]) for a in attributes[0]])
            - np.mean([cosine(vectors[word], vectors[b]) for b in attributes[1]])
            for word in target
        ]
        for target in targets
    ]
    both = sides[0] + sides[1]
    mean = sum(both) / len(both)
    spread = math.sqrt(sum((value - mean) ** 2 for value in both) / (len(both) - 1))
    return (np.mean(sides[0]) - np.mean(sides[1])) / spread, sides


class Keyed:
    """Vectors that are asked as gensim's are."""

    def __init__(self, vectors):
        self.rows = vectors

    def __contains__(self, word):
        """Whether there is a vector."""
        return word in self.rows

    def __getitem__(self, word):
        """The vector."""
        return self.rows[word]


@given(seed=st.integers(0, 10_000), sizes=st.tuples(*[st.integers(2, 4)] * 4))
@settings(max_examples=20, deadline=None)
def test_weat_is_its_formula(seed, sizes):
    """The effect is that of loops, p that of all divisions, for mappings and for objects."""
    words = [[f"{part}{number}" for number in range(size)] for part, size in enumerate(sizes)]
    generator = np.random.default_rng(seed)
    vectors = {word: generator.normal(size=5).tolist() for part in words for word in part}
    targets, attributes = (words[0], words[1]), (words[2], words[3])
    effect, sides = by_the_formula(vectors, targets, attributes)
    both = sides[0] + sides[1]
    sums = [
        sum(both[place] for place in places)
        for places in combinations(range(len(both)), len(words[0]))
    ]
    p = np.mean([value >= sum(sides[0]) - 1e-6 * sum(map(abs, both)) for value in sums])
    for given_vectors in (vectors, Keyed(vectors)):
        found = augkit.weat(given_vectors, targets, attributes)
        assert found.effect.value == pytest.approx(effect, abs=1e-9)
        assert found.p == pytest.approx(max(p, 1 / 10_000) if len(sums) > 200_000 else p, abs=1e-9)


@pytest.mark.parametrize("number", FIFTEEN)
def test_the_published_tests_are_the_formula(number, data_folder):
    """Each of the fifteen tests of WEAT has the effect of the formula on random vectors."""
    path = data_folder / f"bias/weat_seat/weat{number}.jsonl"
    test = json.loads(path.read_text(encoding="utf-8"))
    x, y, a, b = (test[part]["examples"] for part in ("targ1", "targ2", "attr1", "attr2"))
    generator = np.random.default_rng(0)
    vectors = {word: generator.normal(size=12) for word in dict.fromkeys([*x, *y, *a, *b])}
    effect, _ = by_the_formula(vectors, (x, y), (a, b))
    assert augkit.weat(vectors, (x, y), (a, b)).effect.value == pytest.approx(effect, abs=1e-9)


def test_words_without_vectors_are_named():
    """A word that has no vector is an error that names it and says what to do."""
    with pytest.raises(DataError, match=r"no vector for 1 of 4 words \('tulip'\). Leave"):
        augkit.weat({"a": [1], "b": [1], "c": [1]}, (["tulip"], ["a"]), (["b"], ["c"]))


def test_an_empty_set_is_an_error():
    """A set without words is an error, not a missing figure."""
    with pytest.raises(DataError, match="second attributes are empty"):
        augkit.weat({"a": [1], "b": [1], "c": [1]}, (["a"], ["b"]), (["c"], []))
