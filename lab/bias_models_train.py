"""Train small masked models side by side on one GPU, and let them answer what was prepared.

    python -m lab.bias_models_train FOLDER [--out DIR] [--seeds 0 1 2] [--steps 5000]

FOLDER holds what ``lab.bias_models prepare`` wrote. This part needs torch and numpy
alone, so that it runs where augkit is not installed. It writes numbers only, a file for each arm:
how likely each model finds each masked token, the vectors of sentences, and predictions after
fine-tuning. ``lab.bias_models compare`` makes scores of them.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.command_line import argument, arguments, print_line

ARMS = ("plain", "panda", "coba")
TASKS = ("sst2", "snli")
VOCABULARY, LENGTH, BATCH = 8000, 128, 64
WIDTH, LAYERS, HEADS, LONGEST = 384, 6, 6, 512
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""The first tokens of the vocabulary."""
MASK = SPECIAL.index("[MASK]")
MASKED, RATE, TASK_RATE, WARM_UP = 0.15, 1e-3, 1e-4, 300


def main() -> None:
    """Train all models, or the one that is named."""
    options = arguments(
        __doc__,
        argument("folder", type=Path),
        argument("--out", type=Path),
        argument("--seeds", type=int, nargs="+", default=[0, 1, 2]),
        argument("--steps", type=int, default=5000),
        argument("--seconds", type=float, default=260.0, help="of training, at most"),
        argument("--arm", choices=ARMS, help="one model alone: this arm and the first seed"),
    )
    if options.arm:
        train_one(options)
    else:
        train(options)


def train(options: argparse.Namespace) -> None:
    """All arms and seeds side by side, each in a process of its own; one file for each arm."""
    out = options.out or Path(os.environ.get("OUT", "out"))
    work = Path(os.environ.get("TMPDIR", "/tmp")) / f"bias-models-{os.getpid()}"
    work.mkdir(parents=True)
    out.mkdir(parents=True, exist_ok=True)
    running = []
    for seed in options.seeds:
        for arm in ARMS:
            command = [sys.executable, "-m", "lab.bias_models_train", str(options.folder)]
            command += ["--arm", arm, "--seeds", str(seed), "--steps", str(options.steps)]
            command += ["--seconds", str(options.seconds), "--out", str(work)]
            running.append(subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"}))
    failed = [process.args for process in running if process.wait()]
    for arm in ARMS:
        merged = {}
        for path in sorted(work.glob(f"{arm}-*.npz")):
            seed = path.stem.rpartition("-")[2]
            with np.load(path) as found:
                merged |= {f"{seed}/{name}": found[name] for name in found.files}
        np.savez_compressed(out / f"{arm}.npz", **merged)
    if failed:
        sys.exit(f"{len(failed)} of {len(running)} models failed")


def train_one(options: argparse.Namespace) -> None:
    """One model from scratch, then all that is asked of it."""
    import torch

    seed = options.seeds[0]
    with np.load(options.folder / "prepared.npz") as loaded:
        arrays = dict(loaded)
    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = new_model().to(device)
    started = time.perf_counter()
    steps, loss = pretrain(model, arrays[f"text/{options.arm}"], options, seed)
    found: dict[str, np.ndarray] = {"steps": np.array(steps), "loss": np.array(loss)}
    model.eval()
    found["masked"] = masked_answers(model, arrays).astype("float32")
    found["sentences"] = sentence_vectors(model, flat(arrays, "sentences")).astype("float16")
    for task in TASKS:
        found |= fine_tuned(model, arrays, task, seed)
    np.savez_compressed(options.out / f"{options.arm}-{seed}.npz", **found)
    seconds = round(time.perf_counter() - started, 1)
    print_line(
        {"arm": options.arm, "seed": seed, "steps": steps, "loss": loss, "seconds": seconds}
        | {f"{task} right": float(found[f"{task}/right"]) for task in TASKS}
    )


def new_model() -> Any:
    """A transformer with random weights; each layer normalises first, so that few steps suffice."""
    import torch
    from torch import nn

    class Layer(nn.Module):
        """Attention, then two dense layers, each added to what came in."""

        def __init__(self) -> None:
            super().__init__()
            self.norms = nn.ModuleList([nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)])
            self.queries = nn.Linear(WIDTH, 3 * WIDTH)
            self.mixed = nn.Linear(WIDTH, WIDTH)
            self.up = nn.Linear(WIDTH, 4 * WIDTH)
            self.down = nn.Linear(4 * WIDTH, WIDTH)

        def forward(self, states: Any, mask: Any) -> Any:
            """The states after this layer: [texts, tokens, width]."""
            texts, tokens, _ = states.shape
            parts = self.queries(self.norms[0](states)).view(texts, tokens, 3, HEADS, -1)
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            seen = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
            states = states + self.mixed(seen.transpose(1, 2).reshape(texts, tokens, WIDTH))
            return states + self.down(nn.functional.gelu(self.up(self.norms[1](states))))

    class Reader(nn.Module):
        """Tokens to vectors, and vectors to scores of tokens by the same table."""

        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(VOCABULARY, WIDTH)
            self.places = nn.Embedding(LONGEST, WIDTH)
            self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
            self.norm = nn.LayerNorm(WIDTH)
            self.bias = nn.Parameter(torch.zeros(VOCABULARY))
            self.apply(start)

        def forward(self, ids: Any, mask: Any = None) -> Any:
            """The vector of each token; ``mask`` is false where there is none."""
            states = self.words(ids) + self.places.weight[: ids.shape[1]]
            for layer in self.layers:
                states = layer(states, None if mask is None else mask[:, None, None])
            return self.norm(states)

        def scores(self, vectors: Any) -> Any:
            """The scores of all tokens for some vectors."""
            return nn.functional.linear(vectors, self.words.weight, self.bias)

    def start(module: Any) -> None:
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)

    return Reader()


def pretrain(
    model: Any, text: np.ndarray, options: argparse.Namespace, seed: int
) -> tuple[int, float]:
    """Masked language modelling on pieces of the text; the steps done, and the last mean loss."""
    import torch

    device = model.bias.device
    stream = torch.from_numpy(text.astype("int64")).to(device)
    generator = torch.Generator(device=device).manual_seed(seed)
    on_gpu = device.type == "cuda"
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01, fused=on_gpu
    )
    places = torch.arange(LENGTH, device=device)
    started = time.perf_counter()
    mean_loss = math.nan
    for step in range(options.steps):
        done = max(step / options.steps, (time.perf_counter() - started) / options.seconds)
        if done >= 1:
            return step, mean_loss
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARM_UP) * (1 - done)
        starts = torch.randint(len(stream) - LENGTH, (BATCH, 1), generator=generator, device=device)
        loss = masked_loss(model, stream[starts + places], generator)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 50 == 0:
            now = loss.item()
            mean_loss = now if math.isnan(mean_loss) else 0.9 * mean_loss + 0.1 * now
    return options.steps, mean_loss


def masked_loss(model: Any, ids: Any, generator: Any) -> Any:
    """The loss at a random part of the tokens: of these 80 % are hidden, 10 % are others."""
    import torch

    # The first five ids are the special tokens.
    draw = torch.rand(ids.shape, generator=generator, device=ids.device)
    chosen = (draw < MASKED) & (ids >= len(SPECIAL))
    other = torch.randint(
        len(SPECIAL), VOCABULARY, ids.shape, generator=generator, device=ids.device
    )
    seen = torch.where(chosen & (draw < 0.8 * MASKED), MASK, ids)
    seen = torch.where(chosen & (draw >= 0.9 * MASKED), other, seen)
    with torch.autocast(ids.device.type, torch.bfloat16):
        scores = model.scores(model(seen)[chosen])
    return torch.nn.functional.cross_entropy(scores.float(), ids[chosen])


def flat(arrays: Mapping[str, np.ndarray], name: str) -> list[np.ndarray]:
    """The sequences of a name."""
    return np.split(arrays[f"{name}/ids"].astype("int64"), arrays[f"{name}/ends"][:-1])


def batches(sequences: Sequence[np.ndarray], size: int) -> list[np.ndarray]:
    """Numbers of sequences of like length."""
    order = np.argsort([len(ids) for ids in sequences], kind="stable")
    return [order[start : start + size] for start in range(0, len(order), size)]


def padded(sequences: Sequence[np.ndarray], device: Any) -> tuple[Any, Any]:
    """Some sequences as one tensor, and where it holds a token."""
    import torch

    longest = max(map(len, sequences))
    ids = np.zeros((len(sequences), longest), dtype="int64")
    mask = np.zeros((len(sequences), longest), dtype=bool)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = True
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)


def masked_answers(model: Any, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The log-probability of each query's token, in float32."""
    import torch

    sequences = flat(arrays, "masked")
    number, position, token = arrays["masked/queries"].astype("int64").T
    by_sequence = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[by_sequence], np.arange(len(sequences) + 1))
    answers = np.zeros(len(number))
    with torch.no_grad():
        for batch in batches(sequences, 512):
            hidden = model(*padded([sequences[one] for one in batch], model.bias.device))
            queries = [by_sequence[starts[one] : starts[one + 1]] for one in batch]
            rows = np.repeat(np.arange(len(batch)), [len(some) for some in queries])
            some = np.concatenate(queries)
            logs = model.scores(hidden[rows, position[some]]).float().log_softmax(1)
            wanted = torch.from_numpy(token[some]).to(hidden.device)
            answers[some] = logs.gather(1, wanted[:, None])[:, 0].cpu().numpy()
    return answers


def sentence_vectors(model: Any, sequences: Sequence[np.ndarray]) -> np.ndarray:
    """The mean over the tokens of each sentence."""
    import torch

    vectors = np.zeros((len(sequences), WIDTH))
    with torch.no_grad():
        for batch in batches(sequences, 512):
            ids, mask = padded([sequences[one] for one in batch], model.bias.device)
            hidden = model(ids, mask) * mask[..., None]
            vectors[batch] = (hidden.sum(1) / mask.sum(1)[:, None]).cpu().numpy()
    return vectors


def fine_tuned(
    model: Any, arrays: Mapping[str, np.ndarray], task: str, seed: int
) -> dict[str, np.ndarray]:
    """The predictions of a task's test rows, as they are and with another person."""
    import copy

    import torch

    encoder = copy.deepcopy(model).train()
    device = model.bias.device
    targets = torch.from_numpy(arrays[f"{task}/train labels"].astype("int64")).to(device)
    torch.manual_seed(seed)
    head = torch.nn.Linear(WIDTH, int(targets.max()) + 1).to(device)
    parameters = [*encoder.parameters(), *head.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=TASK_RATE, weight_decay=0.01)
    sequences = flat(arrays, f"{task}/train")
    order = np.random.default_rng(seed).permutation(len(sequences))
    drawn = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    for step, rows in enumerate(drawn):
        for group in optimizer.param_groups:
            group["lr"] = TASK_RATE * min(1.0, (step + 1) / 30) * (1 - step / len(drawn))
        with torch.autocast(device.type, torch.bfloat16):
            scores = head(encoder(*padded([sequences[row] for row in rows], device))[:, 0])
        torch.nn.functional.cross_entropy(scores.float(), targets[rows]).backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    encoder.eval()
    found = {
        f"{task}/{part}": predictions(encoder, head, flat(arrays, f"{task}/{part}"))
        for part in ("test", "perturbed")
    }
    right = found[f"{task}/test"] == arrays[f"{task}/test labels"]
    return found | {f"{task}/right": right.mean()}


def predictions(encoder: Any, head: Any, sequences: Sequence[np.ndarray]) -> np.ndarray:
    """The predicted label of each sequence."""
    import torch

    predicted = np.zeros(len(sequences), dtype="int8")
    with torch.no_grad():
        for batch in batches(sequences, 512):
            inputs = padded([sequences[one] for one in batch], encoder.bias.device)
            scores = head(encoder(*inputs)[:, 0])
            predicted[batch] = scores.argmax(1).cpu().numpy()
    return predicted


if __name__ == "__main__":
    main()
