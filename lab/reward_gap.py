"""Does a reward model trained on people's pairs know the better answer, or the fancier one?

    AUGKIT_DATA=DIR python -m lab.reward_gap [--model encoder:FOLDER] [--seeds 5]
        [--arms NAME ...] [--folder DIR] [--write-pairs FILE] [--written FILE]

Trained on the pairs of auto-j and PandaLM that people decided, without a fifth of their prompts
(another fifth for each seed); tested on that fifth, on LLMBar-Natural and on RM-Bench, whose pairs
are easy, normal or hard: the better answer is the fancier, as fancy, or the plainer one. An arm is
a method that changes the training pairs first. Printed for each arm, in JSON lines: the mean over
seeds of each share in percent (of RM-Bench the mean of its groups of prompts), the gap between easy
and hard, the change from the arm without a method with a 95 % interval (prompts are resampled, a
prompt with the mean of its seeds), the share of the longer answer among the picks, the pairs
trained on, and whether the bar is met: the gap at least halved, normal no lower, and the other two
not clearly lower. The folder holds ``candidates/pairs_*.jsonl.gz``.

A language model writes once for all seeds: ``--write-pairs FILE`` writes all the pairs of people,
``augkit run FILE -m restyle --llm MODEL`` adds its own, and ``--written DATASET`` trains on that
dataset, without the pairs of held-out prompts, as it is and after each arm.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from augkit.commands.evaluate.choices import judged_choices, train_reward_classifier
from augkit.commands.evaluate.training_sets import run_training_sets
from augkit.core.types import Example, digest
from augkit.datasets.load import load_dataset
from augkit.evaluation.metrics.choice_accuracy import (
    GAP,
    PICKED,
    ChoiceAccuracy,
    JudgedChoice,
    JudgedChoices,
)
from augkit.models.classifiers.settings import ClassifierConfig, EncoderConfig, LinearConfig
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from lab.command_line import argument, arguments, print_line

Arm = tuple[str, dict[str, Any]]
NONE = "none"
ARMS: dict[str, Arm] = {
    "prune": ("prune", {}),
    "prune, weights": ("prune", {"weights": True}),
    "prune by AFLite": ("prune", {"algorithm": "aflite"}),
    "normalise": ("normalise", {}),
    "mirror": ("mirror", {}),
    "mirror, every pair": ("mirror", {"pairs": "every"}),
    "normalise, then prune": ("compose", {"steps": ["normalise", "prune"]}),
    "normalise, then mirror every pair": (
        "compose",
        {"steps": ["normalise", {"method": "mirror", "options": {"pairs": "every"}}]},
    ),
    "prune, then mirror": ("compose", {"steps": ["prune", "mirror"]}),
}
TRAINED = ("pairs_autoj.jsonl.gz", "pairs_pandalm.jsonl.gz")
RM_BENCH, NATURAL, HELD_OUT = "RM-Bench", "LLMBar-Natural", "held-out pairs"
PARTS = 5


def load(folder: Path, name: str) -> list[Example]:
    """The choices of a file that are decided."""
    rows = load_dataset(folder / name, choices=True)
    return [row for row in rows if row.label is not None]


def held_out(row: Example, seed: int) -> bool:
    """Whether a seed holds out the prompt of a row."""
    return int(digest("reward gap", str(seed), row.fields["prompt"]), 16) % PARTS == 0


def write_pairs(rows: Sequence[Example], path: Path) -> None:
    """A file with the rows, in the columns that were read, without those that augkit added."""
    own = [
        {name: value for name, value in row.columns.items() if not name.startswith("augkit_")}
        for row in rows
    ]
    lines = (json.dumps(columns, ensure_ascii=False) + "\n" for columns in own)
    path.write_text("".join(lines), encoding="utf-8")


def training_rows(rows: Sequence[Example], arm: Arm, seed: int, folder: Path) -> list[Example]:
    """What an arm makes of the rows; those without a method are as they are."""
    method, options = arm
    if method == NONE:
        return list(rows)
    path = folder / f"train-{seed}.jsonl"
    write_pairs(rows, path)
    out = folder / f"run-{seed}-{digest(json.dumps(arm))[:8]}"
    settings = RunSettings(method=method, dataset=str(path), options=options, seed=seed)
    (result,) = run_training_sets(run(settings, out), "result", None)
    return list(result.examples)


def judged(
    rows: Sequence[Example], tests: Mapping[str, Sequence[Example]], model: ClassifierConfig
) -> dict[str, list[JudgedChoice]]:
    """How a reward model of these rows decides the pairs of each test set."""
    classifier = train_reward_classifier(rows, model)
    groups = {RM_BENCH: "group"}
    return {
        name: judged_choices(classifier, test, groups.get(name)) for name, test in tests.items()
    }


def over_seeds(results: Sequence[JudgedChoices]) -> list[JudgedChoice]:
    """Each pair of a test set that all seeds have once, with the means of its decisions."""
    return [
        replace(
            same[0],
            right=fmean(pair.right for pair in same),
            picked=None if same[0].picked is None else fmean(pair.picked or 0.0 for pair in same),
        )
        for same in zip(*results, strict=True)
    ]


def measured(by_seed: Sequence[Mapping[str, list[JudgedChoice]]]) -> dict[str, list[JudgedChoice]]:
    """The decisions on each test set; held-out pairs are those of all seeds."""
    together = {
        name: over_seeds([decided[name] for decided in by_seed]) for name in (RM_BENCH, NATURAL)
    }
    return together | {HELD_OUT: [pair for decided in by_seed for pair in decided[HELD_OUT]]}


def record_of(
    name: str, data: dict[str, list[JudgedChoice]], before: dict[str, list[JudgedChoice]]
) -> dict[str, Any]:
    """The line of an arm."""
    metric = ChoiceAccuracy()
    record: dict[str, Any] = {"arm": name}
    for test, pairs in data.items():
        scores = {score.name: getattr(score, "value", None) for score in metric.score(pairs)}
        changes = {change.name: change.score for change in metric.compare(before[test], pairs)}
        names = ("easy", "normal", "hard", GAP) if test == RM_BENCH else ("accuracy",)
        for score in names:
            title = score.removesuffix(" (easy - hard)") if test == RM_BENCH else test
            record[title] = round(100 * scores[score], 1)
            if (change := changes.get(score)) is not None and name != NONE:
                record[f"{title}, change"] = [
                    round(100 * value, 1) for value in (change.value, change.low, change.high)
                ]
        if test == HELD_OUT:
            record["picks the longer"] = round(100 * (scores.get(PICKED) or 0.0), 1)
    return record


def meets_bar(record: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """The gap halved, normal no lower, and the other test sets not clearly lower."""
    halved = abs(record["gap"]) <= abs(before["gap"]) / 2
    no_worse = all(record[f"{test}, change"][2] >= 0 for test in (NATURAL, HELD_OUT))
    return halved and record["normal"] >= before["normal"] and no_worse


def parse_model(spec: str) -> ClassifierConfig:
    """``linear``, or ``encoder:FOLDER``."""
    kind, _, path = spec.partition(":")
    return EncoderConfig(model=path) if kind == "encoder" else LinearConfig()


def main() -> None:
    """One line for each arm."""
    asked = arguments(
        __doc__,
        argument("--model", default="linear"),
        argument("--seeds", type=int, default=5),
        argument("--arms", nargs="*", default=list(ARMS)),
        argument("--folder", type=Path),
        argument("--write-pairs", type=Path),
        argument("--written", type=Path),
    )
    source = (asked.folder or Path(os.environ["AUGKIT_DATA"])) / "candidates"
    people = [row for name in TRAINED for row in load(source, name)]
    if asked.write_pairs:
        write_pairs(people, asked.write_pairs)
        return
    arms = {name: (people, ARMS[name]) for name in asked.arms}
    if asked.written:
        written = load_dataset(asked.written, choices=True, augmented=True)
        then = {f"written, then {name}": (written, arm) for name, (_, arm) in arms.items()}
        arms = {"written": (written, (NONE, {})), **then}
    natural = [
        row
        for row in load(source, "pairs_llmbar.jsonl.gz")
        if row.columns.get("group") == "Natural"
    ]
    fixed = {RM_BENCH: load(source, "pairs_rmbench_half.jsonl.gz"), NATURAL: natural}
    model = parse_model(asked.model)
    before: dict[str, list[JudgedChoice]] = {}
    first: dict[str, Any] = {}
    for name, (rows, arm) in {NONE: (people, (NONE, {})), **arms}.items():
        by_seed, sizes = [], []
        for seed in range(asked.seeds):
            with tempfile.TemporaryDirectory() as scratch:
                open_rows = [row for row in rows if not held_out(row, seed)]
                trained = training_rows(open_rows, arm, seed, Path(scratch))
            tests = fixed | {HELD_OUT: [row for row in people if held_out(row, seed)]}
            by_seed.append(judged(trained, tests, model))
            sizes.append(len(trained))
        data = measured(by_seed)
        before = before or data
        record = record_of(name, data, before) | {"pairs trained on": round(fmean(sizes))}
        first = first or record
        if name != NONE:
            record["bar met"] = meets_bar(record, first)
        print_line(record)


if __name__ == "__main__":
    main()
