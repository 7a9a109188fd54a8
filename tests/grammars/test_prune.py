import numpy as np
import pytest

from augkit.grammars.charts.index_plan import make_plan
from augkit.grammars.charts.inside import run_inside
from augkit.grammars.charts.lattice import lay_out
from augkit.grammars.charts.prune import corner_posteriors, keep_band, keep_corners

LENGTHS = [(6, 5), (4, 7), (9, 0)]


@pytest.mark.parametrize("least", [1e-3, 1e-2, 0.1])
def test_loss_is_bounded(least, draw_potentials):
    """Pruning loses likelihood, never more than the bound says, and something is pruned."""
    potentials = draw_potentials(LENGTHS, 3, 4, seed=1, spread=3.0)
    plan = make_plan(lay_out(LENGTHS))
    pruned = keep_corners(potentials, plan, least)
    whole = run_inside(potentials, plan).log_likelihood.numpy()
    less = run_inside(potentials, make_plan(plan.lattice, kept=pruned.kept)).log_likelihood.numpy()
    gap = whole - less
    assert (gap >= -1e-12).all()
    assert (gap <= pruned.loss + 1e-12).all()
    assert not pruned.kept.all()


def test_nothing_pruned_nothing_lost(draw_potentials):
    """With every corner kept, the likelihood is the same to the last bit."""
    potentials = draw_potentials(LENGTHS, 3, 4)
    lattice = lay_out(LENGTHS)
    kept = np.ones(lattice.slots, bool)
    one = run_inside(potentials, make_plan(lattice)).log_likelihood
    other = run_inside(potentials, make_plan(lattice, kept=kept)).log_likelihood
    assert (one == other).all()


@pytest.mark.parametrize("pair", [(3, 2), (3, 4)])
def test_one_corner_less(pair, draw_potentials):
    """Without one corner exactly the derivations through it are gone: its posterior."""
    potentials = draw_potentials([pair], seed=5)
    lattice = lay_out([pair])
    posterior = corner_posteriors(potentials, make_plan(lattice))
    whole = run_inside(potentials, make_plan(lattice)).log_likelihood.item()
    for corner in range(1, lattice.slots - 1):
        kept = np.arange(lattice.slots) != corner
        less = run_inside(potentials, make_plan(lattice, kept=kept)).log_likelihood.item()
        assert np.exp(less - whole) == pytest.approx(1 - posterior[corner], abs=1e-10)


def test_band_keeps_the_ends():
    """A band holds both end corners, however narrow, and a wide one holds everything."""
    lattice = lay_out(LENGTHS)
    ends = np.append(lattice.slot_base, np.append(lattice.slot_base[1:], lattice.slots) - 1)
    assert keep_band(lattice, 0)[ends].all()
    assert keep_band(lattice, 20).all()
    assert keep_band(lattice, 2).sum() < lattice.slots
