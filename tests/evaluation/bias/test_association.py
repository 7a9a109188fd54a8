"""WEAT and SEAT against the definition, written as loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from augkit.evaluation.bias.association import (
    SEAT,
    AssociationTest,
    associate,
    p_value,
)
from augkit.models.language_models.vectors import open_vectors


def slow_tie(word, attributes):
    means = []
    for attribute in attributes:
        cosines = [
            float(word @ other / np.sqrt((word @ word) * (other @ other))) for other in attribute
        ]
        means.append(sum(cosines) / len(cosines))
    return means[0] - means[1]


def slow_test(targets, attributes):
    first, second = ([slow_tie(word, attributes) for word in target] for target in targets)
    both = first + second
    effect = (np.mean(first) - np.mean(second)) / np.std(both, ddof=1)
    divisions = list(combinations(range(len(both)), len(first)))
    above = [sum(both[at] for at in each) - sum(first) for each in divisions]
    # Equal sums differ by rounding; what may be either, rounding or a difference, is left out.
    assume(not any(1e-9 < abs(difference) < 1e-4 for difference in above))
    return effect, sum(difference > -1e-9 for difference in above) / len(divisions)


@given(seed=st.integers(0, 10_000), sizes=st.tuples(*[st.integers(2, 5)] * 4))
@example(seed=321, sizes=(4, 5, 4, 5))  # two sums that differ by less than a rounded one
@settings(max_examples=30, deadline=None)
def test_effect_and_exact_p_are_the_definition(seed, sizes):
    """Every division enumerated gives the same p, the loops the same effect size."""
    generator = np.random.default_rng(seed)
    x, y, a, b = (generator.normal(size=(size, 6)) for size in sizes)
    effect, p = slow_test((x, y), (a, b))
    found = associate("test", (x, y), (a, b))
    assert found.effect.value == pytest.approx(effect, abs=1e-9)
    assert found.p == pytest.approx(p, abs=1e-12)


def shuffled_share(first, second, generator):
    """The share of 10,000 shuffles, one after another, that reach the observed sum."""
    both, hits = np.concatenate([first, second]), 0
    for _ in range(10_000):
        generator.shuffle(both)
        hits += both[: len(first)].sum() >= first.sum()
    return hits / 10_000


def test_p_values_come_near_those_of_plain_shuffles():
    """Where divisions are too many to be looked at, they are drawn."""
    generator = np.random.default_rng(3)
    first, second = generator.normal(0.3, size=30), generator.normal(size=30)
    shuffled = shuffled_share(first, second, generator)
    assert p_value(first, second) == pytest.approx(shuffled, abs=0.02)


def test_seat_reads_its_files_and_scores_a_real_model(tiny_masked, tmp_path):
    """The published format in, effect sizes and p-values out; equal sentences give no effect."""
    import json

    told = {
        "targ1": {"category": "x", "examples": ["The man is here.", "He was old."]},
        "targ2": {"category": "y", "examples": ["The man is here.", "He was old."]},
        "attr1": {"category": "a", "examples": ["It is good.", "Rich people."]},
        "attr2": {"category": "b", "examples": ["It is bad.", "Poor people."]},
    }
    (tmp_path / "sent-weat1.jsonl").write_text(json.dumps(told))
    tests = SEAT.read(tmp_path)
    assert tests == [
        AssociationTest(
            "sent-weat1",
            (("The man is here.", "He was old."),) * 2,
            (("It is good.", "Rich people."), ("It is bad.", "Poor people.")),
        )
    ]
    for pooling in ("first", "last", "mean"):
        found = {
            s.name: s.value
            for s in SEAT.rules["sentences"].score(open_vectors(str(tiny_masked), pooling), tests)
        }
        assert found["sent-weat1"] == pytest.approx(0.0, abs=1e-5)
        assert found["p/sent-weat1"] > 0.5


def test_pooled_vectors_are_what_single_passes_give(tiny_masked):
    """First, last and mean token of the last layer, sentence by sentence."""
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(tiny_masked).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_masked)
    texts = ["He was old.", "The young woman went home and said that it rained."]
    for text, *found in zip(
        texts,
        *(
            open_vectors(str(tiny_masked), how).sentences(texts)
            for how in ("first", "last", "mean")
        ),
        strict=True,
    ):
        with torch.no_grad():
            states = model(torch.tensor([tokenizer(text)["input_ids"]])).last_hidden_state[0]
        wanted = [states[0], states[-1], states.mean(0)]
        for one, two in zip(found, wanted, strict=True):
            assert one == pytest.approx(two.numpy(), abs=1e-5)
