"""Features are counted as they are found in single rows."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from augkit.core.types import Example, example
from augkit.shortcuts.cues import Feature
from augkit.shortcuts.features import count_features, has_feature, is_amount
from tests.data import random_texts


def pairs(count: int) -> list[Example]:
    """Pairs of texts that share words, signs, tags and lengths."""
    rng = Random(0)
    texts = random_texts(2 * count, rng, longest=9)
    rows = []
    for number in range(count):
        first, second = texts[2 * number : 2 * number + 2]
        second += rng.choice(["", "!", " <br /> x", f" {first}", " &#233;", " WOW 42"])
        rows.append(example({"a": first, "b": second}, rng.choice("xyz")))
    return rows


def test_counts_are_those_of_single_rows():
    """Every feature of every field: the different texts of each label that have it."""
    rows = pairs(150)
    for field in count_features(rows):
        names = list(field.texts.totals)
        assert len(names) == 3
        assert len(field.features) > 50 or field.name == "both"
        for feature, counts in zip(field.features, field.counts.tolist(), strict=True):
            has = [has_feature(feature, rows[row].fields) for row in field.rows.tolist()]
            expected = np.bincount(field.texts.labels[np.array(has)], minlength=3)
            assert counts == expected.tolist(), feature


def test_presence_marks_the_texts_of_each_feature():
    """In the order asked for, whatever their kinds."""
    rows = pairs(120)
    field = count_features(rows)[1]
    numbers = [n for n, feature in enumerate(field.features) if not is_amount(feature.kind)]
    Random(1).shuffle(numbers)
    present = field.presence(numbers[:40]).toarray()
    for column, number in enumerate(numbers[:40]):
        feature = field.features[number]
        has = [has_feature(feature, rows[row].fields) for row in field.rows.tolist()]
        assert present[:, column].astype(bool).tolist() == has, feature


def test_a_text_beside_many_others_counts_once():
    """A claim with twenty pieces of evidence is one claim, once for each label."""
    claims = [f"claim {number % 15} zeppelin" for number in range(300)]
    rows = [
        example({"evidence": f"evidence {n}", "claim": claim}, "xy"[n % 2])
        for n, claim in enumerate(claims)
    ]
    (claim,) = (field for field in count_features(rows) if field.name == "claim")
    number = claim.features.index(Feature("claim", "token", "zeppelin"))
    assert claim.counts[number].tolist() == [15, 15]


@pytest.mark.parametrize(
    ("kind", "name", "text", "expected"),
    [
        ("token", "on", "Only one.", False),
        ("last word", "one", "Only one.", True),
        ("length in words", "at most 2 words", "Only one.", True),
        ("length in characters", "over 9 characters", "Only one.", False),
        ("format", "ends with .", "Only one.", True),
        ("form", "<br", "Only<br/>one", True),
    ],
)
def test_a_feature_is_found_by_its_name(kind, name, text, expected):
    """In a row, by its kind."""
    assert has_feature(Feature("text", kind, name), {"text": text}) is expected
