"""The probabilities of roots, rules and words of a neural PCFG, and of its bitext form, the SCFG.

    p(S -> A)       ~ exp(f1(v_S) . u_A)
    p(A -> B C)     ~ exp(f2(v_A) . u_BC)                               dense
    p(A -> B C)     = sum_r p(r | A) p(B | r) p(C | r)                  low rank

Words of a sentence (PCFG), and aligned words of a pair of texts (SCFG):

    p(t -> w)       ~ exp(f3(v_t) . u_w)
    p(t -> a/b)     = p(k | t) p(a | t, k) p(b | t, k, a)
    p(k | t)        ~ exp(f3(v_tk) . u_k),   k in w/w, w/empty, empty/w, copy
    p(a | t, k)     ~ exp(f4(v_tka) . u_a)
    p(b | t, k, a)  ~ exp(f5(v_tb + v_a) . u_b)

In w/w the two words differ, as in the paper's text (its code lets them be equal: ``published``);
the empty word has an embedding v_a of its own.

Reference: friedman2022finding.
"""

from __future__ import annotations

import torch

from augkit.grammars.charts.batches import TextBatch
from augkit.grammars.charts.emissions import Combinations, word_log_probabilities
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.charts.low_rank import RankPotentials
from augkit.grammars.model.parameters import GrammarShape, Tensors, run_network

CHANGED, DROPPED, ADDED, COPIED = range(4)
"""The kinds of leaves: w/w, w/empty, empty/w, copy."""


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


def pair_emissions(
    parameters: Tensors, shape: GrammarShape, batch: TextBatch, states: Tensors
) -> torch.Tensor:
    """The log of p(t -> a/b) for the slots of a batch: float[slots, leaves]."""
    kind = (states["kind"] @ parameters["kind.kinds"].T).log_softmax(1).T  # [kinds, leaves]
    table = (states["source"] @ parameters["source.words"].T).log_softmax(1)
    changed, dropped, copied = table.view(3, shape.leaves, shape.words).transpose(1, 2).unbind(0)
    target = _target_probabilities(parameters, shape, batch)
    word_a = batch.word_a
    whole = torch.zeros(batch.lattice.slots, shape.leaves, device=table.device, dtype=table.dtype)
    parts = [
        (batch.dropped, kind[DROPPED] + dropped[word_a[batch.dropped]]),
        (batch.added, kind[ADDED] + target[batch.added_at]),
        (batch.copied, kind[COPIED] + copied[word_a[batch.copied]]),
    ]
    for slots, values in parts:
        whole = whole.index_copy(0, slots, values)
    values = kind[CHANGED] + changed[word_a[batch.changed]] + target[batch.changed_at]
    if shape.published:  # an equal pair is a copy or w/w
        same = (word_a == batch.word_b)[batch.changed, None]
        values = torch.where(same, torch.logaddexp(values, whole[batch.changed]), values)
    return whole.index_copy(0, batch.changed, values)


def _target_probabilities(
    parameters: Tensors, shape: GrammarShape, batch: TextBatch
) -> torch.Tensor:
    """The log of p(b | t, k, a) of the batch's combinations: float[combinations, leaves]."""
    source = parameters["target.source"][batch.types]
    hidden = run_network(parameters, "target", source[:, None] + parameters["target.state"])
    free = (batch.types == shape.words) | shape.published
    banned = torch.where(free, -1, batch.types)
    combinations = Combinations(batch.combination_type, batch.combination_word, batch.type_ends)
    return word_log_probabilities(hidden, parameters["target.words"], combinations, banned)
