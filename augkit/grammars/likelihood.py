"""The log-likelihood of a batch, differentiable by the potentials, and its best trees."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from augkit.grammars.derivations import Derivations
from augkit.grammars.inside import Potentials, run_inside
from augkit.grammars.lattice import Lattice
from augkit.grammars.outside import run_outside
from augkit.grammars.plan import make_plan
from augkit.grammars.viterbi import run_viterbi

if TYPE_CHECKING:
    import torch


def log_likelihood(
    potentials: Potentials, lattice: Lattice, *, published: bool = False
) -> torch.Tensor:
    """The log probability of each pair: float[pairs]; its gradient is the outside pass, not a graph."""
    tensors = (potentials.rules, potentials.root, potentials.emissions)
    result: torch.Tensor = _function().apply(*tensors, lattice, published)
    return result


@cache
def _function() -> Any:
    """The autograd function; made on first use, as torch is imported late."""
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
            plan = make_plan(lattice, rules.device, published=published)
            ctx.kept = potentials, run_inside(potentials, plan)
            result: torch.Tensor = ctx.kept[1].log_likelihood
            return result

        @staticmethod
        def backward(ctx: Any, weight: torch.Tensor) -> Any:
            outside = run_outside(ctx.kept[0], ctx.kept[1], weight)
            return outside.rules, outside.root, outside.emissions, None, None

    return LogLikelihood


def best_derivations(
    potentials: Potentials, lattice: Lattice, *, published: bool = False
) -> Derivations:
    """The most probable derivation of each pair of a batch."""
    plan = make_plan(lattice, potentials.rules.device, published=published)
    return run_viterbi(potentials, plan)
