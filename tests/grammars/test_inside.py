import pytest
import torch

from augkit.grammars.inside import run_inside
from augkit.grammars.lattice import lay_out
from augkit.grammars.outside import run_outside
from augkit.grammars.plan import make_plan

SMALL = [(n, m) for n in range(4) for m in range(4) if max(n, m) > 1]
TINY = [*((pair, 2, 2) for pair in [*SMALL, (1, 5), (5, 1), (2, 4)]), ((4, 4), 1, 1)]
SENTENCES = [((n, 0), 2, 2) for n in range(2, 7)]


@pytest.mark.parametrize(("pair", "symbols", "leaves"), TINY + SENTENCES)
def test_equals_enumeration(pair, symbols, leaves, enumerated, draw_potentials):
    """Likelihood, all gradients and all posteriors equal plain enumeration."""
    potentials = draw_potentials([pair], symbols, leaves, seed=sum(pair))
    expected = enumerated(potentials, *pair)
    plan = make_plan(lay_out([pair]))
    chart = run_inside(potentials, plan)
    outside = run_outside(potentials, chart, torch.ones(1, dtype=torch.float64))
    assert chart.log_likelihood.item() == pytest.approx(expected.log_likelihood, abs=1e-10)
    for name in ("rules", "root", "emissions"):
        difference = getattr(outside, name) - torch.from_numpy(getattr(expected, name))
        assert difference.abs().max() < 1e-10, name
