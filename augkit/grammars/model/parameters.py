"""The neural PCFG, and its bitext form, the SCFG: parameters, and the probabilities they give.

    p(S -> A)       ~ exp(f1(v_S) . u_A)
    p(A -> B C)     ~ exp(f2(v_A) . u_BC)

Words of a sentence (PCFG), and aligned words of a pair of texts (SCFG):

    p(t -> w)       ~ exp(f3(v_t) . u_w)
    p(t -> a/b)     = p(k | t) p(a | t, k) p(b | t, k, a)
    p(k | t)        ~ exp(f3(v_tk) . u_k),   k in w/w, w/empty, empty/w, copy
    p(a | t, k)     ~ exp(f4(v_tka) . u_a)
    p(b | t, k, a)  ~ exp(f5(v_tb + v_a) . u_b)

u and v are embeddings, each f a network of two residual layers. In w/w the two words differ, as in
the paper's text (its code lets them be equal); the empty word has an embedding v_a of its own.

Reference: friedman2022finding.
"""

from __future__ import annotations

import math

import torch
from pydantic import Field

from augkit.core.config import StrictModel
from augkit.grammars.charts.batches import TextBatch, split_tensor
from augkit.grammars.charts.emissions import Combinations, word_log_probabilities
from augkit.grammars.charts.inside import Potentials

Tensors = dict[str, torch.Tensor]

_LAYERS = 5
_OUTCOMES = {
    "root": "symbols",
    "rules": "children",
    "kind": "kinds",
    "source": "words",
    "word": "words",
}
"""What each small network chooses among, whose embeddings have this name."""
CHANGED, DROPPED, ADDED, COPIED = range(4)
"""The kinds of leaves: w/w, w/empty, empty/w, copy."""


class GrammarShape(StrictModel):
    """The size of a grammar."""

    words: int = Field(ge=1, description="size of the vocabulary: word ids are smaller")
    pairs: bool = Field(default=False, description="a synchronous grammar of pairs of texts")
    symbols: int = Field(32, ge=1, le=4096, description="internal symbols")
    leaves: int = Field(64, ge=1, le=4096, description="pre-terminal symbols")
    width: int = Field(256, ge=1, description="size of the embeddings")


def init_parameters(shape: GrammarShape, seed: int) -> Tensors:
    """Random parameters (Glorot, uniform); the same seed gives the same ones."""
    rng = torch.Generator().manual_seed(seed)
    sizes = {
        "root.symbols": (shape.symbols, shape.width),
        "rules.children": ((shape.symbols + shape.leaves) ** 2, shape.width),
        **(_pair_sizes(shape) if shape.pairs else {"word.words": (shape.words, shape.width)}),
    }
    embeddings = {name: _glorot(size, rng) for name, size in sizes.items()}
    return embeddings | _init_networks(shape, rng)


def _pair_sizes(shape: GrammarShape) -> dict[str, tuple[int, ...]]:
    layers = range(_LAYERS)
    return {
        "kind.kinds": (4, shape.width),
        "source.words": (shape.words, shape.width),
        "target.state": (shape.leaves, shape.width),
        "target.source": (shape.words + 1, shape.width),
        "target.words": (shape.words, shape.width),
        **{f"target.weight{layer}": (shape.width, shape.width) for layer in layers},
        **{f"target.bias{layer}": (shape.width,) for layer in layers},
    }


def _state_counts(shape: GrammarShape) -> dict[str, int]:
    """The small networks, f1 to f4, and the number of input states of each."""
    networks = {"root": 1, "rules": shape.symbols}
    if shape.pairs:
        return networks | {"kind": shape.leaves, "source": 3 * shape.leaves}
    return networks | {"word": shape.leaves}


def _init_networks(shape: GrammarShape, rng: torch.Generator) -> Tensors:
    """The small networks side by side, their states padded to one size: few large steps."""
    states = _state_counts(shape)
    width = shape.width
    rows = max(states.values())
    padded = [
        torch.nn.functional.pad(_glorot((count, width), rng), (0, 0, 0, rows - count))
        for count in states.values()
    ]
    weights = {
        f"small.weight{layer}": torch.stack([_glorot((width, width), rng) for _ in states])
        for layer in range(_LAYERS)
    }
    biases = {f"small.bias{n}": torch.zeros(len(states), 1, width) for n in range(_LAYERS)}
    return {"small.state": torch.stack(padded), **weights, **biases}


def _glorot(size: tuple[int, ...], rng: torch.Generator) -> torch.Tensor:
    if len(size) == 1:
        return torch.zeros(size)
    bound = math.sqrt(6 / sum(size))
    return torch.empty(size).uniform_(-bound, bound, generator=rng)


def run_network(parameters: Tensors, name: str, state: torch.Tensor) -> torch.Tensor:
    """A network, or several side by side: a linear layer, then twice x + relu(W relu(W x))."""

    def linear(value: torch.Tensor, layer: int) -> torch.Tensor:
        weight = parameters[f"{name}.weight{layer}"]
        bias = parameters[f"{name}.bias{layer}"]
        if weight.dim() == 3:
            return torch.baddbmm(bias, value, weight)
        return torch.nn.functional.linear(value, weight, bias)

    value = linear(state, 0)
    for layer in (1, 3):
        value = value + linear(linear(value, layer).relu(), layer + 1).relu()
    return value


def probability_tables(parameters: Tensors, shape: GrammarShape) -> Tensors:
    """The log probabilities that are the same for all texts: float[states, outcomes] each.

    They have the names of the small networks that give them.
    """
    small = run_network(parameters, "small", parameters["small.state"])
    counts = _state_counts(shape).items()
    return {
        name: (states[:count] @ parameters[f"{name}.{_OUTCOMES[name]}"].T).log_softmax(1)
        for (name, count), states in zip(counts, small, strict=True)
    }


def word_emissions(batch: TextBatch, tables: Tensors) -> torch.Tensor:
    """The log of p(t -> w) for the slots of a batch: float[slots, leaves]."""
    return tables["word"].index_select(1, batch.word_a.clamp(min=0)).T


def rule_potentials(shape: GrammarShape, tables: Tensors, emissions: torch.Tensor) -> Potentials:
    """The probabilities of roots and rules, beside given emissions."""
    children = shape.symbols + shape.leaves
    rules = tables["rules"].view(shape.symbols, children, children)
    return Potentials(rules, tables["root"][0], emissions)


def pair_emissions(
    parameters: Tensors, shape: GrammarShape, batch: TextBatch, tables: Tensors
) -> torch.Tensor:
    """The log of p(t -> a/b) for the slots of a batch: float[slots, leaves]."""
    kind = tables["kind"].T
    # All words of the source at once, and all of the target: few large steps.
    by_word = tables["source"].view(3, shape.leaves, shape.words).transpose(1, 2).flatten(0, 1)
    slots = (batch.changed, batch.dropped, batch.copied)
    rows = [batch.word_a[at] + number * shape.words for number, at in enumerate(slots)]
    whole = by_word.index_select(0, torch.cat(rows))
    changed, dropped, copied = split_tensor(whole, map(len, slots))
    target = _target_probabilities(parameters, shape, batch)
    at = torch.cat([batch.changed_at, batch.added_at])
    sizes = len(batch.changed), len(batch.added)
    given, added = split_tensor(target.index_select(0, at), sizes)
    others = (
        (batch.dropped, kind[DROPPED] + dropped),
        (batch.added, kind[ADDED] + added),
        (batch.copied, kind[COPIED] + copied),
    )
    values = kind[CHANGED] + changed + given
    slots, of_slots = zip(*others, strict=True)
    whole = values.new_zeros(batch.lattice.slots, values.shape[1])
    return whole.index_copy(0, torch.cat([*slots, batch.changed]), torch.cat([*of_slots, values]))


def _target_probabilities(
    parameters: Tensors, shape: GrammarShape, batch: TextBatch
) -> torch.Tensor:
    """The log of p(b | t, k, a) of the batch's combinations: float[combinations, leaves]."""
    source = parameters["target.source"].index_select(0, batch.types)
    hidden = run_network(parameters, "target", source[:, None] + parameters["target.state"])
    free = batch.types == shape.words
    banned = torch.where(free, -1, batch.types)
    combinations = Combinations(batch.combination_type, batch.combination_word, batch.type_ends)
    return word_log_probabilities(hidden, parameters["target.words"], combinations, banned)
