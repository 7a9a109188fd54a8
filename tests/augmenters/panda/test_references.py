import random
from collections import Counter

import pytest

from augkit.augmenters.panda.method import choices, shuffled
from augkit.augmenters.panda.references import perturbability, references

FIELDS = {"text": "He gave his hat to him, and an Asian woman laughed."}


def test_choices_are_all_words_with_all_other_attributes():
    """Algorithm 1 lists every (word, target ≠ source)."""
    found = references({"text": "He ran."}, ["gender"])
    assert {choice.target for choice in choices(found)} == {"woman", "non-binary"}
    assert [choice.target for choice in choices(found, "woman")] == ["woman"]
    assert choices(found, "man") == []


def test_balanced_sampling_draws_each_axis_alike():
    """Uniform follows the words; balanced gives a rare axis the share of a frequent one."""
    options = choices(references(FIELDS, ["gender", "race"]))
    draws = {
        sampling: Counter(
            shuffled(options, random.Random(seed), sampling)[0].reference.axis
            for seed in range(2000)
        )
        for sampling in ("uniform", "balanced")
    }
    share = sum(option.reference.axis == "race" for option in options) / len(options)
    assert draws["uniform"]["race"] / 2000 == pytest.approx(share, abs=0.05)
    assert draws["balanced"]["race"] / 2000 == pytest.approx(0.5, abs=0.05)


def test_a_draw_is_a_permutation():
    """Nothing is lost or repeated in the drawn order."""
    options = choices(references(FIELDS, ["gender", "race", "age"]))
    assert Counter(shuffled(options, random.Random(3), "balanced")) == Counter(options)


def test_perturbability_counts_names_twice_as_much_as_words():
    """Eq. 2: (m0·names + m1·listed words) / words."""
    assert perturbability({"text": "Anna saw her dog"}, ["gender"]) == (1 + 0.5) / 4
    assert perturbability({"text": "The sky"}, ["gender"]) == 0
    assert perturbability({"text": ""}, ["gender"]) == 0
