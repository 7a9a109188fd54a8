"""A neural PCFG: the probabilities of roots, rules and words.

    p(S -> A)       ~ exp(f1(v_S) . u_A)
    p(A -> B C)     ~ exp(f2(v_A) . u_BC)                               dense
    p(A -> B C)     = sum_r p(r | A) p(B | r) p(C | r)                  low rank
    p(t -> w)       ~ exp(f3(v_t) . u_w)

Roots and rules are those of the SCFG too.

Reference: friedman2022finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from augkit.grammars.charts.batches import TextBatch
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.charts.low_rank import RankPotentials
from augkit.grammars.model.parameters import GrammarShape

if TYPE_CHECKING:
    import torch

    from augkit.grammars.model.parameters import Tensors


def word_emissions(parameters: Tensors, batch: TextBatch, states: Tensors) -> torch.Tensor:
    """The log of p(t -> w) for the slots of a batch: float[slots, leaves]."""
    table = (states["word"] @ parameters["word.words"].T).log_softmax(1)
    return table.T[batch.word_a.clamp(min=0)]


def rule_potentials(
    parameters: Tensors, shape: GrammarShape, states: Tensors, emissions: torch.Tensor
) -> Potentials | RankPotentials:
    """The probabilities of roots and rules, dense or of low rank, beside given emissions."""
    both = shape.symbols + shape.leaves
    root = (states["root"] @ parameters["root.symbols"].T).log_softmax(1)[0]
    if shape.rank is None:
        rules = (states["rules"] @ parameters["rules.children"].T).log_softmax(1)
        return Potentials(rules.view(shape.symbols, both, both), root, emissions)
    out = (states["rules"] @ parameters["rank.out"].T).softmax(1)
    symbols = parameters["rank.symbols"]
    left, right = ((symbols @ parameters[f"rank.{s}"].T).softmax(0) for s in ("left", "right"))
    return RankPotentials(out, left, right, root.exp(), emissions)
