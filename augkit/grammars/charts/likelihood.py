"""The log-likelihood of a batch, differentiable by the potentials, and its best trees."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from augkit.grammars.charts import triton
from augkit.grammars.charts.derivations import Derivations
from augkit.grammars.charts.index_plan import make_plan
from augkit.grammars.charts.inside import InsideChart, Potentials, run_inside
from augkit.grammars.charts.lattice import Lattice
from augkit.grammars.charts.low_rank import RankPotentials, rank_log_likelihood
from augkit.grammars.charts.mbr import run_mbr
from augkit.grammars.charts.outside import Outside, run_outside
from augkit.grammars.charts.triton import GpuChart
from augkit.grammars.charts.viterbi import run_viterbi

if TYPE_CHECKING:
    import torch


def log_likelihood(
    potentials: Potentials | RankPotentials, lattice: Lattice, *, published: bool = False
) -> torch.Tensor:
    """The log probability of each pair: float[pairs]; its gradient is the outside pass."""
    if isinstance(potentials, RankPotentials):
        if not (potentials.out.is_cuda or published):
            return rank_log_likelihood(potentials, lattice)
        potentials = potentials.dense()
    tensors = (potentials.rules, potentials.root, potentials.emissions)
    result: torch.Tensor = _likelihood_function().apply(*tensors, lattice, published)
    return result


@cache
def _likelihood_function() -> Any:
    """The autograd function; made on first use, because torch is imported lazily."""
    import torch

    class LogLikelihood(torch.autograd.Function):
        @staticmethod
        def forward(  # noqa: PLR0913, PLR0917 - autograd hands everything over by position
            ctx: Any,
            rules: torch.Tensor,
            root: torch.Tensor,
            emissions: torch.Tensor,
            lattice: Lattice,
            published: bool,
        ) -> torch.Tensor:
            potentials = Potentials(rules.detach(), root.detach(), emissions.detach())
            chart = _inside(potentials, lattice, published)
            ctx.kept = potentials, chart, published
            return chart.log_likelihood.clone()  # the chart itself would hold its own graph

        @staticmethod
        def backward(ctx: Any, weight: torch.Tensor) -> Any:
            potentials, chart, published = ctx.kept
            outside = _outside(potentials, chart, published, weight)
            return outside.rules, outside.root, outside.emissions, None, None

    return LogLikelihood


def _inside(potentials: Potentials, lattice: Lattice, published: bool) -> InsideChart | GpuChart:
    if triton.is_available(potentials):
        return triton.run_inside(potentials, lattice, published=published)
    return run_inside(potentials, make_plan(lattice, potentials.rules.device, published=published))


def _outside(
    potentials: Potentials, chart: InsideChart | GpuChart, published: bool, weight: torch.Tensor
) -> Outside:
    if isinstance(chart, GpuChart):
        return triton.run_outside(potentials, chart, weight, published=published)
    return run_outside(potentials, chart, weight)


def viterbi_derivations(
    potentials: Potentials | RankPotentials, lattice: Lattice, *, published: bool = False
) -> Derivations:
    """The most probable derivation of each pair of a batch."""
    if isinstance(potentials, RankPotentials):
        potentials = potentials.dense()
    if triton.is_available(potentials):
        return triton.run_viterbi(potentials, lattice, published=published)
    return run_viterbi(potentials, make_plan(lattice, potentials.rules.device, published=published))


def mbr_derivations(
    potentials: Potentials | RankPotentials, lattice: Lattice, *, published: bool = False
) -> Derivations:
    """The tree of each pair whose nodes are the most probable together."""
    if isinstance(potentials, RankPotentials):
        potentials = potentials.dense()
    return run_mbr(potentials, make_plan(lattice, potentials.rules.device, published=published))
