"""Do a model's CoBA variants break the shortcuts of movie reviews? Beside the rules' variants.

    python -m lab.real_llm_train --data DIR --run FOLDER/runs/coba-imdb [--variants 300]

Takes the first accepted variants of a finished run of ``real_llm.py`` (``--tasks coba/imdb --rows
600``), makes variants of the same sentences by rules, and trains the classifier of
``coba_imdb.py`` on ``imdb_cad:original_train`` with the sentences (as they are), with the model's
variants, and with the rules' variants. Prints one JSON line for each: accuracy in per cent on
``imdb_cad:revised_dev`` and the originals, and the differences from the sentences alone with their
95 % intervals (paired bootstrap over the test rows).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.core.types import Example, Pair, example
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import RunSettings
from lab.coba_imdb import Labelled, Trained, gain, labelled, read
from lab.command_line import argument, arguments, print_line
from lab.real_llm import read_lines, sources_of

TESTS = ("imdb_cad/revised_dev", "imdb_cad/original_dev", "imdb_cad/original_test")


def run_rows(run: Path, dataset: Path | None, most: int) -> tuple[list[Example], list[Labelled]]:
    """The sources of the first accepted variants of a run, and the variants."""
    file = str(dataset or read_manifest(run).settings["dataset"])
    sources = sources_of(RunSettings(method="eda", dataset=file))
    variants = read_lines(run / "variants.jsonl")[:most]
    rows = [sources[one["parents"][0]] for one in variants]
    return rows, [(one["fields"]["text"], one["label"]) for one in variants]


def by_rules(rows: Sequence[Example], reviews: Sequence[Labelled], seed: int) -> list[Labelled]:
    """Variants of the same sentences, one each, by rules fitted to the reviews."""
    method = Coba(CobaConfig(seed=seed)).fit([example(text, label) for text, label in reviews])
    pairs = [one for one in method.outcomes(rows) if isinstance(one, Pair)]
    first = {pair.original.id: pair for pair in reversed(pairs)}
    return [(pair.variant.fields["text"], str(pair.variant.label)) for pair in first.values()]


def main() -> None:
    """Print the line."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA")),
        argument("--run", type=Path, required=True),
        argument("--dataset", type=Path, help="its rows, where they are elsewhere now"),
        argument("--variants", type=int, default=300),
        argument("--seed", type=int, default=0),
    )
    reviews = labelled(read(asked.data, "imdb_cad/original_train"))
    tests = {name: labelled(read(asked.data, name)) for name in TESTS}
    rows, by_model = run_rows(asked.run, asked.dataset, asked.variants)
    sentences = [(row.fields["text"], str(row.label)) for row in rows]
    rules = by_rules(rows, reviews, asked.seed)
    arms = {
        "none": [],
        "as they are": sentences,
        f"{len(by_model)} variants by the language model": sentences + by_model,
        f"{len(rules)} variants by rules": sentences + rules,
        "both": sentences + by_model + rules,
    }
    right = {}
    for arm, rows in arms.items():
        classifier = Trained(reviews + rows)
        right[arm] = {name: classifier.right(test) for name, test in tests.items()}
    for arm, found in right.items():
        line: dict[str, Any] = {"benchmark": "real_llm_train", "training sentences": arm}
        for name, some in found.items():
            line[name] = {"accuracy": round(100 * float(some.mean()), 1)}
            if arm not in {"none", "as they are"}:
                line[name] |= gain(right["as they are"][name], some)
        print_line(line)


if __name__ == "__main__":
    main()
