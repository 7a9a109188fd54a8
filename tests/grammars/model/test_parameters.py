"""Parameters and emissions of both grammars."""

import numpy as np
import pytest
import torch

from augkit.grammars.charts import emissions
from augkit.grammars.charts.batches import make_batch
from augkit.grammars.charts.likelihood import log_likelihood
from augkit.grammars.model.grammar import grammar_potentials
from augkit.grammars.model.parameters import GrammarShape, init_parameters

PAIRS = [(np.array([0, 1, 2]), np.array([1, 3])), (np.array([4, 1]), np.array([1, 1, 2]))]


@pytest.fixture
def shape():
    return GrammarShape(words=5, pairs=True, symbols=2, leaves=3, width=4)


def spread(parameters):
    """Larger numbers in float64, far from uniform, and no bias at the kink of the networks."""
    rng = torch.Generator().manual_seed(7)
    spread_out = {
        name: 2 * value.double() + torch.randn(value.shape, generator=rng, dtype=torch.double) / 5
        for name, value in parameters.items()
    }
    return {name: value.requires_grad_() for name, value in spread_out.items()}


def test_emissions_sum_to_one(shape):
    """Over all leaves a/b, a/empty, empty/b a pre-terminal's probabilities sum to one."""
    parameters = spread(init_parameters(shape, 0))
    every = np.arange(shape.words)
    batch = make_batch([(every, every)], shape.words)
    slots = grammar_potentials(parameters, shape, batch).emissions[1:]
    assert slots.exp().sum(0).tolist() == pytest.approx([1] * shape.leaves)


def test_sentence_emissions_sum_to_one():
    """Over the vocabulary a pre-terminal's probabilities sum to one."""
    shape = GrammarShape(words=5, symbols=2, leaves=3, width=4)
    parameters = spread(init_parameters(shape, 0))
    slots = grammar_potentials(parameters, shape, make_batch([np.arange(5)], 5)).emissions[1:]
    assert slots.exp().sum(0).tolist() == pytest.approx([1] * shape.leaves)


def test_gradients_by_differences(shape):
    """Along a random direction the log-likelihood changes as the gradient says."""
    parameters = spread(init_parameters(shape, 1))
    batch = make_batch(PAIRS, shape.words)
    rng = torch.Generator().manual_seed(0)
    names = list(parameters)
    direction = [torch.randn(parameters[n].shape, generator=rng, dtype=torch.double) for n in names]

    def total(step):
        moved = {n: parameters[n] + step * w for n, w in zip(names, direction, strict=True)}
        potentials = grammar_potentials(moved, shape, batch)
        return log_likelihood(potentials, batch.lattice).sum()

    gradients = torch.autograd.grad(total(0), [parameters[n] for n in names])
    slope = sum((g * w).sum() for g, w in zip(gradients, direction, strict=True)).item()
    assert slope == pytest.approx(((total(1e-5) - total(-1e-5)) / 2e-5).item(), rel=1e-6)


@pytest.mark.slow
def test_chunks_do_not_matter(shape, monkeypatch):
    """One source word at a time gives what all at once give, with the same gradients."""
    parameters = spread(init_parameters(shape, 2))
    batch = make_batch(PAIRS, shape.words)
    results = []
    for size in (1, 1 << 20):
        monkeypatch.setitem(emissions._CHUNK, "cpu", size)
        found = grammar_potentials(parameters, shape, batch).emissions
        weights = torch.linspace(0, 1, found.numel(), dtype=found.dtype).view(found.shape)
        gradients = torch.autograd.grad(
            (found * weights).sum(), list(parameters.values()), allow_unused=True
        )
        results.append([found, *(one for one in gradients if one is not None)])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other)
