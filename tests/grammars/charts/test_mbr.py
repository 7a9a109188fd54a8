"""Minimum Bayes risk trees, against enumeration."""

import numpy as np
import pytest
import torch

from augkit.grammars.charts.batches import make_batch
from augkit.grammars.charts.derivations import to_trees
from augkit.grammars.charts.index_plan import make_index_plan
from augkit.grammars.charts.mbr import run_mbr


def span(cell):
    """What a cell spans: the position of an empty side does not matter."""
    i, a, j, b = cell
    return i * (a > 0), a, j * (b > 0), b


@pytest.mark.parametrize("pair", [(2, 0), (5, 0), (2, 2), (3, 2), (1, 4), (3, 3)])
def test_collects_the_most(pair, draw_potentials, enumerated, every_tree):
    """No tree has nodes whose enumerated posteriors sum to more, and every word is in a leaf."""
    potentials = draw_potentials([pair], seed=3 + sum(pair), spread=2.0)
    batch = make_batch([(np.arange(pair[0]), np.arange(pair[1]))], 100)
    found = run_mbr(potentials, make_index_plan(batch.lattice))
    answer = enumerated(potentials, *pair)
    leaves = answer.emissions.sum(1)
    nodes = {}
    for cell, posterior in answer.cells.items():
        nodes[span(cell)] = nodes.get(span(cell), 0) + posterior.sum()
    sums = [
        sum(nodes[span(cell)] for cell in cells) + sum(leaves[slot] for slot in slots)
        for cells, slots in every_tree(*pair)
    ]
    assert found.score.item() == pytest.approx(max(sums), abs=1e-9)
    trees = to_trees(found, batch, 2, [0])
    words = [sorted(w for w in side.tolist() if w >= 0) for side in (trees.leaf_a, trees.leaf_b)]
    assert words == [list(range(pair[0])), list(range(pair[1]))]


def test_ragged_equals_alone(draw_potentials):
    """A pair gets the same sum in a ragged batch as alone."""
    lengths = [(3, 3), (6, 0), (2, 5)]
    potentials = draw_potentials(lengths, 3, 4)
    batch = make_batch([(np.arange(n), np.arange(m)) for n, m in lengths], 100)
    together = run_mbr(potentials, make_index_plan(batch.lattice)).score
    bounds = [*batch.lattice.slot_base.tolist(), batch.lattice.slots]
    for number, (n, m) in enumerate(lengths):
        own = potentials.emissions[bounds[number] : bounds[number + 1]]
        alone = make_batch([(np.arange(n), np.arange(m))], 100)
        single = type(potentials)(potentials.rules, potentials.root, own)
        score = run_mbr(single, make_index_plan(alone.lattice)).score
        torch.testing.assert_close(score[0], together[number])
