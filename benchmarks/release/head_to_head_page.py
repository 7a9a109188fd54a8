"""The page of the head-to-head: tables and plain sentences, from what the benchmark kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

OURS = ("coba", "razor", "panda")
FIRST = "originals alone"
SEEDS = 3
COMMAND = (
    "python -m benchmarks.release.head_to_head --data DATA --cache CACHE --encoder MODEL "
    "--write docs/results/head-to-head.md"
)
HEADS = {
    "sentiment": "Sentiment: 1,707 IMDb reviews",
    "claims": "Claims: FEVER",
}
ABOUT = {
    "sentiment": "The classifier is TF-IDF of words and word pairs with a logistic regression. "
    "*Human revisions* are 245 reviews "
    "([`imdb_cad:revised_dev`](../reference/datasets.md#files-in-the-data-folder)) that people "
    "changed to the other label. *human* trains on such revisions of the training reviews: a "
    "reference, not a method. The others are `imdb_cad:original_test` (488 reviews), `sst2:dev` "
    "(872 sentences), `yelp_sentences:test` (10,000) and `cr:all` (3,771, from customer reviews).",
    "claims": "Trained on 6,253 rows of `fever:dev`, without claims of FEVER-Symmetric. The "
    "classifier is a logistic head on the [vectors of a pair](../concepts/models.md#encoder) by "
    "all-MiniLM-L6-v2. In FEVER-Symmetric (`fever_symmetric:dev`, 708 pairs) every claim occurs "
    "with both labels, so the claim alone predicts nothing. FEVER test is `fever:test` (6,662).",
}
INTRO = """
All methods and baselines that run offline, except `typo`, with the same classifier, seeds and
test rows. Settings are the defaults, except for one row of eda. All variants are used, while
`augkit run` takes at most eight per row of coba and three of most others.

A cell has the accuracy in per cent (mean over seeds) and the difference to training on the
originals alone, with a 95 % paired bootstrap interval over test rows. **Bold**: the interval is
above 0 before rounding; *italic*: below 0. *New* is the number of variants. *CPU s* is the
time to make them, and to train and test, for one seed. razor and panda replace rows; the others add
variants.
"""
CANNOT = """
`random-edit` was not measured on FEVER. The methods below need a model that is not bundled, or
other data. Some were measured with a [small language model](real-model.md).
"""
NEEDS = {
    "paraphrase, auggpt, gpt3mix": "a language model (`--llm`)",
    "c-bert": "a masked language model",
    "back-translation": "two translation models, or a language model",
    "coba, razor, autocad, crossaug with a language model": "the figures here are of their rules",
    "coba-style, contrast": "other data: pairs of one content in two styles; inference pairs",
}


class Results:
    """What was kept of one task: arm → seed → test → bool[rows], and the record of each."""

    def __init__(self, cache: Path, task: str, arms: Sequence[str], rows: int) -> None:
        """Read the folder."""
        self.right: dict[str, dict[int, dict[str, np.ndarray]]] = {}
        self.told: dict[str, dict[int, dict[str, Any]]] = {}
        for file in sorted(cache.glob(f"{task}-*.npz")):
            with np.load(file) as held:
                told = json.loads(str(held["told"]))
                if told["arm"] in arms and (not rows or told["trained on"] == rows):
                    name, seed = told["arm"], told["seed"]
                    self.told.setdefault(name, {})[seed] = told
                    self.right.setdefault(name, {})[seed] = {
                        test: held[test] for test in held.files if test != "told"
                    }
        self.arms = [name for name in arms if name in self.right]

    def mean(self, arm: str, test: str) -> np.ndarray:
        """Share of the seeds that answer each row rightly: float[rows]."""
        return np.mean([seeds[test] for seeds in self.right[arm].values()], axis=0)

    def gap(self, test: str, one: str, other: str) -> tuple[float, float, float]:
        """How much better ``one`` is than ``other``, in points, with its interval."""
        gaps = 100 * (self.mean(one, test) - self.mean(other, test))
        draw = np.random.default_rng(0)
        means = [gaps[draw.integers(0, len(gaps), len(gaps))].mean() for _ in range(2000)]
        low, high = np.quantile(means, [0.025, 0.975])
        return float(gaps.mean()), float(low), float(high)


def summaries(
    cache: Path, tasks: Mapping[str, tuple[Any, str, Any]], rows: int
) -> list[dict[str, Any]]:
    """For each task and arm the accuracies, and the differences to the originals alone."""
    lines: list[dict[str, Any]] = []
    for task, (arms, _, tests) in tasks.items():
        results = Results(cache, task, list(arms), rows)
        for arm in results.arms if FIRST in results.arms else ():
            told = list(results.told[arm].values())
            line = {"task": task, "arm": arm, "seeds": len(told)}
            line["new"] = round(float(np.mean([one["new"] for one in told])))
            for test in tests:
                gap = [round(value, 1) for value in results.gap(test, arm, FIRST)]
                accuracy = round(100 * float(results.mean(arm, test).mean()), 1)
                line[test] = {"accuracy": accuracy} | ({"gap": gap} if arm != FIRST else {})
            lines.append(line)
    return lines


def page(cache: Path, tasks: Mapping[str, tuple[Any, str, Any]], rows: int) -> str:
    """The whole page."""
    blocks = ["# Head to head: all offline methods", INTRO.strip()]
    blocks.append(f"<!-- not run: takes 45 minutes -->\n```bash\n{COMMAND}\n```")
    for task, (arms, _, tests) in tasks.items():
        results = Results(cache, task, list(arms), rows)
        if FIRST in results.arms:
            blocks += section(task, results, list(tests))
            short = [name for name in results.arms if arms[name].seeded]
            short = [name for name in short if len(results.right[name]) < SEEDS]
            missing = [name for name in arms if name not in results.arms]
            if short or missing:
                told = f"Fewer than {SEEDS} seeds: {', '.join(short) or 'none'}."
                blocks.append(f"{told} Not run: {', '.join(missing) or 'none'}.")
    needs = [f"| {method} | {what} |" for method, what in NEEDS.items()]
    table = "\n".join(["| method | needs |", "| --- | --- |", *needs])
    blocks += ["## What is not in the tables", CANNOT.strip(), table]
    return "\n\n".join(blocks) + "\n"


def section(task: str, results: Results, tests: Sequence[str]) -> list[str]:
    """Heading, table and sentences of one task."""
    head = ["method", "seeds", "new", *tests, "CPU s"]
    lines = [head, ["---"] * len(head)]
    for arm in results.arms:
        told = list(results.told[arm].values())
        cells = [cell(results, arm, test) for test in tests]
        cpu = [f"{np.mean([one[kind] for one in told]):.0f}" for kind in ("making", "training")]
        new = f"{np.mean([one['new'] for one in told]):,.0f}"
        lines.append([arm, str(len(told)), new, *cells, " + ".join(cpu)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return [f"## {HEADS[task]}", ABOUT[task], table, *sentences(results, tests)]


def cell(results: Results, arm: str, test: str) -> str:
    """Accuracy, difference and interval."""
    accuracy = f"{100 * results.mean(arm, test).mean():.1f}"
    if arm == FIRST:
        return accuracy
    gap, low, high = results.gap(test, arm, FIRST)
    mark = "**" if low > 0 else "*" if high < 0 else ""
    return f"{mark}{accuracy}{mark} {gap:+.1f} [{low:.1f}, {high:.1f}]"


def sentences(results: Results, tests: Sequence[str]) -> list[str]:
    """For each test set, plainly: which of ours is best, and what beats it."""
    ours = [arm for arm in results.arms if arm in OURS]
    theirs = [arm for arm in results.arms if arm not in OURS]
    lines = []
    for test in tests:
        if not ours:
            break
        best = max(ours, key=lambda arm: results.mean(arm, test).mean())
        gaps = {arm: results.gap(test, arm, best) for arm in theirs}
        beat = [arm for arm in theirs if gaps[arm][1] > 0]
        ahead = [arm for arm in theirs if gaps[arm][0] > 0 >= gaps[arm][1]]
        line = f"- **{test}**: {best}"
        line += f" ({100 * results.mean(best, test).mean():.1f})."
        line += f" Significantly better: {listed(beat, gaps) or 'none'}."
        line += f" Ahead, not significantly: {listed(ahead, gaps)}." if ahead else ""
        lines.append(line)
    head = f"The best of {OURS[0]}, {OURS[1]} and {OURS[2]}, and what is better:"
    return [head, "\n".join(lines)] if lines else []


def listed(arms: Sequence[str], gaps: Mapping[str, tuple[float, float, float]]) -> str:
    """Names with the difference and its interval."""
    return ", ".join(
        f"{arm} ({gaps[arm][0]:+.1f} [{gaps[arm][1]:.1f}, {gaps[arm][2]:.1f}])" for arm in arms
    )
