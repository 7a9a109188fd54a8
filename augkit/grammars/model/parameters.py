"""The neural parameterisation: embeddings and small networks that give the rules' probabilities.

    p(S -> A)       ~ exp(f1(v_S) . u_A)
    p(A -> B C)     ~ exp(f2(v_A) . u_BC)                               dense
    p(A -> B C)     = sum_r p(r | A) p(B | r) p(C | r)                   in rank space
    p(t -> w)       ~ exp(f3(v_t) . u_w)                                 sentences
    p(t -> a/b)     = p(k | t) p(a | t, k) p(b | t, k, a)                pairs
    p(k | t)        ~ exp(f3(v_tk) . u_k),   k in w/w, w/empty, empty/w, copy
    p(a | t, k)     ~ exp(f4(v_tka) . u_a)
    p(b | t, k, a)  ~ exp(f5(v_tb + v_a) . u_b)

Each f is a network of two residual layers. In w/w the two words differ, as in the paper's text
(its code lets them be equal: ``published``); the empty word has an embedding v_a of its own.

Reference: friedman2022finding.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.grammars.charts.batches import Batch
from augkit.grammars.charts.emissions import Combinations, word_log_probabilities
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.charts.low_rank import RankPotentials

if TYPE_CHECKING:
    import torch

    Tensors = dict[str, torch.Tensor]

CHANGED, DROPPED, ADDED, COPIED = range(4)
_LAYERS = 5


class GrammarShape(StrictModel):
    """The size of a grammar."""

    words: int = Field(ge=1, description="size of the vocabulary: word ids are smaller")
    pairs: bool = Field(default=False, description="a synchronous grammar of pairs of texts")
    symbols: int = Field(32, ge=1, le=4096, description="internal symbols")
    leaves: int = Field(64, ge=1, le=4096, description="pre-terminal symbols")
    width: int = Field(256, ge=1, description="size of the embeddings")
    rank: int | None = Field(
        None, ge=1, description="rules in rank space with so many factors; none: dense rules"
    )
    published: bool = Field(
        default=False,
        description="do as the paper's code does where it differs from its text: w/w may have one "
        "word twice, and its slicing fault is kept",
    )


def draw_parameters(shape: GrammarShape, seed: int) -> Tensors:
    """Random parameters, uniform as by Glorot; the same seed gives the same ones."""
    import torch

    draw = torch.Generator().manual_seed(seed)
    sizes = {
        "root.symbols": (shape.symbols, shape.width),
        **_rule_sizes(shape),
        **(_pair_sizes(shape) if shape.pairs else {"word.words": (shape.words, shape.width)}),
    }
    drawn = {name: _draw(size, draw) for name, size in sizes.items()}
    return drawn | _draw_networks(shape, draw)


def _rule_sizes(shape: GrammarShape) -> dict[str, tuple[int, ...]]:
    both = shape.symbols + shape.leaves
    if shape.rank is None:
        return {"rules.children": (both * both, shape.width)}
    factors = {f"rank.{name}": (shape.rank, shape.width) for name in ("out", "left", "right")}
    return {**factors, "rank.symbols": (both, shape.width)}


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


def _states(shape: GrammarShape) -> dict[str, int]:
    """The small networks, f1 to f4, and how many states each is asked for."""
    networks = {"root": 1, "rules": shape.symbols}
    if shape.pairs:
        return networks | {"kind": shape.leaves, "source": 3 * shape.leaves}
    return networks | {"word": shape.leaves}


def _draw_networks(shape: GrammarShape, draw: torch.Generator) -> Tensors:
    """The small networks side by side, their states padded to one size: few large steps."""
    import torch

    states, width = _states(shape), shape.width
    rows = max(states.values())
    padded = [
        torch.nn.functional.pad(_draw((count, width), draw), (0, 0, 0, rows - count))
        for count in states.values()
    ]
    weights = {
        f"small.weight{layer}": torch.stack([_draw((width, width), draw) for _ in states])
        for layer in range(_LAYERS)
    }
    biases = {f"small.bias{n}": torch.zeros(len(states), 1, width) for n in range(_LAYERS)}
    return {"small.state": torch.stack(padded), **weights, **biases}


def _draw(size: tuple[int, ...], draw: torch.Generator) -> torch.Tensor:
    import torch

    if len(size) == 1:
        return torch.zeros(size)
    bound = math.sqrt(6 / sum(size))
    return torch.empty(size).uniform_(-bound, bound, generator=draw)


def _network(parameters: Tensors, name: str, state: torch.Tensor) -> torch.Tensor:
    """A network, or several side by side: a linear layer, then twice x + relu(W relu(W x))."""
    import torch

    def linear(value: torch.Tensor, layer: int) -> torch.Tensor:
        weight, bias = parameters[f"{name}.weight{layer}"], parameters[f"{name}.bias{layer}"]
        if weight.dim() == 3:
            return torch.baddbmm(bias, value, weight)
        return torch.nn.functional.linear(value, weight, bias)

    value = linear(state, 0)
    for layer in (1, 3):
        value = value + linear(linear(value, layer).relu(), layer + 1).relu()
    return value


def potentials_of(
    parameters: Tensors, shape: GrammarShape, batch: Batch
) -> Potentials | RankPotentials:
    """Probabilities of rules, roots and the slots of a batch."""
    both = shape.symbols + shape.leaves
    small = _network(parameters, "small", parameters["small.state"])
    counts = _states(shape).items()
    state = {name: rows[:count] for (name, count), rows in zip(counts, small, strict=True)}
    root = (state["root"] @ parameters["root.symbols"].T).log_softmax(1)[0]
    emit = _pair_emissions if shape.pairs else _sentence_emissions
    emissions = emit(parameters, shape, batch, state)
    if shape.rank is not None:
        return RankPotentials(*_factors(parameters, state["rules"]), root.exp(), emissions)
    rules = (state["rules"] @ parameters["rules.children"].T).log_softmax(1)
    return Potentials(rules.view(shape.symbols, both, both), root, emissions)


def _factors(
    parameters: Tensors, state: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """p(r | A), p(B | r) and p(C | r)."""
    out = (state @ parameters["rank.out"].T).softmax(1)
    symbols = parameters["rank.symbols"]
    left, right = ((symbols @ parameters[f"rank.{s}"].T).softmax(0) for s in ("left", "right"))
    return out, left, right


def _sentence_emissions(
    parameters: Tensors, _: GrammarShape, batch: Batch, state: Tensors
) -> torch.Tensor:
    table = (state["word"] @ parameters["word.words"].T).log_softmax(1)
    return table.T[batch.word_a.clamp(min=0)]


def _pair_emissions(
    parameters: Tensors, shape: GrammarShape, batch: Batch, state: Tensors
) -> torch.Tensor:
    import torch

    kind = (state["kind"] @ parameters["kind.kinds"].T).log_softmax(1).T  # [kinds, leaves]
    table = (state["source"] @ parameters["source.words"].T).log_softmax(1)
    changed, dropped, copied = table.view(3, shape.leaves, shape.words).transpose(1, 2).unbind(0)
    target = _target(parameters, shape, batch)
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


def _target(parameters: Tensors, shape: GrammarShape, batch: Batch) -> torch.Tensor:
    """The log of p(b | t, k, a) of the batch's combinations: float[combinations, leaves]."""
    import torch

    source = parameters["target.source"][batch.types]
    hidden = _network(parameters, "target", source[:, None] + parameters["target.state"])
    free = (batch.types == shape.words) | shape.published
    banned = torch.where(free, -1, batch.types)
    combinations = Combinations(batch.combination_type, batch.combination_word, batch.type_ends)
    return word_log_probabilities(hidden, parameters["target.words"], combinations, banned)
