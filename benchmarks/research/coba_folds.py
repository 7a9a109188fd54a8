"""CoBA on movie reviews by folds: fitted without the fold it is measured on.

    python -m benchmarks.research.coba_folds --data DIR [--folds 5] [--seed 0] [--cache FILE]
        [--set KEY=VALUE ...]

Each fold leaves out a fifth of the reviews of ``imdb_cad:original_train``. ``augkit run --method
coba`` works on the others; a TF-IDF (1,2-grams, min_df 2, sublinear) + logistic regression (C 10)
is trained on its ``dataset.jsonl`` and measured on the human revisions and the originals of the
reviews that were left out. Beside it: originals alone, and originals with human revisions. About
80 CPU-seconds a fold, half of them for parsing; ``--cache`` keeps the parses, which are the same in
every fold and for every seed. Prints one JSON line.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from augkit.augmenters.create import create
from augkit.core.config import parse_settings
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.coba_imdb import Row, StoredParses


def main() -> None:
    """Measure every fold, print the means and the folds."""
    given = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--folds", type=int, default=5),
        argument("--seed", type=int, default=0),
        argument("--cache", type=Path, help="keeps parses"),
        argument("--set", nargs="*", default=[], dest="options"),
    )
    parses = StoredParses(given.cache)
    originals, revised = (
        read(given.data / f"imdb_cad/{name}_train.jsonl.gz") for name in ("original", "revised")
    )
    names = sorted({row["pair_id"] for row in originals})
    random.Random(0).shuffle(names)
    fold_of = {name: number % given.folds for number, name in enumerate(names)}
    options = parse_settings(given.options)
    folds = []
    for fold in range(given.folds):
        train, test = parted(originals, fold_of, fold)
        human, revisions = parted(revised, fold_of, fold)
        arms = {
            "coba": made(train, options, given.seed, parses),
            "human": train + human,
            "originals": train,
        }
        folds.append({name: measured(rows, revisions, test) for name, rows in arms.items()})
    parses.save()
    means = {
        name: [round(fmean(fold[name][part] for fold in folds), 1) for part in (0, 1)]
        for name in folds[0]
    }
    print_line({"benchmark": "coba_folds", "revised_and_original": means, "folds": folds})


def made(
    train: Sequence[Row], options: dict[str, Any], seed: int, parses: StoredParses
) -> list[Row]:
    """The originals and their variants."""
    rows = [example(row["text"], row["label"]) for row in train]
    method = create("coba", Tools(parser=parses), **{"seed": seed, **options}).fit(rows)
    variants = [one.variant for one in method.outcomes(rows) if isinstance(one, Pair)]
    return [{"text": row.fields["text"], "label": row.label} for row in (*rows, *variants)]


def measured(rows: Sequence[Row], *tests: Sequence[Row]) -> list[float]:
    """Accuracy on each test set of a classifier trained on these rows."""
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    model = make_pipeline(words, LogisticRegression(C=10, max_iter=1000))
    model.fit([row["text"] for row in rows], [row["label"] for row in rows])
    return [
        100 * model.score([row["text"] for row in test], [row["label"] for row in test])
        for test in tests
    ]


def parted(rows: Sequence[Row], fold_of: dict[str, int], fold: int) -> tuple[list[Row], list[Row]]:
    """The rows of the other folds, and of this one."""
    own = [row for row in rows if fold_of[row["pair_id"]] == fold]
    return [row for row in rows if fold_of[row["pair_id"]] != fold], own


def read(path: Path) -> list[Row]:
    """All rows of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    main()
