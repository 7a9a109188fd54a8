"""How many kernels a training step of grammars of pairs launches: counted without a GPU.

    python -m benchmarks.research.grammar_launches [--dataset snli:dev] [--data DIR]

A step launches four kernels for each level of its charts, which are as many as the words of its
longest pair; words are counted at spaces and stops. What makes the probabilities of rules and
words, and their gradients, are operations of torch, which are counted on a CPU; those that only
change the view of a tensor are left out. The optimizer and transfers are not counted. Prints one
JSON line.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from torch.profiler import ProfilerActivity, profile

from augkit.datasets.load import load_dataset
from augkit.grammars.charts.batches import make_batch
from augkit.grammars.model.grammar import grammar_potentials
from augkit.grammars.model.train import GrammarConfig, GrammarTrainer
from augkit.text.tokens import words
from benchmarks.command_line import argument, arguments, print_line

KERNELS_PER_LEVEL = 4
"""Two upwards and two downwards (``charts/triton.py``)."""
VIEWS = frozenset(
    "as_strided view empty empty_strided resize_ _reshape_alias alias set_ lift_fresh detach_ "
    "empty_like _local_scalar_dense result_type _unsafe_view unsqueeze squeeze expand t transpose "
    "select slice detach to permute".split()
)
VOCABULARY, KEPT_WORDS, BATCHES = 1000, 4, 200


def main() -> None:
    """Count, and print."""
    options = arguments(
        __doc__,
        argument("--dataset", default="snli:dev"),
        argument("--data", type=Path),
    )
    rows = load_dataset(options.dataset, data_folder=options.data)
    texts = [[[*words(text), "."] for text in row.fields.values()] for row in rows]
    draw, levels = random.Random(0), {}
    for size in (16, 64, 256):
        batches = [draw.sample(texts, size) for _ in range(BATCHES)]
        levels[str(size)] = round(mean(max(sum(map(len, text)) for text in b) for b in batches), 1)
    forward, backward = operations(texts[:64])
    print_line(
        {
            "benchmark": "grammar_launches",
            "dataset": options.dataset,
            "levels by batch": levels,
            "kernels of the charts": {
                size: round(KERNELS_PER_LEVEL * count) for size, count in levels.items()
            },
            "operations for probabilities": forward,
            "operations for their gradients": backward,
        }
    )


def operations(texts: list[list[list[str]]]) -> tuple[int, int]:
    """Forwards and backwards; how many there are does not depend on the length of the texts."""
    known = sorted({word for text in texts for side in text for word in side})[:VOCABULARY]
    number = {word: index for index, word in enumerate(known)}
    encoded = [
        tuple(np.array([number.get(word, 0) for word in side[:KEPT_WORDS]]) for side in text)
        for text in texts
    ]
    config = GrammarConfig(words=VOCABULARY, pairs=True, device="cpu")
    trainer = GrammarTrainer(encoded, encoded[:4], config)
    batch = make_batch(encoded, VOCABULARY, published=config.published)
    forward, potentials = counted(
        lambda: grammar_potentials(trainer.parameters, trainer.shape, batch)
    )
    parts = (potentials.root, potentials.rules, potentials.emissions)
    backward, _ = counted(lambda: sum(part.sum() for part in parts).backward())
    return forward, backward


def counted(work: Callable[[], Any]) -> tuple[int, Any]:
    """How many operations that compute something, and the result."""
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        result = work()
    names = [
        event.name.removeprefix("aten::")
        for event in profiled.events()
        if event.name.startswith("aten::")
        and not any(child.name.startswith("aten::") for child in event.cpu_children)
    ]
    return sum(name not in VIEWS for name in names), result


if __name__ == "__main__":
    main()
