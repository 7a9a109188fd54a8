"""The neural parameterisation: embeddings and small networks that give the rules' probabilities.

The formulas are in ``pcfg`` and ``scfg``. Each f there is a network of two residual layers.

Reference: friedman2022finding.
"""

from __future__ import annotations

import math

import torch
from pydantic import Field

from augkit.core.config import StrictModel

Tensors = dict[str, torch.Tensor]

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


def init_parameters(shape: GrammarShape, seed: int) -> Tensors:
    """Random parameters (Glorot, uniform); the same seed gives the same ones."""
    rng = torch.Generator().manual_seed(seed)
    sizes = {
        "root.symbols": (shape.symbols, shape.width),
        **_rule_sizes(shape),
        **(_pair_sizes(shape) if shape.pairs else {"word.words": (shape.words, shape.width)}),
    }
    embeddings = {name: _glorot(size, rng) for name, size in sizes.items()}
    return embeddings | _init_networks(shape, rng)


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


def _state_counts(shape: GrammarShape) -> dict[str, int]:
    """The small networks, f1 to f4, and the number of input states of each."""
    networks = {"root": 1, "rules": shape.symbols}
    if shape.pairs:
        return networks | {"kind": shape.leaves, "source": 3 * shape.leaves}
    return networks | {"word": shape.leaves}


def _init_networks(shape: GrammarShape, rng: torch.Generator) -> Tensors:
    """The small networks side by side, their states padded to one size: few large steps."""
    states, width = _state_counts(shape), shape.width
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
        weight, bias = parameters[f"{name}.weight{layer}"], parameters[f"{name}.bias{layer}"]
        if weight.dim() == 3:
            return torch.baddbmm(bias, value, weight)
        return torch.nn.functional.linear(value, weight, bias)

    value = linear(state, 0)
    for layer in (1, 3):
        value = value + linear(linear(value, layer).relu(), layer + 1).relu()
    return value


def network_states(parameters: Tensors, shape: GrammarShape) -> Tensors:
    """The outputs of the small networks by name: float[states, width] each."""
    small = run_network(parameters, "small", parameters["small.state"])
    counts = _state_counts(shape).items()
    return {name: rows[:count] for (name, count), rows in zip(counts, small, strict=True)}
