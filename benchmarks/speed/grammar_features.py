"""How long do the features of 64,000 trees take on one core? One JSON line.

    OMP_NUM_THREADS=1 python -m benchmarks.speed.grammar_features [--trees 64000] [--check 2000]

The trees are synthetic: joined at random, with words drawn by Zipf's law, in lengths like those of
SNLI pairs. Real trees repeat more, so they have fewer different features. Measured: numbering all
complete subtrees, which rows hold which, mutual information with three labels, the top 1,000 with
held-out figures, and their groups. ``--check`` counts the subtrees of that many trees a second time
by spelling each out as a string, and compares.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import numpy as np

from augkit.grammars.features.feature_groups import SelectionConfig, group_features, select_features
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.subtrees import occurrences, subtrees
from augkit.grammars.trees import Trees
from benchmarks.command_line import argument, arguments, print_line


def synthetic(documents: int, seed: int = 0) -> Trees:
    """Random trees of 7 to 20 leaves, 32 inner labels, 64 leaf labels, 20,000 words."""
    rng = np.random.default_rng(seed)
    leaves = rng.integers(7, 21, size=documents)
    columns: dict[str, list[int]] = {
        name: [] for name in ("label", "left", "right", "leaf_a", "leaf_b", "doc")
    }
    weights = 1 / np.arange(3, 20_003) ** 1.07
    total = int(leaves.sum())
    words = rng.choice(20_000, size=(total, 2), p=weights / weights.sum())
    words[rng.random((total, 2)) < 0.3] = -1
    words[(words < 0).all(axis=1), 0] = 0
    drawn = iter(words.tolist())
    for document, count in enumerate(leaves.tolist()):
        _grow(rng, columns, document, count, drawn)
    return Trees(**{name: np.array(values, np.int32) for name, values in columns.items()})


def _grow(rng: Any, columns: dict[str, list[int]], document: int, leaves: int, words: Any) -> int:
    if leaves == 1:
        first, second = next(words)
        # A word has few symbols, as in a trained grammar.
        row = (32 + (first + second) % 64, -1, -1, first, second, document)
    else:
        cut = int(rng.integers(1, leaves))
        left = _grow(rng, columns, document, cut, words)
        right = _grow(rng, columns, document, leaves - cut, words)
        row = (int(rng.integers(0, 32)), left, right, -1, -1, document)
    for values, value in zip(columns.values(), row, strict=True):
        values.append(value)
    return len(columns["label"]) - 1


def agrees(documents: int) -> bool:
    """Whether both ways count the same subtrees in the same number of trees."""
    trees = synthetic(documents, seed=1)
    names = [
        f"{label} {a}/{b}" if left < 0 else ""
        for label, a, b, left in zip(
            trees.label, trees.leaf_a, trees.leaf_b, trees.left, strict=True
        )
    ]
    for node in np.flatnonzero(trees.left >= 0).tolist():
        names[node] = f"{trees.label[node]}({names[trees.left[node]]})({names[trees.right[node]]})"
    held = Counter(name for _, name in sorted(set(zip(trees.doc.tolist(), names, strict=True))))
    numbered = subtrees(trees)
    counts = np.diff(occurrences(numbered, trees.doc, documents).tocsc().indptr)
    ours = {names[node]: int(n) for node, n in zip(numbered.first, counts, strict=True)}
    return ours == dict(held)


def main() -> None:
    """Print one line."""
    options = arguments(
        __doc__,
        argument("--trees", type=int, default=64_000),
        argument("--check", type=int, default=2_000),
    )
    trees = synthetic(options.trees)
    rng = np.random.default_rng(2)
    labelled = LabelledRows(
        ("contradiction", "entailment", "neutral"),
        rng.integers(0, 3, size=options.trees),
        rng.random(options.trees) < 0.3,
    )
    started = time.process_time()
    numbered = subtrees(trees)
    numbering = time.process_time() - started
    selected = select_features(trees, numbered, trees.doc, labelled, SelectionConfig())
    groups = group_features(selected, labelled)
    record = {
        "trees": options.trees,
        "nodes": len(trees),
        "different_subtrees": len(numbered),
        "groups": len(groups.members),
        "significant_after_correction": int((selected.statistics.corrected <= 0.05).sum()),
        "cpu_seconds_numbering": round(numbering, 2),
        "cpu_seconds_whole": round(time.process_time() - started, 2),
        "agrees_with_strings": agrees(options.check),
    }
    print_line(record)


if __name__ == "__main__":
    main()
