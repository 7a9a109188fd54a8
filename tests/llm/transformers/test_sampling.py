"""Sampling against a slow one, row by row; bit masks against a list of bits."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from augkit.llm.transformers.decoding import apply_bitmask, sample_tokens  # noqa: E402

# Scores that differ by less than single precision tells would be ordered by chance.
scores_of_a_row = st.lists(
    st.integers(-64, 64).map(lambda n: n / 8), min_size=7, max_size=7, unique=True
)
row = st.tuples(
    scores_of_a_row,
    st.sampled_from([0.0, 0.3, 1.0, 2.0]),
    st.sampled_from([0.05, 0.5, 0.9, 1.0]),
    st.integers(0, 999).map(lambda n: (n + 0.5) / 1000),
)


def slowly(scores, temperature, top_p, uniform):
    """The tokens that may be meant: rounding can move a boundary by very little."""
    if temperature == 0:
        return {scores.index(max(scores))}
    weights = [math.exp(score / temperature) for score in scores]
    order = sorted(range(len(scores)), key=lambda i: -weights[i] if top_p < 1 else i)
    kept, mass = [], 0.0
    for index in order:
        if kept and mass >= top_p - 1e-6:
            break
        kept.append(index)
        mass += weights[index] / sum(weights)
    found, below = set(), 0.0
    for index in kept:
        above = below + weights[index] / sum(weights)
        if below - 1e-5 <= uniform * mass < above + 1e-5:
            found.add(index)
        below = above
    return found or {kept[-1]}


@pytest.mark.slow
@given(st.lists(row, min_size=1, max_size=5))
@settings(deadline=None)
def test_each_row_gets_the_token_of_the_slow_sampler(rows):
    """Whatever the other rows are: temperature, nucleus and random number are its own."""
    scores, *numbers = zip(*rows, strict=True)
    tokens = sample_tokens(torch.tensor(scores), *map(torch.tensor, numbers)).tolist()
    for one, token in zip(rows, tokens, strict=True):
        assert token in slowly(*one)


def test_many_draws_follow_the_probabilities():
    """Evenly spread random numbers give each token its share."""
    scores = torch.log(torch.tensor([0.5, 0.3, 0.2])).expand(1000, 3)
    even = (torch.arange(1000) + 0.5) / 1000
    tokens = sample_tokens(scores, torch.ones(1000), torch.ones(1000), even).tolist()
    assert [tokens.count(token) for token in range(3)] == [500, 300, 200]


@pytest.mark.slow
@given(st.lists(st.booleans(), min_size=1, max_size=70), st.integers(0, 40))
@settings(deadline=None)
def test_a_bit_mask_leaves_the_tokens_of_its_bits(allowed, more):
    """The lowest bit is first, and tokens beyond the mask are not allowed."""
    words = [allowed[start : start + 32] for start in range(0, len(allowed), 32)]
    numbers = [sum(bit << index for index, bit in enumerate(word)) for word in words]
    bits = torch.tensor([numbers], dtype=torch.int64).to(torch.int32)
    masked = apply_bitmask(torch.zeros(1, len(allowed) + more), bits)
    assert torch.isfinite(masked)[0].tolist() == allowed + [False] * more
