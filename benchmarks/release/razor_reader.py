"""RAZOR's rewritings read by a cross-encoder: a transformer that sees both texts of a pair at once.

    AUGKIT_DATA=DIR python -m benchmarks.release.razor_reader pack STUDY --out FOLDER
    python -m benchmarks.release.razor_reader read FOLDER ... --encoder MODEL [--start NLI]
        [--seeds 10]
        [--first-seed 0]

``pack`` makes the arms (as it is, razor, eda on the rewritten field; of claims also razor and
symmetric) of fever, fever-swapped (test rewritten, dev read), snli or mnli, and writes them and the
test sets as JSON lines; ``pack nli`` writes the samples of SNLI and MNLI. ``read`` needs torch,
transformers and numpy alone, so that folders and model can be taken to a machine with a GPU. It
fine-tunes MODEL (a BERT, as MiniLM) on every arm with every seed (head, order of rows, dropout),
all at once, and prints a JSON line for each folder and arm: accuracy on each test set, with the
paired difference from "as it is", its 95 % interval over seeds, over test rows and over both.
``--start NLI`` names a file of pairs that MODEL is fine-tuned on first, once for all arms.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.command_line import print_line
from benchmarks.release.stacked_encoder import StackedEncoder, clip_each, read_weights

WARMUP, CLIP, BUCKET = 0.1, 1.0, 8
"""Share of steps in which the rate rises; length of a gradient; batches of like length together."""
AS_IT_IS = "as it is"
T_975 = (
    *(12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13),
    *(2.12, 2.11, 2.1, 2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05),
)
"""Quantiles of Student's t for 1 to 29 degrees of freedom; scipy need not be there."""
NLI_TESTS = ["snli:test", "snli:test_hard", "mnli:dev_matched"]
STUDIES: dict[str, tuple[str, list[str], dict[str, object]]] = {
    "fever": ("fever:dev", ["fever_symmetric:dev", "fever:test"], {}),
    "fever-swapped": ("fever:test", ["fever:dev"], {}),
    "snli": ("snli:train_20k", NLI_TESTS, {"epsilon": 0.0}),
    "mnli": ("mnli:train_10k", NLI_TESTS, {"epsilon": 0.0}),
}


@dataclass(frozen=True)
class Row:
    """A pair of texts with a label; ``id`` names the original it comes from."""

    id: str
    first: str
    second: str
    label: str


@dataclass(frozen=True)
class Training:
    """How a model is fine-tuned."""

    epochs: int
    batch: int
    rate: float
    longest: int
    """Word pieces of a pair; of a longer one the first text is cut."""


@dataclass(frozen=True)
class Start:
    """The weights that every copy begins with."""

    weights: dict[str, torch.Tensor]
    heads: int
    tokenizer: Any


def main() -> None:
    """Pack or read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    packing = parts.add_parser("pack")
    packing.add_argument("study", choices=[*STUDIES, "nli"])
    packing.add_argument("--rows", type=int)
    packing.add_argument("--tests", type=int)
    packing.add_argument("--out", type=Path, required=True)
    reading = parts.add_parser("read")
    reading.add_argument("folders", type=Path, nargs="+")
    reading.add_argument("--encoder", required=True)
    reading.add_argument("--start", type=Path)
    reading.add_argument("--seeds", type=int, default=10)
    reading.add_argument("--first-seed", type=int, default=0)
    reading.add_argument("--answers", type=Path, help="folder for which answers were right")
    reading.add_argument("--epochs", type=int, default=3)
    reading.add_argument("--batch", type=int, default=32)
    reading.add_argument("--rate", type=float, default=5e-5)
    reading.add_argument("--longest", type=int, default=160)
    asked = parser.parse_args()
    if asked.part == "pack":
        pack(asked)
    else:
        read(asked)


def pack(asked: argparse.Namespace) -> None:
    """Make the arms of a study and write them with its test sets; or the NLI samples."""
    from benchmarks.release.razor_fever import BOTH, made

    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.study == "nli":
        samples = labelled("snli:train_20k") + labelled("mnli:train_10k")
        write(asked.out / "nli.jsonl", map(plain, samples))
        return
    train, tests, options = STUDIES[asked.study]
    rows = labelled(train, asked.rows)
    field = list(rows[0].fields)[-1]
    write(asked.out / "originals.jsonl", map(plain, rows))
    arms = {"razor": ("razor", options), "eda": ("eda", {"fields": [field]})}
    if asked.study.startswith("fever"):
        arms["razor and symmetric"] = BOTH
    for name, method in arms.items():
        new = made(rows, method)
        changed = [
            Row(key, *one.fields.values(), str(one.label)) for key in new for one in new[key]
        ]
        write(asked.out / f"arm-{name}.jsonl", changed)
    for spec in tests:
        write(
            asked.out / f"test-{spec.replace(':', '-')}.jsonl",
            map(plain, labelled(spec, asked.tests)),
        )


def labelled(spec: str, most: int | None = None) -> list[Any]:
    """Rows with a label and no claim of the symmetric set, as many as asked, drawn by their ids."""
    from augkit.core.types import digest
    from augkit.datasets.load import load_dataset

    rows = load_dataset(spec, data_folder=os.environ.get("AUGKIT_DATA"))
    kept = [
        row
        for row in rows
        if row.label not in {None, "-"} and not row.columns.get("in_symmetric_dev")
    ]
    return sorted(kept, key=lambda row: digest("sample", row.id))[:most]


def plain(example: Any) -> Row:
    """An example as a row."""
    first, second = example.fields.values()
    return Row(example.id, first, second, str(example.label))


def write(path: Path, rows: Iterable[Row]) -> None:
    """One row a line."""
    lines = (json.dumps([row.id, row.first, row.second, row.label]) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_rows(path: Path) -> list[Row]:
    """The rows of a file."""
    return [Row(*json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def read(asked: argparse.Namespace) -> None:
    """Every folder, arm and seed."""
    from transformers import AutoTokenizer

    weights, heads = read_weights(asked.encoder)
    start = Start(weights, heads, AutoTokenizer.from_pretrained(asked.encoder))
    training = Training(asked.epochs, asked.batch, asked.rate, asked.longest)
    if asked.start:
        start = warmed(start, read_rows(asked.start), training)
    for folder in asked.folders:
        study(folder, start, training, asked)


def study(folder: Path, start: Start, training: Training, asked: argparse.Namespace) -> None:
    """One folder: the arms of its size, then eda's, which has twice as many rows."""
    originals = read_rows(folder / "originals.jsonl")
    tests = {path.stem[5:]: read_rows(path) for path in sorted(folder.glob("test-*.jsonl"))}
    arms = {AS_IT_IS: originals} | {
        path.stem[4:]: with_changes(originals, read_rows(path), append="eda" in path.stem)
        for path in sorted(folder.glob("arm-*.jsonl"))
    }
    base: dict[str, np.ndarray] = {}
    for name, rows in arms.items():
        began = time.time()
        seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
        right = trained(rows, tests, start, training, seeds)
        base = base or right
        if asked.answers:
            np.savez_compressed(asked.answers / f"{folder.name}-{name}.npz", **right)
        record: dict[str, object] = {"study": folder.name, "arm": name, "seeds": asked.seeds}
        record |= {"started": bool(asked.start), "rewritten": changes(originals, rows)}
        record |= {test: compared(base[test], right[test]) for test in tests}
        print_line(record | {"seconds": round(time.time() - began, 1)})


def changes(originals: Sequence[Row], rows: Sequence[Row]) -> int:
    """Rows of an arm that are no originals."""
    return len(set(rows) - set(originals))


def with_changes(originals: Sequence[Row], new: Sequence[Row], *, append: bool) -> list[Row]:
    """Rewritings in the places of their originals, or beside them."""
    if append:
        return [*originals, *new]
    found: dict[str, list[Row]] = {}
    for row in new:
        found.setdefault(row.id, []).append(row)
    return [one for row in originals for one in found.get(row.id, [row])]


def compared(base: np.ndarray, mine: np.ndarray) -> dict[str, object]:
    """Accuracy over seeds, and the paired difference from the base, in points."""
    record: dict[str, object] = {"accuracy": round(100 * float(mine.mean()), 2)}
    if base is mine:
        return record
    gaps = 100 * (mine.mean(axis=1) - base.mean(axis=1))
    half = T_975[min(len(gaps), 30) - 2] * gaps.std(ddof=1) / np.sqrt(len(gaps))
    points = 100 * (mine.astype(float) - base)
    return record | {
        "over seeds": rounded(gaps.mean(), gaps.mean() - half, gaps.mean() + half),
        "over rows": rounded(gaps.mean(), *drawn_again(points, seeds=False)),
        "over both": rounded(gaps.mean(), *drawn_again(points, seeds=True)),
    }


def drawn_again(points: np.ndarray, *, seeds: bool) -> np.ndarray:
    """The ends of a 95 % bootstrap interval: test rows are drawn, and seeds too if asked."""
    draw = np.random.default_rng(0)
    copies, rows = points.shape
    means = []
    for _ in range(2000):
        some = points[draw.integers(0, copies, copies)] if seeds else points
        means.append(some.mean(axis=0)[draw.integers(0, rows, rows)].mean())
    return np.quantile(means, [0.025, 0.975])


def rounded(*values: float) -> list[float]:
    """Plain numbers with two digits."""
    return [round(float(value), 2) for value in values]


def warmed(start: Start, rows: Sequence[Row], training: Training) -> Start:
    """The weights after fine-tuning on other pairs first."""
    labels = sorted({row.label for row in rows})
    device = chosen_device()
    model = StackedEncoder(start.weights, start.heads, len(labels), [0]).to(device)
    first = Training(2, 64, 1e-4, training.longest)
    fit(model, rows, labels, start.tokenizer, first, [0])
    return Start(model.first(), start.heads, start.tokenizer)


def trained(
    rows: Sequence[Row],
    tests: dict[str, list[Row]],
    start: Start,
    training: Training,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """One arm with every seed: for each test set, bool[seeds, rows] of right answers."""
    labels = sorted({row.label for row in rows})
    model = StackedEncoder(start.weights, start.heads, len(labels), seeds).to(chosen_device())
    fit(model, rows, labels, start.tokenizer, training, seeds)
    return {
        name: right(model, encoded(test, start.tokenizer, training.longest), test, labels)
        for name, test in tests.items()
    }


def chosen_device() -> torch.device:
    """A GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def encoded(rows: Sequence[Row], tokenizer: Any, longest: int) -> torch.Tensor:
    """Both texts of each row as one sequence: int[rows, longest]."""
    found = tokenizer(
        [row.first for row in rows],
        [row.second for row in rows],
        truncation="only_first",
        max_length=longest,
        padding="max_length",
        return_tensors="pt",
    )
    return found["input_ids"]


def schedule(lengths: np.ndarray, training: Training, seeds: Sequence[int]) -> list[np.ndarray]:
    """Batches int[seeds, rows] of all epochs: rows of like length together, drawn by each seed.

    All seeds go through the lengths in the same order, so that they can be padded together.
    """
    ordered = np.argsort(lengths, kind="stable")
    size = BUCKET * training.batch
    buckets = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    order = random.Random(0)
    draws = [np.random.default_rng(seed) for seed in seeds]
    steps = []
    for _ in range(training.epochs):
        epoch = []
        for bucket in buckets:
            drawn = np.stack([draw.permutation(bucket) for draw in draws])
            epoch += [
                drawn[:, start : start + training.batch]
                for start in range(0, len(bucket), training.batch)
            ]
        order.shuffle(epoch)
        steps += epoch
    return steps


def fit(  # noqa: PLR0913, PLR0917 - one training with all its settings
    model: StackedEncoder,
    rows: Sequence[Row],
    labels: Sequence[str],
    tokenizer: Any,
    training: Training,
    seeds: Sequence[int],
) -> None:
    """AdamW with a rise and a linear fall of the rate, gradients clipped; bfloat16 on a GPU."""
    device = chosen_device()
    torch.manual_seed(0)
    tokens = encoded(rows, tokenizer, training.longest)
    lengths = (tokens != 0).sum(1).numpy()
    tokens = tokens.to(device)
    gold = torch.tensor([labels.index(row.label) for row in rows], device=device)
    steps = schedule(lengths, training, seeds)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=training.rate, weight_decay=0.01, fused=device.type == "cuda"
    )
    rise = max(1, int(WARMUP * len(steps)))

    def share(step: int) -> float:
        return min((step + 1) / rise, max(0.0, (len(steps) - step) / max(1, len(steps) - rise)))

    plan = torch.optim.lr_scheduler.LambdaLR(optimizer, share)
    model.train()
    for chosen in steps:
        places = torch.from_numpy(chosen).to(device)
        batch = tokens[places][..., : int(lengths[chosen].max())]
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scores = model(batch)
        loss = torch.nn.functional.cross_entropy(
            scores.float().flatten(0, 1), gold[places].flatten(), reduction="sum"
        )
        # Summed over the copies and meant over the rows: every copy has its own gradient.
        (loss / chosen.shape[1]).backward()
        clip_each(model, CLIP)
        optimizer.step()
        plan.step()
        optimizer.zero_grad(set_to_none=True)


def right(
    model: StackedEncoder, tokens: torch.Tensor, rows: Sequence[Row], labels: Sequence[str]
) -> np.ndarray:
    """For each copy and row whether the answer is the label."""
    device = chosen_device()
    lengths = (tokens != 0).sum(1).numpy()
    gold = np.array([labels.index(row.label) for row in rows])
    ordered = np.argsort(lengths, kind="stable")
    answers = np.zeros((model.copies, len(rows)), dtype=int)
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(rows), 128):
            places = ordered[start : start + 128]
            batch = tokens[places, : int(lengths[places].max())].to(device)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                scores = model(batch.expand(model.copies, *batch.shape))
            answers[:, places] = scores.argmax(dim=2).cpu().numpy()
    return answers == gold


if __name__ == "__main__":
    main()
