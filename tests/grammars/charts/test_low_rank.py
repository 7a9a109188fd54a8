"""Low-rank rules, against the dense grammar."""

import pytest
import torch

from augkit.grammars.charts.likelihood import log_likelihood
from augkit.grammars.charts.low_rank import RankPotentials, rank_log_likelihood
from augkit.grammars.charts.synchronous_cells import make_lattice

LENGTHS = [(4, 3), (2, 0), (1, 4), (6, 0)]


def random_factors(lengths, symbols=3, leaves=4, rank=5):
    """Random factors, normalised as rank-space rules are."""
    generator = torch.Generator().manual_seed(0)

    def normal(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    return RankPotentials(
        (2 * normal(symbols, rank)).softmax(1),
        (2 * normal(symbols + leaves, rank)).softmax(0),
        (2 * normal(symbols + leaves, rank)).softmax(0),
        normal(symbols).softmax(0),
        normal(make_lattice(lengths).slots, leaves) - 2,
    )


def test_rules_are_normalised():
    """The dense rules that the factors stand for sum to one for every symbol."""
    total = random_factors(LENGTHS).dense().rules.exp().sum((1, 2))
    assert total.tolist() == pytest.approx([1.0] * 3)


@pytest.mark.parametrize("lengths", [LENGTHS, [(5, 0), (3, 0)]])
def test_equals_the_dense_grammar(lengths):
    """Likelihoods and gradients are those of the dense grammar with the same rules."""
    results = []
    for dense in (False, True):
        tensors = [one.clone().requires_grad_() for one in vars(random_factors(lengths)).values()]
        factors = RankPotentials(*tensors)
        if dense:
            found = log_likelihood(factors.dense(), make_lattice(lengths))
        else:
            found = rank_log_likelihood(factors, make_lattice(lengths))
        (found * torch.linspace(0.5, 1, len(lengths), dtype=torch.float64)).sum().backward()
        results.append([found.detach(), *(one.grad for one in tensors)])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)
