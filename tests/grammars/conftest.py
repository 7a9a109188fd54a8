"""A slow, obvious oracle: every derivation of a small pair, one by one, without a chart."""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pytest
import torch

from augkit.grammars.charts.inside import Potentials
from augkit.grammars.charts.synchronous_cells import make_lattice


@cache
def skeletons(i, a, j, b):
    """All unlabelled trees over source [i, i+a) and target [j, j+b): leaves and pairs of trees."""
    found = []
    if a + b > 0 and max(a, b) <= 1:
        found.append((i, a, j, b))
    if max(a, b) > 1:
        for u, v in product(range(a + 1), range(b + 1)):
            if (u, v) not in {(0, 0), (0, b), (a, 0), (a, b)}:
                lefts = skeletons(i, u, j, v)
                rights = skeletons(i + u, a - u, j + v, b - v)
                found += [((i, a, j, b), x, y) for x in lefts for y in rights]
    return tuple(found)


def is_leaf(tree):
    return len(tree) == 4


def nodes_of(tree):
    """Nodes in pre-order."""
    return [tree] if is_leaf(tree) else [tree, *nodes_of(tree[1]), *nodes_of(tree[2])]


@dataclass
class Answer:
    """Sums over all derivations: log-likelihood, expected counts, best score."""

    log_likelihood: float
    rules: np.ndarray
    root: np.ndarray
    emissions: np.ndarray
    cells: dict
    best: float


def slot_of(leaf, m):
    i, a, j, b = leaf
    return (i + 1) * a * (m + 1) + (j + 1) * b


def spread(table, axes, count):
    """A table over some nodes' symbols, ready to be added to a table over all nodes' symbols."""
    order = np.argsort(axes)
    shape = np.ones(count, int)
    shape[np.array(axes)] = table.shape
    return table.transpose(order).reshape(shape)


def enumerate_pair(potentials, n, m):
    """The answer for one pair, by scoring every labelling of every tree."""
    rules, root = potentials.rules.numpy(), potentials.root.numpy()
    emissions = potentials.emissions.numpy()
    inner = len(root)
    answer = Answer(-np.inf, *(np.zeros_like(x) for x in (rules, root, emissions)), {}, -np.inf)
    for tree in skeletons(0, n, 0, m):
        nodes = nodes_of(tree)
        axis = {id(node): number for number, node in enumerate(nodes)}
        sides = {
            id(node): slice(inner, None) if is_leaf(node) else slice(0, inner) for node in nodes
        }
        factors = [(root, (0,), answer.root)]
        for node in nodes:
            if is_leaf(node):
                slot = slot_of(node, m)
                factors.append((emissions[slot], (axis[id(node)],), answer.emissions[slot]))
                continue
            axes = tuple(axis[id(x)] for x in (node, node[1], node[2]))
            part = (slice(None), sides[id(node[1])], sides[id(node[2])])
            factors.append((rules[part], axes, answer.rules[part]))
            total = answer.cells.setdefault(node[0], np.zeros(inner))
            factors.append((np.zeros(inner), axes[:1], total))
        score = sum(spread(table, axes, len(nodes)) for table, axes, _ in factors)
        answer.best = max(answer.best, score.max())
        weight = np.exp(score)
        answer.log_likelihood = np.logaddexp(answer.log_likelihood, np.log(weight.sum()))
        for _, axes, total in factors:
            others = tuple(k for k in range(len(nodes)) if k not in axes)
            order = np.argsort(np.argsort(axes))
            np.add(total, weight.sum(axis=others).transpose(order), out=total)
    z = np.exp(answer.log_likelihood)
    for total in (answer.rules, answer.root, answer.emissions, *answer.cells.values()):
        np.divide(total, z, out=total)
    return answer


def random_potentials(lengths, symbols=2, leaves=2, *, seed=0, spread=1.0, dtype=torch.float64):
    """A random normalised grammar and random emissions for a batch of these lengths."""
    rng = torch.Generator().manual_seed(seed)
    both = symbols + leaves

    def normal(*shape):
        return torch.randn(*shape, generator=rng, dtype=torch.float64) * spread

    rules = normal(symbols, both * both).log_softmax(1).view(symbols, both, both)
    emissions = normal(make_lattice(lengths).slots, leaves) - 2
    return Potentials(
        rules.to(dtype), normal(symbols).log_softmax(0).to(dtype), emissions.to(dtype)
    )


@pytest.fixture
def enumerated():
    """The oracle: ``enumerated(potentials, n, m)``."""
    return enumerate_pair


@pytest.fixture
def draw_potentials():
    """Random grammars: ``draw_potentials(lengths, symbols, leaves, seed, spread, dtype)``."""
    return random_potentials
