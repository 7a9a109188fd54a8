"""The inside and outside passes, against enumeration."""

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.grammars.charts.index_plan import make_index_plan
from augkit.grammars.charts.inside import Potentials, run_inside
from augkit.grammars.charts.outside import run_outside
from augkit.grammars.charts.synchronous_cells import make_lattice

SMALL = [(n, m) for n in range(4) for m in range(4) if max(n, m) > 1]
TINY = [*((pair, 2, 2) for pair in [*SMALL, (1, 5), (5, 1), (2, 4)]), ((4, 3), 1, 1)]
SENTENCES = [((n, 0), 2, 2) for n in range(2, 7)]


@pytest.mark.slow
@pytest.mark.parametrize(("pair", "symbols", "leaves"), TINY + SENTENCES)
def test_equals_enumeration(pair, symbols, leaves, enumerated, draw_potentials):
    """Likelihood, all gradients and all posteriors equal plain enumeration."""
    potentials = draw_potentials([pair], symbols, leaves, seed=sum(pair))
    expected = enumerated(potentials, *pair)
    plan = make_index_plan(make_lattice([pair]))
    chart = run_inside(potentials, plan)
    outside = run_outside(potentials, chart, torch.ones(1, dtype=torch.float64))
    assert chart.log_likelihood.item() == pytest.approx(expected.log_likelihood, abs=1e-10)
    for name in ("rules", "root", "emissions"):
        difference = getattr(outside, name) - torch.from_numpy(getattr(expected, name))
        assert difference.abs().max() < 1e-10, name
    posterior = outside.cells * chart.value
    spans = {}
    for cell, share in expected.cells.items():
        number = number_of(cell, *pair)
        spans[number] = spans.get(number, 0) + torch.from_numpy(share)
    for number, share in spans.items():
        assert (posterior[number] - share).abs().max() < 1e-10


def number_of(cell, n, m):
    """The number of a cell, spans counted one by one: the empty one, then by width and start."""
    i, a, j, b = cell
    spans = [[(0, 0), *((s, w) for w in range(1, k + 1) for s in range(k - w + 1))] for k in (n, m)]
    return spans[0].index((i * (a > 0), a)) * len(spans[1]) + spans[1].index((j * (b > 0), b))


def outcome(potentials, lengths, weight=None):
    plan = make_index_plan(make_lattice(lengths))
    chart = run_inside(potentials, plan)
    weight = torch.ones_like(chart.log_likelihood) if weight is None else weight
    return chart.log_likelihood, run_outside(potentials, chart, weight)


@pytest.mark.slow
def test_ragged_equals_alone(draw_potentials):
    """In a batch of unequal lengths each pair has the likelihood and gradients it has alone."""
    lengths = [(5, 4), (2, 0), (1, 7), (0, 3), (9, 2), (3, 3)]
    potentials = draw_potentials(lengths, 3, 4)
    lattice = make_lattice(lengths)
    found, outside = outcome(potentials, lengths)
    bounds = [*lattice.slot_base.tolist(), lattice.slots]
    rules = torch.zeros_like(outside.rules)
    for number, pair in enumerate(lengths):
        own = slice(bounds[number], bounds[number + 1])
        alone = Potentials(potentials.rules, potentials.root, potentials.emissions[own])
        likelihood, single = outcome(alone, [pair])
        torch.testing.assert_close(likelihood[0], found[number], rtol=0, atol=1e-12)
        torch.testing.assert_close(single.emissions, outside.emissions[own], rtol=0, atol=1e-12)
        rules += single.rules
    torch.testing.assert_close(rules, outside.rules, rtol=0, atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("spread", [1.0, 5.0])
def test_float32_is_close(spread, draw_potentials):
    """At (13, 13) float32 is within 1e-4 of float64, peaky grammars included."""
    exact = draw_potentials([(13, 13)], 8, 16, spread=spread)
    rough = Potentials(*(one.float() for one in vars(exact).values()))
    exact = Potentials(*(one.double() for one in vars(rough).values()))
    (right, outside), (found, single) = outcome(exact, [(13, 13)]), outcome(rough, [(13, 13)])
    assert abs(right.item() - found.item()) < 1e-4
    for name in ("rules", "root", "emissions"):
        difference = getattr(single, name) - getattr(outside, name)
        assert difference.abs().max() < 1e-4


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: max(pair) > 1),
        min_size=1,
        max_size=4,
    )
)
def test_every_word_is_in_one_leaf(draw_potentials, lengths):
    """Whatever the lengths, the posteriors of the leaves that hold a word sum to one."""
    _, outside = outcome(draw_potentials(lengths, 3, 4, spread=2.0), lengths)
    starts = make_lattice(lengths).slot_base
    for start, (n, m) in zip(starts, lengths, strict=True):
        leaves = outside.emissions[start : start + (n + 1) * (m + 1)].sum(1).view(n + 1, m + 1)
        assert leaves[1:].sum(1).tolist() == pytest.approx([1.0] * n)
        assert leaves[:, 1:].sum(0).tolist() == pytest.approx([1.0] * m)


@pytest.mark.parametrize("lengths", [[], [(1, 1)], [(3, 3), (0, 1)], [(256, 1)]])
def test_no_derivation_is_an_error(lengths):
    with pytest.raises(DataError):
        make_lattice(lengths)
