"""Viterbi derivations, against enumeration."""

import numpy as np
import pytest

from augkit.grammars.charts.batches import make_batch
from augkit.grammars.charts.derivations import to_trees
from augkit.grammars.charts.index_plan import make_index_plan
from augkit.grammars.charts.synchronous_cells import make_lattice
from augkit.grammars.charts.viterbi import run_viterbi

SMALL = [(n, m) for n in range(4) for m in range(4) if max(n, m) > 1]
TINY = [(pair, 2, 2) for pair in [*SMALL, (1, 5), (6, 0)]]
TINY.append(pytest.param((3, 4), 1, 1, marks=pytest.mark.slow))
RAGGED = [(2, 0), (5, 4), (1, 6), (13, 1), (0, 4), (3, 3)]


def rescore(trees, potentials, lattice, symbols):
    """The log probability of each tree, rule by rule, and what its leaves spell."""
    scores, texts = np.zeros(len(lattice.source)), [([], []) for _ in lattice.source]
    for row in range(len(trees)):
        doc = trees.doc[row]
        m = lattice.target[doc]
        if trees.left[row] >= 0:
            kids = trees.label[trees.left[row]], trees.label[trees.right[row]]
            scores[doc] += potentials.rules[(trees.label[row], *kids)]
        else:  # the words of the test are their positions
            a, b = trees.leaf_a[row], trees.leaf_b[row]
            slot = lattice.slot_base[doc] + (a + 1) * (m + 1) + b + 1
            scores[doc] += potentials.emissions[slot, trees.label[row] - symbols]
            texts[doc][0].extend([a] * int(a >= 0))
            texts[doc][1].extend([b] * int(b >= 0))
    for doc, row in enumerate(trees.roots):
        scores[doc] += potentials.root[trees.label[row]]
    return scores, texts


def parse(lengths, potentials, symbols):
    texts = [(np.arange(n), np.arange(m)) for n, m in lengths]
    batch = make_batch(texts, 100)
    found = run_viterbi(potentials, make_index_plan(batch.lattice))
    return found.score, to_trees(found, batch, symbols, range(len(lengths)))


@pytest.mark.slow
@pytest.mark.parametrize(("pair", "symbols", "leaves"), TINY)
def test_equals_the_enumerated_maximum(pair, symbols, leaves, enumerated, draw_potentials):
    potentials = draw_potentials([pair], symbols, leaves, seed=1 + sum(pair))
    score, trees = parse([pair], potentials, symbols)
    assert score.item() == pytest.approx(enumerated(potentials, *pair).best, abs=1e-10)
    again, _ = rescore(trees, potentials, make_lattice([pair]), symbols)
    assert again[0] == pytest.approx(score.item(), abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_every_tree_is_whole(seed, draw_potentials):
    """In a ragged batch of any grammar each tree spells its pair and has the reported score."""
    potentials = draw_potentials(RAGGED, 5, 7, seed=seed, spread=4.0)
    score, trees = parse(RAGGED, potentials, 5)
    again, texts = rescore(trees, potentials, make_lattice(RAGGED), 5)
    assert again == pytest.approx(score.numpy(), abs=1e-9)
    assert texts == [(list(range(n)), list(range(m))) for n, m in RAGGED]
