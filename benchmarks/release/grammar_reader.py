"""Contrast sets and robust training (Tables 6 to 8 of friedman2022finding) with a cross-encoder.

    AUGKIT_DATA=DIR python -m benchmarks.release.grammar_reader pack FOUND --dataset FILE
        --out FOLDER
    python -m benchmarks.release.grammar_reader read FOLDER --encoder MODEL [--seeds 3] [--epochs 3]
    AUGKIT_DATA=DIR python -m benchmarks.release.grammar_reader score FOUND --dataset FILE
        --out FOLDER

``pack`` writes the rows, the contrast sets of ``grammar_robust.py`` and the log-probabilities of
the bias model on the grammar's rules. ``read`` needs torch, transformers and numpy alone, so that
the folder can be taken to a machine with a GPU: it fine-tunes MODEL (a BERT) on the training rows,
plain, by JTT and by DRiFt, and writes the answers. ``score`` prints one JSON line a model, as
``grammar_robust.py`` does.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.razor_reader import (
    CLIP,
    WARMUP,
    Row,
    Training,
    chosen_device,
    encoded,
    schedule,
)
from benchmarks.release.stacked_encoder import StackedEncoder, clip_each, read_weights

MODELS = ("plain", "jtt", "drift")
UPWEIGHT = 4.0
"""JTT: weight of the rows that the first model gets wrong, as the default of RobustConfig."""


def main() -> None:
    """Pack, read or score."""
    options = arguments(
        __doc__,
        argument("part", choices=("pack", "read", "score")),
        argument("folder", type=Path),
        argument("--dataset"),
        argument("--out", type=Path),
        argument("--words", choices=("grammar", "bundled"), default="grammar"),
        argument("--copies", type=int, default=5),
        argument("--bias-features", choices=("rules", "groups"), default="rules"),
        argument("--limit", type=int, help="rows of each part"),
        argument("--encoder"),
        argument("--models", nargs="+", choices=MODELS, default=list(MODELS)),
        argument("--seeds", type=int, default=3),
        argument("--epochs", type=int, default=3),
        argument("--batch", type=int, default=32),
        argument("--rate", type=float, default=5e-5),
        argument("--longest", type=int, default=96),
    )
    {"pack": pack, "read": read, "score": score}[options.part](options)


def pack(options: argparse.Namespace) -> None:
    """Write what ``read`` needs."""
    from augkit.models.robust.methods import RobustConfig, bias_log_probabilities
    from benchmarks.release.grammar_robust import prepare

    material = prepare(options)
    options.out.mkdir(parents=True, exist_ok=True)
    parts = {
        "train": material.train,
        "test": material.test,
        "variants": [pair.variant for pair in material.pairs],
    }
    for name, rows in parts.items():
        lines = [json.dumps([*row.fields.values(), row.label]) for row in rows]
        (options.out / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = RobustConfig(iterations=100, folds=2)
    offset = bias_log_probabilities(
        material.bias_features, material.targets, len(material.labels), config
    )
    np.savez_compressed(
        options.out / "numbers.npz", offset=offset.astype(np.float32), targets=material.targets
    )
    print_line({name: len(rows) for name, rows in parts.items()})


def read(options: argparse.Namespace) -> None:
    """Fine-tune every model with every seed; write its answers to tests and variants."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(options.encoder)
    tokens = {
        name: encoded(read_rows(options.folder / f"{name}.jsonl"), tokenizer, options.longest)
        for name in ("train", "test", "variants")
    }
    with np.load(options.folder / "numbers.npz") as numbers:
        targets, offset = numbers["targets"], numbers["offset"]
    training = Training(options.epochs, options.batch, options.rate, options.longest)
    seeds = range(options.seeds)
    for name in options.models:
        started = time.time()
        weights = None
        if name == "jtt":
            first = Training(1, options.batch, options.rate, options.longest)
            model = fitted(options.encoder, tokens["train"], targets, first, seeds)
            wrong = answers(model, tokens["train"]) != targets
            weights = np.where(wrong, UPWEIGHT, 1.0).astype(np.float32)
        bias = offset if name == "drift" else None
        model = fitted(options.encoder, tokens["train"], targets, training, seeds, weights, bias)
        found = {part: answers(model, tokens[part]) for part in ("test", "variants")}
        np.savez_compressed(options.folder / f"answers-{name}.npz", **found)
        print_line({"model": name, "seconds": round(time.time() - started, 1)})


def read_rows(path: Path) -> list[Row]:
    """The rows of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Row(str(number), *json.loads(line)) for number, line in enumerate(lines)]


def fitted(  # noqa: PLR0913, PLR0917 - one training
    encoder: str,
    tokens: torch.Tensor,
    targets: np.ndarray,
    training: Training,
    seeds: Sequence[int],
    weights: np.ndarray | None = None,
    offset: np.ndarray | None = None,
) -> StackedEncoder:
    """Copies of the encoder after AdamW; rows count by ``weights``, ``offset`` joins the scores."""
    device = chosen_device()
    torch.manual_seed(0)
    start, heads = read_weights(encoder)
    model = StackedEncoder(start, heads, int(targets.max()) + 1, seeds).to(device)
    lengths = (tokens != 0).sum(1).numpy()
    tokens, gold = tokens.to(device), torch.from_numpy(targets).long().to(device)
    shares = torch.from_numpy(np.ones((len(seeds), len(targets)), np.float32)).to(device)
    if weights is not None:
        shares = torch.from_numpy(weights).to(device)
    steps = schedule(lengths, training, seeds)
    rise = max(1, int(WARMUP * len(steps)))
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=training.rate, weight_decay=0.01, fused=device.type == "cuda"
    )
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / rise, (len(steps) - step) / max(1, len(steps) - rise)),
    )
    known = None if offset is None else torch.from_numpy(offset).to(device)
    model.train()
    for chosen in steps:
        places = torch.from_numpy(chosen).to(device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scores = model(tokens[places][..., : int(lengths[chosen].max())]).float()
        scores = scores if known is None else scores + known[places]
        losses = torch.nn.functional.cross_entropy(
            scores.flatten(0, 1), gold[places].flatten(), reduction="none"
        ).view(places.shape)
        own = shares.gather(1, places)
        # Every copy has its own gradient: the weighted mean of its rows.
        ((losses * own).sum(1) / own.sum(1)).sum().backward()
        clip_each(model, CLIP)
        optimizer.step()
        plan.step()
        optimizer.zero_grad(set_to_none=True)
    return model


def answers(model: StackedEncoder, tokens: torch.Tensor) -> np.ndarray:
    """The number of the label that each copy gives to each row: int[copies, rows]."""
    device = chosen_device()
    lengths = (tokens != 0).sum(1).numpy()
    ordered = np.argsort(lengths, kind="stable")
    found = np.zeros((model.copies, len(tokens)), dtype=np.int8)
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(tokens), 256):
            places = ordered[start : start + 256]
            batch = tokens[places, : int(lengths[places].max())].to(device)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                scores = model(batch.expand(model.copies, *batch.shape))
            found[:, places] = scores.argmax(dim=2).cpu().numpy()
    return found


def score(options: argparse.Namespace) -> None:
    """Print one line a model, from the answers in ``--out``."""
    from benchmarks.release.grammar_robust import prepare, summary

    material = prepare(options)
    for name in options.models:
        with np.load(options.out / f"answers-{name}.npz") as found:
            pairs = list(zip(found["test"], found["variants"], strict=True))
        record: dict[str, Any] = {
            "model": name, "words": options.words, "train": len(material.targets),
            "test": len(material.gold), "seeds": len(pairs), **summary(material, pairs),
        }  # fmt: skip
        print_line(record)


if __name__ == "__main__":
    main()
