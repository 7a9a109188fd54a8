"""Grammars on a GPU: the kernels against the torch path on a CPU, and the speed of training.

    python -m lab.grammar_gpu check
    python -m lab.grammar_gpu speed CORPUS.npz [--batches 16 64 256] [--steps 200] [--plain]
    python -m lab.grammar_gpu encode DATASET --data DIR --out CORPUS.npz

A corpus is an ``.npz`` with ``ids`` and ``lengths`` of all texts (for pairs two a row), ``pairs``,
``words`` and ``heldout``; ``encode`` makes one of a dataset, with the texts held out that ``augkit
shortcuts`` holds out. Every part prints one JSON line. ``speed`` is whole training steps over real
ragged batches, host work included, with the bounds of the card as measured in the same run; 32 + 64
symbols, embeddings of 256. With ``--plain`` it measures the torch path on the GPU too, which is
what a machine without Triton runs, and how many times as fast the kernels are.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch

from augkit.grammars.charts import inside, outside, triton, viterbi
from augkit.grammars.charts.batches import TextBatch, make_batch
from augkit.grammars.charts.emissions import Combinations, word_log_probabilities
from augkit.grammars.charts.index_plan import make_index_plan
from augkit.grammars.charts.synchronous_cells import Lattice, count_splits, list_cells, make_lattice
from augkit.grammars.model.grammar import grammar_potentials
from augkit.grammars.model.train import GrammarConfig, GrammarTrainer, prepare_batches
from augkit.models.precision import float32_products
from lab.command_line import argument, arguments, print_line

SYMBOLS, LEAVES, WIDTH = 32, 64, 256
WARM = 40
"""Steps before those that are timed: kernels are compiled, and most sizes of texts are seen."""
CUDA = torch.device("cuda")


def main() -> None:
    """Run one part and print its line."""
    options = arguments(
        __doc__,
        argument("part", choices=["check", "speed", "encode"]),
        argument("corpus", nargs="?"),
        argument("--batches", type=int, nargs="+", default=[16, 64, 256]),
        argument("--steps", type=int, default=200),
        argument("--plain", action="store_true", help="measure the torch path on the GPU too"),
        argument("--out", type=Path),
        argument("--data", type=Path),
    )
    result = {"check": check, "speed": speed, "encode": encode}[options.part](options)
    print_line({"benchmark": "grammar_gpu", "part": options.part, **result})


def read(path: str) -> tuple[list, bool, int]:
    """The texts of a corpus file, whether they are pairs, and the size of the vocabulary."""
    with np.load(path) as arrays:
        ids, lengths, pairs = arrays["ids"].astype(np.int64), arrays["lengths"], arrays["pairs"]
        words = int(arrays["words"])
    sides = np.split(ids, np.cumsum(lengths)[:-1])
    texts = list(zip(sides[::2], sides[1::2], strict=True)) if pairs else sides
    return texts, bool(pairs), words


def encode(options: argparse.Namespace) -> dict:
    """Write a corpus file."""
    from augkit.datasets.load import load_dataset
    from augkit.grammars.features.survey import SurveyConfig, label_rows
    from augkit.grammars.model.corpus import read_corpus

    config = SurveyConfig(min_count=3)
    corpus = read_corpus(load_dataset(options.corpus, data_folder=options.data), config)
    vocabulary = corpus.vocabulary(config)
    texts = corpus.encoded(vocabulary)
    sides = [side for text in texts for side in (text if corpus.is_pairs else (text,))]
    lengths = np.array([len(side) for side in sides], np.int32)
    np.savez_compressed(
        options.out, ids=np.concatenate(sides).astype(np.int32), lengths=lengths,
        pairs=corpus.is_pairs, words=len(vocabulary),
        heldout=label_rows(corpus.examples, config).held_out[corpus.rows()],
    )  # fmt: skip
    return {"texts": len(texts), "left_out": len(corpus.left_out)}


def draw(lengths: list, seed: int, dtype: torch.dtype) -> inside.Potentials:
    """A random peaky grammar and emissions, the same for every dtype."""
    generator = torch.Generator().manual_seed(seed)
    both = SYMBOLS + LEAVES
    rules = 2 * torch.randn(SYMBOLS, both * both, generator=generator)
    emissions = 3 * torch.randn(make_lattice(lengths).slots, LEAVES, generator=generator) - 8
    root = torch.randn(SYMBOLS, generator=generator)
    return inside.Potentials(
        rules.to(dtype).log_softmax(1).view(SYMBOLS, both, both),
        root.to(dtype).log_softmax(0),
        emissions.to(dtype),
    )


def on_gpu(potentials: inside.Potentials) -> inside.Potentials:
    """The same in float32 on the GPU."""
    return inside.Potentials(*(one.float().to(CUDA) for one in vars(potentials).values()))


def relative(found: torch.Tensor, right: torch.Tensor) -> float:
    """||found - right|| / ||right||."""
    found, right = found.double().cpu(), right.double()
    return float((found - right).norm() / right.norm())


def check(_: argparse.Namespace) -> dict:
    """The kernels against the torch path in float64 on the CPU, over ragged batches."""
    errors_of: dict[str, dict[str, float]] = {}
    viterbi_of: dict[str, float] = {}
    for seed, lengths in enumerate(
        [[(13, 13), (12, 8), (2, 0), (1, 9), (30, 4)], [(40, 0), (7, 0)]]
    ):
        exact = draw(lengths, seed, torch.float64)
        weight = torch.linspace(0.5, 1, len(lengths), dtype=torch.float64)
        chart = inside.run_inside(exact, make_index_plan(make_lattice(lengths)))
        right = outside.run_outside(exact, chart, weight)
        best = viterbi.run_viterbi(exact, make_index_plan(make_lattice(lengths))).score
        for precision in ("highest", "high"):
            with float32_products(precision):
                gpu = on_gpu(exact)
                found = triton.run_inside(gpu, make_lattice(lengths))
                back = triton.run_outside(gpu, found, weight.float().to(CUDA))
            errors = {
                "logZ": float((found.log_likelihood.cpu() - chart.log_likelihood).abs().max())
            }
            for name in ("cells", "rules", "root", "emissions"):
                errors[name] = relative(getattr(back, name), getattr(right, name))
            errors_of[f"{lengths[0]}, {precision}"] = {
                name: float(f"{error:.2g}") for name, error in errors.items()
            }
        score = triton.run_viterbi(on_gpu(exact), make_lattice(lengths)).score
        viterbi_of[str(lengths[0])] = float((score.cpu() - best).abs().max())
    return {"errors": errors_of, "viterbi": viterbi_of, "emissions": check_emissions()}


def check_emissions() -> float:
    """The softmax of target words and its gradients against float64 on the CPU."""
    generator = torch.Generator().manual_seed(0)
    hidden = torch.randn(7, 64, 256, generator=generator, dtype=torch.float64) / 8
    words = torch.randn(5000, 256, generator=generator, dtype=torch.float64)
    types = torch.arange(7).repeat_interleave(9)
    chosen = torch.cat([torch.randperm(5000, generator=generator)[:9] for _ in range(7)])
    banned = torch.tensor([-1, 3, 4, 5, 6, 7, -1])
    banned[2] = next(w for w in range(5000) if w not in chosen)
    results = []
    for device, dtype in (("cpu", torch.float64), ("cuda", torch.float32)):
        inputs = [one.clone().to(device, dtype).requires_grad_() for one in (hidden, words)]
        ends = np.arange(8) * 9
        pairs = Combinations(types.to(device), chosen.to(device), ends)
        found = word_log_probabilities(*inputs, pairs, banned.to(device))
        weight = torch.linspace(-1, 1, found.numel(), dtype=dtype, device=device)
        (found.view(-1) * weight).sum().backward()
        results.append([found.detach(), *(one.grad for one in inputs)])
    return max(relative(gpu, cpu) for cpu, gpu in zip(*results, strict=True))


def ceilings() -> dict:
    """What this card does: tf32 products and copies."""
    x = torch.randn(8192, 8192, device=CUDA)
    big = torch.randn(1 << 29, device=CUDA)
    with float32_products("high"):
        product = timed(lambda: x @ x, 5)
    copy = timed(big.clone, 5)
    return {"tf32_tflops": 2 * 8192**3 / product / 1e12, "tb_per_s": 2 * big.nbytes / copy / 1e12}


def timed(work: Callable[[], object], repeats: int) -> float:
    """Seconds of one call, the mean after a warm-up."""
    work()
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(repeats):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - started) / repeats


def count_work(lattice: Lattice, types: int, words: int) -> tuple[float, float]:
    """Floating-point operations of the chart and of the emissions, forward and backward."""
    (_, _, a, _, b), _ = list_cells(lattice)
    splits = int(count_splits(lattice)[a, b].sum())
    both = SYMBOLS + LEAVES
    chart = splits * SYMBOLS**2 + len(a) * (SYMBOLS**3 + 6 * SYMBOLS**2)
    chart += lattice.slots * LEAVES * (both * SYMBOLS + SYMBOLS**2)
    return 6.0 * chart, 6.0 * types * LEAVES * words * WIDTH


def speed(options: argparse.Namespace) -> dict:
    """Training steps per second by batch size, and where the time goes."""
    texts, pairs, words = read(options.corpus)
    limits = ceilings()
    sizes: dict[str, dict] = {}
    for size in options.batches:
        config = GrammarConfig(words=words, pairs=pairs, batch_size=size)
        some = texts[: min(len(texts), size * (options.steps + WARM))]
        trainer = GrammarTrainer(some, some[:8], config)
        with float32_products("high"):
            sizes[str(size)] = measure(trainer, limits)
        if options.plain:
            del trainer
            plain = GrammarTrainer(some, some[:8], config)
            with float32_products("high"), without_kernels():
                _, batches = warm_up(plain)
                seconds, work = train_through(plain, batches)
            pace = sum(len(lattice.source) for lattice, _ in work) / seconds
            times = sizes[str(size)]["pairs_per_second"] / pace
            sizes[str(size)] |= {"plain_pairs_per_second": round(pace), "times": round(times, 2)}
    return {name: round(value, 2) for name, value in limits.items()} | {"batches": sizes}


@contextmanager
def without_kernels() -> Iterator[None]:
    """As on a machine with torch and without Triton."""
    find = importlib.util.find_spec

    def find_all_but_triton(name: str, *more: str) -> object:
        return None if name == "triton" else find(name, *more)

    with patch.object(importlib.util, "find_spec", find_all_but_triton):
        yield


def warm_up(trainer: GrammarTrainer) -> tuple[TextBatch, Iterator[TextBatch]]:
    """Train on the first batches; the last of them, and those that are left."""
    batches = iter(prepare_batches(trainer.texts, trainer.config, 0))
    for _ in range(WARM):
        last = next(batches).to(CUDA)
        trainer.loop.train([last])
    torch.cuda.synchronize()
    return last, batches


def train_through(
    trainer: GrammarTrainer, batches: Iterator[TextBatch]
) -> tuple[float, list[tuple[Lattice, int]]]:
    """The seconds of whole training steps, and the lattice and the number of types of each."""
    work = []

    def noted() -> Iterator[TextBatch]:
        for batch in batches:
            work.append((batch.lattice, len(batch.types)))
            yield batch

    started = time.perf_counter()
    trainer.loop.train(noted())
    torch.cuda.synchronize()
    return time.perf_counter() - started, work


def measure(trainer: GrammarTrainer, limits: dict) -> dict:
    """One batch size: pairs per second, milliseconds by part, distance to the bound."""
    last, batches = warm_up(trainer)
    torch.cuda.reset_peak_memory_stats()
    seconds, work = train_through(trainer, batches)
    seen = sum(len(lattice.source) for lattice, _ in work)
    flops = [0.0, 0.0]
    for lattice, types in work[:4]:
        counted = count_work(lattice, types, trainer.config.words)
        flops = [a + b / 4 / trainer.config.batch_size for a, b in zip(flops, counted, strict=True)]
    bound = sum(flops) / limits["tf32_tflops"] / 1e12
    return {
        "pairs_per_second": round(seen / seconds),
        "ms_per_step": round(1000 * seconds / len(work), 2),
        "gflop_per_pair": [round(one / 1e9, 2) for one in flops],
        "bound_pairs_per_second": round(1 / bound),
        "times_the_bound": round(seconds / seen / bound, 1),
        "types": round(float(np.mean([types for _, types in work]))),
        "peak_gb": round(torch.cuda.max_memory_allocated() / 1e9, 1),
        "ms": stages(trainer, last),
    }


def stages(trainer: GrammarTrainer, batch: TextBatch) -> dict:
    """Milliseconds of the parts of one step."""
    config, parameters = trainer.config, trainer.parameters
    with torch.no_grad():
        potentials = grammar_potentials(parameters, config, batch)
    weight = torch.ones(len(batch.lattice.source), device=CUDA)
    chart = triton.run_inside(potentials, batch.lattice)

    def emissions() -> None:
        found = grammar_potentials(parameters, config, batch)
        (found.emissions.sum() + found.rules.sum()).backward()

    parts = {
        "make_batch": lambda: make_batch(trainer.texts[: config.batch_size], config.words),
        "to_gpu": lambda: batch.to(CUDA),
        "place": lambda: triton.cells_by_level(batch.lattice, CUDA),
        "inside": lambda: triton.run_inside(potentials, batch.lattice),
        "outside": lambda: triton.run_outside(potentials, chart, weight),
        "networks_and_emissions": emissions,
        "clip": lambda: torch.nn.utils.clip_grad_norm_(parameters.values(), 1.0),
        "adamw": trainer.loop.optimizer.step,
    }
    return {name: round(1000 * timed(work, 10), 2) for name, work in parts.items()}


if __name__ == "__main__":
    main()
