"""Grammars on a GPU: the kernels against the torch path, training speed, parsing speed, training.

    python -m benchmarks.speed.grammar_gpu check
    python -m benchmarks.speed.grammar_gpu speed CORPUS.npz [--batches 16 64 256] [--steps 200]
    python -m benchmarks.speed.grammar_gpu tune CORPUS.npz --batches 128
    python -m benchmarks.speed.grammar_gpu parse CORPUS.npz [--texts 80000]
    python -m benchmarks.speed.grammar_gpu train CORPUS.npz --out DIR [--batch 64]
        [--seconds 300] ...
    python -m benchmarks.speed.grammar_gpu encode DATASET --data DIR --out CORPUS.npz
        [--min-count 3]
        [--words 20000]

A corpus is an ``.npz`` with ``ids`` and ``lengths`` of all texts (for pairs two a row), ``pairs``,
``words`` and ``heldout``; ``encode`` makes one of a dataset, with the texts held out that ``augkit
shortcuts`` holds out; ``--words`` pretends to a larger vocabulary, to measure its cost. Every part
prints one JSON line. ``--seconds`` ends the training when no other epoch fits in. ``speed`` is
whole training steps over real ragged batches, host work included, with the bounds of the card as
measured in the same run; 32 + 64 symbols, embeddings of 256.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from augkit.grammars.charts import inside, outside, triton, viterbi
from augkit.grammars.charts.batches import TextBatch, make_batch
from augkit.grammars.charts.emissions import Combinations, word_log_probabilities
from augkit.grammars.charts.index_plan import make_index_plan
from augkit.grammars.charts.synchronous_cells import Lattice, count_splits, list_cells, make_lattice
from augkit.grammars.model.grammar import Grammar, grammar_potentials
from augkit.grammars.model.parameters import GrammarShape, init_parameters
from augkit.grammars.model.train import (
    EpochProgress,
    GrammarConfig,
    GrammarTrainer,
    prepare_batches,
)
from augkit.models.precision import float32_products
from benchmarks.command_line import argument, arguments, print_line

SYMBOLS, LEAVES, WIDTH = 32, 64, 256
WARM = 40
"""Steps before those that are timed: kernels are compiled, and most sizes of texts are seen."""
CUDA = torch.device("cuda")


def main() -> None:
    """Run one part and print its line."""
    options = arguments(
        __doc__,
        argument("part", choices=["check", "speed", "parse", "train", "encode", "tune"]),
        argument("corpus", nargs="?"),
        argument("--batches", type=int, nargs="+", default=[16, 64, 256]),
        argument("--steps", type=int, default=200),
        argument("--texts", type=int, default=80_000),
        argument("--out", type=Path),
        argument("--data", type=Path),
        argument("--min-count", type=int, default=3),
        argument("--words", type=int),
        argument("--batch", type=int, default=64),
        argument("--epochs", type=int),
        argument("--patience", type=int, default=5),
        argument("--rate", type=float, default=3e-3),
        argument("--momentum", type=float, default=0.75),
        argument("--seconds", type=float, default=float("inf")),
        argument("--seed", type=int, default=0),
        argument("--profile", action="store_true"),
    )
    parts = (check, speed, parse, train, encode, tune)
    result = {part.__name__: part for part in parts}[options.part](options)
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

    config = SurveyConfig(min_count=options.min_count)
    corpus = read_corpus(load_dataset(options.corpus, data_folder=options.data), config)
    vocabulary = corpus.vocabulary(config)
    texts = corpus.encoded(vocabulary)
    sides = [side for text in texts for side in (text if corpus.is_pairs else (text,))]
    lengths = np.array([len(side) for side in sides], np.int32)
    np.savez_compressed(
        options.out, ids=np.concatenate(sides).astype(np.int32), lengths=lengths,
        pairs=corpus.is_pairs, words=options.words or len(vocabulary),
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
                found = triton.run_inside(gpu, make_lattice(lengths), published=False)
                back = triton.run_outside(gpu, found, weight.float().to(CUDA), published=False)
            errors = {
                "logZ": float((found.log_likelihood.cpu() - chart.log_likelihood).abs().max())
            }
            for name in ("cells", "rules", "root", "emissions"):
                errors[name] = relative(getattr(back, name), getattr(right, name))
            errors_of[f"{lengths[0]}, {precision}"] = {
                name: float(f"{error:.2g}") for name, error in errors.items()
            }
        score = triton.run_viterbi(on_gpu(exact), make_lattice(lengths), published=False).score
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


def tune(options: argparse.Namespace) -> dict:
    """Milliseconds of the chart's passes by splits at a time and warps, at the first batch size."""
    texts, pairs, _ = read(options.corpus)
    size = options.batches[0]
    lengths = [tuple(map(len, text)) if pairs else (len(text), 0) for text in texts[:size]]
    potentials = on_gpu(draw(lengths, 0, torch.float32))
    lattice = make_lattice(lengths)
    weight = torch.ones(size, device=CUDA)
    chart = triton.run_inside(potentials, lattice, published=False)
    passes = {
        "inside": lambda: triton.run_inside(potentials, lattice, published=False),
        "outside": lambda: triton.run_outside(potentials, chart, weight, published=False),
        "best": lambda: triton.run_viterbi(potentials, lattice, published=False),
    }
    result = {}
    with float32_products("high"):
        for name, work in passes.items():
            before = triton.LAUNCH[name]
            for rows in (2, 4, 8) if name == "best" else (16, 32, 64):
                for warps in (1, 2, 4):
                    triton.LAUNCH[name] = before | {"BK": rows, "num_warps": warps}
                    result[f"{name} {rows} {warps}"] = round(1000 * timed(work, 3), 2)
            triton.LAUNCH[name] = before
    return result


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
            sizes[str(size)] = measure(trainer, limits, options)
    return {name: round(value, 2) for name, value in limits.items()} | {"batches": sizes}


def measure(trainer: GrammarTrainer, limits: dict, options: argparse.Namespace) -> dict:
    """One batch size: pairs per second, milliseconds by part, distance to the bound."""
    batches = iter(prepare_batches(trainer.texts, trainer.config, 0))
    for _ in range(WARM):
        last = next(batches).to(CUDA)
        trainer.loop.train([last])
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    started, seen, flops = time.perf_counter(), 0, [0.0, 0.0]
    work = []

    def counted_batches() -> Iterator[TextBatch]:
        nonlocal seen
        for batch in batches:
            seen += len(batch.lattice.source)
            work.append((batch.lattice, len(batch.types)))
            yield batch

    trainer.loop.train(counted_batches())
    torch.cuda.synchronize()
    seconds = time.perf_counter() - started
    for lattice, types in work[:4]:
        counted = count_work(lattice, types, trainer.config.words)
        flops = [a + b / 4 / trainer.config.batch_size for a, b in zip(flops, counted, strict=True)]
    bound = sum(flops) / limits["tf32_tflops"] / 1e12
    result = {
        "pairs_per_second": round(seen / seconds),
        "ms_per_step": round(1000 * seconds / len(work), 2),
        "gflop_per_pair": [round(one / 1e9, 2) for one in flops],
        "bound_pairs_per_second": round(1 / bound),
        "times_the_bound": round(seconds / seen / bound, 1),
        "types": round(float(np.mean([types for _, types in work]))),
        "peak_gb": round(torch.cuda.max_memory_allocated() / 1e9, 1),
        "ms": stages(trainer, last),
    }
    if options.profile:
        show_profile(trainer, last)
    return result


def stages(trainer: GrammarTrainer, batch: TextBatch) -> dict:
    """Milliseconds of the parts of one step."""
    config, parameters = trainer.config, trainer.parameters
    with torch.no_grad():
        potentials = grammar_potentials(parameters, config, batch)
    weight = torch.ones(len(batch.lattice.source), device=CUDA)
    chart = triton.run_inside(potentials, batch.lattice, published=False)

    def emissions() -> None:
        found = grammar_potentials(parameters, config, batch)
        (found.emissions.sum() + found.rules.sum()).backward()

    parts = {
        "make_batch": lambda: make_batch(trainer.texts[: config.batch_size], config.words),
        "to_gpu": lambda: batch.to(CUDA),
        "place": lambda: triton.cells_by_level(batch.lattice, CUDA),
        "inside": lambda: triton.run_inside(potentials, batch.lattice, published=False),
        "outside": lambda: triton.run_outside(potentials, chart, weight, published=False),
        "networks_and_emissions": emissions,
        "clip": lambda: torch.nn.utils.clip_grad_norm_(parameters.values(), 1.0),
        "adamw": trainer.loop.optimizer.step,
    }
    return {name: round(1000 * timed(work, 10), 2) for name, work in parts.items()}


def show_profile(trainer: GrammarTrainer, batch: TextBatch) -> None:
    """Print the kernels that take longest."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as found:
        for _ in range(3):
            trainer.loop.train([batch])
        torch.cuda.synchronize()
    rows = sorted(found.key_averages(), key=lambda row: -row.self_device_time_total)[:16]
    for row in rows:
        print(f"{row.self_device_time_total / 3000:9.3f} ms {row.count / 3:7.0f} x {row.key[:90]}")


def parse(options: argparse.Namespace) -> dict:
    """Parse texts with a random grammar, host work and trees included."""
    texts, pairs, words = read(options.corpus)
    many = (texts * (options.texts // len(texts) + 1))[: options.texts]
    shape = GrammarShape(words=words, pairs=pairs)
    drawn = init_parameters(shape, 0)
    grammar = Grammar(shape, {name: 4 * one.to(CUDA) for name, one in drawn.items()})
    grammar.parse(many[:512])
    torch.cuda.synchronize()
    started = time.perf_counter()
    with cProfile.Profile(builtins=False) if options.profile else nullcontext() as found:
        trees = grammar.parse(many)
    seconds = time.perf_counter() - started
    if found is not None:
        pstats.Stats(found).sort_stats("tottime").print_stats(22)
    return {
        "texts": len(many),
        "seconds": round(seconds, 1),
        "texts_per_second": round(len(many) / seconds),
        "trees": len(trees.roots),
    }


def train_within(
    trainer: GrammarTrainer, seconds: float, report: Callable[[EpochProgress], None]
) -> Grammar:
    """Train while another epoch fits into the time; the best grammar so far."""
    started = time.perf_counter()
    best = trainer.grammar

    def stop_in_time(progress: EpochProgress) -> None:
        nonlocal best
        report(progress)
        if progress.best:
            copies = {name: one.clone() for name, one in trainer.grammar.parameters.items()}
            best = Grammar(trainer.shape, copies)
        ends = [0.0, *(epoch.seconds for epoch in trainer.loop.history)]
        longest = max(after - before for before, after in pairwise(ends))
        if time.perf_counter() - started + longest >= seconds:
            raise TimeoutError

    with suppress(TimeoutError):
        trainer.train(None, stop_in_time)
    return best


def train(options: argparse.Namespace) -> dict:
    """Train on what is not held out, parse all; the history and the trees."""
    texts, pairs, words = read(options.corpus)
    name = Path(options.corpus).stem
    with np.load(options.corpus) as arrays:
        out = arrays["heldout"] if "heldout" in arrays else np.arange(len(texts)) % 10 == 0
    config = GrammarConfig(
        words=words, pairs=pairs, batch_size=options.batch, epochs=options.epochs,
        learning_rate=options.rate, momentum=options.momentum, seed=options.seed,
        patience=options.patience,
    )  # fmt: skip
    heldout = [text for text, held in zip(texts, out, strict=True) if held][:2000]
    rest = [text for text, held in zip(texts, out, strict=True) if not held]
    history: list = []

    def report(progress: EpochProgress) -> None:
        history.append(progress)
        print(progress, flush=True)

    started = time.perf_counter()
    grammar = train_within(GrammarTrainer(rest, heldout, config), options.seconds, report)
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    trees = grammar.parse(texts)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        trees.save(options.out / f"{name}.trees.npz")
    return {
        "corpus": name,
        "texts": len(texts),
        "batch": config.batch_size,
        "rate": config.learning_rate,
        "seconds": round(seconds, 1),
        "parse_seconds": round(time.perf_counter() - started, 1),
        "heldout": [(round(one.seconds, 1), round(one.heldout, 3)) for one in history],
        "texts_per_second": round(float(np.mean([one.texts_per_second for one in history]))),
    }


if __name__ == "__main__":
    main()
