"""Augmenters of other libraries, the real ones where they are installed, through the adapter."""

from __future__ import annotations

import importlib
import random
import warnings

import pytest

import augkit
from augkit.core.types import example

ROWS = [
    example(f"A truly wonderful movie number {name} with an excellent cast and story.", "good")
    for name in ("one", "two", "three", "four")
]
TOOLS = {
    "nlpaug RandomWordAug": ("nlpaug.augmenter.word", "RandomWordAug", {"action": "swap"}),
    "nlpaug RandomCharAug": ("nlpaug.augmenter.char", "RandomCharAug", {"action": "substitute"}),
    "TextAttack CharSwapAugmenter": ("textattack.augmentation", "CharSwapAugmenter", {}),
    "AugLy SimulateTypos": ("augly.text", "SimulateTypos", {"typo_type": "misspelling"}),
    "AugLy ReplaceSimilarChars": ("augly.text", "ReplaceSimilarChars", {}),
    "AugLy SplitWords": ("augly.text", "SplitWords", {}),
}


@pytest.mark.filterwarnings("ignore")  # theirs, not ours
@pytest.mark.parametrize("name", TOOLS)
def test_a_real_augmenter_gives_the_same_for_the_same_seed(name):
    """In another order and after other draws too, with edits, the label and the tool's name."""
    module, tool, settings = TOOLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = getattr(importlib.import_module(module), tool)(**settings)
        except (ImportError, LookupError) as error:  # the second: NLTK's data are missing
            pytest.skip(f"{name} is not installed: {str(error).strip()[:200]}")
    step = augkit.from_callable(made, name, seed=3)
    forwards = list(step(ROWS))
    random.seed(99)
    backwards = list(augkit.from_callable(made, name, seed=3)(ROWS[::-1]))
    assert sorted(pair.variant.id for pair in forwards) == sorted(
        pair.variant.id for pair in backwards
    )
    assert forwards
    for pair in forwards:
        assert pair.provenance.method == name
        assert pair.provenance.edits
        assert pair.variant.label == "good"
