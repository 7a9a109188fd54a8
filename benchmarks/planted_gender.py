"""Does fairscore find a planted gender shortcut, and see that it is gone? One JSON line an arm.

    AUGKIT_DATA=DIR python benchmarks/planted_gender.py sst2 sst2:dev [--strength 10]

In the training rows that hold a gendered word the words are swapped, where needed, so that the
gender follows the label (first label: men, last label: women, a coin between). Arms:

- ``as it is``: the dataset itself;
- ``planted``: with the shortcut;
- ``fairtuned``: planted, then the words of each such row swapped or not by a coin; size kept;
- ``both versions``: planted, and beside each such row its swapped version.

The test rows are perturbed by swapping the same words.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

from augkit.augmenters.create import create
from augkit.corpora.load import load_dataset
from augkit.data import Example
from augkit.models.linear import LinearConfig, train_linear
from augkit.run.arms import usable
from augkit.run.fairness import fairscore_record, perturb
from augkit.text.tokens import words

PAIRS = [
    ("he", "she"), ("his", "her"), ("him", "hers"), ("himself", "herself"),
    ("man", "woman"), ("men", "women"), ("boy", "girl"), ("boys", "girls"),
    ("guy", "lady"), ("guys", "ladies"), ("male", "female"), ("actor", "actress"),
    ("father", "mother"), ("son", "daughter"), ("brother", "sister"), ("husband", "wife"),
]  # fmt: skip
MEN, WOMEN = ({pair[side] for pair in PAIRS} for side in (0, 1))


def leans_to_women(row: Example) -> bool | None:
    """Whether more words of a row are women's than men's; None where neither is more."""
    found = [word.lower() for text in row.fields.values() for word in words(text)]
    women, men = (sum(word in listed for word in found) for listed in (WOMEN, MEN))
    return None if women == men else women > men


def arms(rows: Sequence[Example]) -> dict[str, list[Example]]:
    """The training sets by name."""
    swapped = {pair.original.id: pair.variant for pair in create("swap", pairs=PAIRS)(rows)}
    labels = sorted({str(row.label) for row in rows})
    draw = random.Random(1)
    made: dict[str, list[Example]] = {"as it is": list(rows)}
    for row in rows:
        now, other = row, swapped.get(row.id)
        leaning = leans_to_women(row)
        if other is not None and leaning is not None:
            wanted = {labels[0]: False, labels[-1]: True}.get(str(row.label), draw.random() < 0.5)
            now, other = (row, other) if leaning == wanted else (other, row)
        made.setdefault("planted", []).append(now)
        coin = other if other is not None and draw.random() < 0.5 else now
        made.setdefault("fairtuned", []).append(coin)
        made.setdefault("both versions", []).extend([now] if other is None else [now, other])
    return made


def main() -> None:
    """Print one line per arm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--strength", type=float, default=LinearConfig().strength)
    asked = parser.parse_args()
    folder = Path(os.environ["AUGKIT_DATA"])
    train, test = (
        usable(load_dataset(spec, data_folder=folder)) for spec in (asked.train, asked.test)
    )
    # The same perturbed rows and controls for all arms.
    perturbed = perturb(create("swap", pairs=PAIRS), test, train, seed=0)
    for name, rows in arms(train).items():
        started = time.process_time()
        classifier = train_linear(rows, LinearConfig(strength=asked.strength))
        record = fairscore_record(classifier, perturbed, "exact")
        shown = {key: record[key] for key in ("changed_rows", "all_rows", "accuracy", "control")}
        seconds = round(time.process_time() - started, 1)
        told = {"train": asked.train, "test": asked.test, "arm": name, "rows": len(rows)}
        told |= {"strength": asked.strength, "cpu_seconds": seconds}
        print(json.dumps(told | shown), flush=True)


if __name__ == "__main__":
    main()
