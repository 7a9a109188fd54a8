"""The log-likelihood of a batch, differentiable by the potentials, and its best trees."""

from __future__ import annotations

from typing import Any

import torch

from augkit.grammars.charts import triton
from augkit.grammars.charts.derivations import Derivations
from augkit.grammars.charts.index_plan import make_index_plan
from augkit.grammars.charts.inside import InsideChart, Potentials, run_inside
from augkit.grammars.charts.outside import run_outside
from augkit.grammars.charts.synchronous_cells import Lattice
from augkit.grammars.charts.triton import GpuChart
from augkit.grammars.charts.viterbi import run_viterbi


def log_likelihood(potentials: Potentials, lattice: Lattice) -> torch.Tensor:
    """The log probability of each pair: float[pairs]; its gradient is the outside pass."""
    tensors = (potentials.rules, potentials.root, potentials.emissions)
    return _LogLikelihood.apply(*tensors, lattice)  # type: ignore[no-any-return, no-untyped-call]


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        rules: torch.Tensor,
        root: torch.Tensor,
        emissions: torch.Tensor,
        lattice: Lattice,
    ) -> torch.Tensor:
        potentials = Potentials(rules.detach(), root.detach(), emissions.detach())
        chart: InsideChart | GpuChart
        if triton.is_available(potentials):
            chart = triton.run_inside(potentials, lattice)
        else:
            plan = make_index_plan(lattice, potentials.rules.device)
            chart = run_inside(potentials, plan)
        ctx.kept = potentials, chart
        return chart.log_likelihood.clone()  # the chart itself would hold its own graph

    @staticmethod
    def backward(ctx: Any, weight: torch.Tensor) -> Any:
        potentials, chart = ctx.kept
        if isinstance(chart, GpuChart):
            outside = triton.run_outside(potentials, chart, weight)
        else:
            outside = run_outside(potentials, chart, weight)
        return outside.rules, outside.root, outside.emissions, None


def viterbi_derivations(potentials: Potentials, lattice: Lattice) -> Derivations:
    """The most probable derivation of each pair of a batch."""
    if triton.is_available(potentials):
        return triton.run_viterbi(potentials, lattice)
    return run_viterbi(potentials, make_index_plan(lattice, potentials.rules.device))
