"""CoBA on movie reviews by folds: fitted without the fold it is measured on.

    python -m benchmarks.research.coba_folds --data DIR [--folds 5] [--seed 0] [--cache FILE]
        [--per-row N] [--set KEY=VALUE ...]
    python -m benchmarks.research.coba_folds --data DIR --run FOLDER [--folds 5]

Each fold leaves out a fifth of the reviews of ``imdb_cad:original_train``. coba is fitted on the
others; a TF-IDF (1,2-grams, min_df 2, sublinear) + logistic regression (C 10) is trained on them
and on the variants that ``augkit run`` would put into ``dataset.jsonl`` (``--per-row``), and
measured on the human revisions and the originals of the reviews that were left out. Beside it: all
variants, each kind of those of the run alone, originals alone, and originals with human revisions.
About 150 CPU-seconds a fold, a third of them for parsing; ``--cache`` keeps the parses, which are
the same in every fold and for every seed.

With ``--run`` the variants are those of a finished run on ``imdb_cad:original_train``, which was
fitted on the originals of all folds (and on no revision); that takes five CPU-minutes in all.
Prints one JSON line.
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

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.create import create
from augkit.core.config import parse_settings
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.coba_imdb import Row, StoredParses

KINDS = ("text", "sentence", "clause", "twin")


def main() -> None:
    """Measure every fold, print the means and the folds."""
    given = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--folds", type=int, default=5),
        argument("--seed", type=int, default=0),
        argument("--cache", type=Path, help="keeps parses"),
        argument("--run", type=Path, help="folder of a run whose variants are measured"),
        argument("--per-row", type=int, help="variants of a row, at most; default: as in a run"),
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
        if given.run:
            variants, _ = parted(of_run(given.run, originals), fold_of, fold)
        else:
            variants = made(train, options, given.seed, parses)
        written = first_of_rows(variants, given.per_row or CobaConfig(**options).variants_per_copy)
        arms = {
            "coba": train + written,
            "all": train + variants,
            **{kind: train + of_kind(written, kind) for kind in KINDS},
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
    """All variants, in the order of a run, with their kinds and the rows that they are of."""
    rows = [example(row["text"], row["label"]) for row in train]
    method = create("coba", Tools(parser=parses), **{"seed": seed, **options}).fit(rows)
    pairs = [outcome for outcome in method.outcomes(rows) if isinstance(outcome, Pair)]
    return [
        {
            "text": pair.variant.fields["text"],
            "label": pair.variant.label,
            "kind": pair.provenance.about["unit"],
            "row": pair.original.id,
        }
        for pair in pairs
    ]


def of_run(folder: Path, originals: Sequence[Row]) -> list[Row]:
    """The same of a run."""
    pair_ids = {row["text"]: row["pair_id"] for row in originals}
    with (folder / "dataset.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = {row["augkit_id"]: row["text"] for row in rows if row["augkit_origin"] == "original"}
    with (folder / "variants.jsonl").open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [
        {
            "text": record["fields"]["text"],
            "label": record["label"],
            "kind": record["about"]["unit"],
            "row": record["parents"][0],
            "pair_id": pair_ids[texts[record["parents"][0]]],
        }
        for record in records
    ]


def first_of_rows(variants: Sequence[Row], per_row: int) -> list[Row]:
    """At most so many variants of each row, the first ones."""
    of_row: dict[str, list[Row]] = {}
    for variant in variants:
        of_row.setdefault(variant["row"], []).append(variant)
    return [variant for rows in of_row.values() for variant in rows[:per_row]]


def of_kind(variants: Sequence[Row], kind: str) -> list[Row]:
    """The variants of a kind."""
    return [variant for variant in variants if variant["kind"] == kind]


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
