"""The kernels against the torch path; they run on a GPU only, the plans of cells anywhere."""

import numpy as np
import pytest
import torch

from augkit.grammars.charts import inside, outside, triton, viterbi
from augkit.grammars.charts.index_plan import make_index_plan, plan_cells
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.charts.synchronous_cells import list_cells, make_lattice

LENGTHS = [(5, 4), (2, 0), (1, 3), (13, 13), (30, 4)]
needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="Triton needs a GPU")


def test_cells_are_sorted_by_level():
    """The packed cells are those of the torch plan, each level together, each pair's its own."""
    lattice = make_lattice(LENGTHS)
    table = triton.cells_by_level(lattice, torch.device("cpu"))
    packed = table.packed.long() & 0xFFFFFFFF
    columns = [table.pair.long(), *(packed >> shift & 255 for shift in (0, 8, 16, 24))]
    expected, _ = list_cells(lattice)
    found = set(zip(*(column.tolist() for column in columns), strict=True))
    assert found == set(zip(*(column.tolist() for column in expected), strict=True))
    level = columns[2] + columns[4]
    assert (level.diff() >= 0).all()
    assert [last - first for first, last in table.levels] == level.unique(return_counts=True)[
        1
    ].tolist()


@pytest.mark.slow
def test_the_way_down_equals_torch(draw_potentials, monkeypatch):
    """Given the scores of the kernels, the way down finds the trees of the torch path."""
    lattice = make_lattice(LENGTHS[:3])
    potentials = draw_potentials(LENGTHS[:3], 3, 4, spread=2.0)
    plan = make_index_plan(lattice)

    def best_scores(potentials, table, rules):
        score = torch.full((lattice.cells, 3), inside.LOG_ZERO, dtype=torch.float64)
        best = torch.full((lattice.cells, 9), 2 * inside.LOG_ZERO, dtype=torch.float64)
        for level in plan.levels:
            pairs = viterbi._score_level(level, potentials, rules, score)
            for group, pair in zip(level.groups, pairs, strict=True):
                best[level.cells[group.start : group.stop]] = pair
        every = torch.arange(len(table.own))
        by_splits = table.positions(every)
        cells = plan_cells(lattice, by_splits, torch.device("cpu")).cells
        for row in every.tolist():
            columns = [column[0] for column in table.positions(every[row : row + 1])]
            (at,) = np.flatnonzero((np.stack(by_splits, 1) == columns).all(1))
            table.own[row] = cells[at]
        return score, best[table.own.long()]

    monkeypatch.setattr(triton, "_best_scores", best_scores)
    found = triton.run_viterbi(potentials, lattice)
    expected = viterbi.run_viterbi(potentials, plan)
    for name, column in vars(expected).items():
        torch.testing.assert_close(getattr(found, name), column, rtol=0, atol=0)


@needs_gpu
def test_kernels_equal_torch(draw_potentials):
    """On the GPU in full precision everything equals float64 on the CPU to 1e-5."""
    exact = draw_potentials(LENGTHS, 32, 64, spread=2.0)
    gpu = Potentials(*(one.float().cuda() for one in vars(exact).values()))
    plan = make_index_plan(make_lattice(LENGTHS))
    weight = torch.linspace(0.5, 1, len(LENGTHS), dtype=torch.float64)
    chart = inside.run_inside(exact, plan)
    right = outside.run_outside(exact, chart, weight)
    found = triton.run_inside(gpu, plan.lattice)
    back = triton.run_outside(gpu, found, weight.float().cuda())
    torch.testing.assert_close(
        found.log_likelihood.double().cpu(), chart.log_likelihood, rtol=0, atol=1e-4
    )
    for name in ("cells", "rules", "root", "emissions"):
        one, other = getattr(back, name).double().cpu(), getattr(right, name)
        assert (one - other).norm() < 1e-5 * other.norm()
    best = viterbi.run_viterbi(exact, plan).score
    score = triton.run_viterbi(gpu, plan.lattice).score
    torch.testing.assert_close(score.double().cpu(), best, rtol=0, atol=1e-3)
