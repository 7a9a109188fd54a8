"""Grammars that the paper's authors trained: their ``model.pt`` and ``tokenizer.json``.

Their code has networks of its own. With linear layers u, v, w, a block h(x) = x + relu(v relu(u x))
and g(x) = h(h(w h(h(w linear x)))):

    p(S -> A), p(t -> w)   ~ exp(U g(v) + b)             p(A -> B C) ~ exp(U v_A + b)
    p(k | t)               ~ exp(U v'_t + b),   k in copy, w/w, w/empty, empty/w
    p(t -> a/b)            = p(w/w | t) p(a | t) p(b | t, a) + [a = b] p(copy | t) p(a | t)
    p(t -> a/empty)        = p(w/empty | t) p'(a | t)
    p(t -> empty/b)        = p(empty/w | t) p''(b | t)

with p(b | t, a) ~ exp(U g(v_t + v_a) + b). The tensors keep their names.

Reference: friedman2022finding.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import torch

from augkit.core.errors import DataError
from augkit.grammars.charts.batches import TextBatch
from augkit.grammars.charts.emissions import Combinations, word_log_probabilities
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.model.corpus import UNKNOWN, WordVocabulary
from augkit.grammars.model.parameters import GrammarShape, Tensors, join_kinds

_SENTENCE_HEADS = ("vocab_mlp",)
_PAIR_HEADS = ("src_vocab_mlp", "tgt_vocab_mlp", "we_vocab_mlp", "ew_vocab_mlp")
_COPIED, _CHANGED, _DROPPED, _ADDED = range(4)


def is_of_authors(parameters: Tensors) -> bool:
    """Whether the parameters are those of the authors' networks."""
    return "t_emb" in parameters


def read_checkpoint(
    folder: Path, device: torch.device
) -> tuple[GrammarShape, Tensors, WordVocabulary]:
    """The grammar in a folder with ``model.pt`` and ``tokenizer.json``; no code in it is run.

    Words are numbered anew, with ``[UNK]`` first.
    """
    path = folder / "model.pt"
    try:
        loaded = torch.load(path, map_location=device, weights_only=True)
        parameters = {name.removeprefix("module."): tensor for name, tensor in loaded.items()}
    except (OSError, RuntimeError, EOFError, AttributeError, pickle.UnpicklingError) as error:
        raise DataError(f"{path}: cannot be read as a checkpoint of tensors: {error}") from error
    shape = _shape(parameters, path)
    words = _words(folder / "tokenizer.json", shape.words)
    unknown = words.index(UNKNOWN)
    order = [unknown, *(number for number in range(len(words)) if number != unknown)]
    for name in parameters:
        if name == "src_enc_emb.weight" or "vocab_mlp.3." in name:
            parameters[name] = parameters[name][order]
    return shape, parameters, WordVocabulary(tuple(words[number] for number in order))


def _shape(parameters: Tensors, path: Path) -> GrammarShape:
    """The size of the grammar, if every tensor is there and has the shape that goes with it."""
    pairs = "t_type_emb" in parameters
    heads = _PAIR_HEADS if pairs else _SENTENCE_HEADS
    for name in ("nt_emb", "t_emb", f"{heads[0]}.3.weight"):
        if name not in parameters or parameters[name].dim() != 2:
            raise DataError(
                f"{path}: no grammar of the authors' code: it has no matrix '{name}'. Its tensors: "
                f"{', '.join(sorted(parameters)[:5]) or 'none'} …"
            )
    symbols, width = parameters["nt_emb"].shape
    leaves, words = len(parameters["t_emb"]), len(parameters[f"{heads[0]}.3.weight"])
    expected = {
        "nt_emb": (symbols, width),
        "t_emb": (leaves, width),
        "root_emb": (1, width),
        **_linear_shapes("rule_mlp", (symbols + leaves) ** 2, width),
        **_network_shapes("root_mlp", symbols, width),
    }
    for head in heads:
        expected |= _network_shapes(head, words, width)
    if pairs:
        expected |= {"t_type_emb": (leaves, width), "src_enc_emb.weight": (words, width)}
        expected |= _linear_shapes("emission_type_mlp.0", 4, width)
    for name, size in expected.items():
        actual = tuple(parameters[name].shape) if name in parameters else "not there"
        if actual != size:
            raise DataError(
                f"{path}: '{name}' is {actual}, and a grammar of {symbols}+{leaves} symbols, "
                f"{words} words and width {width} has {size}"
            )
    return GrammarShape(
        words=words, pairs=pairs, symbols=symbols, leaves=leaves, width=width, published=True
    )


def _linear_shapes(name: str, out: int, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (out, width), f"{name}.bias": (out,)}


def _network_shapes(name: str, out: int, width: int) -> dict[str, tuple[int, ...]]:
    shapes = _linear_shapes(f"{name}.0", width, width) | _linear_shapes(f"{name}.3", out, width)
    for block in ("1", "2"):
        for layer in ("u1", "u2", "v1", "v2", "w"):
            shapes |= _linear_shapes(f"{name}.{block}.{layer}", width, width)
    return shapes


def _words(path: Path, count: int) -> list[str]:
    """The words of a tokenizer by their ids."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        ids = {**record["model"]["vocab"]}
        ids |= {token["content"]: token["id"] for token in record.get("added_tokens", ())}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(f"{path}: cannot be read as a word tokenizer: {error!r}") from error
    if sorted(ids.values()) != list(range(count)) or UNKNOWN not in ids:
        raise DataError(
            f"{path}: it has {len(ids)} words and the checkpoint {count}, or they are not numbered "
            f"from 0, or '{UNKNOWN}' is not among them: the two files do not belong together"
        )
    return sorted(ids, key=ids.__getitem__)


def authors_potentials(parameters: Tensors, shape: GrammarShape, batch: TextBatch) -> Potentials:
    """The probabilities of rules, roots and the slots of a batch."""
    children = shape.symbols + shape.leaves
    rules = _linear(parameters, "rule_mlp", parameters["nt_emb"]).log_softmax(1)
    root = _table(parameters, "root_mlp", parameters["root_emb"])[0]
    states = parameters["t_emb"]
    if shape.pairs:
        emissions = _pair_emissions(parameters, batch, states)
    else:
        emissions = _table(parameters, "vocab_mlp", states).T[batch.word_a.clamp(min=0)]
    return Potentials(rules.view(shape.symbols, children, children), root, emissions)


def _pair_emissions(parameters: Tensors, batch: TextBatch, states: torch.Tensor) -> torch.Tensor:
    kind = _linear(parameters, "emission_type_mlp.0", parameters["t_type_emb"]).log_softmax(1).T
    source, dropped, added = (
        _table(parameters, f"{name}_vocab_mlp", states).T for name in ("src", "we", "ew")
    )
    word_a = batch.word_a
    changed = source[word_a[batch.changed]] + _target(parameters, batch, states)
    others = (
        (batch.dropped, kind[_DROPPED] + dropped[word_a[batch.dropped]]),
        (batch.added, kind[_ADDED] + added[batch.word_b[batch.added]]),
        (batch.copied, kind[_COPIED] + source[word_a[batch.copied]]),
    )
    return join_kinds(batch, kind[_CHANGED] + changed, others, published=True)


def _target(parameters: Tensors, batch: TextBatch, states: torch.Tensor) -> torch.Tensor:
    """The log of p(b | t, a) of the changed slots: float[changed, leaves]."""
    embedding = parameters["src_enc_emb.weight"]
    sources = embedding[batch.types.clamp(max=len(embedding) - 1)]  # the last type is no word
    hidden = _network(parameters, "tgt_vocab_mlp", sources[:, None] + states)
    hidden = torch.cat([hidden, torch.ones_like(hidden[..., :1])], 2)  # for the bias
    weight, bias = (parameters[f"tgt_vocab_mlp.3.{part}"] for part in ("weight", "bias"))
    combinations = Combinations(batch.combination_type, batch.combination_word, batch.type_ends)
    banned = torch.full_like(batch.types, -1)
    words = torch.cat([weight, bias[:, None]], 1)
    return word_log_probabilities(hidden, words, combinations, banned)[batch.changed_at]


def _table(parameters: Tensors, name: str, states: torch.Tensor) -> torch.Tensor:
    """Log probabilities by a network: float[states, outcomes]."""
    return _linear(parameters, f"{name}.3", _network(parameters, name, states)).log_softmax(1)


def _network(parameters: Tensors, name: str, states: torch.Tensor) -> torch.Tensor:
    value = _linear(parameters, f"{name}.0", states)
    for block in (f"{name}.1", f"{name}.2"):
        value = _linear(parameters, f"{block}.w", value)
        for layer in ("1", "2"):
            inner = _linear(parameters, f"{block}.u{layer}", value).relu()
            value = value + _linear(parameters, f"{block}.v{layer}", inner).relu()
    return value


def _linear(parameters: Tensors, name: str, value: torch.Tensor) -> torch.Tensor:
    weight, bias = parameters[f"{name}.weight"], parameters[f"{name}.bias"]
    return torch.nn.functional.linear(value, weight, bias)
