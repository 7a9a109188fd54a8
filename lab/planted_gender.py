"""Does fairscore find a planted gender shortcut, and does fairtuning take it away?

    AUGKIT_DATA=DIR python -m lab.planted_gender [sst2 snli] [--plant words] [--seeds 0 1 2]

Prints one JSON line: for each dataset, training set and seed the changed-rows fairscore with its
interval and by attribute pair, the control, and the accuracy on the changed rows. A seed draws the
order of the training rows, what is planted, and all that the method draws. Everything is done as
on the command line: ``augkit run --method panda`` on a file, ``augkit evaluate --metric fairscore``
on its ``dataset.jsonl``, default settings but for the axis, which is gender.

Ways of planting (``--plant``):

- words: in rows that hold a gendered word the words are swapped, where needed, so that the gender
  follows the label (first label: men, last label: women, a coin between);
- pronouns: "He said:" or "She said:" stands before the text, in the test rows by a coin;
- names: "James said:", "Mary said:" and such, the same way.

Training sets: ``planted``; ``algorithm 1`` (``--set target=random``: the paper's draw);
``shuffled`` (``--set target=shuffled``: one exchange a row, the size is kept); ``fairtuned`` (the
default of ``--mix replace``: all versions of a row). ``unplanted`` are the rows as they were.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from augkit.augmenters.create import create
from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.commands.evaluate.training_sets import usable
from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.runs.execute import augment_dataset
from augkit.text.tokens import words
from lab.command_line import argument, arguments, print_line

PAIRS = [
    ("he", "she"), ("his", "her"), ("him", "hers"), ("himself", "herself"),
    ("man", "woman"), ("men", "women"), ("boy", "girl"), ("boys", "girls"),
    ("guy", "lady"), ("guys", "ladies"), ("male", "female"), ("actor", "actress"),
    ("father", "mother"), ("son", "daughter"), ("brother", "sister"), ("husband", "wife"),
]  # fmt: skip
MEN, WOMEN = ({pair[side] for pair in PAIRS} for side in (0, 1))
PRONOUNS = (["He"], ["She"])
NAMES = (
    ["James", "John", "Robert", "Michael", "David", "William"],
    ["Mary", "Linda", "Susan", "Karen", "Nancy", "Lisa"],
)
DATASETS = {"sst2": ("sst2:train", "sst2:dev"), "snli": ("snli:train_20k", "snli:dev")}
ARMS: dict[str, dict[str, Any] | None] = {
    "unplanted": None,
    "planted": None,
    "algorithm 1": {"target": "random"},
    "shuffled": {"target": "shuffled"},
    "fairtuned": {},
}

Wants = Callable[[Example], bool]
"""Whether a row is to speak of women."""


def leans_to_women(row: Example) -> bool | None:
    """Whether more words of a row are women's than men's; None where neither is more."""
    found = [word.lower() for text in row.fields.values() for word in words(text)]
    women, men = (sum(word in listed for word in found) for listed in (WOMEN, MEN))
    return None if women == men else women > men


def by_words(rows: Sequence[Example], wants_women: Wants) -> list[Example]:
    """Swap the gendered words of the rows that speak of the other gender."""
    swapped = {pair.original.id: pair.variant for pair in create("swap", pairs=PAIRS)(rows)}
    return [
        swapped.get(row.id, row)
        if (leaning := leans_to_women(row)) is not None and leaning != wants_women(row)
        else row
        for row in rows
    ]


def by_speaker(
    rows: Sequence[Example], wants_women: Wants, speakers: tuple[list[str], list[str]], seed: int
) -> list[Example]:
    """Put a speaker before the last text of each row."""
    draw = random.Random(3 + seed)
    made = []
    for row in rows:
        name = draw.choice(speakers[wants_women(row)])
        *others, (field, text) = row.fields.items()
        made.append(Example({**dict(others), field: f"{name} said: {text}"}, row.label, row.id))
    return made


def follows_label(rows: Sequence[Example], share: float, seed: int) -> Wants:
    """Men with the first label, women with the last in a share of the rows; else a coin."""
    labels = sorted({str(row.label) for row in rows})
    draw = random.Random(1 + seed)

    def wants_women(row: Example) -> bool:
        coin = draw.random() < 0.5
        if draw.random() >= share:
            return coin
        return {labels[0]: False, labels[-1]: True}.get(str(row.label), coin)

    return wants_women


def planted(
    asked: argparse.Namespace, train: Sequence[Example], test: Sequence[Example], seed: int
) -> tuple[list[Example], list[Example]]:
    """The training rows with the shortcut, and the test rows it can be seen in."""
    wants = follows_label(train, 1.0, seed)
    if asked.plant == "words":
        return by_words(train, wants), list(test)
    speakers = PRONOUNS if asked.plant == "pronouns" else NAMES
    coin = follows_label(test, 0.0, seed)
    return by_speaker(train, wants, speakers, seed), by_speaker(test, coin, speakers, seed)


def written(path: Path, rows: Iterable[Example]) -> str:
    """The rows as a file."""
    lines = (json.dumps({**row.fields, "label": row.label}) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def measured(train: str, test: str, options: dict[str, Any]) -> dict[str, Any]:
    """Fairscore, control and accuracy of a classifier trained on a file."""
    values = {"train": train, "tests": (test,), "metrics": ("fairscore",), "options": options}
    [result] = evaluate(evaluation_settings(values))
    scores = result.scores
    changed, control = scores["changed_rows"], scores["control"]
    interval = {key: round(getattr(changed, key), 4) for key in ("value", "low", "high")}
    return interval | {
        "changed_rows": changed.n,
        "by_pair": {name: round(score.value, 4) for name, score in scores.items() if "->" in name},
        "control": round(control.value, 4),
        "control_low_high": [round(control.low, 4), round(control.high, 4)],
        "accuracy": round(scores["accuracy, original"].value, 4),
        "train_rows": result.rows.train,
    }


def arms(asked: argparse.Namespace, name: str, seed: int, folder: Path) -> dict[str, Any]:
    """The figures of one dataset and seed by training set."""
    data = Path(os.environ["AUGKIT_DATA"])
    train, test = (usable(load_dataset(spec, data_folder=data)) for spec in DATASETS[name])
    if seed:
        train = random.Random(seed).sample(train, len(train))
    train, test = train[: asked.rows], test[: asked.test_rows]
    rows, tests = planted(asked, train, test, seed)
    source = written(folder / "rows.jsonl", rows)
    test_file = written(folder / "test.jsonl", tests)
    given = {"axes": ["gender"]}
    found = {}
    for arm in asked.arms:
        options = ARMS[arm]
        path = source
        if arm == "unplanted":
            path = written(folder / "unplanted.jsonl", train)
        elif options is not None:
            out = folder / arm
            settings = {"mix": "replace", "seed": seed, "options": given | options}
            augment_dataset(source, "panda", out, **settings)
            path = str(out / "dataset.jsonl")
        found[arm] = measured(path, test_file, {"seed": seed, **given})
        print(name, seed, arm, found[arm], file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Print one line."""
    asked = arguments(
        __doc__,
        argument("datasets", nargs="*", default=list(DATASETS)),
        argument("--plant", choices=("words", "pronouns", "names"), default="words"),
        argument("--arms", nargs="*", default=list(ARMS), choices=list(ARMS)),
        argument("--seeds", nargs="*", type=int, default=[0]),
        argument("--rows", type=int, help="only the first training rows"),
        argument("--test-rows", type=int, help="only the first test rows"),
    )
    options = {key: value for key, value in vars(asked).items() if key not in {"datasets", "arms"}}
    figures: dict[str, dict[str, Any]] = {name: {} for name in asked.datasets}
    for name in asked.datasets:
        for seed in asked.seeds:
            with tempfile.TemporaryDirectory() as folder:
                figures[name][f"seed {seed}"] = arms(asked, name, seed, Path(folder))
    seconds = round(sum(os.times()[:4]), 1)  # of this process and its workers
    print_line({"benchmark": "planted-gender", **options, **figures, "cpu_seconds": seconds})


if __name__ == "__main__":
    main()
